import { parseWireAmount } from '../kit/money.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import type { Language } from '../kit/language.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import { readAddress } from '../kit/one-line.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Country } from './countries.ts';
import type { OnOff } from './on-off-settings.ts';

/**
 * The signature of requests, beside the checksum: ignored, checked when present, required of what changes something, or of all requests.
 * Source: contract §7.5.
 */
export type Signing = 'off' | 'accept' | 'require-writes' | 'require';
export const SIGNINGS: readonly Signing[] = ['off', 'accept', 'require-writes', 'require'];

/** `expiresAt` null: the newest secret, which has no end. */
export type HeldSecret = { readonly secret: string; readonly expiresAt: Temporal.Instant | null };

/** A business that holds orders and cashouts, with the secrets that prove its requests. Never logged. */
export type Merchant = OnOff & {
  readonly merchantId: string;
  /** The number of the cell that holds it, with all that is its own. */
  readonly cell: number;
  readonly name: string;
  readonly country: Country;
  readonly language: Language;
  /** Currencies that this merchant may use: some of its country's. */
  readonly currencies: readonly string[];
  readonly isDisabled: boolean;
  /** Nothing new is accepted for it and nothing is paid out. Its reads go on. */
  readonly isFrozen: boolean;
  /** The newest first. There are two during a rotation, one otherwise (contract §7.4). */
  readonly fixedHashes: readonly HeldSecret[];
  /** How many of its requests are served. Null: the defaults. */
  readonly limits: RequestLimits | null;
  readonly signing: Signing;
  /** Where its orders may leave the amount to the payer. Other currencies: nowhere. */
  readonly openAmounts: readonly OpenAmount[];
  /** Where the checkout page leads back to after a payment. Null: nowhere. */
  readonly returnUrl: string | null;
  /** The newest first: two at most, none before signing was first turned on (contract §7.5). */
  readonly signingSecrets: readonly HeldSecret[];
};

export const MERCHANT_ID_PATTERN = '^[A-Za-z0-9_.-]{1,50}$';

/** Longest id in the paths of cashouts (contract §4.1). */
const MOST_OF_CASHOUTS = 30;
/** A merchant with a longer id has orders only. */
export const mayHaveCashouts = ({ length }: string): boolean => length <= MOST_OF_CASHOUTS;

/** The checkout page shows the name: one line. */
const MERCHANT_NAME_PATTERN = '^[^\\p{Cc}]{1,100}$';

/** True for the name of a merchant. */
export const isMerchantName = (text: string): boolean => new RegExp(MERCHANT_NAME_PATTERN, 'u').test(text) && text.trim() !== '';

/** What a payer may choose in a currency: plain decimals. */
export type OpenAmount = { readonly currency: string; readonly least: string; readonly most: string };

/** Gives the limits of open amounts in a currency, in minor units. Undefined: the payer chooses none. */
export function openAmountIn(
  { openAmounts }: Pick<Merchant, 'openAmounts'>,
  currency: string,
): { readonly leastMinor: bigint; readonly mostMinor: bigint } | undefined {
  const limits = openAmounts.find((one) => one.currency === currency);
  if (limits === undefined) return undefined;
  const [leastMinor, mostMinor] = [parseWireAmount(limits.least, currency), parseWireAmount(limits.most, currency)];
  return leastMinor === undefined || mostMinor === undefined ? undefined : { leastMinor, mostMinor };
}

/** The hash of the checksum in a merchant's notices of orders. */
export type NoticeChecksum = 'sha256' | 'sha512';
export const NOTICE_CHECKSUMS: readonly NoticeChecksum[] = ['sha256', 'sha512'];

/** No endpoint and no page needs more. */
const MAX_URL_LENGTH = 500;

/** True for a notice URL and a return URL: http or https, without a user, a password or a fragment. */
export function isPlainUrl(text: string): boolean {
  const url = readAddress(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    text.length <= MAX_URL_LENGTH
  );
}

/** Words that paths have in the place of a merchant's id (contract §4.3). */
export const RESERVED_MERCHANT_IDS: ReadonlySet<string> = new Set(['available', '.', '..']);

/** The secrets that are valid at an instant. */
export function validSecrets(held: readonly HeldSecret[], at: Temporal.Instant): readonly string[] {
  return held.filter(({ expiresAt }) => isValidAt(expiresAt, at)).map(({ secret }) => secret);
}

const isValidAt = (expiresAt: Temporal.Instant | null, at: Temporal.Instant): boolean =>
  expiresAt === null || Temporal.Instant.compare(at, expiresAt) < 0;

/** A held secret, as far as a rotation needs it. `expiresAt` null: the newest. */
export type HeldGeneration = { readonly generation: number; readonly expiresAt: Temporal.Instant | null };

type Rotation = {
  /** Number of the new secret. */
  readonly generation: number;
  /** Every earlier secret that would last longer ends at this instant. */
  readonly earlierEndAt: Temporal.Instant;
};

export type RotationRefusal = 'days_out_of_range' | 'rotation_under_way';

/**
 * Decides a rotation of a secret of a merchant or a network. The earlier one stays valid for some days; 0 ends it at once.
 * Refuses: days_out_of_range; rotation_under_way while two are valid, because a third would end one that is in use.
 * With 0 days the request is clear: only the new secret stays, so it is not refused.
 * Source: contract §7.4, §7.5.
 */
export function decideRotation(held: readonly HeldGeneration[], at: Temporal.Instant, days: number): Rotation | Refusal<RotationRefusal> {
  if (!Number.isInteger(days) || days < 0 || days > MAX_ROTATION_DAYS) return refuse('days_out_of_range');
  const valid = held.filter(({ expiresAt }) => isValidAt(expiresAt, at));
  if (valid.length > 1 && days > 0) return refuse('rotation_under_way');
  return { generation: Math.max(0, ...held.map(({ generation }) => generation)) + 1, earlierEndAt: at.add({ hours: 24 * days }) };
}
