import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionConfig, Unavailable } from '../kit/db.ts';
import { cellValue } from '../kit/files/spreadsheet-cell.ts';
import { currencyCodes, currencyExponent, minorUnitSql } from '../kit/money.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import * as fc from '../testing/fast-check.ts';
import { inLane } from '../testing/lanes.ts';
import { seed } from '../testing/seed.ts';
import { testClock } from '../testing/test-caudal.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { checkExport } from './check-export.ts';
import type { ExportedList } from './exported-list.ts';
import { openOutputFile } from '../kit/files/output-file.ts';
import { FORMATS, type Format } from './formats.ts';
import type { Trailer } from './trailer.ts';
import { writeExport, type ExportOptions } from './write-export.ts';

/** A list with a column of each kind, on a table of this file. */
const THINGS: ExportedList = {
  name: 'things',
  permission: 'orders:read',
  columns: { merchant: 'name', id: 'number', text: 'text', amount: 'amount', currency: 'name', isOpen: 'flag', at: 'instant', on: 'day' },
  order: ['merchant', 'id'],
  isOfMoney: true,
  filters: {},
  query: (scope, { text }) => ({
    text: `select merchant, id, text, amount, currency, is_open as "isOpen", at, day as "on" from things
            where ($1::text is null or merchant = $1) and ($2::text is null or text = $2)`,
    values: [scope === 'everybody' ? null : scope.merchantId, (text as string | undefined) ?? null],
  }),
};

let database: TestDatabase;
let client: Client;
let directory: string;
const clock = testClock();

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(connectionConfig(database.url, null));
  await client.connect();
  await client.query(`create table things (merchant text not null, id bigint not null, text text, amount bigint, currency text, is_open boolean,
                                           at timestamptz, day date, primary key (merchant, id))`);
  await client.query(
    'create table things_again (merchant text, id bigint, text text, amount text, currency text, is_open text, at text, day text)',
  );
  directory = mkdtempSync(join(tmpdir(), 'caudal-exports-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await client.end();
  await database.drop();
});

type Written = { readonly trailer: Trailer; readonly bytes: Buffer; readonly path: string };

type Options = Partial<ExportOptions> & { readonly text?: string; readonly waitFor?: () => Promise<unknown> };

/** `waitFor` is waited for before each part is taken. */
async function write(format: Format, { text, waitFor, ...options }: Options = {}): Promise<Written> {
  const chunks: Buffer[] = [];
  const what = {
    list: THINGS,
    filter: {},
    query: THINGS.query('everybody', text === undefined ? {} : { text }, clock.now()),
    format,
  };
  const sink = async (bytes: Buffer): Promise<void> => {
    await waitFor?.();
    chunks.push(bytes);
  };
  const trailer = await writeExport({ urls: [database.url], clock, what, sink, ...options });
  const bytes = Buffer.concat(chunks);
  const path = join(directory, `things.${format}`);
  writeFileSync(path, bytes);
  return { trailer, bytes, path };
}

type Thing = { readonly text: string | null; readonly amount: bigint; readonly currency: string };

async function store(things: readonly Thing[]): Promise<void> {
  await client.query('truncate things');
  await client.query(
    `insert into things select 'shop', n, text, amount::bigint, currency, n % 2 = 0, '2026-11-21T15:00:00.25Z', '2026-11-21'
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as t (text, amount, currency, n)`,
    [things.map(({ text }) => text), things.map(({ amount }) => amount.toString()), things.map(({ currency }) => currency)],
  );
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
  fc.constantFrom(
    '',
    '=1+1',
    '+57 300',
    '-2',
    '@x',
    ' =1',
    '\t=1',
    '\r\n=1',
    '＝1',
    'a;=1',
    '0102030405',
    '9007199254740993123456789',
    '1e5',
    '3-4',
    'MAR1',
    'FALSO',
    '="1"',
    '"',
    '\\.',
    "o'hara",
    '$1',
    '\\n',
    '#end',
    'null',
    '\uFEFF',
  ),
);
const anyThing: fc.Arbitrary<Thing> = fc.record({
  text: fc.option(anyText),
  amount: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  currency: fc.constantFrom('COP', 'CLP', 'KWD', 'UYW'),
});
const anyThings = fc.array(anyThing, { maxLength: 30 });
const DECIMALS: Readonly<Record<string, number>> = { COP: 2, CLP: 0, KWD: 3, UYW: 4 };

