import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkExport } from '../exports/check-export.ts';
import type { Trailer } from '../exports/index.ts';
import { writeExport } from '../exports/write-export.ts';
import { dayOf, startOfDay } from '../kit/calendar.ts';
import { splitCsv } from '../kit/files/csv.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import { isRefusal } from '../kit/outcome.ts';
import { exportedEntries } from '../ledger/exported-entries.ts';
import { OWN_ACCOUNTS, postTransactions, sumDays, type LedgerTransaction } from '../ledger/index.ts';
import {
  adjusted,
  cashoutPaid,
  cashoutPaymentReversed,
  cashoutRegistered,
  cashoutReleased,
  holdPlaced,
  holdReleased,
  movedToFund,
  orderPaid,
  orderPaymentReversed,
  refundOwed,
  refundPaid,
  refundReleased,
  settlementApproved,
  settlementPaid,
  settlementReturned,
  toppedUp,
} from '../ledger/postings.ts';
import { ALL_PERMISSIONS, type Permission } from '../manage/index.ts';
import { commandActor } from '../manage/run-here.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import * as fc from '../testing/fast-check.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { readPdf } from '../testing/pdf-text.ts';
import { postingDb } from '../testing/posting-db.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { makeToken } from '../users/access-tokens.ts';
import { statementSeparators, statementWords } from './statement-words.ts';

