import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listActs, type ListedAct } from '../../audit/act-rows.ts';
import { firstIdOf } from '../../kit/per-cell.ts';
import { freezeMerchant, thawMerchant } from '../../merchants/change-merchant.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { openSettledShop } from '../../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { makeFile } from './make-file.ts';

const ACCOUNT = {
  bankCode: '1051',
  bankName: 'Banco Davivienda',
  type: 'savings',
  number: '0047001234',
  holderName: 'Panadería Ñandú & Hijos',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const SCHEDULE = { period: 'on_demand', calendar: 'colombia', account: ACCOUNT };
const PAYER = { ...ACCOUNT, number: '03012345678', type: 'checking', holderName: 'Pagos del Valle' };
const COLUMNS = [
  { name: 'settlement', field: 'settlement' },
  { name: 'holder', field: 'holderName', width: 30 },
  { name: 'account', field: 'accountNumber' },
  { name: 'amount', field: 'amount' },
];
const CSV = {
  format: 'csv',
  timeZone: 'America/Bogota',
  payer: PAYER,
  csv: {
    encoding: 'windows-1252',
    lineEnd: 'crlf',
    separator: ';',
    quoting: 'needed',
    header: true,
    decimal: ',',
    days: 'YYYYMMDD',
    columns: COLUMNS,
  },
};
const MESSAGE = { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: PAYER };

let service: TestCaudal;
let owner: ManageCalls;
beforeAll(async () => {
  service = await startTestCaudal({ cells: 2 });
  owner = await manageCalls(service, { name: 'owner' });
  expect((await owner.send('PUT', '/calendars/colombia', {})).status).toBe(200);
  for (const [name, layout] of Object.entries({ davivienda: CSV, message: MESSAGE }))
    expect(await owner.send('PUT', `/bank-file-layouts/${name}`, layout)).toMatchObject({ status: 200, body: { version: 1 } });
});
afterAll(() => service.close());

type Shop = Awaited<ReturnType<typeof openSettledShop>>;

/** A merchant with a bank account, whose settlements have the files of its cell to themselves. */
async function openShop({ cell = 0, account = ACCOUNT }: { cell?: number; account?: object | null } = {}): Promise<Shop> {
  await emptyCell(cell);
  const shop = await openSettledShop(service, { cell });
  if (account !== null)
    expect(await owner.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { ...SCHEDULE, account })).toMatchObject({
      status: 200,
    });
  return shop;
}

/** Sends what an earlier test left approved. */
async function emptyCell(cell: number): Promise<void> {
  const { status, body } = await make({ cell: cellNames[cell] });
  expect([201, 409], JSON.stringify(body)).toContain(status);
}
const cellNames = ['home', 'cell-1', 'cell-2'];

async function approved(shop: Shop, amount = '100000'): Promise<string> {
  await shop.pay(amount);
  const settlement = await shop.run();
  await shop.step(settlement, { to: 'approved' });
  return String(settlement.settlementId);
}

const make = (given: object = {}) => owner.send('POST', '/settlement-files', { layout: 'davivienda', currency: 'COP', ...given });
const again = (file: unknown, cell = 'home') => owner.get(`/settlement-files/${String(file)}?cell=${cell}`);
const results = (csv: string, more: object = {}) => owner.send('POST', '/settlement-results', { csv, ...more });
const bytesOf = (body: Readonly<Record<string, unknown>>): Buffer => Buffer.from(String(body['content']), 'base64');
const stateOf = async (shop: Shop, id: string): Promise<string | undefined> => {
  const state = { name: 'test.state_of', text: 'select state, file_id as "fileId" from settlements where settlement_id = $1' };
  return (await shop.db.query<{ state: string }>(state, [BigInt(id)]))[0]?.state;
};

const set = (layout: object, query = '', name = 'mine') => owner.send('PUT', `/bank-file-layouts/${name}${query}`, layout);
const detailsOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  (body['errors'] as readonly { readonly detail: string }[]).map(({ detail }) => detail);
const changesOf = (act: ListedAct | undefined): unknown => (JSON.parse(act?.content ?? '{}') as { readonly changes?: unknown }).changes;

