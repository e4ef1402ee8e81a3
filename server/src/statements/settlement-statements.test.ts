import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkExport } from '../exports/check-export.ts';
import { statement } from '../kit/db.ts';
import { splitCsv } from '../kit/files/csv.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import * as fc from '../testing/fast-check.ts';
import { readPdf } from '../testing/pdf-text.ts';
import { draftWithLines, openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { statementSeparators, statementWords } from './statement-words.ts';

let service: TestCaudal;
let folder: string;
beforeAll(async () => {
  service = await startTestCaudal();
  folder = mkdtempSync(join(tmpdir(), 'caudal-settlement-statements-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

type Shop = Awaited<ReturnType<typeof openSettledShop>>;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;
const COLUMNS = ['part', 'at', 'kind', 'transaction', 'count', 'amount', 'fees', 'tax', 'net', 'balance', 'currency', 'reason'] as const;
const MONEY = ['amount', 'fees', 'tax', 'net'] as const;

const pathOf = ({ merchantId }: Shop, settlement: string, query = ''): string =>
  `/settlements/${merchantId}/${settlement}/statement${query}`;

async function fileOf(shop: Shop, settlement: string, query: string) {
  const { status, bytes, text, headers } = await shop.owner.get(pathOf(shop, settlement, query));
  expect(status, text).toBe(200);
  const file = join(folder, 'statement');
  writeFileSync(file, bytes);
  const checked = await checkExport(file);
  if ('problem' in checked) throw new Error(checked.problem);
  return { bytes, trailer: checked.trailer, headers };
}

async function csvOf(shop: Shop, settlement: string, language: Language = 'en') {
  const { bytes, trailer } = await fileOf(shop, settlement, `?format=csv&language=${language}`);
  const lines = bytes.toString().split('\n').slice(1, -2);
  const rows = lines.map((line) => {
    const cells = splitCsv(line, language === 'en' ? ',' : ';') ?? [];
    return Object.fromEntries(COLUMNS.map((column, place) => [column, cells[place] ?? ''])) as Row;
  });
  return { trailer, rows, words: statementWords(language) };
}

const digits = (text = ''): bigint => BigInt(text === '' ? '0' : text.replace(/[.,]/, ''));
const sumOf = (rows: readonly Row[], column: (typeof MONEY)[number]): bigint => rows.reduce((sum, row) => sum + digits(row[column]), 0n);

/** What the entries of a settlement have, and fee and tax of their transactions: read without what statements read with. */
const MEMBERS = statement(
  'test.members_of_settlement',
  `select e.transaction_id as transaction, e.amount_minor as net,
          -coalesce((select sum(o.amount_minor) from ledger_entries o
                      where o.merchant_id = e.merchant_id and o.transaction_id = e.transaction_id and o.account = 'service:fees'), 0)::bigint as fees,
          -coalesce((select sum(o.amount_minor) from ledger_entries o
                      where o.merchant_id = e.merchant_id and o.transaction_id = e.transaction_id and o.account = 'service:tax'), 0)::bigint as tax
     from settlement_entries s join ledger_entries e using (merchant_id, transaction_id, line)
    where s.merchant_id = $1 and s.settlement_id = $2 order by e.posted_at, e.transaction_id`,
);
type Member = { readonly transaction: string; readonly net: bigint; readonly fees: bigint; readonly tax: bigint };
type Shown = Readonly<Record<'gross' | 'net', { readonly amount: string }>> & {
  readonly lines: readonly (Readonly<Record<'amount' | 'tax', { readonly amount: string }>> & {
    readonly kind: string;
    readonly name: string;
  })[];
};

/** Holds the statement of a settlement against its entries, its lines and what the API shows. */
async function compare(shop: Shop, settlement: string): Promise<void> {
  const { trailer, rows, words } = await csvOf(shop, settlement);
  const members = await shop.db.query<Member>(MEMBERS, [shop.merchantId, BigInt(settlement)]);
  const movements = rows.filter(({ part }) => part === words.parts.movement);
  expect(
    movements.map(({ transaction, net, fees, tax }) => ({ transaction, net: digits(net), fees: digits(fees), tax: digits(tax) })),
  ).toEqual(members);
  const [collectedAt, paidAt] = [words.payout.collected, words.payout.paid].map((name) => rows.findIndex(({ kind }) => kind === name));
  const [kinds, taken] = [rows.slice(0, collectedAt), rows.slice((collectedAt ?? 0) + 1, paidAt)];
  const [collected, paid] = [rows[collectedAt ?? 0], rows[paidAt ?? 0]] as [Row, Row];
  for (const column of MONEY) {
    expect([column, sumOf(kinds, column)]).toEqual([column, digits(collected[column])]);
    expect([column, sumOf(movements, column)]).toEqual([column, digits(collected[column])]);
    expect([column, digits(collected[column]) + sumOf(taken, column)]).toEqual([column, digits(paid[column])]);
  }
  for (const row of rows.slice(0, (paidAt ?? 0) + 1).concat(movements))
    expect(digits(row.amount) + digits(row.fees) + digits(row.tax)).toBe(digits(row.net));
  let running = 0n;
  for (const { net, balance } of movements) expect(digits(balance)).toBe((running += digits(net)));
  const { gross, net, lines } = (await shop.owner.get(`/settlements/${shop.merchantId}/${settlement}`)).body as unknown as Shown;
  expect([collected.net, collected.balance, paid.net, paid.balance]).toEqual([gross, gross, net, net].map(({ amount }) => amount));
  expect(taken.map(({ kind, net: takenOff }) => [kind.includes(`(${lineOf(kind)})`), -digits(takenOff)])).toEqual(
    lines.map(({ amount, tax }) => [true, digits(amount.amount) + digits(tax.amount)]),
  );
  expect(taken.map(({ kind }) => lineOf(kind))).toEqual(lines.map(({ name }) => name));
  expect(trailer).toMatchObject({ filter: { merchant: shop.merchantId, currency: 'COP', settlement }, rows: rows.length });
}
const lineOf = (kind: string): string => /\(([^)]*)\)/.exec(kind)?.[1] ?? '';

const anyEvent = fc.constantFrom('pay', 'pay', 'refund', 'reverse', 'hold', 'release', 'return', 'fund');
const anyLines = fc.record({
  fee: fc.bigInt({ min: 0n, max: 9_000n }),
  withheld: fc.bigInt({ min: 0n, max: 9_000n }),
  reserve: fc.bigInt({ min: 0n, max: 9_000n }),
});

/** Lines of each kind above zero. */
const linesOf = ({ fee, withheld, reserve }: { readonly fee: bigint; readonly withheld: bigint; readonly reserve: bigint }) => [
  ...(fee === 0n
    ? []
    : [
        {
          kind: 'fee',
          base: 'payout',
          name: 'payout fee',
          amountMinor: fee,
          taxMinor: fee / 5n,
          ratePpm: 1_500,
          baseMinor: 100n * fee,
        } as const,
      ]),
  ...(withheld === 0n ? [] : [{ kind: 'withholding', base: 'payments', name: 'withheld', amountMinor: withheld } as const]),
  ...(reserve === 0n
    ? []
    : [
        {
          kind: 'reserve',
          base: 'collected',
          name: 'reserve',
          amountMinor: reserve,
          releaseOn: Temporal.PlainDate.from('2026-12-24'),
        } as const,
      ]),
];

async function sent(shop: Shop, settlement: string): Promise<void> {
  await shop.owner.send('POST', '/settlements/approve', { settlements: [settlement] });
  expect(await shop.owner.send('POST', `/settlements/${shop.merchantId}/${settlement}/sent`)).toMatchObject({ status: 200 });
}

test('whatever a settlement is made of, its statement adds up to it: every entry, every line, the net', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { minLength: 4, maxLength: 14 }), anyLines, async (events, terms) => {
      const shop = await openSettledShop(service);
      const { merchantId } = shop;
      const orders: string[] = [];
      for (let number = 0; number < 3; number++) orders.push(await shop.pay());
      let before: string | undefined;
      let hold: string | undefined;
      for (const event of events) {
        if (event === 'pay') orders.push(await shop.pay('50000'));
        if (event === 'refund') await shop.refund(orders[0] ?? '', '1000');
        if (event === 'reverse' && orders.length > 3) await shop.reverse(orders.pop() ?? '');
        if (event === 'hold') {
          const placed = { amount: { amount: '50', currency: 'COP' }, reason: '=held' };
          hold = String((await shop.owner.send('POST', `/holds/${merchantId}`, placed)).body['hold']);
        }
        if (event === 'release' && hold !== undefined)
          await shop.owner.send('POST', `/holds/${merchantId}/${hold}/release`, { reason: 'r' });
        if (event === 'fund') await shop.owner.send('POST', `/ledger/${merchantId}/to-fund`, { amount: { amount: '10', currency: 'COP' } });
        if (event === 'return' && before === undefined) {
          before = await draftWithLines(service, merchantId, linesOf(terms));
          await sent(shop, before);
          await shop.owner.send('POST', `/settlements/${merchantId}/${before}/returned`, { reason: 'closed' });
        }
      }
      await shop.pay();
      const settlement = await draftWithLines(service, merchantId, linesOf(terms));
      await compare(shop, settlement);
      await sent(shop, settlement);
      for (const one of [settlement, before]) if (one !== undefined) await compare(shop, one);
    }),
    { numRuns: 4 },
  );
});

