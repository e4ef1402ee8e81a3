import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 asks for 128 bits or more, and recommends 160. */
const SECRET_BYTES = 20;
/** Clocks of phones differ: the codes before and after the present one count too. */
const STEPS_AROUND = 1;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Draws the secret of an authenticator app. */
export const newCodeSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** Bytes in Base32, as authenticator apps take them. The number of bytes is a multiple of five. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** The number of half minutes since 1970. */
export const stepOf = (now: Temporal.Instant): number => Math.floor(now.epochMilliseconds / 1000 / STEP_SECONDS);

/** The code of one half minute: RFC 6238 with SHA-1, which every app can do. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * Finds the half minute of a code.
 * Shape: secret, code with or without the blanks that apps show in it, now, the half minute of the last accepted code → the half minute; undefined for a wrong or spent code.
 */
export function stepOfCode(secret: Uint8Array, code: string, now: Temporal.Instant, lastStep: bigint): number | undefined {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^[0-9]{6}$/.test(digits)) return undefined;
  const present = stepOf(now);
  for (let step = present - STEPS_AROUND; step <= present + STEPS_AROUND; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(digits)) && BigInt(step) > lastStep) return step;
  return undefined;
}

/** The address that an authenticator app reads from a QR code. */
export const otpauthUri = (secret: Uint8Array, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`Caudal:${email}`)}?secret=${base32(secret)}&issuer=Caudal`;
