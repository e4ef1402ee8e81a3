import { createHmac, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../kit/checksum.ts';
import type { Clock } from '../kit/clock.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { Dialect } from '../requests/index.ts';
import type { Order } from './order.ts';

/** The address at which an order is paid: `{checkout_url}?token=<JWT>` (contract §3.1). */
export type CheckoutLink = (order: Order) => string;

type LinkedOrder = Pick<Order, 'serviceOrderId' | 'expiresAt'>;

const ISSUER = 'caudal';
const AUDIENCE = 'checkout';
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const TOKEN = /^([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/;
const SUBJECT = /^[1-9][0-9]{0,18}$/;

/**
 * Gives the maker of checkout links. By node:crypto: 30 times as fast as a JWT library, and every update needs one.
 * Shape: HS256; claims iss, aud, sub (our order id), iat and exp, the end of the expiration day; none where an order never expires.
 * Source: contract §5.
 */
export function checkoutLinks(key: ServiceKey, checkoutUrl: () => string, clock: Clock): CheckoutLink {
  return (order) => `${checkoutUrl()}?token=${checkoutToken(key, order, clock.now())}`;
}

/** Links for people always have a scheme. The setting may lack one, for clients that put their own in front. */
export const addressForPeople = (checkoutUrl: () => string) => (): string => checkoutUrl().replace(/^(?!https?:\/\/)/, 'https://');

/** The address in front of `?token=` as answers show it: as given, or without its scheme. */
export function answeredAddress({ checkoutAddress }: Pick<Dialect, 'checkoutAddress'>, checkoutUrl: () => string): () => string {
  return checkoutAddress === 'absolute' ? checkoutUrl : () => checkoutUrl().replace(/^https?:\/\//, '');
}

/** Makes the token of an order's link, by today's key. The same order, instant and key give the same token. */
export function checkoutToken(key: ServiceKey, { serviceOrderId, expiresAt }: LinkedOrder, issuedAt: Temporal.Instant): string {
  const end = expiresAt === null ? '' : `,"exp":${seconds(expiresAt)}`;
  const claims = `{"iss":"${ISSUER}","aud":"${AUDIENCE}","sub":"${serviceOrderId}","iat":${seconds(issuedAt)}${end}}`;
  const message = `${HEADER}.${Buffer.from(claims).toString('base64url')}`;
  return `${message}.${hmacSha256(key.current().key, message, 'base64url')}`;
}

/**
 * Verifies a checkout token, in constant time.
 * Shape: the token → our order id; undefined: not a token of ours.
 * Its `exp` is not judged here. A token stays good while its order is open, also when an update moved the expiration (contract §5).
 * The page that shows the order asks for its state.
 */
export function verifyCheckoutToken(key: Buffer, token: string): bigint | undefined {
  const [, header = '', claims = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (header !== HEADER) return undefined;
  const expected = createHmac('sha256', key).update(`${header}.${claims}`).digest();
  const claimed = Buffer.from(signature, 'base64url');
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return undefined;
  const { iss, aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>;
  if (iss !== ISSUER || aud !== AUDIENCE || typeof sub !== 'string' || !SUBJECT.test(sub)) return undefined;
  return BigInt(sub);
}

const seconds = (instant: Temporal.Instant): number => Math.floor(instant.epochMilliseconds / 1000);
