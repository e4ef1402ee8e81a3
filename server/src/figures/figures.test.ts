import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { findings } from '../testing/findings.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { countAgain, countNew } from './count-figures.ts';
import { figureCommands } from './figures.cli.ts';
import { figureChecks } from './index.ts';

let service: TestCaudal;
let shop: TestMerchant;
let owner: Client;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  owner = new Client({ connectionString: service.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const simulate = async (what: string, body: object, method = 'POST') =>
  (await service.app.inject({ method: method as 'POST', url: `/sandbox/v1/${what}`, payload: body })).json<{
    CODE: string;
    DATA: Record<string, string>;
  }>();

/** What countAgain leaves, without its lock. */
const countElsewhere = async (): Promise<void> =>
  void (await owner.query(`update change_readers set cluster = 'of another node' where reader = 'figures'`));

/** A day of a shop: the first hour and the third one. */
async function live(): Promise<void> {
  const orders = orderCalls(service, shop);
  const cashouts = cashoutCalls(service, shop);
  const pay = async (order: string) => {
    const { data } = await orders.query(order);
    return simulate('payments', { reference: data['REFERENCE'] });
  };
  for (const order of ['P-1', 'P-2', 'C-1', 'U-1']) await orders.create({ order, amount: '100' });
  await orders.create({ order: 'R-1', amount: '7', recurrent: true });
  await orders.update({ order: 'U-1', amount: '50' });
  await pay('P-1');
  await pay('R-1');
  service.clock.advance({ minutes: 4 });
  const { DATA } = await pay('P-2');
  await simulate(`payments/${DATA['Transaccion']}`, {}, 'PATCH');
  await orders.cancel('C-1');
  const refused = ['C-1', 'network:efectivo', 'T-1', 'order_not_open', 'cancelled', service.clock.now().toString()];
  await owner.query(
    `insert into refused_payments (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, tries, first_at, last_at)
     values ($1, $2, $3, $4, $5, $6, 1, 'COP', 1, $7, $7)`,
    [shop.merchantId, ...refused],
  );
  for (const operation of ['W-1', 'W-2'])
    await cashouts.register(cashouts.registration({ operation, document: `10${operation.slice(2)}0304050` }));
  await cashouts.cancel('W-1', '1010304050');
  service.clock.advance({ hours: 2 });
  await pay('U-1');
}

/** Each figure as one line. */
async function shown(...words: string[]): Promise<string[]> {
  const day = ['--from', '2026-11-21', '--to', '2026-11-21', '--merchant', shop.merchantId];
  const text = await printed.by(() => runCommand(service, figureCommands, 'figures', 'show', ...day, ...words));
  return text.trimEnd().split('\n').slice(1);
}

test('figures count what happened, by hour and day of the merchant, and say until when', async () => {
  await live();
  expect(await findings(service, figureChecks)).toEqual([]);
  await countNew(service.db, service.clock);
  expect(await findings(service, figureChecks)).toEqual([]);
  expect(await shown()).toMatchInlineSnapshot(`
    [
      "2026-11-21  cashout.cancelled       1  45 000.00 COP",
      "2026-11-21  cashout.registered      2  90 000.00 COP",
      "2026-11-21  order.cancelled         1     100.00 COP",
      "2026-11-21  order.created           5     407.00 COP",
      "2026-11-21  order.paid              4     257.00 COP  300 s",
      "2026-11-21  order.reversed          1     100.00 COP",
      "2026-11-21  payment.refused         1",
      "Complete to 2026-11-21 12:04:00 America/Bogota.",
    ]
  `);
  expect(await shown('--by', 'hour')).toMatchInlineSnapshot(`
    [
      "2026-11-21 10:00:00     cashout.cancelled       1  45 000.00 COP",
      "2026-11-21 10:00:00     cashout.registered      2  90 000.00 COP",
      "2026-11-21 10:00:00     order.cancelled         1     100.00 COP",
      "2026-11-21 10:00:00     order.created           5     407.00 COP",
      "2026-11-21 10:00:00     order.paid              3     207.00 COP  60 s",
      "2026-11-21 10:00:00     order.reversed          1     100.00 COP",
      "2026-11-21 10:00:00     payment.refused         1",
      "2026-11-21 12:00:00     order.paid              1      50.00 COP  21600 s",
      "Complete to 2026-11-21 12:04:00 America/Bogota.",
    ]
  `);
});

test('the management API and --json say the same, to an actor of the merchant alone', async () => {
  const days = 'from=2026-11-21&to=2026-11-21';
  const ownMerchant = await manageCalls(service, { permissions: ['figures:read'], merchantId: shop.merchantId });
  const { status, body } = await ownMerchant.get(`/figures?${days}&by=hour`);
  expect([status, body['timeZone']]).toEqual([200, 'America/Bogota']);
  const show = ['--from', '2026-11-21', '--to', '2026-11-21', '--by', 'hour', '--merchant', shop.merchantId, '--json'];
  const printedJson = await printed.by(() => runCommand(service, figureCommands, 'figures', 'show', ...show));
  expect(JSON.parse(printedJson)).toEqual(body);
  expect((body['items'] as unknown as { event: string }[]).map(({ event }) => event)).toContain('order.paid');
  const other = await service.merchant();
  expect((await ownMerchant.get(`/figures?${days}&merchant=${other.merchantId}`)).problem).toBe('not_found');
  expect((await ownMerchant.get('/figures?from=2026-11-22&to=2026-11-21')).problem).toBe('days_out_of_range');
});

test('the reasons of refused payments add up to their figure, however many there are', async () => {
  const own = await manageCalls(service, { permissions: ['figures:read'], merchantId: shop.merchantId });
  const reasons = async (query: string) => (await own.get(`/figures/refused-payments?${query}`)).body['items'];
  expect(await reasons('from=2026-11-21&to=2026-11-21')).toEqual([{ refusal: 'order_not_open', count: 1 }]);
  const many = `select $1, 'C-1', 'network:efectivo', 'M-' || n, case when n % 3 = 0 then 'order_not_open' else 'amount_changed' end, 'cancelled',
                       1, 'COP', 1, $2::timestamptz, $2::timestamptz from generate_series(1, 600) n`;
  await owner.query(
    `insert into refused_payments (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, tries, first_at, last_at) ${many}`,
    [shop.merchantId, '2026-11-20T04:59:59Z'],
  );
  expect(await reasons('from=2026-11-19&to=2026-11-19')).toEqual([
    { refusal: 'amount_changed', count: 400 },
    { refusal: 'order_not_open', count: 200 },
  ]);
  await countNew(service.db, service.clock);
  expect(await shown('--from', '2026-11-19', '--to', '2026-11-19')).toContain('2026-11-19  payment.refused    600');
  expect(await reasons('from=2026-11-19&to=2026-11-19&network=efectivo')).toHaveLength(2);
  expect(await reasons('from=2026-11-19&to=2026-11-19&network=other')).toEqual([]);
  expect(await reasons('from=2026-11-20&to=2026-11-21')).toEqual([{ refusal: 'order_not_open', count: 1 }]);
  expect((await own.get('/figures/refused-payments?from=2026-11-22&to=2026-11-21')).problem).toBe('days_out_of_range');
  const other = await service.merchant();
  expect((await own.get(`/figures/refused-payments?merchant=${other.merchantId}`)).problem).toBe('not_found');
});

test('counting again gives the same, also where a dump was restored, and while another server counts', async () => {
  await countNew(service.db, service.clock);
  const counted = await shown('--by', 'hour');
  await owner.query(`update change_readers set cluster = 'another'`);
  expect(await findings(service, figureChecks)).toEqual([]);
  expect(await countNew(service.db, service.clock)).toBe('lost');
  const other = await service.openAnother();
  await orderCalls(service, shop).newOrder();
  await Promise.all([countAgain(service), countNew(other.db, service.clock)]);
  await Promise.all([countNew(other.db, service.clock), countNew(service.db, service.clock)]);
  await other.close();
  expect(await findings(service, figureChecks)).toEqual([]);
  const added = '2026-11-21 12:00:00     order.created           1  45 000.00 COP';
  expect((await shown('--by', 'hour')).toSorted()).toEqual([...counted, added].toSorted());
});

test('what another cluster wrote is not counted again once the numbers of this one have come as far', async () => {
  // As a restored dump, or a schema that was moved to another node, has it: rows with higher numbers than any here.
  await owner.query(`update changes set written_in = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 40)::text::xid8
                      where written_in = (select max(written_in) from changes)`);
  await owner.query(`update change_readers set cluster = 'another'`);
  const passThem = async (): Promise<void> => {
    for (let number = 0; number < 60; number++) await owner.query('select pg_current_xact_id()');
  };
  const { db } = service;
  // The numbers of this cluster come that far while it counts.
  const slowly: typeof db.transaction = (work) =>
    db.transaction((tx) => {
      const query: typeof tx.query = async (asked, values) => {
        if (asked.name.startsWith('figures.')) await passThem();
        return tx.query(asked, values);
      };
      return work({ ...tx, query });
    });
  await countAgain({ ...service, db: { transaction: slowly } });
  await countNew(service.db, service.clock);
  expect(await findings(service, figureChecks)).toEqual([]);
});

test('a server that counts on while another one counts all again adds nothing', async () => {
  await orderCalls(service, shop).newOrder();
  let counting: Promise<void> | undefined;
  const meanwhile = countNew(
    {
      transaction: (work) =>
        service.db.transaction((tx) =>
          work({
            ...tx,
            // The place was read. On a cluster that moves the schema, the other one has another node, and with it another lock.
            query: async (asked, values) => {
              if (asked.name === 'events.advance_reader') await (counting ??= countElsewhere());
              return tx.query(asked, values);
            },
          }),
        ),
    },
    service.clock,
  );
  await expect(meanwhile).rejects.toThrow('another server has read for figures');
  await countAgain(service);
  expect(await findings(service, figureChecks)).toEqual([]);
});

test('refunds are counted as the ledger posts them: owed once, and paid or released; a void is both at once', async () => {
  const store = await service.merchant();
  const orders = orderCalls(service, store);
  const { send } = await manageCalls(service);
  const refund = async (order: string, amount: string, ...acts: (readonly [string, object?])[]) => {
    const body = { amount: { amount, currency: 'COP' }, refundedBy: 'operator', reason: 'test' };
    const asked = await send('POST', `/orders/${store.merchantId}/${order}/refunds`, body);
    for (const [act, given] of acts)
      expect((await send('POST', `/refunds/${store.merchantId}/${asked.body['refund']}/${act}`, given)).status).toBe(200);
  };
  for (const order of ['R-1', 'R-2']) {
    await orders.create({ order, amount: '100' });
    await simulate('payments', { reference: (await orders.query(order)).data['REFERENCE'] });
  }
  // A merchant asks once the network can no longer take its payment back.
  service.clock.advance({ seconds: 51 });
  const seller = await manageCalls(service, { permissions: ['refunds:write'], merchantId: store.merchantId });
  const asked = { refund: 'ASKED', amount: { amount: '7', currency: 'COP' }, refundedBy: 'network', reason: 'test' };
  expect((await seller.send('POST', `/orders/${store.merchantId}/R-1/refunds`, asked)).body['state']).toBe('requested');
  for (const act of ['approve', 'cancel']) await send('POST', `/refunds/${store.merchantId}/ASKED/${act}`);
  await refund('R-1', '20', ['fail', { reason: 'closed account' }]);
  await refund('R-1', '30', ['pay', {}]);
  await refund('R-1', '70', ['pay', { refundedBy: 'merchant' }]);
  await refund('R-2', '40', ['pay', {}]);
  await send('POST', `/orders/${store.merchantId}/R-2/void`, { refundedBy: 'operator', reason: 'test' });
  await countNew(service.db, service.clock);
  const day = ['--from', '2026-11-21', '--to', '2026-11-21', '--merchant', store.merchantId];
  const counted = await printed.by(() => runCommand(service, figureCommands, 'figures', 'show', ...day));
  expect(counted.match(/.*(?:refund|void).*/g)).toEqual([
    '2026-11-21  order.voided         2  200.00 COP',
    '2026-11-21  refund.owed          6  227.00 COP',
    '2026-11-21  refund.paid          4  200.00 COP',
    '2026-11-21  refund.released      2   27.00 COP',
  ]);
  const { rows } = await owner.query(
    `select kind, count(*)::int as count from ledger_entries where merchant_id = $1 and account = 'refunds' group by 1 order by 1`,
    [store.merchantId],
  );
  expect(rows).toEqual([
    { kind: 'order_refund_owed', count: 6 },
    { kind: 'order_refund_paid', count: 4 },
    { kind: 'order_refund_released', count: 2 },
  ]);
  expect(await findings(service, figureChecks)).toEqual([]);
});

test('a wrong count is found', async () => {
  await owner.query(`update figures set amount_minor = amount_minor + 1 where event = 'order.paid'`);
  const [found] = await findings(service, figureChecks);
  expect(found).toContain('order.paid');
  await countAgain(service);
  expect(await findings(service, figureChecks)).toEqual([]);
  await owner.query(`delete from figures where event = 'cashout.registered'`);
  expect(await findings(service, figureChecks)).toHaveLength(1);
  await countAgain(service);
});
