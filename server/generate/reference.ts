import type { Declaration, Field } from '../src/kit/fields.ts';
import { CONTRACT_DIALECT, shownFields, shownRefusals, type Operation } from '../src/requests/index.ts';
import { readExchange } from './examples.ts';

/** An operation of any room. */
export type AnyOperation = Omit<Operation<never>, 'run' | 'answer' | 'parse'>;

const PLACE = { none: '', body: 'body', query: 'query', 'query, body': 'query or body', 'body, query': 'body or query' } as const;
const SECRET = { merchant: 'the merchant’s fixed hash', network: 'the network’s secret', anyone: '' } as const;

/**
 * Writes the reference page of each operation, and the list of them.
 * Shape: file name → Markdown.
 */
export function renderReference(operations: readonly AnyOperation[]): ReadonlyMap<string, string> {
  const pages = operations.map((operation) => [fileOf(operation), renderPage(operation)] as const);
  return new Map([['README.md', renderIndex(operations)], ...pages]);
}

const fileOf = ({ name }: AnyOperation): string => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;

const ORIGIN = '<!-- Made by `npm run generate` from the declaration of the operation. -->';

function renderIndex(operations: readonly AnyOperation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const lists = tags.map((tag) => {
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => `| [${operation.summary}](${fileOf(operation)}) | \`${documented(operation.route)}\` |`);
    return `## ${tag}\n\n| Operation | Route |\n|---|---|\n${rows.join('\n')}`;
  });
  const introduction = [
    'One page for each operation: fields, checksum, answer, refusals in order of precedence, and an example. Values are JSON',
    'texts unless a page says otherwise. The longest length counts characters (Unicode code points). What all operations',
    'share is in [the contract](../contract.md).',
  ].join('\n');
  return `${ORIGIN}\n\n# Reference\n\n${introduction}\n\n${lists.join('\n\n')}\n`;
}

/** A route as documents write it: `{order}` for a part of the path. */
const documented = (route: string): string => route.replace(/:([a-z]+)/g, '{$1}');

