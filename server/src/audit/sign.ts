import { createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { ChainLink } from './chain.ts';

/** What is signed of the chain. A checkpoint names a link that was there. A stub names the last link that was deleted by age. */
type SignedKind = 'checkpoint' | 'stub';

/** Signs places of the chain with Ed25519: who holds the public key can check them without us. */
export type ChainSigner = {
  /** The public key that signs now: base64url, as in a JSON Web Key. */
  publicKey(): string;
  sign(kind: SignedKind, link: ChainLink, at: Temporal.Instant): string;
  /** The public key of ours that made the signature. Undefined: none did. */
  signedBy(kind: SignedKind, link: ChainLink, at: Temporal.Instant, signature: string): string | undefined;
};

/** The beginning of every Ed25519 private key in PKCS #8, RFC 8410. The 32 bytes of the key follow it. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes the signer of a service key. Each of its generations derives a key pair. */
export function openChainSigner(key: ServiceKey): ChainSigner {
  const pairs = new Map<string, KeyPair>();
  const pairOf = ({ id, key: secret }: { readonly id: string; readonly key: Buffer }): KeyPair => {
    const known = pairs.get(id) ?? derivePair(secret);
    pairs.set(id, known);
    return known;
  };
  return {
    publicKey: () => publicText(pairOf(key.current()).publicKey),
    sign: (kind, link, at) => sign(null, signedText(kind, link, at), pairOf(key.current()).privateKey).toString('base64url'),
    signedBy: (kind, link, at, signature) =>
      key
        .valid()
        .map((one) => publicText(pairOf(one).publicKey))
        .find((publicKey) => isSignedBy(publicKey, kind, link, at, signature)),
  };
}

type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

function derivePair(secret: Buffer): KeyPair {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'caudal/audit/ed25519/1', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

const publicText = (key: KeyObject): string => (key.export({ format: 'jwk' }) as { x: string }).x;

/** Shape: the domain with the kind, a line end, and one JSON array of texts. */
const signedText = (kind: SignedKind, { place, hash }: ChainLink, at: Temporal.Instant): Buffer =>
  Buffer.from(`caudal/audit/${kind}/1\n${JSON.stringify([place.toString(), hash.toString('hex'), at.toString()])}`);

/** True where the owner of a public key made the signature. False also for a key or a signature that cannot be read. */
export function isSignedBy(publicKey: string, kind: SignedKind, link: ChainLink, at: Temporal.Instant, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature || Buffer.from(publicKey, 'base64url').toString('base64url') !== publicKey) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, signedText(kind, link, at), key, bytes);
  } catch {
    return false;
  }
}