describe('a bank file', () => {
  test('is made of all that is approved, which is sent with it; it is read again byte for byte', async () => {
    const shop = await openShop();
    const [one, two] = [await approved(shop), await approved(shop, '50000')];
    const { status, body } = await make({ file: 'F-1' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        file: 'F-1',
        cell: 'home',
        payments: 2,
        total: { amount: '145537.50', currency: 'COP' },
        settlements: [one, two],
        isRepeated: false,
        isMore: false,
      },
    });
    expect(bytesOf(body).toString('latin1')).toBe(
      'settlement;holder;account;amount\r\n' +
        `${one};Panadería Ñandú & Hijos       ;0047001234;97025,00\r\n`.replace(/;(Pan[^;]*);/, ';"$1";') +
        `${two};Panadería Ñandú & Hijos       ;0047001234;48512,50\r\n`.replace(/;(Pan[^;]*);/, ';"$1";'),
    );
    expect(body['sha256']).toBe(createHash('sha256').update(bytesOf(body)).digest('hex'));
    expect([await stateOf(shop, one), await stateOf(shop, two)]).toEqual(['sent', 'sent']);
    // Neither a new account nor a new layout changes what was sent.
    await owner.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { account: { ...ACCOUNT, number: '999' } });
    const read = (await again('F-1')).body;
    expect(bytesOf(read)).toEqual(bytesOf(body));
    expect((await make({ file: 'F-1' })).body).toEqual({ ...body, isRepeated: true });
    expect((await owner.get('/settlement-files')).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ file: 'F-1', cell: 'home' })]) as unknown,
    });
  });

  test('is a message that names settlements, where the layout says so', async () => {
    const shop = await openShop();
    const one = await approved(shop);
    const { body } = await make({ layout: 'message', payOn: '2026-12-01' });
    const message = bytesOf(body).toString();
    expect(message).toContain(`<EndToEndId>${one}</EndToEndId>`);
    expect(message).toContain(`<MsgId>${String(body['file'])}</MsgId>`);
    expect(message).toContain('<Dt>2026-12-01</Dt>');
  });

  test('is one, however many ask for it at once', async () => {
    const shop = await openShop();
    const one = await approved(shop);
    const same = await Promise.all(Array.from({ length: 4 }, () => make({ file: 'F-2' })));
    expect(same.filter(({ body }) => body['isRepeated'] === true)).toHaveLength(3);
    expect(new Set(same.map(({ body }) => body['content'])).size).toBe(1);
    const two = await approved(shop);
    const others = await Promise.all(Array.from({ length: 4 }, (_, n) => make({ file: `F-3-${n}` })));
    expect(others.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(others.find(({ status }) => status === 201)?.body).toMatchObject({ settlements: [two] });
    expect(one).not.toBe(two);
  });

  test('has so many payments at most, and says that more are approved', async () => {
    const shop = await openShop();
    const ids = [await approved(shop), await approved(shop), await approved(shop)];
    const asked = { layout: 'davivienda', currency: 'COP', settlementIds: undefined, payOn: undefined };
    const made = (fileId: string) => makeFile({ ...shop.deps, most: 2 }, { ...asked, fileId });
    expect(await made('F-8')).toMatchObject({ file: { settlementIds: ids.slice(0, 2).map(BigInt) }, isMore: true });
    expect(await made('F-9')).toMatchObject({ file: { settlementIds: ids.slice(2).map(BigInt) }, isMore: false });
  });

  test('of a used id is refused where anything else is asked for', async () => {
    const shop = await openShop();
    const [one, two] = [await approved(shop), await approved(shop)];
    expect(await make({ file: 'F-4', settlements: [one] })).toMatchObject({ status: 201, body: { settlements: [one] } });
    expect(await make({ file: 'F-4', settlements: [one] })).toMatchObject({ status: 201, body: { isRepeated: true } });
    for (const other of [
      { settlements: [two] },
      { settlements: [one, two] },
      { layout: 'message' },
      { currency: 'USD' },
      { payOn: '2027-01-01' },
    ])
      expect(await make({ file: 'F-4', ...other })).toMatchObject({
        status: 409,
        body: { type: expect.stringMatching(/file_exists$/) as string },
      });
    expect(await stateOf(shop, two)).toBe('approved');
  });

  test('sends nothing where one settlement does not fit, and says which', async () => {
    const shop = await openShop();
    const one = await approved(shop);
    await shop.pay();
    const draft = String((await shop.run()).settlementId);
    const refused = await make({ settlements: [one, draft, '999', '9999999999999999999'] });
    expect(refused).toMatchObject({ status: 422, body: { type: expect.stringMatching(/settlements_unfit$/) as string } });
    expect(detailsOf(refused)).toEqual([`${draft} is draft`, '999 does not exist', '9999999999999999999 does not exist']);
    expect(detailsOf(await make({ currency: 'USD', settlements: [one] }))).toEqual([`${one} is in COP`]);
    await owner.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { account: { ...ACCOUNT, holderName: '漢字' } });
    expect((await make({ file: 'F-5' })).status).toBe(201);
    const other = await openShop({ account: null });
    const two = await approved(other);
    expect(detailsOf(await make())).toEqual([`${two}: ${other.merchantId} has no bank account for COP`]);
    expect(await stateOf(other, two)).toBe('approved');
    await owner.send('PATCH', `/settlement-schedules/${other.merchantId}/COP`, {
      period: 'on_demand',
      calendar: 'colombia',
      account: ACCOUNT,
    });
  });

  test('leaves out who was frozen since the approval, until it is paid again', async () => {
    const [shop, frozen] = [await openShop(), await openSettledShop(service)];
    const [one, two] = [await approved(shop), await approved(frozen)];
    await frozen.owner.send('PATCH', `/settlement-schedules/${frozen.merchantId}/COP`, SCHEDULE);
    await freezeMerchant(service, frozen.merchantId);
    const refused = await make({ settlements: [one, two] });
    expect([refused.status, detailsOf(refused)]).toEqual([422, [`${two}: ${frozen.merchantId} is frozen or disabled`]]);
    expect((await make()).body).toMatchObject({ settlements: [one], isMore: false });
    expect(await stateOf(frozen, two)).toBe('approved');
    await thawMerchant(service, frozen.merchantId);
    expect((await make()).body).toMatchObject({ settlements: [two] });
  });

  test('is refused without a layout, without settlements, and in a cell that does not exist', async () => {
    await emptyCell(0);
    expect(await make({ layout: 'nobody' })).toMatchObject({
      status: 422,
      body: { type: expect.stringMatching(/layout_unknown$/) as string },
    });
    expect(await make()).toMatchObject({ status: 409, body: { type: expect.stringMatching(/nothing_to_send$/) as string } });
    expect(await make({ cell: 'moon' })).toMatchObject({ status: 422, body: { type: expect.stringMatching(/cell_unknown$/) as string } });
    expect(await again('nobody')).toMatchObject({ status: 404 });
  });

  test('leaves one act, which names its settlements', async () => {
    const shop = await openShop();
    const one = await approved(shop);
    await make({ file: 'F-6' });
    await make({ file: 'F-6' });
    const acts = (await listActs(service.db, { limit: 50 })).filter(({ target }) => target === 'file F-6');
    expect(acts).toHaveLength(1);
    expect(changesOf(acts[0])).toMatchObject({ settlements: [null, [one]] });
  });

  test('that never reached the bank stays as it is: its settlements are returned, and the next file has what they came to', async () => {
    const shop = await openShop();
    const lost = await approved(shop);
    expect((await make({ file: 'F-10' })).body).toMatchObject({ settlements: [lost] });
    const reason = { reason: 'the wrong account: never uploaded' };
    expect(await owner.send('POST', `/settlements/${shop.merchantId}/${lost}/returned`, reason)).toMatchObject({ status: 200 });
    await owner.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { account: { ...ACCOUNT, number: '0099' } });
    const next = await shop.run();
    await shop.step(next, { to: 'approved' });
    const { body } = await make({ file: 'F-11' });
    expect(body).toMatchObject({ settlements: [String(next.settlementId)], total: { amount: '97025.00' } });
    expect(bytesOf(body).toString('latin1')).toContain(';0099;97025,00');
    expect((await again('F-10')).body).toMatchObject({ payments: 1, settlements: [lost] });
  });

  test('of named settlements is made in their cell, without its name', async () => {
    const [home, far] = [await openShop(), await openShop({ cell: 1 })];
    const [one, two] = [await approved(home), await approved(far)];
    expect(await make({ settlements: [two, one] })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/settlements' }] } });
    expect(await make({ settlements: [String(firstIdOf(77))] })).toMatchObject({ status: 422 });
    expect((await make({ settlements: [two] })).body).toMatchObject({ cell: cellNames[1], settlements: [two] });
    expect((await make({ settlements: [one] })).body).toMatchObject({ cell: 'home', settlements: [one] });
  });

  test('holds settlements of one cell', async () => {
    const [home, far] = [await openShop(), await openShop({ cell: 1 })];
    const [one, two] = [await approved(home), await approved(far)];
    expect((await make()).body).toMatchObject({ cell: 'home', settlements: [one] });
    const made = (await make({ cell: cellNames[1], file: 'F-7' })).body;
    expect(made).toMatchObject({ cell: cellNames[1], settlements: [two] });
    expect((await again('F-7', cellNames[1])).body['content']).toBe(made['content']);
    expect((await again('F-7')).status).toBe(404);
    expect(await results(`settlement,result,reference\n${two},paid,T-1\n`)).toMatchObject({
      status: 200,
      body: { results: [{ settlement: two }] },
    });
    expect(await stateOf(far, two)).toBe('paid');
  });
});

