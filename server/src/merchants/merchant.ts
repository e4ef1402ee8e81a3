import type { Language } from '../kit/language.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Country } from './countries.ts';

/** Whether a merchant's requests carry a signature beside the checksum: never looked at, checked when present, or required (contract §7.5). */
export type Signing = 'off' | 'accept' | 'require';
export const SIGNINGS: readonly Signing[] = ['off', 'accept', 'require'];

/** `expiresAt` null: the newest, without an end. */
export type HeldSecret = { readonly secret: string; readonly expiresAt: Temporal.Instant | null };

/** A commerce that holds orders and cashouts, with the secrets that its clients sign with. Never logged. */
export type Merchant = {
  readonly merchantId: string;
  readonly name: string;
  readonly country: Country;
  readonly language: Language;
  /** Currencies that this merchant may use, a part of its country's. */
  readonly currencies: readonly string[];
  readonly isDisabled: boolean;
  /** Newest first; one, or two during a rotation (contract §7.4). */
  readonly fixedHashes: readonly HeldSecret[];
  readonly signing: Signing;
  /** Newest first; none until signing was first asked for, two at most (contract §7.5). */
  readonly signingSecrets: readonly HeldSecret[];
};

/** Cashout paths take thirty characters at most (contract §4.1): a longer id serves orders only. */
export const MERCHANT_ID_PATTERN = '^[A-Za-z0-9_.-]{1,50}$';

/** A name is shown to customers at the checkout: one line. */
export const MERCHANT_NAME_PATTERN = '^[^\\p{Cc}]{1,100}$';

/** More is nobody's address. */
const MAX_NOTICE_URL_LENGTH = 500;

/** Tells whether a text can be a merchant's notice URL: http or https, without a user, a password or a fragment. */
export function isNoticeUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    text.length <= MAX_NOTICE_URL_LENGTH
  );
}

/** Words that stand in the path where a merchant's id stands (contract §4.3). */
export const RESERVED_MERCHANT_IDS: ReadonlySet<string> = new Set(['available', '.', '..']);

/** A rotated secret stays valid at most this long, and this long unless told otherwise (contract §7.4). */
export const MAX_ROTATION_DAYS = 7;

/** The secrets that are valid at an instant. */
export function validSecrets(held: readonly HeldSecret[], at: Temporal.Instant): readonly string[] {
  return held.filter(({ expiresAt }) => isValidAt(expiresAt, at)).map(({ secret }) => secret);
}

const isValidAt = (expiresAt: Temporal.Instant | null, at: Temporal.Instant): boolean =>
  expiresAt === null || Temporal.Instant.compare(at, expiresAt) < 0;

/** A held secret as a rotation sees it; `expiresAt` null: the newest. */
export type HeldGeneration = { readonly generation: number; readonly expiresAt: Temporal.Instant | null };

export type Rotation = {
  /** Number of the new secret. */
  readonly generation: number;
  /** Every earlier secret that would last longer ends at this instant. */
  readonly earlierEndAt: Temporal.Instant;
};

export type RotationRefusal = 'days_out_of_range' | 'rotation_under_way';

/**
 * Decides a rotation of a fixed hash or of a signing secret: the earlier one stays valid for some days, 0 ends it at once.
 * Refuses: days_out_of_range; rotation_under_way while two are valid, since a third would make three or end one that is in use –
 * only 0 days, which leaves the new one alone, is a clear enough wish.
 * Source: contract §7.4, §7.5.
 */
export function decideRotation(held: readonly HeldGeneration[], at: Temporal.Instant, days: number): Rotation | Refusal<RotationRefusal> {
  if (!Number.isInteger(days) || days < 0 || days > MAX_ROTATION_DAYS) return refuse('days_out_of_range');
  const valid = held.filter(({ expiresAt }) => isValidAt(expiresAt, at));
  if (valid.length > 1 && days > 0) return refuse('rotation_under_way');
  return { generation: Math.max(0, ...held.map(({ generation }) => generation)) + 1, earlierEndAt: at.add({ hours: 24 * days }) };
}
