import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openActing } from '../audit/index.ts';
import { statement } from '../kit/db.ts';
import { EXPORTED_LISTS } from '../main/exported-lists.ts';
import { commonZone } from '../merchants/index.ts';
import { ALL_PERMISSIONS, type Actor } from '../manage/index.ts';
import { openAnswerOnce } from '../requests/answer-once.wire.ts';
import { fixedKey } from '../testing/fixed-key.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { serveAlone, type ServedAlone } from '../testing/served-management.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { checkExport } from './check-export.ts';
import { addPart, claimExport, returnExport, type StoredExport } from './export-rows.ts';
import { exportManagement } from './exports.manage.ts';

const ROOM = 100_000_000;
const ORDERS = 40;

let service: TestCaudal;
let served: ServedAlone;
let directory: string;
let shops: readonly TestMerchant[];

const depsOf = (mostStoredBytes: number) => {
  const { db, clock } = service;
  return { db, clock, acting: openActing(db, clock), timeZoneOf: (merchantId?: string) => commonZone({ db }, merchantId), mostStoredBytes };
};

beforeAll(async () => {
  service = await startTestCaudal();
  directory = mkdtempSync(join(tmpdir(), 'caudal-downloads-'));
  shops = [await service.merchant(), await service.merchant()];
  for (const shop of shops) {
    const { create } = orderCalls(service, shop);
    await Promise.all(Array.from({ length: ORDERS }, (_, number) => create({ order: `A-${number}` })));
  }
  const answerOnce = openAnswerOnce(fixedKey(Buffer.alloc(32, 1)), service.clock);
  served = serveAlone(exportManagement(EXPORTED_LISTS), depsOf(ROOM), { answerOnce });
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await served.app.close();
  await service.close();
});

const ACTS = statement('test.acts_of_export', 'select operation, outcome from acts where target = $1 order by act_id');
const actsOf = (id: string) => service.db.query(ACTS, [`export ${id}`]);

type Shown = {
  readonly export: string;
  readonly state: string;
  readonly trailer: { readonly rows: number } | null;
  readonly failure: string | null;
};

let actors = 0;
/** Somebody new, who may do everything. */
const someone = (actor: Partial<Actor> = {}) =>
  served.signIn({ id: String(++actors), role: 'owner', permissions: new Set(ALL_PERMISSIONS), ...actor });
const ask = (headers: object, body: object) =>
  served.app.inject({
    method: 'POST',
    url: '/manage/v1/exports',
    payload: JSON.stringify({ list: 'orders', format: 'csv', ...body }),
    headers: { ...headers },
  });
const get = (path: string, headers: object) => served.app.inject({ url: `/manage/v1/exports/${path}`, headers: { ...headers } });
const problem = (answer: { statusCode: number; json(): unknown }): string =>
  `${answer.statusCode} ${(answer.json() as { type: string }).type.replace('/docs/problems/', '')}`;

const listed = async (headers: object, query = ''): Promise<{ items: Shown[]; next: string | null }> =>
  (await served.app.inject({ url: `/manage/v1/exports${query}`, headers: { ...headers } })).json();

/** Asks for an export, has it written, and gives its state. */
async function made(headers: object, body: object = {}): Promise<Shown> {
  const asked = await ask(headers, body);
  expect(asked.statusCode, asked.body).toBe(202);
  const { export: id, state } = asked.json<Shown>();
  expect(state).toBe('waiting');
  expect(problem(await get(`${id}/content`, headers))).toBe('409 export_not_done');
  await service.runJobs();
  return (await get(id, headers)).json<Shown>();
}

async function isWhole(bytes: Buffer): Promise<boolean> {
  const path = join(directory, 'download');
  writeFileSync(path, bytes);
  return 'trailer' in (await checkExport(path));
}