let service: TestCaudal;
let origin: string;
let owner: Client;
let staff: ManageCalls;
/** The token of a program that may do everything. */
let all: string;
let folder: string;
beforeAll(async () => {
  service = await startTestCaudal({ now: '2026-10-29T15:00:00Z' });
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  owner = new Client({ connectionString: service.url });
  await owner.connect();
  folder = mkdtempSync(join(tmpdir(), 'caudal-statements-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await owner.end();
  await service.close();
});

/** A history takes weeks, and a token ends. */
async function signIn(): Promise<void> {
  all = await tokenOf(ALL_PERMISSIONS);
  staff = await manageCalls(service);
}
beforeEach(signIn);

async function tokenOf(permissions: readonly Permission[], merchantId: string | null = null): Promise<string> {
  const terms = { name: 'test', permissions, merchantId, days: 90 };
  const made = await service.db.transaction(async (tx) =>
    makeToken(tx, commandActor('test'), { userId: null }, terms, service.clock.now()),
  );
  if (isRefusal(made)) throw new Error(made.refusal);
  return made.token;
}

const post = (...transactions: readonly LedgerTransaction[]): Promise<void> =>
  service.db.transaction(async (tx) => postTransactions(tx, transactions));

const EVENTS = [
  'cashout',
  'released',
  'collected',
  'reversed',
  'order',
  'order reversed',
  'refund',
  'refund released',
  'adjusted',
  'settled',
  'returned',
  'held',
  'hold released',
  'to fund',
] as const;
const anyStep = fc.record({
  hours: fc.integer({ min: 0, max: 20 }),
  event: fc.constantFrom(...EVENTS),
  amountMinor: fc.bigInt({ min: 1_000n, max: 90_000_000n }),
  feeMinor: fc.bigInt({ min: 0n, max: 400n }),
  isSummed: fc.boolean(),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** What a step posts: some events are several. */
function transactionsOf({ event, amountMinor, feeMinor }: Step, merchantId: string, currency: string, number: number) {
  const at = service.clock.now();
  const money = { merchantId, currency, amountMinor, feeMinor, taxMinor: feeMinor / 5n };
  const cashout = { ...money, operationId: `W-${number}`, refundId: null };
  const order = { ...money, orderId: `A-${number}`, paymentNumber: 1, netname: 'efectivo' };
  const refund = { ...money, orderId: `A-${number}`, refundId: 'r', takenFrom: 'collected' as const };
  const begun: Readonly<Partial<Record<(typeof EVENTS)[number], readonly LedgerTransaction[]>>> = {
    cashout: [cashoutRegistered(cashout, at)],
    released: [cashoutRegistered(cashout, at), cashoutReleased(cashout, at)],
    collected: [cashoutRegistered(cashout, at), cashoutPaid(cashout, 'efectivo', at)],
    reversed: [cashoutRegistered(cashout, at), cashoutPaid(cashout, 'efectivo', at), cashoutPaymentReversed(cashout, 'efectivo', at)],
    order: [orderPaid(order, at)],
    'order reversed': [orderPaid(order, at), orderPaymentReversed(order, at)],
    refund: [orderPaid(order, at), refundOwed(refund, at), refundPaid(refund, 'operator', 'efectivo', at)],
    'refund released': [orderPaid(order, at), refundOwed(refund, at), refundReleased(refund, at)],
    adjusted: [
      adjusted({ ...money, account: 'available', amountMinor: -amountMinor, reason: '=Cobró; "doble"', adjustmentId: `x-${number}` }, at),
    ],
  };
  return begun[event] ?? movesOut(event, money, number);
}

/** What takes money that was collected away: settlements, holds, the way to the fund. */
function movesOut(
  event: (typeof EVENTS)[number],
  {
    merchantId,
    currency,
    amountMinor,
    feeMinor,
    taxMinor,
  }: Readonly<Record<'merchantId' | 'currency', string>> & Readonly<Record<'amountMinor' | 'feeMinor' | 'taxMinor', bigint>>,
  number: number,
): readonly LedgerTransaction[] {
  const at = service.clock.now();
  const settlement = { merchantId, currency, settlementId: BigInt(number + 1), netMinor: amountMinor };
  const takenOff = { feeMinor, taxMinor, withheldMinor: feeMinor };
  const approved = settlementApproved(settlement, { ...takenOff, reserveMinor: feeMinor * 2n }, at);
  const hold = { merchantId, currency, holdId: BigInt(number + 1), amountMinor };
  if (event === 'settled') return number % 2 === 0 ? [approved] : [approved, settlementPaid(settlement, at)];
  if (event === 'returned') return [approved, settlementReturned(settlement, takenOff, false, at)];
  if (event === 'held') return [holdPlaced({ ...hold, reason: 'a claim' }, at)];
  if (event === 'hold released') return [holdPlaced({ ...hold, reason: 'a claim' }, at), holdReleased(hold, at)];
  return [movedToFund({ merchantId, currency, amountMinor, transactionId: `to-fund/${number}` }, at)];
}

type Downloaded = { readonly status: number; readonly type: string | null; readonly name: string | null; readonly bytes: Buffer };

async function download(path: string, { token = all, language = '' } = {}): Promise<Downloaded> {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language };
  const answer = await fetch(`${origin}/manage/v1/ledger/${path}`, { headers });
  const { headers: got } = answer;
  return {
    status: answer.status,
    type: got.get('content-type'),
    name: got.get('content-disposition'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

const problemOf = ({ status, bytes }: Downloaded): string =>
  `${status} ${(JSON.parse(bytes.toString()) as { type: string }).type.replace('/docs/problems/', '')}`;

/** Proves a file by what an operator has for that. */
async function prove(bytes: Buffer): Promise<Awaited<ReturnType<typeof checkExport>>> {
  const file = join(folder, 'statement');
  writeFileSync(file, bytes);
  return checkExport(file);
}

type Csv = { readonly trailer: Trailer; readonly head: readonly string[]; readonly rows: readonly Readonly<Record<string, string>>[] };
const COLUMNS = [
  'part',
  'at',
  'kind',
  'transaction',
  'count',
  'amount',
  'fees',
  'tax',
  'net',
  ...OWN_ACCOUNTS,
  'balance',
  'currency',
  'reason',
];
/** The columns of money, of which each row of movements has its part. */
const MONEY = ['amount', 'fees', 'tax', 'net', ...OWN_ACCOUNTS];

async function readCsv(path: string, language: Language = 'en'): Promise<Csv> {
  const { status, bytes } = await download(`${path}&format=csv&language=${language}`);
  expect(status, bytes.toString()).toBe(200);
  const checked = await prove(bytes);
  if ('problem' in checked) throw new Error(checked.problem);
  const [head = '', ...lines] = bytes.toString().split('\n');
  const cells = (line: string): readonly string[] => splitCsv(line, language === 'en' ? ',' : ';') ?? [];
  const rows = lines.slice(0, -2).map((line) => Object.fromEntries(cells(line).map((cell, place) => [COLUMNS[place], cell])));
  return { trailer: checked.trailer, head: cells(head), rows };
}

const digits = (text = ''): bigint => BigInt(text === '' ? '0' : text.replace(/[.,]/, ''));
const sumOf = (rows: Csv['rows'], column: string): bigint => rows.reduce((sum, row) => sum + digits(row[column]), 0n);
const isMovement = (row: Csv['rows'][number]): boolean => row['part'] === 'Movement';

/** What the accounts of a merchant moved in a time, by its entries. */
async function movedBySql(merchantId: string, currency: string, from: string, until: string): Promise<Readonly<Record<string, bigint>>> {
  const text = `select account, sum(amount_minor)::text as amount from ledger_entries
                 where merchant_id = $1 and currency = $2 and posted_at >= $3 and posted_at < $4 group by account`;
  const { rows } = await owner.query<{ account: string; amount: string }>(text, [merchantId, currency, from, until]);
  return Object.fromEntries(rows.map(({ account, amount }) => [account, BigInt(amount)]));
}

/** The same by the file of an export. */
async function movedByExport(merchantId: string, currency: string, from: string, until: string): Promise<Readonly<Record<string, bigint>>> {
  const chunks: Buffer[] = [];
  const filter = { currency, from: Temporal.Instant.from(from), to: Temporal.Instant.from(until) };
  const query = exportedEntries.query({ merchantId }, filter, service.clock.now());
  const what = { list: exportedEntries, format: 'csv', filter: {}, query } as const;
  await writeExport({ urls: [service.url], clock: service.clock, what, sink: async (bytes) => void chunks.push(bytes) });
  const moved: Record<string, bigint> = {};
  for (const line of Buffer.concat(chunks).toString().split('\n').slice(1, -2)) {
    const [, , , , account = '', amount] = splitCsv(line, ',') ?? [];
    moved[account] = (moved[account] ?? 0n) + digits(amount);
  }
  return moved;
}

/** Holds a statement against the day's figures, the entries and an export. Shape: → its opening and closing balance. */
async function compare(merchantId: string, currency: string, period: string, zone: string): Promise<readonly [bigint, bigint]> {
  const { trailer, rows } = await readCsv(`${merchantId}/statements/${period}?currency=${currency}`);
  const isDay = period.length === 10;
  expect(trailer).toMatchObject({ format: 'csv-en', filter: { merchant: merchantId, currency, [isDay ? 'day' : 'month']: period } });
  const [opening, ...summary] = rows.filter((row) => !isMovement(row));
  const [total, closing] = summary.splice(-2);
  const movements = rows.filter(isMovement);
  for (const column of MONEY) {
    expect([column, sumOf(summary, column)]).toEqual([column, digits(total?.[column])]);
    expect([column, sumOf(movements, column)]).toEqual([column, digits(total?.[column])]);
  }
  for (const account of OWN_ACCOUNTS) expect(digits(opening?.[account]) + digits(total?.[account])).toBe(digits(closing?.[account]));
  for (const row of [...summary, ...movements, ...(total === undefined ? [] : [total])]) {
    expect(digits(row['amount']) + digits(row['fees']) + digits(row['tax'])).toBe(digits(row['net']));
    expect(OWN_ACCOUNTS.reduce((sum, account) => sum + digits(row[account]), 0n)).toBe(digits(row['net']));
  }
  let balance = digits(opening?.['balance']);
  for (const row of movements) expect(digits(row['balance'])).toBe((balance += digits(row['net'])));
  expect(balance).toBe(digits(closing?.['balance']));
  const first = Temporal.PlainDate.from(isDay ? period : `${period}-01`);
  const after = isDay ? first.add({ days: 1 }) : first.add({ months: 1 });
  const [from, until] = [first, after].map((day) => startOfDay(day, zone).toString()) as [string, string];
  for (const moved of [await movedBySql(merchantId, currency, from, until), await movedByExport(merchantId, currency, from, until)]) {
    for (const account of OWN_ACCOUNTS) expect([account, moved[account] ?? 0n]).toEqual([account, digits(total?.[account])]);
    expect([-(moved['service:fees'] ?? 0n), -(moved['service:tax'] ?? 0n)]).toEqual([digits(total?.['fees']), digits(total?.['tax'])]);
  }
  if (isDay) await compareDay(merchantId, currency, period, { opening, summary, closing });
  return [digits(opening?.['balance']), digits(closing?.['balance'])];
}

type Summary = {
  readonly opening: Csv['rows'][number] | undefined;
  readonly summary: Csv['rows'];
  readonly closing: Csv['rows'][number] | undefined;
};

/** The same figures as `./caudal day` and the console. */
async function compareDay(merchantId: string, currency: string, day: string, { opening, summary, closing }: Summary): Promise<void> {
  type Money = { readonly amount: string };
  type Line = { readonly kind: 'top_up'; readonly transactions: number } & Readonly<Record<'amount' | 'fees' | 'tax' | 'net', Money>>;
  type Shown = { readonly currency: string; readonly opening: Money; readonly closing: Money; readonly lines: readonly Line[] };
  const { currencies } = (await staff.get(`/ledger/${merchantId}/days/${day}`)).body as unknown as { currencies: readonly Shown[] };
  const shown = currencies.find((one) => one.currency === currency);
  expect([opening?.['balance'], closing?.['balance']]).toEqual([shown?.opening.amount, shown?.closing.amount]);
  const lines = (shown?.lines ?? []).map(({ kind, transactions, amount, fees, tax, net }) =>
    [statementWords('en').kinds[kind], transactions, amount.amount, fees.amount, tax.amount, net.amount].join(' '),
  );
  const rows = summary.map((row) => ['kind', 'count', 'amount', 'fees', 'tax', 'net'].map((column) => row[column]).join(' '));
  expect(rows.toSorted()).toEqual(lines.toSorted());
}

test('a statement has the figures of the day, of the entries and of an export; days follow each other and add up to their month', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 12, maxLength: 30 }), fc.constantFrom('343', '152'), async (steps, country) => {
      await signIn();
      const { merchantId, read } = await service.merchant({ country, fundMinor: 0n });
      const {
        country: { timeZone },
        currencies,
      } = await read();
      const [currency = ''] = currencies;
      const { step: sum } = sumDays(service.db, service.clock, service.clock);
      const begunOn = dayOf(service.clock.now(), timeZone);
      const at = service.clock.now();
      const ample = { merchantId, amountMinor: 10n ** 12n };
      for (const each of currencies) {
        const order = { ...ample, orderId: `first-${each}`, paymentNumber: 1, currency: each, feeMinor: 0n, taxMinor: 0n };
        await post(orderPaid({ ...order, netname: 'gana' }, at));
      }
      await postingDb(service.db, service.clock, merchantId).transaction(async (tx) =>
        postTransactions(tx, [toppedUp({ ...ample, currency, reference: 'T-1' }, at)]),
      );
      for (const [number, one] of steps.entries()) {
        service.clock.advance({ hours: one.hours });
        const made = transactionsOf(one, merchantId, currency, number);
        const isByHand = one.event === 'adjusted';
        const db = isByHand ? postingDb(service.db, service.clock, merchantId) : service.db;
        for (const each of made) await db.transaction(async (tx) => postTransactions(tx, [each]));
        if (one.isSummed) while (await sum());
      }
      const today = dayOf(service.clock.now(), timeZone);
      const months = new Map<string, (readonly [bigint, bigint])[]>();
      let before: bigint | undefined;
      for (let day = begunOn; Temporal.PlainDate.compare(day, today) <= 0; day = day.add({ days: 1 })) {
        const found = await compare(merchantId, currency, day.toString(), timeZone);
        if (before !== undefined) expect(found[0]).toBe(before);
        before = found[1];
        const month = day.toPlainYearMonth().toString();
        months.set(month, [...(months.get(month) ?? []), found]);
      }
      for (const [month, days] of months)
        expect(await compare(merchantId, currency, month, timeZone)).toEqual([days[0]?.[0], days.at(-1)?.[1]]);
    }),
    { numRuns: 2 },
  );
});

/** A merchant with a movement of most kinds. */
async function stocked(movements: number = EVENTS.length): Promise<string> {
  const { merchantId } = await service.merchant();
  const collected = {
    merchantId,
    orderId: 'first',
    paymentNumber: 1,
    currency: 'COP',
    amountMinor: 10n ** 12n,
    feeMinor: 0n,
    taxMinor: 0n,
  };
  await post(orderPaid({ ...collected, netname: 'gana' }, service.clock.now()));
  for (let number = 0; number < movements; number++) {
    const step = { hours: 0, event: EVENTS[number % EVENTS.length] ?? 'order', amountMinor: 123_456_789n, feeMinor: 300n, isSummed: false };
    for (const one of transactionsOf(step, merchantId, 'COP', number))
      await postingDb(service.db, service.clock, merchantId).transaction(async (tx) => postTransactions(tx, [one]));
  }
  return merchantId;
}

const thisMonth = (): string => dayOf(service.clock.now(), 'America/Bogota').toPlainYearMonth().toString();

test.each(LANGUAGES)('another reader finds in a PDF what the CSV has, in %s', async (language) => {
  const merchantId = await stocked(70);
  const path = `${merchantId}/statements/${thisMonth()}?currency=COP`;
  const { bytes, type, name } = await download(`${path}&language=${language}`);
  expect([type, name]).toEqual(['application/pdf', `attachment; filename="statement-${merchantId}-${thisMonth()}-COP.pdf"`]);
  const checked = await prove(bytes);
  const csv = await readCsv(path, language);
  expect(checked).toMatchObject({ trailer: { format: `pdf-${language}`, rows: csv.trailer.rows, sums: csv.trailer.sums } });
  const pages = await readPdf(bytes);
  const lines = pages.flat().map((line) => line.join(' '));
  const words = statementWords(language);
  const separators = statementSeparators(language);
  const inPdf = (text = ''): string => columnAmount(digits(text), 'COP', separators);
  const summary = csv.rows.filter((row) => row['part'] === words.parts.summary);
  const movements = csv.rows.filter((row) => row['part'] === words.parts.movement);
  for (const row of summary) {
    const isBalance = row['count'] === '';
    const numbers = isBalance ? ['balance', ...OWN_ACCOUNTS] : MONEY;
    expect(lines).toContain([row['kind'], ...(isBalance ? [] : [row['count']]), ...numbers.map((column) => inPdf(row[column]))].join(' '));
  }
  const shown = movements.map((row) => {
    const numbers = [...MONEY.filter((column) => digits(row[column]) !== 0n), 'balance'].map((column) => inPdf(row[column]));
    const [start, end] = [`${row['at']} ${row['kind']} `, ` ${numbers.join(' ')}`];
    // An id that is long goes on in the next line.
    const isShown = (line: string): boolean =>
      line.startsWith(start) && line.endsWith(end) && row['transaction']?.startsWith(line.slice(start.length, -end.length)) === true;
    return lines.find(isShown) ?? `${start}${row['transaction']}${end}`;
  });
  expect(lines.filter((line) => shown.includes(line))).toEqual(shown);
  expect(lines).toContain('=Cobró; "doble"');
  expect(movements.find((row) => row['reason'] !== '')?.['reason']).toBe(`'=Cobró; "doble"`);
  for (const [number, page] of pages.entries()) expect(page.at(-1)?.at(-1)).toBe(words.page(number + 1));
  const end = words.end(String(movements.length), pages.length);
  expect([pages.length > 1, lines.includes(end), lines.includes(words.preliminary)]).toEqual([true, true, true]);
});

/** The texts of a PDF of a merchant with so many events. */
async function textsOf(events: number): Promise<readonly string[]> {
  const { bytes } = await download(`${await stocked(events)}/statements/${thisMonth()}?currency=COP&language=en`);
  return (await readPdf(bytes)).flat(2);
}

test('a PDF has columns for held money and money on its way where the merchant has some', async () => {
  const { accounts, payouts } = statementWords('en');
  const ofPayouts = [accounts.held, accounts.settlements, payouts];
  const [few, all] = [await textsOf(3), await textsOf(EVENTS.length)];
  expect([accounts.available, accounts.reserved, accounts.collected].every((name) => few.includes(name) && all.includes(name))).toBe(true);
  expect([ofPayouts.some((text) => few.includes(text)), ofPayouts.every((text) => all.includes(text))]).toEqual([false, true]);
});

test('what was changed, cut off or added makes a PDF one that is not whole', async () => {
  const { bytes } = await download(`${await stocked()}/statements/${thisMonth()}?currency=COP`);
  expect(await prove(bytes)).toHaveProperty('trailer');
  const broken = [
    bytes.subarray(0, -1),
    bytes.subarray(0, bytes.lastIndexOf('startxref')),
    Buffer.concat([bytes, Buffer.from('\n')]),
    Buffer.concat([bytes.subarray(0, -6), Buffer.from('1 0 obj\n%%EOF\n')]),
    Buffer.from(
      bytes.toString('latin1').replace(/startxref\n\d/, (text) => `${text}0`),
      'latin1',
    ),
    Buffer.from(bytes.toString('latin1').replace('"rows":', '"rows":1'), 'latin1'),
  ];
  for (const place of [0, 1_000, bytes.lastIndexOf('xref') - 40]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    broken.push(changed);
  }
  for (const one of broken) expect(await prove(one)).toHaveProperty('problem');
});

test('its language is that of the parameter, else of Accept-Language, else Spanish', async () => {
  const path = `${await stocked(1)}/statements/${thisMonth()}?currency=COP&format=csv`;
  const partOf = async (query: string, language: string): Promise<string | undefined> =>
    /^\uFEFF"([^"]*)"/.exec((await download(`${path}${query}`, { language })).bytes.toString())?.[1];
  expect(await partOf('', '')).toBe('Parte');
  expect(await partOf('', 'en-GB,es;q=0.5')).toBe('Part');
  expect(await partOf('&language=pt', 'en')).toBe('Parte');
  expect((await readCsv(path.replace('&format=csv', ''), 'pt')).head[9]).toBe('Disponível');
});

