import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, connectionConfig, openDb } from '../../kit/db.ts';
import { cashoutCalls, countsOf } from '../../testing/cashout-calls.ts';
import { eventually, PROCESS_MS, SOON_MS, within } from '../../testing/deadlines.ts';
import { isLong } from '../../testing/lanes.ts';
import { startTestCaudal, type TestMerchant, type TestCaudal } from '../../testing/test-caudal.ts';
import { importCashouts, type ImportOptions, type ImportOutcome, type Rejects } from './import-cashouts.ts';
import type { RowRefusal } from '../../kit/files/csv.ts';
import type { ImportingMerchant } from './import-cashouts.wire.ts';

const HEADER = 'amount,transactionCost,currency,description,document,sms,cellphone,operation,expire,update,status';

let service: TestCaudal;
let merchant: TestMerchant;
let importing: ImportingMerchant;

beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

/** Each test has a merchant of its own. */
async function newMerchant(): Promise<void> {
  merchant = await service.merchant();
  importing = {
    merchantId: merchant.merchantId,
    timeZone: 'America/Bogota',
    region: 'CO',
    currencies: ['COP', 'USD'],
    letterDocuments: false,
    strictAmounts: false,
  };
}

const row = (operation: string, given: Record<string, string> = {}): string => {
  const cells = {
    amount: '45000.0',
    cost: '0.0',
    currency: 'COP',
    description: 'Premio',
    document: '99',
    sms: 'false',
    cellphone: '',
    operation,
    expire: '20261231',
    update: '20261101',
    status: 'APROBADA',
  };
  return Object.values({ ...cells, ...given }).join(',');
};
const cells = (operation: string, given: Record<string, string>): string => `${row(operation, given).replaceAll(',', ';')};;`;
/** A row of NDJSON. */
const programRow = (given: object): string => {
  const item = {
    operation: 'A',
    amount: '50.00',
    currency: 'COP',
    document: '99',
    expire: '20261231',
    update: '20261101',
    status: 'APROBADA',
  };
  return JSON.stringify({ ...item, ...given });
};
const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');

async function run(file: string | Buffer, rejects?: Rejects, record?: ImportOptions['record']): Promise<ImportOutcome> {
  return importCashouts({
    url: service.url,
    merchant: importing,
    now: service.clock.now(),
    source: Readable.from([Buffer.from(file)]),
    rejects,
    record,
    onProgress: () => undefined,
  });
}

function collected(): Rejects & { readonly rows: (RowRefusal & { text: string | undefined })[]; isClosed: boolean } {
  const rejects = {
    rows: [] as (RowRefusal & { text: string | undefined })[],
    isClosed: false,
    write: async (refusal: RowRefusal, text: string | undefined) => void rejects.rows.push({ ...refusal, text }),
    close: async () => void (rejects.isClosed = true),
  };
  return rejects;
}

const stored = (): Promise<{ operation_id: string }[]> =>
  service.db.query({ name: 'testing.imported', text: 'select * from cashouts where merchant_id = $1 order by operation_id' }, [
    merchant.merchantId,
  ]);

async function expectExactCounts(): Promise<void> {
  const { kept, counted } = await countsOf(service, merchant.merchantId);
  expect(kept).toEqual(counted);
}

const imported = (added: number, unchanged = 0, rejected = 0): ImportOutcome => ({
  outcome: 'imported',
  rows: added + unchanged + rejected,
  added,
  unchanged,
  rejected,
});

