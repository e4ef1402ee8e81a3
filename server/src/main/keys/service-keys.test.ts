import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../../kit/db.ts';
import { decrypt, SecretUnreadable, unseal, type Sealed } from '../../kit/secrets.ts';
import { listServiceKeys, rotateServiceKey } from '../../kit/keys/service-keys.ts';
import { capturePrinted, runCommand } from '../../testing/captured.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import type { Caudal } from '../rooms.ts';
import { serviceKeyCommands } from './service-keys.cli.ts';
import { SERVICE_KEYS, type ServiceKeyName } from './service-keys.ts';

const SETTINGS = { keptDays: { payers: undefined, endUsers: undefined, messages: 30, notices: 90, acts: 2557, pageViews: 400 } };
const SEALED = statement(
  'test.sealed',
  `select 'kept-answers' as key, 'kept_answers/' || merchant_id || ' ' || operation || ' ' || idempotency_key as place, sealed from kept_answers
   union all select 'messages', 'messages/' || merchant_id || '/' || subject_id || '/' || kind || '/' ||
     (extract(epoch from created_at) * 1000)::bigint, sealed from messages where sealed is not null`,
);
const STORED_KEYS = statement(
  'test.stored_keys',
  `select name as key, generation, master_key_id as "masterKeyId", sealed from service_secrets order by name, generation`,
);

let service: TestCaudal;
let other: Caudal;
let merchant: TestMerchant;
let network: ReturnType<typeof networkCalls>;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  other = await service.openAnother();
  merchant = await service.merchant();
  network = networkCalls(service, await service.network());
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/** Time passes, and both servers do what their jobs do then. */
async function pass(time: Parameters<TestCaudal['clock']['advance']>[0]): Promise<void> {
  service.clock.advance(time);
  await service.runJobs();
  for (const job of other.jobs) while (await job.step());
}
const rotate = (name: ServiceKeyName, ...words: string[]): Promise<string> =>
  printed.by(() =>
    runCommand(
      service,
      (program, connect) => serviceKeyCommands(program, connect, async () => SETTINGS),
      'service-keys',
      'rotate',
      name,
      ...words,
    ),
  );
/** Rotates, and lets the time pass until the new key is in use. */
async function change(name: ServiceKeyName, ...words: string[]): Promise<void> {
  await rotate(name, ...words);
  await pass({ seconds: 11 });
}
const both = (): readonly Pick<Caudal, 'app'>[] => [service, other];
const shops = (): readonly OrderCalls[] => both().map(({ app }) => orderCalls({ ...service, app }, merchant));
const open = ({ app }: Pick<Caudal, 'app'>, link: unknown): Promise<number> =>
  app.inject(String(link).replace('https://pay.example', '')).then(({ statusCode }) => statusCode);
let orders = 0;
/** Creates an order. Shape: → its checkout link. */
async function newLink(): Promise<string> {
  const { data } = await shops()[0]!.create({ order: `L-${++orders}` });
  return String(data['checkout']);
}

test('links open after their key was changed, and not once it has ended', async () => {
  const before = await newLink();
  await rotate('checkout-token', '--days', '30');
  const between = await newLink();
  await pass({ seconds: 11 });
  const after = await newLink();
  for (const server of both()) for (const link of [before, between, after]) expect(await open(server, link)).toBe(200);
  await pass({ days: 31 });
  for (const server of both())
    expect(await Promise.all([before, between, after].map((link) => open(server, link)))).toEqual([404, 404, 200]);
});

test('with no overlap a link ends ten seconds later', async () => {
  const link = await newLink();
  await change('checkout-token', '--days', '0');
  for (const server of both()) expect(await open(server, link)).toBe(404);
});

test('cursors go on after their key was changed, and not once it has ended', async () => {
  const calls = cashoutCalls(service, merchant);
  for (const operation of ['C-1', 'C-2', 'C-3']) await calls.register(calls.registration({ operation }));
  const today = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString().replaceAll('-', '');
  const list = `/cashout/v1/operation/${merchant.merchantId}?start=${today}&end=${today}&checksum=${calls.sign(merchant.merchantId, today, today)}`;
  type Page = { readonly code: string; readonly end: string };
  const read = async ({ app }: Pick<Caudal, 'app'>, url: string): Promise<Page> => (await app.inject(url)).json<Page>();
  const { end, ...first } = await read(service, list);
  expect(first).toMatchObject({ code: '0000' });
  await change('list-cursor');
  for (const server of both()) expect(await read(server, end)).toMatchObject({ code: '0000' });
  const later = await read(other, list);
  expect(later.end).not.toBe(end);
  await pass({ days: 8 });
  for (const server of both()) {
    expect(await read(server, end)).not.toMatchObject({ code: '0000' });
    expect(await read(server, later.end)).toMatchObject({ code: '0000' });
  }
});

