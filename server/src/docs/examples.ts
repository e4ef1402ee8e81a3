import type { ApiOperation, ApiSchema } from './api-document.ts';

/** Makes an example of a schema: the first form, every member of an object, one item of a list. */
export function exampleOf(schema: ApiSchema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] as ApiSchema);
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, exampleOf(one)]));
  }
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)];
  return schema.type === 'object' ? {} : '';
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whose secret ends the checksum, by the name that the commands give it. */
export const secretOf = ({ tags }: ApiOperation): 'FIXED_HASH' | 'NETWORK_SECRET' =>
  tags.includes('Networks') ? 'NETWORK_SECRET' : 'FIXED_HASH';

/** The commands with which a reader tries an operation in a shell: the checksum, then the request. */
export function curlOfExample(method: string, path: string, operation: ApiOperation): string {
  const { parameters = [], requestBody } = operation;
  const body = requestBody?.content['application/json'].schema;
  const signed = operation['x-checksum'];
  const values = new Map<string, string>([
    ...parameters.map(({ name, example }) => [name, String(example)] as const),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => [name, String(schema.examples?.[0] ?? '')] as const),
  ]);
  const secret = secretOf(operation);
  const sum =
    signed.length === 0
      ? ''
      : `CHECKSUM=$(printf '%s' ${signed.map((name) => quote(values.get(name) ?? '')).join(' ')} "$${secret}" | sha512sum | cut -d ' ' -f 1)\n`;
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => values.get(name) ?? '');
  const sent = (name: string): string => (name === 'checksum' ? '$CHECKSUM' : (values.get(name) ?? ''));
  const query = parameters
    .filter(({ in: place, name, required }) => place === 'query' && (required === true || signed.includes(name)))
    .map(({ name }) => `${name}=${sent(name)}`);
  const address = `"$CAUDAL${filled}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  if (body === undefined) return `${sum}curl${verb} ${address}`;
  const { required = Object.entries(body.properties ?? {}).flatMap(([name, { examples }]) => (examples === undefined ? [] : [name])) } =
    body;
  const members = required.map((name) => `  "${name}": "${name === 'checksum' ? `'"$CHECKSUM"'` : sent(name)}"`);
  return `${sum}curl${verb} ${address} -H 'Content-Type: application/json' -d '{\n${members.join(',\n')}\n}'`;
}