function renderPage(operation: AnyOperation): string {
  const parts = [
    `${ORIGIN}\n\n# ${operation.summary}`,
    `\`${documented(operation.route)}\` · ${calledBy(operation)} · contract ${operation.section}`,
    wrap(operation.description),
    renderFields(operation),
    renderHeaders(operation),
    renderChecksum(operation),
    renderAnswer(operation),
    renderRefusals(operation),
    renderExample(operation),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const calledBy = ({ caller }: AnyOperation): string => (caller === 'anyone' ? 'in a sandbox only' : `called by a ${caller}`);

function renderFields(operation: AnyOperation): string {
  const { path = {}, from, caller } = operation;
  const sent = caller === 'anyone' ? operation.fields : shownFields(operation);
  const rows = [...rowsOf(path, 'path'), ...rowsOf(sent, PLACE[from])];
  return rows.length === 0
    ? ''
    : `## Fields\n\n| Field | In | Required | Meaning | Form | Longest |\n|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

const rowsOf = (declaration: Declaration, place: string): string[] =>
  Object.entries(declaration).map(
    ([name, field]) =>
      `| \`${name}\` | ${place} | ${field.required || place === 'path' ? 'yes' : 'no'} | ${cell(schemaOf(field).description ?? '')} | ${cell(place.includes('body') ? bodyFormOf(field) : formOf(field))} | ${schemaOf(field).maxLength ?? ''} |`,
  );

type Shown = {
  readonly type?: unknown;
  readonly description?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
};
const schemaOf = ({ schema }: Field): Shown => schema;

function formOf(field: Field): string {
  const { pattern, enum: values } = schemaOf(field);
  if (field.form !== undefined) return field.form.en;
  return values === undefined
    ? pattern === undefined
      ? ''
      : code(pattern)
    : values.map((value) => code(JSON.stringify(value))).join(', ');
}

/** In a body a value is a text, unless its form names another JSON type. */
const bodyFormOf = (field: Field): string =>
  [formOf(field), ...(Array.isArray(schemaOf(field).type) ? ['text or number'] : [])].filter((form) => form !== '').join('; ');

const code = (text: string): string => `\`${text}\``;
/** A pipe would end a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The settings of a merchant that demand the signature of an operation. */
const DEMANDS = { reads: '`require`', writes: '`require-writes` or `require`' } as const;

function renderHeaders({ takesIfMatch, keepsAnswersAs, caller, effect, checksumSuffices }: AnyOperation): string {
  const rows = [
    ...(takesIfMatch
      ? ['| `If-Match` | the version that the order must still have, in quotes, or `*`; otherwise 412. A malformed one is 0011. |']
      : []),
    ...(keepsAnswersAs === undefined ? [] : ['| `Idempotency-Key` | a repeated request gets the first answer again, for 30 days |']),
    ...(caller !== 'anyone'
      ? ['| `webhook-id`, `webhook-timestamp`, `webhook-signature` | the signature of the request (contract §7.5) |']
      : []),
  ];
  const needed =
    caller === 'merchant'
      ? `All are optional; the merchant’s setting ${DEMANDS[effect ?? 'writes']} demands the signature.`
      : `A network signs every request.${checksumSuffices === undefined ? '' : ' An operator may let it leave the signature out.'}`;
  return rows.length === 0 ? '' : `## Headers\n\n${needed}\n\n| Header | Meaning |\n|---|---|\n${rows.join('\n')}`;
}

function renderChecksum({ proof, caller }: AnyOperation): string {
  if (proof.length === 0) return '';
  return `## Checksum\n\nSHA-512 in hexadecimal digits over these values as sent, without separators:\n${proof.map(code).join(', ')}, then ${SECRET[caller]}.`;
}

/** The parts of a JSON Schema that a page shows. */
type Answered = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly examples?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Answered>>;
  readonly items?: Answered;
  readonly anyOf?: readonly Answered[];
};

/** Shows what a success carries. Only the first of several schemas is that of a success. */
function renderAnswer({ envelope, data }: AnyOperation): string {
  const [schema] = [data(CONTRACT_DIALECT)].flat() as Answered[];
  const [name = '', around] = Object.entries((envelope.schema() as Answered).properties ?? {}).at(-1) ?? [];
  const where = around?.type === 'array' ? `Each item of \`${name}\`` : `\`${name}\``;
  const rows = membersOf(schema ?? {}).map(([member, meaning]) => `| ${code(member)} | ${cell(meaning)} |`);
  return `## Answer\n\n${where} of a success has these members.\n\n| Member | Meaning |\n|---|---|\n${rows.join('\n')}`;
}

/** All members of an answer with their meanings, those within others by their path. */
const membersOf = (schema: Answered): readonly (readonly [path: string, meaning: string])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = [member, ...(member.anyOf ?? [])].flatMap(({ items }) => items ?? []);
    const path = inner.length === 0 ? name : `${name}[]`;
    const own = meaningOf(member);
    const nested = [member, ...(member.anyOf ?? []), ...inner].flatMap(membersOf);
    return [
      ...(own === '' && nested.length > 0 ? [] : [[path, own] as const]),
      ...nested.map(([at, text]) => [`${path}.${at}`, text] as const),
    ];
  });

/** What a member means, which values it may have, and its JSON type where it is not a text. */
function meaningOf({ description = '', examples: [example] = [], anyOf = [], ...schema }: Answered): string {
  const values = [schema, ...anyOf]
    .flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]))
    .map((value) => code(String(value)));
  const texts = [description, ...anyOf.map((one) => one.description ?? '')].filter((text) => text !== '');
  const types = [schema, ...anyOf].flatMap(({ type }) =>
    type === 'integer' || type === 'boolean' || type === 'null' ? [JSON_TYPES[type]] : [],
  );
  const shown = example === undefined || example === '' || values.length > 0 ? [] : [`Example: ${code(String(example))}.`];
  return [...texts, ...(values.length === 0 ? [] : [`${values.join(', ')}.`]), ...types, ...shown].join(' ');
}

const JSON_TYPES = { integer: 'A number.', boolean: 'A boolean.', null: 'Or null.' } as const;

function renderRefusals(operation: AnyOperation): string {
  const rows = shownRefusals(operation).map(({ code, status, meaning }) => `| ${code} | ${status} | ${cell(sentence(meaning))} |`);
  if (rows.length === 0) return '';
  return `## Refusals\n\nThe first that applies is the answer.\n\n| Code | HTTP | When |\n|---|---|---|\n${rows.join('\n')}`;
}

function renderExample({ example }: AnyOperation): string {
  if (example === undefined) return '';
  const { request, answer } = readExchange(example);
  return `## Example\n\nThe checksum is made with the secret of \`contract/vectors.json\`.\n\n\`\`\`http\n${request}\n\`\`\`\n\n\`\`\`http\n${answer}\n\`\`\``;
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

const WIDTH = 120;

/** Breaks a text into lines. */
function wrap(text: string): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