describe('refuses', () => {
  const month = '2026-10';
  test.each([
    ['nobody/statements/2026-10', '404 not_found'],
    ['SHOP/statements/2026-13', '404 not_found'],
    ['SHOP/statements/2026-10-32', '404 not_found'],
    ['SHOP/statements/2099-01?currency=COP', '422 period_not_begun'],
    [`SHOP/statements/${month}`, '422 currency_needed'],
    [`SHOP/statements/${month}?currency=ZZZ`, '422 currency_unknown'],
    [`SHOP/statements/${month}?currency=COP&format=doc`, '422 fields_invalid'],
    [`SHOP/statements/${month}?currency=COP&language=fr`, '422 fields_invalid'],
  ])('%s', async (path, problem) => {
    const { merchantId } = await service.merchant();
    expect(problemOf(await download(path.replace('SHOP', merchantId)))).toBe(problem);
  });
});

test('a month before the first movement, and a currency without one, have a statement of zeros', async () => {
  const { merchantId } = await service.merchant({ fundMinor: 0n });
  for (const currency of ['COP', 'USD']) {
    const { rows, trailer } = await readCsv(`${merchantId}/statements/2025-02?currency=${currency}`);
    expect([rows.length, trailer.rows, trailer.sums]).toEqual([3, 3, {}]);
  }
});

