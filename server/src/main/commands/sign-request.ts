import { checksum } from '../../kit/checksum.ts';
import { signatureHeaders, type Operation } from '../../requests/index.ts';

/** What the caller of an operation proves itself with. */
export type CallerSecrets = {
  /** Of checksums: the fixed hash of a merchant, the secret of a network. */
  readonly secret: string;
  /** Of signatures. Undefined: the request needs none. */
  readonly signingSecret: string | undefined;
};

/** A request with what proves it. */
export type SignedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly checksum: string;
  /** The values that the checksum covers, in its order. */
  readonly covered: readonly (readonly [name: string, value: string])[];
};

/** The fields of an operation, by their names in requests: those of its path, and the others. */
export const fieldNames = ({ path = {}, fields }: Operation<never>): readonly string[] => [...Object.keys(path), ...Object.keys(fields)];

/** Makes a request of an operation from the values that a client would send. An absent value is covered as an empty text. */
export function signRequest(
  operation: Operation<never>,
  given: Readonly<Record<string, string>>,
  { secret, signingSecret }: CallerSecrets,
  now: Temporal.Instant,
): SignedRequest {
  const { route, path: inPath = {}, fields, from, proof } = operation;
  const [method = '', template = ''] = route.split(' ');
  const covered = proof.map((name) => [name, given[name] ?? ''] as const);
  const sum = checksum(
    'sha512',
    covered.map(([, value]) => value),
    secret,
  );
  const sent = Object.entries({ ...given, ...('checksum' in fields && { checksum: sum }) }).filter(([name]) => !(name in inPath));
  const isBody = from.startsWith('body');
  const way = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(name === 'checksum' ? sum : (given[name] ?? '')));
  const path = isBody || sent.length === 0 ? way : `${way}?${new URLSearchParams(sent).toString()}`;
  const body = isBody ? JSON.stringify(Object.fromEntries(sent.map(([name, value]) => [name, asJson(operation, name, value)]))) : undefined;
  const content = { method, url: path, body: body === undefined ? undefined : Buffer.from(body) };
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(signingSecret !== undefined && signatureHeaders(signingSecret, content, now)),
  };
  return { method, path, headers, body, checksum: sum, covered };
}

/** A field that takes no text is sent as what it is. */
function asJson({ fields }: Operation<never>, name: string, value: string): unknown {
  const { type } = (fields[name]?.schema ?? {}) as { readonly type?: unknown };
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return type === 'integer' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that sends a request. A quote within quotes leaves them for a moment. */
export function curlOf({ method, path, headers, body }: SignedRequest, server: string): string {
  const lines = [
    `curl -X ${method} ${quoted(`${server}${path}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}
