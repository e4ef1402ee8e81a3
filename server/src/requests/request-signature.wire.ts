import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Texts } from '../kit/fields.ts';
import type { HttpRequest } from '../kit/http.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';

/** What a signed request carries beside its content: contract §7.5. */
export type RequestSignature = { readonly messageId: string; readonly signedAtSeconds: number; readonly signatures: readonly Buffer[] };

type SignatureRefusal = Refusal<'checksum_invalid'>;
type Headers = HttpRequest['headers'];

/** What of a request is signed. The body are its raw bytes; a GET has none. */
export type SignedContent = { readonly method: string; readonly url: string; readonly body: Buffer | undefined };

/** No full stop: it ends the id in what is signed. */
const MESSAGE_ID = /^[\x21-\x2d\x2f-\x7e]{1,128}$/;
const TIMESTAMP = /^[0-9]{1,12}$/;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const SECRET_PREFIX = 'whsec_';

/** How the headers of a signature must look. */
export const SIGNATURE_FORMS: Readonly<Record<(typeof NAMES)[number], Texts>> = {
  'webhook-id': {
    es: 'un identificador nuevo en cada solicitud, de 1 a 128 caracteres ASCII visibles sin punto',
    en: 'an id that is new in each request, 1 to 128 visible ASCII characters without a full stop',
    pt: 'um identificador novo em cada solicitação, de 1 a 128 caracteres ASCII visíveis sem ponto',
  },
  'webhook-timestamp': {
    es: 'los segundos desde 1970, a no más de cinco minutos de la hora del servicio',
    en: 'the seconds since 1970, not more than five minutes from the time of the service',
    pt: 'os segundos desde 1970, a no máximo cinco minutos da hora do serviço',
  },
  'webhook-signature': {
    es: 'v1 y la firma de la solicitud con el secreto de quien la envía',
    en: 'v1 and the signature of the request by the secret of its sender',
    pt: 'v1 e a assinatura da solicitação com o segredo de quem a envia',
  },
};

/** How far a request's time may lie from ours, to either side: contract §7.5. */
export const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Reads the signature headers of a request.
 * Shape: undefined where it has none of them. Signatures of other versions than v1 are ignored.
 * Refuses: checksum_invalid, naming the header that is missing or malformed.
 * Source: contract §7.5.
 */
export function readSignature(headers: Headers): RequestSignature | SignatureRefusal | undefined {
  const [messageId, timestamp, signature] = NAMES.map((name) => headers[name]);
  if (messageId === undefined && timestamp === undefined && signature === undefined) return undefined;
  if (typeof messageId !== 'string' || !MESSAGE_ID.test(messageId)) return refuseHeader('webhook-id', messageId);
  if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) return refuseHeader('webhook-timestamp', timestamp);
  if (typeof signature !== 'string' || signature === '') return refuseHeader('webhook-signature', signature);
  const signatures = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  return { messageId, signedAtSeconds: Number(timestamp), signatures };
}

/** The refusal of a request that must be signed and is not. */
export const refuseUnsigned = (): SignatureRefusal => refuseHeader('webhook-signature', undefined);

const refuseHeader = (field: (typeof NAMES)[number], sent: unknown): SignatureRefusal =>
  refuse('checksum_invalid', { field, rule: sent === undefined ? 'required' : 'shape' });

/**
 * Checks a signature under its sender's secrets, in constant time.
 * Refuses: checksum_invalid, naming webhook-timestamp (not within the tolerance) or webhook-signature (no secret made any of them).
 * Source: contract §7.5.
 */
export function checkSignature(
  { messageId, signedAtSeconds, signatures }: RequestSignature,
  content: SignedContent,
  secrets: readonly string[],
  now: Temporal.Instant,
): SignatureRefusal | undefined {
  if (Math.abs(now.epochMilliseconds - signedAtSeconds * 1000) > TOLERANCE_MS)
    return refuse('checksum_invalid', { field: 'webhook-timestamp', rule: 'range' });
  let matches = false;
  for (const secret of secrets) {
    const expected = signContent(secret, messageId, signedAtSeconds, content);
    for (const one of signatures) if (one.length === expected.length && timingSafeEqual(one, expected)) matches = true;
  }
  return matches ? undefined : refuse('checksum_invalid', { field: 'webhook-signature', rule: 'range' });
}

/**
 * Signs a request by HMAC-SHA256. It covers `id.time.`, and then three lines: method, path with query, and the body's bytes.
 * Path and query are those of the request line.
 * Source: contract §7.5.
 */
export function signContent(secret: string, messageId: string, signedAtSeconds: number, { method, url, body }: SignedContent): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  // One byte a character: that is how the address arrived.
  const head = Buffer.from(`${messageId}.${signedAtSeconds}.${method}\n${pathOf(url)}\n`, 'latin1');
  const mac = createHmac('sha256', key).update(head);
  return (body === undefined ? mac : mac.update(body)).digest();
}

/** The headers of a request that is signed now, with an id of its own. */
export function signatureHeaders(secret: string, content: SignedContent, now: Temporal.Instant): Readonly<Record<string, string>> {
  const [messageId, signedAt] = [randomUUID(), Math.floor(now.epochMilliseconds / 1000)];
  const signature = signContent(secret, messageId, signedAt, content).toString('base64');
  return { 'webhook-id': messageId, 'webhook-timestamp': String(signedAt), 'webhook-signature': `v1,${signature}` };
}

/** A proxy may get the whole address in the request line. The path is what follows the authority. */
const pathOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]*/, ''));