test('an export is asked for, written by a job, and downloaded whole or from where a connection broke', async () => {
  const ana = someone();
  const { export: id, state, trailer } = await made(ana);
  expect([state, trailer?.rows]).toEqual(['done', 2 * ORDERS]);
  const whole = await get(`${id}/content`, ana);
  expect(whole.statusCode).toBe(200);
  expect(await isWhole(whole.rawPayload)).toBe(true);
  const size = whole.rawPayload.length;
  for (const first of [0, 1, 200, Math.floor(size / 2), size - 1]) {
    const rest = await get(`${id}/content`, { ...ana, range: `bytes=${first}-`, 'if-range': whole.headers.etag });
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([206, `bytes ${first}-${size - 1}/${size}`]);
    expect(Buffer.concat([whole.rawPayload.subarray(0, first), rest.rawPayload]).equals(whole.rawPayload)).toBe(true);
  }
  const middle = await get(`${id}/content`, { ...ana, range: 'bytes=10-19' });
  expect(middle.rawPayload.equals(whole.rawPayload.subarray(10, 20))).toBe(true);
  expect(problem(await get(`${id}/content`, { ...ana, range: `bytes=${size}-` }))).toBe('416 range_unknown');
  const other = await get(`${id}/content`, { ...ana, range: 'bytes=5-', 'if-range': '"another"' });
  expect([other.statusCode, other.rawPayload.length]).toEqual([200, size]);
  expect(served.acts.some(({ operation }) => operation === 'downloadExport')).toBe(true);
  expect(await actsOf(id)).toEqual([{ operation: 'exportList', outcome: 'done' }]);
});

test('an actor that is bound to a merchant exports that one alone', async () => {
  const [own, other] = shops as [TestMerchant, TestMerchant];
  const bound = someone({ role: 'administrator', merchantId: own.merchantId });
  const { export: id, trailer } = await made(bound, { format: 'ndjson' });
  expect(trailer).toMatchObject({ rows: ORDERS, filter: { merchant: own.merchantId } });
  expect((await get(`${id}/content`, bound)).body).not.toContain(other.merchantId);
  expect(problem(await ask(bound, { merchant: other.merchantId }))).toBe('404 not_found');
});

test('an export of somebody else does not exist, nor one whose list the actor may not see any more', async () => {
  const id = String(++actors);
  const { export: made1 } = await made(someone({ id }));
  const strangers = [
    someone(),
    someone({ id, kind: 'token' }),
    someone({ id, permissions: new Set(['exports:read'] as const) }),
    someone({ id, role: 'administrator', merchantId: shops[0]?.merchantId }),
  ];
  for (const stranger of strangers)
    for (const path of [made1, `${made1}/content`]) expect(problem(await get(path, stranger))).toBe('404 not_found');
  const clerk = someone({ permissions: new Set(['exports:read', 'cashouts:read'] as const) });
  expect(problem(await ask(clerk, {}))).toBe('403 permission_missing');
});

test('a filter that the list does not know or cannot read is refused, each part by its place', async () => {
  const refused = await ask(someone(), { filter: { state: 'paid', cellphone: '1', email: 'a' } });
  expect(problem(refused)).toBe('422 fields_invalid');
  expect(refused.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer)).toEqual([
    '/filter/state',
    '/filter/cellphone',
  ]);
  expect(problem(await ask(someone(), { filter: { nothing: 'x' } }))).toBe('422 fields_invalid');
  const beyond = ['9999-12-31', '9999-12-31T23:00:00-05:00', '0001-01-01T00:00:00+05:00'];
  for (const to of beyond)
    expect(problem(await ask(someone(), { merchant: shops[0]?.merchantId, filter: { to } })), to).toBe('422 fields_invalid');
  expect(problem(await ask(someone(), { merchant: 'nobody' }))).toBe('404 not_found');
});