/** What a bank says first need not be the settlement. */
test.each([
  (id: string) => `result,reference,settlement\npaid,TRX-90311,${id}\n`,
  (id: string) => `reference;settlement;result\n12345;${id};paid\n`,
])('results of another cell are found whatever the order of their columns', async (csvOf) => {
  const far = await openShop({ cell: 1 });
  const id = await approved(far);
  await make({ cell: cellNames[1] });
  expect(await results(csvOf(id))).toMatchObject({ status: 200, body: { results: [{ settlement: id }], faults: [] } });
  expect(await stateOf(far, id)).toBe('paid');
});

test('a result of a cell that never was is a fault of its line', async () => {
  const id = String(firstIdOf(77));
  expect(await results(`settlement,result,reference\n${id},paid,A\n`, { preview: true })).toMatchObject({
    status: 200,
    body: { faults: [{ line: 2, rule: `settlement ${id} does not exist` }] },
  });
});

describe('results of a bank', () => {
  test('are shown first, then recorded once: paid with a reference, returned with a reason', async () => {
    const shop = await openShop();
    const [one, two] = [await approved(shop), await approved(shop, '50000')];
    await make();
    const csv = `settlement,result,reference,reason,amount\n${one},paid,TRX-1,,97025.00\n${two},returned,,Cuenta cerrada,"48.512,50"\n`;
    const shown = await results(csv, { preview: true });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        isRecorded: false,
        faults: [],
        results: [
          { settlement: one, result: 'paid', isRepeated: false },
          { settlement: two, result: 'returned' },
        ],
      },
    });
    expect([await stateOf(shop, one), await stateOf(shop, two)]).toEqual(['sent', 'sent']);
    expect(await results(csv)).toMatchObject({ status: 200, body: { isRecorded: true, isRepeated: false } });
    expect([await stateOf(shop, one), await stateOf(shop, two)]).toEqual(['paid', 'returned']);
    const balances = await shop.balances();
    expect(balances).toMatchObject({ 'service:bank': 9_702_500n, collected: 4_851_250n });
    expect(balances['settlements']).toBeUndefined();
    expect(await results(csv)).toMatchObject({
      status: 200,
      body: { isRepeated: true, results: [{ isRepeated: true }, { isRepeated: true }] },
    });
    expect(await shop.balances()).toEqual(balances);
    // What was paid comes back later. The first file changes nothing then.
    expect(await results(`settlement,result,reason\n${one},returned,closed\n`)).toMatchObject({ status: 200, body: { isRepeated: false } });
    expect(await stateOf(shop, one)).toBe('returned');
    expect(await results(csv)).toMatchObject({ status: 200, body: { isRepeated: true } });
  });

  test('are recorded once, however many send them at once', async () => {
    const shop = await openShop();
    const ids = [await approved(shop), await approved(shop), await approved(shop)];
    await make();
    const csv = ['settlement,result,reference', ...ids.map((id) => `${id},paid,T-${id}`)].join('\n');
    const sent = await Promise.all(Array.from({ length: 4 }, () => results(csv)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(sent.filter(({ body }) => body['isRepeated'] === false)).toHaveLength(1);
    expect((await shop.balances())['service:bank']).toBe(3n * 9_702_500n);
  });

  test('with a fault change nothing, and every fault is named by its line', async () => {
    const shop = await openShop();
    const [one, two] = [await approved(shop), await approved(shop)];
    await make({ settlements: [one] });
    const csv = [
      'settlement,result,reference,reason,amount',
      `${one},paid,T-1,,97025.00`,
      `${two},paid,T-2,,`,
      '999,paid,T-3,,',
      'x,paid,T-4,,',
      '99999999999999999999,paid,T-5,,',
    ];
    const faults = [
      { line: 3, rule: `result ${two} is approved: it is not with the bank` },
      { line: 4, rule: 'settlement 999 does not exist' },
      { line: 5, rule: 'settlement must be the number of a settlement' },
      { line: 6, rule: 'settlement must be the number of a settlement' },
    ];
    expect(await results(csv.join('\n'), { preview: true })).toMatchObject({ status: 200, body: { faults } });
    const refused = await results(csv.join('\n'));
    expect(refused).toMatchObject({ status: 422, body: { type: expect.stringMatching(/results_invalid$/) as string } });
    expect(refused.body['errors']).toEqual(faults.map(({ line, rule }) => ({ pointer: '/csv', detail: `line ${line}: ${rule}` })));
    expect(await stateOf(shop, one)).toBe('sent');
    expect(await results(`settlement,result,reference,amount\n${one},paid,T-1,97025.01`)).toMatchObject({ status: 422 });
    expect(await results(`settlement,result,reference,amount\n${one},paid,T-1,97025.00`)).toMatchObject({ status: 200 });
  });
});

