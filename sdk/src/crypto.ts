/** Web Crypto, wherever this runs. Node 18 has it only in a module, for which no bundler must look. */
const crypto: Promise<Crypto> =
  globalThis.crypto === undefined
    ? import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:crypto').then(({ webcrypto }) => webcrypto, noCrypto)
    : Promise.resolve(globalThis.crypto);

function noCrypto(): never {
  throw new Error('Web Crypto is missing here');
}

/** Bytes as the parameters of Web Crypto want them. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

/** A new id that nobody can guess. */
export const newId = async (): Promise<string> => (await crypto).randomUUID();

/** The hash of a text in lower-case hexadecimal digits. */
export async function hash(algorithm: 'SHA-256' | 'SHA-512', text: string): Promise<string> {
  const digest = await (await crypto).subtle.digest(algorithm, bytesOf(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Makes the HMAC-SHA256 of bytes in base64. */
export async function authenticate(key: Bytes, content: Bytes): Promise<string> {
  const { subtle } = await crypto;
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return btoa(String.fromCharCode(...new Uint8Array(await subtle.sign('HMAC', imported, content))));
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index % (other.length || 1));
  return difference === 0;
}

/** Joins a text in front of bytes. */
export function joined(head: string, body: Bytes): Bytes {
  const first = bytesOf(head);
  const whole = new Uint8Array(first.length + body.length);
  whole.set(first);
  whole.set(body, first.length);
  return whole;
}

/** The bytes of a secret. After `whsec_` they are in base64, otherwise they are its characters. */
export const keyOf = (secret: string): Bytes =>
  secret.startsWith('whsec_') ? Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0)) : bytesOf(secret);