test('a merchant’s people read their own statement, and see of another merchant what does not exist', async () => {
  const [own, other] = [await stocked(1), await stocked(1)];
  const token = await tokenOf(['ledger:read'], own);
  expect((await download(`${own}/statements/${thisMonth()}?currency=COP`, { token })).status).toBe(200);
  expect(problemOf(await download(`${other}/statements/${thisMonth()}?currency=COP`, { token }))).toBe('404 not_found');
  const orders = await tokenOf(['orders:read'], own);
  expect(problemOf(await download(`${own}/statements/${thisMonth()}`, { token: orders }))).toBe('403 permission_missing');
});

/** Connections that read statements now: they have a snapshot. */
const snapshots = async (): Promise<number> => {
  const text = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and backend_xmin is not null`;
  return (await owner.query(text)).rowCount ?? 0;
};

test('a statement that nobody reads holds no snapshot, and a reader that goes away leaves none', async () => {
  const merchantId = await stocked(200);
  const headers = { authorization: `Bearer ${all}` };
  const url = `${origin}/manage/v1/ledger/${merchantId}/statements/${thisMonth()}?currency=COP`;
  const unread = await fetch(url, { headers });
  await eventually(SOON_MS, async () => expect(await snapshots()).toBe(0));
  await unread.body?.cancel();
  const gone = new AbortController();
  await fetch(url, { headers, signal: gone.signal });
  gone.abort();
  await eventually(SOON_MS, async () => expect(await snapshots()).toBe(0));
});

test('a statement is of one state while money moves', async () => {
  const merchantId = await stocked(30);
  const over = new AbortController();
  const writes = (async () => {
    for (let number = 1_000; !over.signal.aborted; number++) {
      const step = { hours: 0, event: 'order' as const, amountMinor: 5_000n, feeMinor: 10n, isSummed: false };
      await post(...transactionsOf(step, merchantId, 'COP', number));
    }
  })();
  try {
    for (let count = 0; count < 8; count++) await readCsv(`${merchantId}/statements/${thisMonth()}?currency=COP`);
  } finally {
    over.abort();
    await writes;
  }
});