describe('importing cashouts', () => {
  test('stores what a CSV says, and counts it', async () => {
    await newMerchant();
    const file = csv(
      row('A', { description: '"Premio, ""grande"" \\ñ"', sms: 'true', cellphone: '300 123', cost: '1500.5', document: '00123' }),
      '',
      row('B', { amount: '11.85', currency: 'USD', status: 'pendiente', update: '2026-11-21T04:59:59.1234567Z' }),
    );
    expect(await run(`\uFEFF${file.replaceAll('\n', '\r\n')}\r\n`)).toEqual(imported(2));
    expect(await stored()).toEqual([
      {
        merchant_id: merchant.merchantId,
        operation_id: 'A',
        cashout_id: expect.any(BigInt),
        state: 'approved',
        version: 1,
        amount_minor: 4_500_000n,
        transaction_cost_minor: 150_050n,
        currency: 'COP',
        description: 'Premio, "grande" \\ñ',
        document: '00123',
        sms: true,
        cellphone: '300 123',
        otp_hash: null,
        expires_on: Temporal.PlainDate.from('2026-12-31'),
        created_at: Temporal.Instant.from('2026-11-01T05:00:00Z'),
        updated_at: Temporal.Instant.from('2026-11-01T05:00:00Z'),
        updated_on: Temporal.PlainDate.from('2026-11-01'),
        expires_at: Temporal.Instant.from('2027-01-01T05:00:00Z'),
        // It was never taken from a fund here: nothing goes back for it, and it is not paid out here.
        fee_minor: 0n,
        tax_minor: 0n,
        reserved_minor: 0n,
        refund_id: null,
        otp_wrong_tries: 0,
        otp_length: 4,
        otp_resends: 0,
        locked_by: null,
        locked_until: null,
        locked_at_point: null,
      },
      expect.objectContaining({
        operation_id: 'B',
        state: 'pending',
        amount_minor: 1185n,
        transaction_cost_minor: 0n,
        updated_at: Temporal.Instant.from('2026-11-21T04:59:59.123456Z'),
        updated_on: Temporal.PlainDate.from('2026-11-20'),
      }),
    ]);
    await expectExactCounts();
  });

  test('reads NDJSON, and a CSV with semicolons and few columns, as it reads any CSV', async () => {
    await newMerchant();
    const item = {
      amount: '45000.0',
      transactionCost: '',
      currency: 'COP',
      description: '',
      document: '99',
      sms: 'false',
      cellphone: '',
      operation: 'A',
      expire: '20261231',
      update: '20261101',
      status: 'APROBADA',
    };
    expect(
      await run(
        `${JSON.stringify(item)}\n\n{"operation":"B","amount":45000.00,"currency":"COP","document":99,"sms":false,"expire":20261231,"update":20261101,"status":"APROBADA","description":null}`,
      ),
    ).toEqual(imported(2));
    expect(
      await run(
        'operation;amount;currency;document;expire;update;status\nA;45000;COP;99;20261231;20261101;APROBADA\nB;45000,00;COP;99;20261231;20261101;aprobada',
      ),
    ).toEqual(imported(0, 2));
  });

  test('refuses decimals that the currency does not have in a text of a program, where the merchant has strict amounts', async () => {
    await newMerchant();
    for (const more of [{ amount: '50.000' }, { transactionCost: '5.000' }]) {
      expect(await run(programRow(more))).toEqual(imported(1));
      await newMerchant();
      importing = { ...importing, strictAmounts: true };
      expect(await run(programRow(more))).toMatchObject({ outcome: 'refused', refusals: [{ line: 1, field: Object.keys(more)[0] }] });
      expect(await run(programRow({}))).toEqual(imported(1));
      await newMerchant();
    }
  });

  test('refuses a file without rows: an empty one, blank lines, a header alone', async () => {
    await newMerchant();
    for (const file of ['', '\n\n', HEADER])
      expect(await run(file)).toEqual({ outcome: 'refused', refusals: [{ line: 1, rule: 'the file has no rows' }] });
  });

  test('reads a CSV as spreadsheets write it: byte order mark, semicolons, empty rows and columns, decimal commas, FALSO, kept ids', async () => {
    await newMerchant();
    const header = `\uFEFF${HEADER.replaceAll(',', ';')};;`;
    const file = [
      header,
      ';;;;;;;;;;;;',
      cells('S-1', { sms: 'FALSO', expire: '31/12/2026', update: '2026-11-01' }).replace('45000.0', '45.000,50'),
      cells('S-2', { sms: 'VERDADEIRO', document: '"=""0102030405"""', cellphone: "'+57 300 555 0000" }).replace('45000.0', '1.234.567'),
      cells('S-3', { sms: 'NÃO', operation: '"=""3-4"""' }),
      ';;',
    ].join('\r\n');
    expect(await run(file)).toEqual(imported(3));
    expect(await stored()).toMatchObject([
      { operation_id: '3-4' },
      { operation_id: 'S-1', amount_minor: 4500050n, sms: false },
      { operation_id: 'S-2', amount_minor: 123456700n, document: '0102030405', cellphone: '+57 300 555 0000', sms: true },
    ]);
  });

  test.each([
    ['sep=; before semicolons', `sep=;\r\n${csv(row('P-1')).replaceAll(',', ';')}`],
    ['SEP=, before commas', `\uFEFFSEP=,\r\n${csv(row('P-1'))}`],
    ['tabs', csv(row('P-1')).replaceAll(',', '\t')],
  ])('reads a CSV with %s', async (_what, file) => {
    await newMerchant();
    expect(await run(file)).toEqual(imported(1));
  });

  test.each([
    ['UTF-16', Buffer.from(`\uFEFF${csv(row('P-1'))}`, 'utf16le')],
    ['UTF-16 without its mark', Buffer.from(csv(row('P-1')), 'utf16le')],
    ['a workbook', Buffer.from('504b0304140006000800', 'hex')],
    ['a letter of Windows', Buffer.from(csv(row('P-1', { sms: 'NÃO' })), 'latin1')],
  ])('of a file in %s it says how to save it', async (_what, file) => {
    await newMerchant();
    const rule = 'is not UTF-8: in a spreadsheet, save the file as “CSV UTF-8”';
    expect(await run(file)).toMatchObject({ outcome: 'refused', refusals: [{ rule }] });
  });

  test.each([
    [{ amount: '45.000' }, 'amount', 'write 45000.00 or 45.00'],
    [{ amount: '45000.000' }, 'amount', 'for “45000.000” write 45000.00'],
    [{ amount: '45000.0', currency: 'CLP' }, 'amount', 'for “45000.0” write 45000'],
    [{ amount: '4.5E+4' }, 'amount', 'must be a plain decimal'],
    [{ cost: '1.500' }, 'transactionCost', 'write 1500.00 or 1.50'],
    [{ expire: '03/12/2026' }, 'expire', 'write 20261203 or 20260312'],
    [{ amount: '12345.678' }, 'amount', 'for “12345.678” write 12345.67 or 12345.68'],
    [{ amount: '0.001' }, 'amount', 'for “0.001” write 0.01'],
    [{ cost: '0.001' }, 'transactionCost', 'for “0.001” write 0.00 or 0.01'],
    [{ amount: '1.5', currency: 'CLP' }, 'amount', 'for “1.5” write 1 or 2'],
    [{ amount: '12.345.67' }, 'amount', 'such as 45000'],
    [{ sms: 'quizás' }, 'sms', 'must be true or false'],
    [{ document: '1.0203E+14' }, 'document', 'must have 1 to 20 digits'],
  ])('guesses nothing: %j is refused by name', async (given, field, rule) => {
    await newMerchant();
    importing = { ...importing, currencies: ['COP', 'CLP'] };
    const outcome = await run(csv(row('G-1', given)));
    expect(outcome).toMatchObject({ outcome: 'refused', refusals: [{ line: 2, field, rule: expect.stringContaining(rule) as string }] });
    expect(await stored()).toEqual([]);
  });

  test('takes a later line as the newer one of a day', async () => {
    await newMerchant();
    await run(csv(row('A'), row('C'), row('B')));
    const ids = (await stored()) as unknown as { operation_id: string; cashout_id: bigint }[];
    expect(ids.toSorted((a, b) => Number(a.cashout_id - b.cashout_id)).map(({ operation_id: id }) => id)).toEqual(['A', 'C', 'B']);
  });

  test('changes nothing when a file is imported again, also after its cashouts moved on here', async () => {
    await newMerchant();
    const file = csv(row('A'), row('B', { status: 'PENDIENTE' }), row('A'));
    expect(await run(file)).toEqual(imported(2, 1));
    const before = await stored();
    expect(await run(file)).toEqual(imported(0, 3));
    expect(await stored()).toEqual(before);
    await cashoutCalls(service, merchant).cancel('B', '99');
    const changed = await stored();
    expect(await run(csv(row('A'), row('B', { status: 'PENDIENTE' }), row('C')))).toEqual(imported(1, 2));
    expect((await stored()).slice(0, 2)).toEqual(changed);
    await expectExactCounts();
  });

  test('refuses the whole file for one bad row, wherever it is wrong, and says which', async () => {
    await newMerchant();
    await run(csv(row('OLD')));
    const before = await stored();
    const cases: readonly (readonly [string, RowRefusal])[] = [
      [row('NEW', { amount: '0' }), { line: 3, field: 'amount', rule: expect.any(String) }],
      [row('OLD', { amount: '46000' }), { line: 3, field: 'operation', rule: 'OLD is stored with other values' }],
      [row('OLD', { status: 'VENCIDA' }), { line: 3, field: 'operation', rule: 'OLD is stored with other values' }],
      [row('OLD', { update: '20261102' }), { line: 3, field: 'operation', rule: 'OLD is stored with other values' }],
      [row('FIRST', { document: '1' }), { line: 3, field: 'operation', rule: 'FIRST is stored or stands in line 2 with other values' }],
      ['"open', { line: 3, rule: expect.stringContaining('quoted') }],
    ];
    for (const [bad, refusal] of cases) expect(await run(csv(row('FIRST'), bad)), bad).toEqual({ outcome: 'refused', refusals: [refusal] });
    expect(await stored()).toEqual(before);
    await expectExactCounts();
  });

  test('gives up after ten bad rows', async () => {
    await newMerchant();
    const outcome = await run(csv(...Array.from({ length: 30 }, (_, index) => row(`B-${index}`, index % 2 === 0 ? { status: 'x' } : {}))));
    expect(outcome).toMatchObject({ outcome: 'refused', refusals: { length: 10, 9: { line: 20, field: 'status' } } });
    expect(await stored()).toEqual([]);
  });

  test('sets bad rows aside where the caller asks for it, with line, field, rule and text, and imports the others', async () => {
    await newMerchant();
    await run(csv(row('OLD')));
    const bad = row('BAD', { update: '20261122' });
    const file = Buffer.concat([
      Buffer.from(csv(row('A'), bad, row('A', { document: '1' }), row('OLD', { amount: '1' }), row('OLD'), '')),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(row('Z')),
    ]);
    const rejects = collected();
    expect(await run(file, rejects)).toEqual(imported(2, 1, 4));
    expect(rejects.rows).toEqual([
      { line: 3, field: 'update', rule: expect.stringContaining('future'), text: bad },
      { line: 7, rule: expect.stringContaining('UTF-8'), text: undefined },
      { line: 4, field: 'operation', rule: expect.stringContaining('line 2'), text: undefined },
      { line: 5, field: 'operation', rule: expect.stringContaining('OLD'), text: undefined },
    ]);
    expect(rejects.isClosed).toBe(true);
    expect((await stored()).map(({ operation_id: id }) => id)).toEqual(['A', 'OLD', 'Z']);
    await expectExactCounts();
  });

  test('and the act of it are committed together, or not at all', async () => {
    await newMerchant();
    const act = { text: `select 1 / $1::int`, name: 'testing.act' };
    const acted = (divisor: number): Promise<ImportOutcome> => run(csv(row('A')), undefined, (tx) => tx.send(act, [divisor]));
    await expect(acted(0)).rejects.toThrow('division by zero');
    expect(await stored()).toEqual([]);
    expect(await acted(1)).toEqual(imported(1));
  });

  test('commits nothing when the rejected rows cannot be kept', async () => {
    await newMerchant();
    const rejects = { ...collected(), close: () => Promise.reject(new Error('disk full')) };
    await expect(run(csv(row('A'), row('B', { amount: 'x' })), rejects)).rejects.toThrow('disk full');
    expect(await stored()).toEqual([]);
    await expectExactCounts();
  });
});