describe('a layout', () => {
  test('is tried before it is kept; each change is a version and an act', async () => {
    expect(await set(CSV, '?try=true', 'trial')).toMatchObject({
      status: 200,
      body: { version: 0, sample: expect.stringContaining('Panadería Ñandú') as string },
    });
    expect((await owner.get('/bank-file-layouts/trial')).status).toBe(404);
    expect(await set(CSV)).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await set({ ...CSV })).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await set({ ...CSV, csv: { ...CSV.csv, header: false } })).toMatchObject({
      status: 200,
      body: { version: 2, csv: { header: false } },
    });
    const acts = (await listActs(service.db, { limit: 50 })).filter(({ target }) => target === 'layout mine');
    expect(acts).toHaveLength(2);
    expect(changesOf(acts[0])).toMatchObject({ version: [1, 2], document: [{ csv: { header: true } }, { csv: { header: false } }] });
    expect((await owner.get('/bank-file-layouts')).body).toMatchObject({
      items: [{ layout: 'davivienda' }, { layout: 'message' }, { layout: 'mine' }],
    });
  });

  test('that is wrong is refused with each place and its rule', async () => {
    const wrong = { ...CSV, timeZone: 'Bogota', csv: { ...CSV.csv, columns: [...COLUMNS, { name: 'x', text: '=1' }] } };
    const refused = await set(wrong, '', 'wrong');
    expect(refused).toMatchObject({ status: 422, body: { type: expect.stringMatching(/layout_invalid$/) as string } });
    expect(refused.body['errors']).toEqual([
      { pointer: '/timeZone', detail: 'is not a time zone' },
      { pointer: '/csv/columns/4/text', detail: 'starts as a formula does' },
    ]);
    expect(await set({ ...CSV, csv: { ...CSV.csv, encoding: 'latin1' } }, '', 'wrong')).toMatchObject({ status: 422 });
    const unstorable = { name: 'bank', field: 'bankCode', codes: { '1\0': '1' } };
    expect((await set({ ...CSV, csv: { ...CSV.csv, columns: [...COLUMNS, unstorable] } }, '', 'wrong')).body['errors']).toEqual([
      { pointer: '/csv/columns/4/codes', detail: 'must be Unicode without NUL' },
    ]);
    expect((await owner.get('/bank-file-layouts/wrong')).status).toBe(404);
  });

  test('shows who may not change it the last digits of the account alone', async () => {
    const reader = await manageCalls(service, { name: 'reader', permissions: ['ledger:read'] });
    const { body } = await reader.get('/bank-file-layouts/message');
    expect(body).toMatchObject({ payer: { number: '*******5678' }, sample: expect.stringContaining('<Id>00000000000</Id>') as string });
    expect(JSON.stringify(body)).not.toContain(PAYER.number);
    expect((await reader.get('/settlement-files/F-1')).status).toBe(403);
  });
});