test('an actor lists its own exports, the newest first, of lists that it may see', async () => {
  const id = String(++actors);
  const ana = someone({ id });
  const asked: string[] = [];
  for (const body of [{}, { list: 'entries' }, { merchant: shops[0]?.merchantId }]) {
    asked.unshift((await made(ana, body)).export);
    service.clock.advance({ milliseconds: 1 });
  }
  const { items, next } = await listed(ana, '?limit=2');
  const rest = await listed(ana, `?limit=2&cursor=${next}`);
  expect([...items, ...rest.items].map((one) => one.export)).toEqual(asked);
  expect([items[0]?.state, rest.next]).toEqual(['done', null]);
  expect((await listed(someone())).items).toEqual([]);
  const clerk = someone({ id, permissions: new Set(['exports:read', 'ledger:read'] as const) });
  expect((await listed(clerk)).items.map((one) => one.export)).toEqual([asked[1]]);
  const bound = someone({ id, role: 'administrator', merchantId: shops[0]?.merchantId });
  expect((await listed(bound)).items.map((one) => one.export)).toEqual([asked[0]]);
});

test('with an Idempotency-Key an export is asked for once, and a refusal for want of room is not kept', async () => {
  const ana = someone();
  const key = { ...ana, 'idempotency-key': 'K-1' };
  const first = await ask(key, {});
  const again = await ask(key, {});
  expect([first.statusCode, first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
    202,
    undefined,
    'true',
  ]);
  expect(again.body).toBe(first.body);
  expect(await actsOf(first.json<Shown>().export)).toEqual([{ operation: 'exportList', outcome: 'done' }]);
  expect(problem(await ask(key, { list: 'entries' }))).toBe('422 key_reused');
  expect((await ask(ana, {})).statusCode).toBe(202);
  const full = { ...ana, 'idempotency-key': 'K-2' };
  expect(problem(await ask(full, {}))).toBe('429 too_many_exports');
  await service.runJobs();
  expect((await ask(full, {})).statusCode).toBe(202);
  await service.runJobs();
});

test('nobody who is bound to a merchant exports the audit log', async () => {
  expect((await made(someone(), { list: 'acts' })).state).toBe('done');
  expect(problem(await ask(someone({ merchantId: shops[0]?.merchantId }), { list: 'acts' }))).toBe('403 permission_missing');
});

test('of one actor two are under way at once; one that is deleted leaves nothing', async () => {
  const ana = someone();
  const [first] = [(await ask(ana, {})).json<Shown>(), (await ask(ana, {})).json<Shown>()];
  const third = await ask(ana, {});
  expect(problem(third)).toBe('429 too_many_exports');
  expect(third.headers['retry-after']).toMatch(/^\d+$/);
  const remove = () => served.app.inject({ method: 'DELETE', url: `/manage/v1/exports/${first.export}`, headers: { ...ana } });
  expect((await remove()).statusCode).toBe(204);
  expect(problem(await remove())).toBe('404 not_found');
  expect(await actsOf(first.export)).toEqual([
    { operation: 'exportList', outcome: 'done' },
    { operation: 'deleteExport', outcome: 'done' },
  ]);
  expect((await ask(ana, {})).statusCode).toBe(202);
  await service.runJobs();
});

test('all actors of one merchant have a share of what is under way and of the room; another merchant has its own', async () => {
  const [first, second] = shops.map(({ merchantId }) => merchantId);
  const ofFirst: string[] = [];
  for (let actor = 0; actor < 3; actor++) {
    const one = someone({ merchantId: first });
    for (let times = 0; times < 2; times++) {
      const asked = await ask(one, {});
      if (asked.statusCode === 202) ofFirst.push(asked.json<Shown>().export);
      else expect(problem(asked)).toBe('429 too_many_exports');
    }
  }
  expect(ofFirst).toHaveLength(5);
  const theirs = (await ask(someone({ merchantId: second }), {})).json<Shown>().export;
  // One that waits behind many of another merchant is the second to be written.
  const now = service.clock.now();
  const begun = [
    await claimExport(service.db, now, now.add({ seconds: 60 })),
    await claimExport(service.db, now, now.add({ seconds: 60 })),
  ];
  expect(begun.map((one) => one?.exportId)).toContain(theirs);
  await service.db.query(statement('test.large_export', `update exports set stored_bytes = $2 where export_id = $1`), [
    ofFirst[4] as string,
    ROOM / 4,
  ]);
  service.clock.advance({ seconds: 61 });
  await service.db.query(statement('test.end_exports', `update exports set state = 'done', ended_at = $1 where state <> 'done'`), [now]);
  expect(problem(await ask(someone({ merchantId: first }), {}))).toBe('503 exports_full');
  expect((await ask(someone({ merchantId: second }), {})).statusCode).toBe(202);
  expect((await ask(someone(), {})).statusCode).toBe(202);
  service.clock.advance({ hours: 25 });
  await service.runJobs();
});

