import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { statement, type Tx } from '../../kit/db.ts';
import type { ServiceKey } from '../../kit/keys/service-keys.ts';
import { hashOf } from '../one-time-secret.ts';

const LIFE_MINUTES = 5;
const RANDOM_BYTES = 16;
const FORM = /^([0-9]{10,11})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

const SPEND = statement(
  'users.spend_challenge',
  'insert into spent_challenges (hash, expires_at) values ($1, $2) on conflict (hash) do nothing returning 1',
);

/** What a challenge is for. `of`: the session or link that it belongs to; empty where nobody is known yet. */
export type ChallengePurpose = { readonly act: 'sign-in' | 'prove' | 'add'; readonly of: string };

/**
 * Makes a challenge for a passkey. It carries its own end and proof, so that nobody fills a table by asking for them.
 * Shape: text; a browser gets its bytes in base64url.
 */
export function makeChallenge(key: ServiceKey, purpose: ChallengePurpose, now: Temporal.Instant): string {
  const start = `${Math.floor(now.add({ minutes: LIFE_MINUTES }).epochMilliseconds / 1000)}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return `${start}.${proofOf(key.current().key, purpose, start)}`;
}

const proofOf = (key: Buffer, { act, of }: ChallengePurpose, start: string): string =>
  createHmac('sha256', key).update(`passkey challenge\n${act}\n${of}\n${start}`).digest('base64url');

/** True for a challenge of ours with this purpose that has not ended. */
export function isChallenge(key: ServiceKey, purpose: ChallengePurpose, challenge: string, now: Temporal.Instant): boolean {
  const [, end = '', random = '', proof = ''] = FORM.exec(challenge) ?? [];
  if (end === '' || Number(end) * 1000 <= now.epochMilliseconds) return false;
  return key.valid().some((one) => timingSafeEqual(Buffer.from(proofOf(one.key, purpose, `${end}.${random}`)), Buffer.from(proof)));
}

/** Uses a challenge up. False: it was answered before. */
export async function spendChallenge(tx: Tx, challenge: string, now: Temporal.Instant): Promise<boolean> {
  return (await tx.query(SPEND, [hashOf(challenge), now.add({ minutes: LIFE_MINUTES })])).length > 0;
}