describe('refuses a row', () => {
  beforeAll(newMerchant);

  test.each<[string, Record<string, string>]>([
    ['amount', { amount: '' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1.001' }],
    ['transactionCost', { cost: 'x' }],
    ['currency', { currency: 'PEN' }],
    ['currency', { currency: 'ZZZ' }],
    ['description', { description: 'x'.repeat(51) }],
    ['document', { document: 'x' }],
    ['sms', { sms: 'maybe' }],
    ['cellphone', { cellphone: 'home' }],
    ['cellphone', { cellphone: '6015550000', sms: 'true', status: 'PENDIENTE' }],
    ['cellphone', { cellphone: '+999 300 555 0000', sms: 'true', status: 'PENDIENTE' }],
    ['cellphone', { sms: 'true', status: 'PENDIENTE' }],
    ['operation', { operation: 'a b' }],
    ['operation', { operation: 'x'.repeat(41) }],
    ['expire', { expire: '20261131' }],
    ['expire', { expire: '2026-12-32' }],
    ['expire', { expire: '99991231' }],
    ['expire', { expire: '00010101' }],
    ['update', { update: '0000-01-01T00:00:00Z' }],
    ['update', { update: '19991231' }],
    ['update', { update: '20261122' }],
    ['update', { update: '2026-11-21T15:00:00.001Z' }],
    ['update', { update: '2026-11-21T10:00:00' }],
    ['update', { update: '2026-13-21T10:00:00Z' }],
    ['update', { update: '20260230' }],
    ['status', { status: 'PENDING' }],
  ])('for its %s: %j', async (field, given) => {
    expect(await run(csv(row('A', given)))).toEqual({
      outcome: 'refused',
      refusals: [{ line: 2, field, rule: expect.stringMatching(/./) }],
    });
  });

  test.each([
    ['a header without a required column', 'amount,currency\n1,COP', { line: 1, field: 'document' }],
    ['a header with an unknown column', `${HEADER},color\n`, { line: 1, field: 'color' }],
    ['a header with a column twice', `${HEADER},amount\n`, { line: 1, field: 'amount' }],
    ['too few values', `${HEADER}\n1,2`, { line: 2 }],
    ['broken JSON', '{"operation":"A"', { line: 1 }],
    ['a JSON row that is no object', '{"operation":"A"}\n[1]', { line: 1, field: 'amount' }],
    ['a name twice', '{"operation":"A","operation":"B"}', { line: 1 }],
    ['an unknown name', '{"colour":1}', { line: 1, field: 'colour' }],
  ])('for %s', async (_what, file, refusal) => {
    expect(await run(file)).toMatchObject({ outcome: 'refused', refusals: { 0: refusal } });
  });
});

describe('beside a running server', () => {
  test('loses no count', async () => {
    await newMerchant();
    const calls = cashoutCalls(service, merchant);
    const operations = Array.from({ length: 200 }, (_, index) => `R-${String(index).padStart(3, '0')}`);
    const file = csv(
      ...operations.toReversed().map((operation) => row(operation, { document: '1020304050', status: 'PENDIENTE', update: '20261121' })),
    );
    const rejects = collected();
    const [outcome, ...answers] = await Promise.all([
      run(file, rejects),
      ...operations.map((operation) => calls.register(calls.registration({ operation }))),
    ]);
    expect(outcome).toMatchObject({ outcome: 'imported', rows: 200, added: answers.filter(({ code }) => code === '0042').length });
    expect(answers.every(({ code }) => code === '0000' || code === '0042')).toBe(true);
    expect(await stored()).toHaveLength(200);
    await expectExactCounts();
  });

  test('locks cashouts in the order of their key, as a server does: the two never deadlock', async () => {
    await newMerchant();
    const watching = openDb({ url: service.url, log: service.log, connections: 1, statementTimeoutMs: 3_000 });
    const insert = {
      name: 'testing.insert_cashout',
      text: `insert into cashouts values ($1, $2, default, 'pending', 1, 100, 0, 'COP', '', '1', false, '', null, $4, $3, $3, $4)`,
    };
    const waiting = {
      name: 'testing.waiting',
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    };
    const [now, today] = [service.clock.now(), Temporal.PlainDate.from('2026-11-21')];
    let running: Promise<ImportOutcome> | undefined;
    await service.db.transaction(async (tx) => {
      await tx.query(insert, [merchant.merchantId, 'K-1', now, today]);
      running = run(csv(row('K-2'), row('K-1')), collected());
      await eventually(SOON_MS, async () => expect(await watching.query(waiting, [])).not.toEqual([]));
      await tx.query(insert, [merchant.merchantId, 'K-2', now, today]);
    });
    expect(await running).toEqual(imported(0, 0, 2));
    await watching.close();
  });

  test('a process that is killed in the middle changes nothing', async () => {
    await newMerchant();
    const script = `
      import { importCashouts } from ${JSON.stringify(new URL('import-cashouts.ts', import.meta.url).href)};
      await importCashouts({ url: ${JSON.stringify(service.url)}, merchant: ${JSON.stringify(importing)}, now: Temporal.Instant.from('2026-11-21T15:00:00Z'),
        source: process.stdin, rejects: undefined, onProgress: ({ rows }) => process.stdout.write(rows + '\\n') });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.on('error', () => undefined); // It breaks when the process is killed.
    child.stdin.write(`${csv(...Array.from({ length: 20_000 }, (_, index) => row(`K-${index}`)))}\n`);
    // Rows are on their way to the database; the file has not ended.
    await within(PROCESS_MS, 'the first progress', once(child.stdout, 'data'));
    child.kill('SIGKILL');
    await within(SOON_MS, 'the end of the process', once(child, 'exit'));
    expect(await run(csv(row('K-1')))).toEqual(imported(1));
    expect(await stored()).toHaveLength(1);
    await expectExactCounts();
  });

  test('a database connection that is cut in the middle is an error, and changes nothing', async () => {
    await newMerchant();
    const admin = await connectClient(connectionConfig(service.url, null));
    async function* cutOff(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${csv(row('A'))}\n`);
      // Not by the service: its user does not see the statements of others.
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy incoming%'`;
      await eventually(SOON_MS, async () => expect((await admin.query(cut)).rows).toHaveLength(1));
      for (let index = 0; index < 1_000; index++) yield Buffer.from(`${row(`A-${index}`)}\n`);
    }
    const options = { url: service.url, merchant: importing, now: service.clock.now(), rejects: undefined, onProgress: () => undefined };
    await expect(importCashouts({ ...options, source: cutOff() })).rejects.toThrow(/terminat|EPIPE|ECONNRESET/);
    await admin.end();
    expect(await stored()).toEqual([]);
  });

  test.runIf(isLong)('holds no more than a part of the file in memory, however slow the database is', async () => {
    await newMerchant();
    const rows = 300_000;
    async function* generated(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${HEADER}\n`);
      const filler = { description: 'x'.repeat(50) };
      for (let from = 0; from < rows; from += 1_000) {
        yield Buffer.from(Array.from({ length: 1_000 }, (_, index) => `${row(`M-${from + index}`, filler)}\n`).join(''));
      }
      yield Buffer.from('bad'); // So that the rows need not be stored, only to be thrown away.
    }
    const before = process.memoryUsage().rss;
    let peak = before;
    const outcome = await importCashouts({
      url: service.url,
      merchant: importing,
      now: service.clock.now(),
      source: generated(),
      rejects: undefined,
      onProgress: () => (peak = Math.max(peak, process.memoryUsage().rss)),
    });
    expect(outcome).toMatchObject({ outcome: 'refused', refusals: [{ line: rows + 2 }] });
    // Measured 41 to 61; 125 when all lines of the file, 42 MB, are read before the first is copied.
    expect((peak - before) / 2 ** 20).toBeLessThan(90);
  });
});
