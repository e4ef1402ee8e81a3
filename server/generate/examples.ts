import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTRACT = join(import.meta.dirname, '..', '..', 'contract');

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Body = Readonly<Record<string, Json>>;

/** One example of `contract/examples`, as far as a page shows it. */
type Example = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Body;
  };
  readonly answer: { readonly status: number; readonly headers?: Readonly<Record<string, string | null>>; readonly body: Json };
};

/** An exchange as a page shows it. */
export type Exchange = { readonly request: string; readonly answer: string };

/** The values of the ids that an example leaves open. The day of all examples is 2026-11-21. */
const SAMPLES: Readonly<Record<string, string>> = {
  merchant: 'demo',
  network: 'efectivo',
  order: 'A-1001',
  refund: 'R-1001',
  operation: 'W-77',
  document: '1020304050',
  reference: '900100200',
  transaction: 'T-4711',
  'answered SVordenID': '4711',
  'answered idoperation': '9001',
  'answered otp': '482913',
  'answered token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0NzExIn0.c2lnbmF0dXJl',
  digits: '4711',
  '6 digits': '482913',
  amount: '45000.0',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0NzExIn0.c2lnbmF0dXJl',
  address: 'https://pay.example/checkout',
  link: '/cashout/v1/operation/demo?…&page=1&cursor=AQAA…',
  'link of refunds': '/api/v3/refunds?…&page=1&cursor=AQAA…',
  time: '2026-11-21 10:00:00',
  instant: '2026-11-21T15:00:00Z',
  hours: '445h',
  anything: '…',
  'any text': '…',
};
/** The value of a member that is a JSON number. */
const INTEGER = 4711;
const TODAY = Temporal.PlainDate.from('2026-11-21');

const secrets = (JSON.parse(readFileSync(join(CONTRACT, 'vectors.json'), 'utf8')) as { secrets: { fixed: string; network: string } })
  .secrets;

/**
 * Reads an example and fills its placeholders, the checksum with the secrets of `contract/vectors.json`.
 * Throws where a placeholder has no sample.
 */
export function readExchange(name: string): Exchange {
  const { request, answer } = JSON.parse(readFileSync(join(CONTRACT, 'examples', `${name}.json`), 'utf8')) as Example;
  const sent = { ...SAMPLES, ...texts(request.query), ...texts(request.body) };
  const fillAll = (value: Json): Json => mapTexts(value, (text) => (text === '{{integer}}' ? INTEGER : fill(text, sent)));
  const query = Object.entries(request.query ?? {}).map(([key, value]) => `${key}=${encodeURIComponent(fill(value, sent))}`);
  const line = `${request.method} ${fill(request.path, sent)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const headers = Object.entries(answer.headers ?? {}).flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`]));
  return {
    request: [line, ...(request.body === undefined ? [] : [print(fillAll(request.body))])].join('\n\n'),
    answer: [[`HTTP ${answer.status}`, ...headers].join('\n'), print(fillAll(answer.body))].join('\n\n'),
  };
}

const print = (value: Json): string => JSON.stringify(value, null, 2);

const texts = (record: Body | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(record ?? {}).map(([name, value]) => [name, String(value as string | number)]));

/** A value of the checksum may itself be a placeholder; a checksum is never one. */
function fill(text: string, sent: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([^}]+)\}\}/g, (_, placeholder: string) => {
    const covered = /^checksum of ([^,]+(?:, [a-z_]+)*?)(, with the network's secret)?$/.exec(placeholder);
    if (covered !== null)
      return checksum((covered[1] as string).split(', '), covered[2] === undefined ? secrets.fixed : secrets.network, sent);
    const day = /^today(?: ([+-]) (\d+) days)? as ([YMD/-]+)$/.exec(placeholder);
    if (day !== null) return formatDay(TODAY.add({ days: Number(`${day[1] ?? '+'}${day[2] ?? 0}`) }), day[3] as string);
    const sample = SAMPLES[placeholder];
    if (sample === undefined) throw new Error(`there is no sample of {{${placeholder}}}`);
    return sample;
  });
}

function checksum(names: readonly string[], secret: string, sent: Readonly<Record<string, string>>): string {
  const values = names.map((name) => fill(sent[name] ?? '', sent));
  return createHash('sha512')
    .update(values.join('') + secret)
    .digest('hex');
}

function formatDay(day: Temporal.PlainDate, form: string): string {
  const [year = '', month = '', date = ''] = day.toString().split('-');
  return form.replace('YYYY', year).replace('MM', month).replace('DD', date);
}

function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item as Json, change));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