test.each(LANGUAGES)('another reader finds in its PDF what the CSV has, in %s', async (language) => {
  const shop = await openSettledShop(service);
  for (let number = 0; number < 60; number++) await shop.pay();
  await shop.refund(await shop.pay(), '1000');
  const settlement = await draftWithLines(service, shop.merchantId, linesOf({ fee: 1_000n, withheld: 2_000n, reserve: 3_000n }));
  const { words } = await csvOf(shop, settlement, language);
  const draft = (await readPdf((await fileOf(shop, settlement, `?language=${language}`)).bytes)).flat().map((line) => line.join(' '));
  expect(draft).toContain(words.payout.draft);
  await sent(shop, settlement);
  await shop.owner.send('POST', `/settlements/${shop.merchantId}/${settlement}/paid`, { bankReference: 'TRX-1' });
  const { rows, trailer } = await csvOf(shop, settlement, language);
  const pdf = await fileOf(shop, settlement, `?language=${language}`);
  expect(pdf.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="statement-${shop.merchantId}-settlement-${settlement}-COP.pdf"`,
  });
  expect(pdf.trailer).toMatchObject({ format: `pdf-${language}`, rows: trailer.rows, sums: trailer.sums });
  const pages = await readPdf(pdf.bytes);
  const lines = pages.flat().map((line) => line.join(' '));
  const inPdf = (text: string): string => columnAmount(digits(text), 'COP', statementSeparators(language));
  for (const row of rows) {
    const isMovement = row.part === words.parts.movement;
    const numbers = MONEY.map((column) => row[column]).filter((text) => !isMovement || digits(text) !== 0n);
    const start = isMovement ? [row.at, row.kind, row.transaction] : [row.kind, ...(row.count === '' ? [] : [row.count])];
    expect(lines).toContain([...start, ...numbers.map(inPdf), ...(isMovement ? [inPdf(row.balance)] : [])].join(' '));
    if (row.part === words.parts.summary && row.reason !== '') expect(lines).toContain(`${row.kind}. ${row.reason}.`);
  }
  const { collected, takenOff, paid, paidOn, heldUntil } = words.payout;
  expect(rows.filter(({ reason }) => reason !== '').map(({ reason }) => reason)).toEqual([
    heldUntil({ es: '24 de diciembre de 2026', en: 'December 24, 2026', pt: '24 de dezembro de 2026' }[language]),
    paidOn({ es: '21 de noviembre de 2026', en: 'November 21, 2026', pt: '21 de novembro de 2026' }[language], 'TRX-1'),
  ]);
  const [gross, net] = [rows.find(({ kind }) => kind === collected), rows.find(({ kind }) => kind === paid)].map((row) => row?.net ?? '');
  const off = columnAmount(digits(gross) - digits(net), 'COP', statementSeparators(language));
  expect(lines).toContain(
    `${collected} ${inPdf(gross ?? '')} - ${takenOff} ${off} = ${paid.toLowerCase()} ${inPdf(net ?? '')}. ${words.addsUp}.`,
  );
  expect([pages.length > 1, lines.includes(words.payout.draft)]).toEqual([true, false]);
});

test('no statement says that the bank returned what was taken back before the bank was told', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const draft = await shop.run();
  await shop.step(draft, { to: 'approved' });
  await shop.step(draft, { to: 'returned', problem: 'wrong account' });
  for (const language of LANGUAGES) {
    const { rows, words } = await csvOf(shop, String(draft.settlementId), language);
    const { reason = '', kind } = rows.find((row) => row.reason !== '') ?? ({} as Partial<Row>);
    expect([kind, reason]).toEqual([words.payout.paid, expect.stringContaining('wrong account')]);
    expect(`${reason} ${words.payout.states.returned}`).not.toMatch(/ban[ck]/i);
  }
});

test('a released reserve and a payout that came back are said; a cancelled one and one of another merchant have no statement', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const settlement = await draftWithLines(service, shop.merchantId, linesOf({ fee: 0n, withheld: 0n, reserve: 3_000n }));
  await sent(shop, settlement);
  const { body } = await shop.owner.get(`/holds?merchant=${shop.merchantId}`);
  const [{ hold }] = body['items'] as unknown as [{ readonly hold: string }];
  await shop.owner.send('POST', `/holds/${shop.merchantId}/${hold}/release`, { reason: 'earlier' });
  await shop.owner.send('POST', `/settlements/${shop.merchantId}/${settlement}/returned`, { reason: 'closed' });
  const { rows, words } = await csvOf(shop, settlement);
  expect(rows.flatMap(({ reason }) => (reason === '' ? [] : [reason]))).toEqual([
    words.payout.releasedOn('November 21, 2026'),
    words.payout.returnedOn('November 21, 2026', 'closed'),
  ]);
  const cancelled = await draftWithLines(service, shop.merchantId, []);
  await shop.owner.send('POST', `/settlements/${shop.merchantId}/${cancelled}/cancel`, { reason: 'wrong' });
  expect((await shop.owner.get(pathOf(shop, cancelled))).problem).toBe('settlement_cancelled');
  const other = await openSettledShop(service);
  for (const unknown of [pathOf(other, settlement), pathOf(shop, '999999')]) expect((await shop.owner.get(unknown)).status).toBe(404);
  expect((await shop.owner.get(pathOf(shop, settlement, '?format=doc'))).problem).toBe('fields_invalid');
});