test('one-time passwords of before and after a change collect', async () => {
  const calls = cashoutCalls(service, merchant);
  const register = async (operation: string, document: string): Promise<string> =>
    String((await calls.register(calls.registration({ operation, document }))).data['otp']);
  const before = await register('P-1', '701');
  await change('one-time-password');
  const after = await register('P-2', '702');
  expect(await network.lookUp('000000', '701')).toMatchObject({ code: '0002' });
  expect(await network.lookUp(before, '701')).toMatchObject({ code: '0000' });
  expect(await network.lookUp(after, '702')).toMatchObject({ code: '0000' });
  const last = await register('P-3', '703');
  await change('one-time-password', '--days', '0');
  expect(await network.lookUp(last, '703')).toMatchObject({ code: '0002' });
});

test('a repeated request gets its first answer after the key was changed, and other content is refused', async () => {
  const [here, there] = shops() as [OrderCalls, OrderCalls];
  const key = { 'idempotency-key': 'rotated' };
  const first = await here.create({ order: 'K-1' }, key);
  await change('kept-answers');
  const again = await there.create({ order: 'K-1' }, key);
  expect(again).toMatchObject({ code: '0000', data: first.data, headers: { 'idempotency-replayed': 'true' } });
  expect(await there.create({ order: 'K-2' }, key)).toMatchObject({ status: 422 });
});

test('messages that were written before a change can be read after it', async () => {
  const email = 'rotated@example.com';
  await shops()[0]!.create({ order: 'M-1', email });
  await change('messages');
  await shops()[0]!.create({ order: 'M-2', email });
  for (const { app } of both()) {
    type Mail = { readonly to: string; readonly text: string };
    const { data } = (await app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}`)).json<{ data: { messages: Mail[] } }>();
    const mails = data.messages.filter(({ to }) => to === email);
    expect(mails).toHaveLength(2);
    for (const mail of mails) expect(mail.text).toEqual(expect.stringContaining('https://pay.example/checkout'));
  }
});

test('no stored value is sealed under a key of the service itself', async () => {
  await shops()[0]!.create({ order: 'S-1' }, { 'idempotency-key': 'sealed' });
  const values = await service.db.query<{ key: string; place: string; sealed: Buffer }>(SEALED, []);
  expect(new Set(values.map(({ key }) => key))).toEqual(new Set(['kept-answers', 'messages']));
  type Stored = Sealed & { readonly key: string; readonly generation: number };
  for (const row of await service.db.query<Stored>(STORED_KEYS, [])) {
    const key = unseal(service.keys, row, `service_secrets/${row.key}/${row.generation}`);
    for (const { sealed, place } of values.filter((value) => value.key === row.key))
      for (const start of [0, 22]) expect(() => decrypt(key, sealed.subarray(start), place)).toThrow(SecretUnreadable);
  }
});

test('no request is refused while every key is changed, on two servers', async () => {
  const rotation = { isOver: false, served: 0 };
  const work = async (worker: number): Promise<void> => {
    const at = worker % 2;
    const [calls, server] = [shops()[at]!, both()[at]!];
    const cashouts = cashoutCalls(server, merchant);
    for (let turn = 0; !rotation.isOver; turn++) {
      const order = `R-${worker}-${turn}`;
      const key = { 'idempotency-key': order };
      const created = await calls.create({ order }, key);
      const replayed = await shops()[1 - at]!.create({ order }, key);
      const document = `${8_000 + worker}`;
      const registered = await cashouts.register(cashouts.registration({ operation: order, document }));
      expect([created.code, replayed.code, registered.code]).toEqual(['0000', '0000', '0000']);
      expect(replayed.data).toEqual(created.data);
      expect(await open(both()[1 - at]!, created.data['checkout'])).toBe(200);
      rotation.served++;
    }
  };
  const traffic = Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
  for (const name of SERVICE_KEYS) {
    await rotate(name);
    for (let second = 0; second < 12; second++) {
      service.clock.advance({ seconds: 1 });
      for (const { jobs } of [service, other]) for (const job of jobs) if (job.name === 'service-keys.follow') await job.step();
      const until = rotation.served + 1;
      while (rotation.served < until) await new Promise(setImmediate);
    }
  }
  rotation.isOver = true;
  await traffic;
  expect(rotation.served).toBeGreaterThan(8);
});

test('the command lists keys without showing one, and refuses an overlap that would lose what is sealed', async () => {
  const list = await printed.by(() =>
    runCommand(service, (program, connect) => serviceKeyCommands(program, connect, async () => SETTINGS), 'service-keys', 'list'),
  );
  for (const name of SERVICE_KEYS) expect(list).toContain(name);
  for (const name of ['kept-answers', 'messages'] as const) await expect(rotate(name, '--days', '0')).rejects.toThrow('takes no --days');
  await expect(rotate('nothing' as ServiceKeyName)).rejects.toThrow('nothing');
  const listed = await listServiceKeys(service);
  const newest = listed.filter(({ expiresAt }) => expiresAt === null).map(({ key }) => key);
  expect(newest).toEqual(SERVICE_KEYS.toSorted());
});

test('two rotations at once make two keys, and both end as one', async () => {
  const made = await Promise.all([0, 1].map(() => rotateServiceKey(service, { name: 'list-cursor', days: 3 })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  const generations = (await listServiceKeys(service)).filter(({ key }) => key === 'list-cursor');
  expect(new Set(generations.map(({ generation }) => generation)).size).toBe(generations.length);
  expect(generations.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
});