/** An amount with all decimals, by other means than the code. */
function amountText(minor: bigint, currency: string): string {
  const decimals = DECIMALS[currency] as number;
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return (minor < 0n ? '-' : '') + digits.slice(0, point) + (decimals === 0 ? '' : `.${digits.slice(point)}`);
}

const rowsOf = (things: readonly Thing[]) =>
  things.map(({ text, amount, currency }, index) => ({
    merchant: 'shop',
    id: index + 1,
    text,
    amount: amountText(amount, currency),
    currency,
    isOpen: index % 2 === 1,
    at: '2026-11-21T15:00:00.25Z',
    on: '2026-11-21',
  }));

function sumsOf(things: readonly Thing[]): Record<string, string> {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of things) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, amountText(sum, currency)]));
}

/** Reads a CSV by PostgreSQL's own reader, the trailer's row included. */
async function readBack(bytes: Buffer): Promise<Record<string, string | null>[]> {
  await client.query('truncate things_again');
  await pipeline([bytes], client.query(copyFrom('copy things_again from stdin (format csv, header)')));
  return (await client.query('select * from things_again order by ctid')).rows as Record<string, string | null>[];
}

/** What a spreadsheet would make another value of, by other means than the code. */
const isValue = (text: string): boolean =>
  text.length <= 255 &&
  !/\p{Cc}/u.test(text) &&
  (/^\s*[-+($€£¥]*\s*[.,]?[0-9]/.test(text) ||
    /^\p{L}{3,10}[.]?[-./ ]?[0-9]{1,4}([-./, ]+[0-9]{1,4})?$/u.test(text) ||
    /^(?:true|false|verdadero|falso|verdadeiro)$/i.test(text));
const isFormula = (text: string): boolean => /^(?:\s*[=+@＝＋＠－-]|[\t\r\n])/.test(text);

describe('an export', () => {
  test('holds every value exactly, in CSV and NDJSON, with its sums', async () => {
    await fc.assert(
      fc.asyncProperty(anyThings, async (things) => {
        await store(things);
        const csv = await write('csv');
        const last = csv.bytes.lastIndexOf('\n', csv.bytes.length - 2) + 1;
        const expected = rowsOf(things);
        expect(await readBack(csv.bytes.subarray(0, last))).toEqual(
          expected.map(({ isOpen, on, id, ...row }) => ({ ...row, id: BigInt(id), is_open: isOpen ? 't' : 'f', day: on })),
        );
        const { trailer, bytes, path } = await write('ndjson');
        const lines = bytes.toString().split('\n').slice(0, -1);
        expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual(expected);
        expect(JSON.parse(lines.at(-1) as string)).toEqual({ '#end': trailer });
        expect(trailer).toMatchObject({
          list: 'things',
          rows: things.length,
          sums: sumsOf(things),
          at: clock.now().toString(),
          filter: {},
        });
        for (const one of [csv, { trailer, path }]) expect(await checkExport(one.path)).toEqual({ trailer: one.trailer });
      }),
      { numRuns: 12 },
    );
  });

  test('for spreadsheets has no cell that runs as a formula, and else the same values', async () => {
    await fc.assert(
      fc.asyncProperty(anyThings, async (things) => {
        await store(things);
        const { bytes, path, trailer } = await write('csv-safe');
        const last = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
        const texts = (await readBack(bytes.subarray(0, last))).map(({ text }) => text);
        expect(texts).toEqual(
          things.map(({ text }) => {
            if (text === null) return null;
            return isValue(text) ? `="${text.replaceAll('"', '""')}"` : isFormula(text) ? `'${text}` : text;
          }),
        );
        // The way back. What begins with a quote of its own may lose it.
        for (const [place, { text }] of things.entries())
          if (text !== null && !text.startsWith("'")) expect(cellValue(texts[place] as string)).toBe(text);
        // A cell without quotes could be split at a semicolon.
        expect(bytes.toString().replaceAll(/"(?:[^"]|"")*"/g, '')).toMatch(/^\uFEFF[,\n]*$/);
        expect(await checkExport(path)).toEqual({ trailer });
      }),
      { numRuns: 8 },
    );
  });

  test.each([
    [
      'csv-es',
      '"Comercio";"Número";"text";"Monto";"Moneda";"Recurrente";"Fecha (America/Bogota)";"Vence"',
      '"shop";"1";"=""0102030405""";"20000,50";"COP";"No";"21/11/2026 10:15:00";"21/11/2026"',
    ],
    [
      'csv-en',
      '"Merchant","Number","text","Amount","Currency","Recurrent","Date (America/Bogota)","Expires"',
      '"shop","1","=""0102030405""","20000.50","COP","No","2026-11-21 10:15:00","2026-11-21"',
    ],
    [
      'csv-pt',
      '"Estabelecimento";"Número";"text";"Valor";"Moeda";"Recorrente";"Data (America/Bogota)";"Vence"',
      '"shop";"1";"=""0102030405""";"20000,50";"COP";"Não";"21/11/2026 10:15:00";"21/11/2026"',
    ],
  ] as const)('in %s is in the language of its reader: headings, decimals, days and the zone', async (format, head, row) => {
    await store([{ text: '0102030405', amount: 20_000_50n, currency: 'COP' }]);
    await client.query(`update things set at = '2026-11-21T15:15:00Z'`);
    const list: ExportedList = {
      ...THINGS,
      columns: {
        merchant: 'name',
        number: 'number',
        text: 'text',
        amount: 'amount',
        currency: 'name',
        recurrent: 'flag',
        at: 'instant',
        expiresOn: 'day',
      },
      order: ['merchant', 'number'],
    };
    const text = 'select merchant, id as number, text, amount, currency, is_open as recurrent, at, day as "expiresOn" from things';
    const chunks: Buffer[] = [];
    const what = { list, filter: {}, query: { text, values: [] }, format, zone: 'America/Bogota' };
    const trailer = await writeExport({ urls: [database.url], clock, what, sink: async (bytes) => void chunks.push(bytes) });
    expect(Buffer.concat(chunks).toString().split('\n').slice(0, 2)).toEqual([`\uFEFF${head}`, row]);
    const path = join(directory, `language.${format}`);
    writeFileSync(path, Buffer.concat(chunks));
    expect(await checkExport(path)).toEqual({ trailer });
    expect(trailer.sums).toEqual({ COP: '20000.50' });
  });

  test('is empty where nothing passes the filter, and a filter is no SQL', async () => {
    const texts = ["'; drop table things; --", "\\'; select 1; --", '$1', '$2::text', 'ñ', ' '];
    await store(texts.map((text) => ({ text, amount: 100n, currency: 'COP' })));
    for (const text of [...texts, 'nothing'])
      for (const format of FORMATS) {
        const { trailer, path } = await write(format, { text });
        expect(trailer).toMatchObject(text === 'nothing' ? { rows: 0, sums: {} } : { rows: 1, sums: { COP: '1.00' } });
        expect(await checkExport(path)).toEqual({ trailer });
      }
    await expect(write('csv', { text: 'a\0b' })).rejects.toThrow(/0x00/);
  });

  test('is one snapshot while others write: money that moves meanwhile is counted once', async () => {
    const rows = inLane({ short: 3_000, long: 20_000 });
    await store(Array.from({ length: rows }, (_, index) => ({ text: `thing ${index}`, amount: 1_000n, currency: 'COP' })));
    const over = new AbortController();
    let moves = 0;
    const mover = new Client(connectionConfig(database.url, null));
    await mover.connect();
    const moving = (async () => {
      for (; !over.signal.aborted; moves++)
        await mover.query(
          `with pair as materialized (select (random() * ${rows - 1})::int + 1 as a, (random() * ${rows - 1})::int + 1 as b)
           update things set amount = amount + case when id = a then -7 else 7 end from pair where a <> b and id in (a, b)`,
        );
    })();
    for (const format of FORMATS) {
      const before = moves;
      const isMoved = (): void => expect(moves).toBeGreaterThan(before + 10);
      const { trailer, path } = await write(format, { waitFor: () => eventually(SOON_MS, isMoved) });
      expect(trailer).toMatchObject({ rows, sums: { COP: `${rows * 10}.00` } });
      // The rows of the file are added up again.
      expect(await checkExport(path)).toEqual({ trailer });
    }
    over.abort();
    await moving;
    await mover.end();
  });

  test('of a reader that is too slow ends, with its snapshot, and has no last line', async () => {
    await store([{ text: 'x', amount: 1n, currency: 'COP' }]);
    const written: Buffer[] = [];
    const slow = write('csv', {
      lifeMs: 100,
      sink: async (bytes) => {
        written.push(bytes);
        await eventually(SOON_MS, async () => expect(await openSnapshots()).toBe(0));
      },
    });
    await expect(slow).rejects.toThrow(new Unavailable('the snapshot was open for too long'));
    expect(Buffer.concat(written).toString()).not.toContain('#end');
  });

  test('of rows that are counted in one number and copied in another is not signed', async () => {
    await store(Array.from({ length: 100 }, () => ({ text: 'x', amount: 1n, currency: 'COP' })));
    const { text, values } = THINGS.query('everybody', {}, clock.now());
    const query = { text: `${text} and random() < 0.5`, values };
    const what = { list: THINGS, filter: {}, query, format: 'csv' as const };
    const make = async (): Promise<void> => {
      for (let tries = 0; tries < 20; tries++) await writeExport({ urls: [database.url], clock, what, sink: async () => undefined });
    };
    await expect(make()).rejects.toThrow(/rows were counted and \d+ copied/);
  });

  test('whose file cannot be written ends its snapshot', async () => {
    await store([{ text: 'x', amount: 1n, currency: 'COP' }]);
    await expect(write('csv', { sink: () => Promise.reject(new Error('no space')) })).rejects.toThrow('no space');
    await eventually(SOON_MS, async () => expect(await openSnapshots()).toBe(0));
  });
});

async function openSnapshots(): Promise<number> {
  const found = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'caudal' and xact_start is not null and pid <> pg_backend_pid()`,
  );
  return found.rowCount ?? 0;
}

/** Bytes from one cut to the next, and from one change to the next. The seed says where the first is. */
const CUTS = inLane({ short: 37, long: 11 });
const CHANGES = inLane({ short: 13, long: 3 });

describe('a file', () => {
  test.each(FORMATS)('of %s that was cut or changed anywhere is not whole', async (format) => {
    await store(Array.from({ length: 5 }, (_, n) => ({ text: `a\n"${n}`, amount: BigInt(n), currency: n < 3 ? 'COP' : 'KWD' })));
    const { bytes, path, trailer } = await write(format);
    expect(await checkExport(path)).toEqual({ trailer });
    const isWhole = async (changed: Buffer): Promise<boolean> => {
      writeFileSync(path, changed);
      return 'trailer' in (await checkExport(path));
    };
    for (let end = seed % CUTS; end < bytes.length; end += CUTS) expect(await isWhole(bytes.subarray(0, end)), `cut at ${end}`).toBe(false);
    for (let at = seed % CHANGES; at < bytes.length; at += CHANGES) {
      const changed = Buffer.from(bytes);
      changed[at] = bytes[at] === 0x37 ? 0x38 : 0x37;
      expect(await isWhole(changed), `changed at ${at}`).toBe(false);
    }
    expect(await isWhole(Buffer.concat([bytes, Buffer.from('\n')]))).toBe(false);
    expect(await isWhole(Buffer.concat([bytes, bytes]))).toBe(false);
  });

  test('gets its name once it is whole; before that it is FILE.part, and after a failure it is gone', async () => {
    const place = mkdtempSync(join(directory, 'files-'));
    const path = join(place, 'orders.csv');
    const failed = await openOutputFile(path);
    await failed.write(Buffer.from('half'));
    expect(readdirSync(place)).toEqual(['orders.csv.part']);
    await failed.discard();
    expect(readdirSync(place)).toEqual([]);
    writeFileSync(`${path}.part`, 'of a killed process');
    const kept = await openOutputFile(path);
    await kept.write(Buffer.from('who'));
    await kept.write(Buffer.from('le'));
    await kept.keep();
    expect(readdirSync(place)).toEqual(['orders.csv']);
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

test('minor units are written with the decimals of every currency', async () => {
  const { rows } = await client.query<{ currency: string; text: string }>(
    `select currency, (-12345 * ${minorUnitSql('currency')})::text as text from unnest($1::text[]) as currency`,
    [currencyCodes],
  );
  for (const { currency, text } of rows) {
    const [, decimals = ''] = text.split('.');
    expect([currency, decimals.length, BigInt(text.replace('.', ''))]).toEqual([currency, currencyExponent(currency), -12345n]);
  }
});