const PARTS = statement('test.export_parts', 'select count(*) as parts from export_parts where export_id = $1');

test('what a server left is begun again by another; what the first one adds later is lost', async () => {
  const ana = someone();
  const { export: id } = (await ask(ana, {})).json<Shown>();
  const now = service.clock.now();
  expect(await claimExport(service.db, now, now.add({ seconds: 60 }))).toMatchObject({ exportId: id, tries: 1 });
  await service.runJobs();
  expect((await get(id, ana)).json<Shown>().state).toBe('writing');
  service.clock.advance({ seconds: 61 });
  await service.runJobs();
  expect((await get(id, ana)).json<Shown>().state).toBe('done');
  expect(await isWhole((await get(`${id}/content`, ana)).rawPayload)).toBe(true);
  service.clock.advance({ hours: 24 });
  await service.runJobs();
  expect(problem(await get(id, ana))).toBe('404 not_found');
  expect(await service.db.query(PARTS, [id])).toEqual([{ parts: 0n }]);
});

test('a try that is given back does not count, and no writer of an earlier one adds to what is begun after it', async () => {
  const ana = someone();
  const { export: id } = (await ask(ana, {})).json<Shown>();
  const begin = async (): Promise<StoredExport> => {
    service.clock.advance({ seconds: 61 });
    const now = service.clock.now();
    return (await claimExport(service.db, now, now.add({ seconds: 60 }))) as StoredExport;
  };
  const [slow, returned] = [await begin(), await begin()];
  await returnExport(service.db, returned);
  const part = { firstByte: 0, bytes: 1, packed: Buffer.from('x'), rows: { total: 1, written: 0 }, until: service.clock.now() };
  expect(await addPart(service.db, slow, part), 'while it waits').toBeUndefined();
  const last = await begin();
  expect([slow.tries, returned.tries, last.tries]).toEqual([1, 2, 2]);
  expect(await addPart(service.db, slow, part), 'while another one writes').toBeUndefined();
  await returnExport(service.db, slow);
  expect(await addPart(service.db, last, part)).toBeDefined();
  await served.app.inject({ method: 'DELETE', url: `/manage/v1/exports/${id}`, headers: { ...ana } });
});

test('beyond the room of kept exports one fails, and none is taken', async () => {
  const small = await service.openAnother({ exportsMegabytes: 0 });
  const ana = someone();
  const { export: id } = (await ask(ana, {})).json<Shown>();
  await service.db.query(statement('test.other_export', `update exports set stored_bytes = 1 where export_id <> $1`), [id]);
  for (const job of small.jobs.filter(({ name }) => name === 'exports.write')) await job.step();
  await small.close();
  const full = serveAlone(exportManagement(EXPORTED_LISTS), depsOf(0));
  expect((await get(id, ana)).json<Shown>()).toMatchObject({ state: 'failed', failure: 'too_large' });
  expect(await service.db.query(PARTS, [id])).toEqual([{ parts: 0n }]);
  const headers = full.signIn({ role: 'owner', permissions: new Set(ALL_PERMISSIONS) });
  const asked = await full.app.inject({ method: 'POST', url: '/manage/v1/exports', payload: '{"list":"orders","format":"csv"}', headers });
  expect(problem(asked)).toBe('503 exports_full');
  await full.app.close();
});
