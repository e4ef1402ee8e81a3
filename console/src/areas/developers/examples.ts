import type { MerchantOperation } from '../../api/generated/merchant-api.ts';

/** The values of the fields of a request, as texts. An empty one is not sent. */
export type FieldTexts = Readonly<Record<string, string>>;

/** What each language's example is made of. Its checksum is computed in it, from a secret of the environment. */
type Request = {
  readonly method: string;
  readonly url: string;
  /** Whether the URL has a query already, to which the checksum is added. */
  readonly hasQuery: boolean;
  /** Undefined: the fields are in the URL. */
  readonly body: readonly (readonly [name: string, value: string])[] | undefined;
  readonly signed: readonly string[];
};

function requestOf({ method, path, fields, proof }: MerchantOperation, values: FieldTexts, origin: string): Request {
  const given = fields.flatMap(({ name, place }) => (values[name] ? [{ name, place, value: values[name] }] : []));
  const at = path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = given.filter(({ place }) => place === 'query').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const isBody = fields.some(({ place }) => place === 'body');
  return {
    method,
    url: `${origin}${at}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    hasQuery: query.length > 0,
    body: isBody ? given.filter(({ place }) => place === 'body').map(({ name, value }) => [name, value] as const) : undefined,
    signed: proof.map((name) => values[name] ?? ''),
  };
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const inPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const inJson = (text: string): string => JSON.stringify(text);
const checksumAt = ({ url, hasQuery }: Request): string => `${url}${hasQuery ? '&' : '?'}checksum=`;

function curl(request: Request): string {
  const { method, url, body, signed } = request;
  const checksum = `CHECKSUM=$(printf '%s' ${signed.map(inShell).join(' ')} "$FIXED_HASH" | sha512sum | cut -d ' ' -f 1)`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  if (body === undefined) return `${checksum}\ncurl${verb} ${inShell(checksumAt(request))}"$CHECKSUM"`;
  const members = body.map(([name, value]) => `${inJson(name)}:${inJson(value)},`).join('');
  return `${checksum}\ncurl${verb} ${inShell(url)} -H 'Content-Type: application/json' \\
  -d ${inShell(`{${members}"checksum":"`)}"$CHECKSUM"'"}'`;
}

const membersOf = (request: Request, member: (name: string, value: string) => string): string =>
  (request.body ?? []).map(([name, value]) => `\n  ${member(name, value)},`).join('');

function typescript(request: Request): string {
  const { method, url, body, signed } = request;
  const start = `import { createHash } from 'node:crypto';

const signed = [${signed.map(inJson).join(', ')}];
const checksum = createHash('sha512').update(signed.join('') + process.env.FIXED_HASH).digest('hex');
`;
  const verb = method === 'GET' ? '' : `, { method: '${method}' }`;
  if (body === undefined)
    return `${start}const answer = await fetch(${inJson(checksumAt(request))} + checksum${verb});
console.log(await answer.json());`;
  return `${start}const body = {${membersOf(request, (name, value) => `${name}: ${inJson(value)}`)}
  checksum,
};
const answer = await fetch(${inJson(url)}, {
  method: '${method}',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
console.log(await answer.json());`;
}

function python(request: Request): string {
  const { method, url, body, signed } = request;
  const start = `import hashlib, json, os, urllib.request

signed = [${signed.map(inJson).join(', ')}]
checksum = hashlib.sha512(("".join(signed) + os.environ["FIXED_HASH"]).encode()).hexdigest()
`;
  const end = '\nprint(json.load(urllib.request.urlopen(request)))';
  if (body === undefined)
    return `${start}request = urllib.request.Request(${inJson(checksumAt(request))} + checksum, method="${method}")${end}`;
  return `${start}body = {${membersOf(request, (name, value) => `${inJson(name)}: ${inJson(value)}`)}
  "checksum": checksum,
}
request = urllib.request.Request(
  ${inJson(url)},
  data=json.dumps(body).encode(),
  headers={"Content-Type": "application/json"},
  method="${method}",
)${end}`;
}

function php(request: Request): string {
  const { method, url, body, signed } = request;
  const start = `<?php
$signed = [${signed.map(inPhp).join(', ')}];
$checksum = hash('sha512', implode('', $signed) . getenv('FIXED_HASH'));
`;
  if (body === undefined)
    return `${start}$context = stream_context_create(['http' => ['method' => '${method}']]);
echo file_get_contents(${inPhp(checksumAt(request))} . $checksum, false, $context);`;
  return `${start}$body = [${membersOf(request, (name, value) => `${inPhp(name)} => ${inPhp(value)}`)}
  'checksum' => $checksum,
];
$context = stream_context_create(['http' => [
  'method' => '${method}',
  'header' => 'Content-Type: application/json',
  'content' => json_encode($body),
]]);
echo file_get_contents(${inPhp(url)}, false, $context);`;
}

const WRITERS = { curl, TypeScript: typescript, Python: python, PHP: php } as const;

export type ExampleLanguage = keyof typeof WRITERS;
export const EXAMPLE_LANGUAGES = Object.keys(WRITERS) as [ExampleLanguage, ...ExampleLanguage[]];

/** Writes a whole program that sends a request with these values. It needs nothing but its language's own library. */
export const writeExample = (language: ExampleLanguage, operation: MerchantOperation, values: FieldTexts, origin: string): string =>
  WRITERS[language](requestOf(operation, values, origin));
