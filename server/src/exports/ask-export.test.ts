import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connect } from '../kit/command-line.ts';
import { isRefusal } from '../kit/outcome.ts';
import { openRemote } from '../kit/remote/open-remote.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { EXPORTED_LISTS } from '../main/exported-lists.ts';
import { ALL_PERMISSIONS } from '../manage/index.ts';
import { capturePrinted } from '../testing/captured.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { makeToken } from '../users/access-tokens.ts';
import { exportCommands } from './exports.cli.ts';
import { commandActor } from '../manage/run-here.ts';

const printed = capturePrinted();
const directory = mkdtempSync(join(tmpdir(), 'caudal-ask-export-'));
let caudal: TestCaudal;
let shop: string;
let peer: Server;
let service: Remote;
/** Bytes after which the peer breaks a download, as long as there are breaks left. */
const BROKEN_AFTER = 1_500;
let breaksLeft = 0;
const ranges: (string | undefined)[] = [];

beforeAll(async () => {
  caudal = await startTestCaudal();
  const origin = await caudal.app.listen({ port: 0, host: '127.0.0.1' });
  const merchant = await caudal.merchant();
  shop = merchant.merchantId;
  const orders = orderCalls(caudal, merchant);
  for (let number = 1; number <= 30; number++) await orders.create({ order: `A-${number}` });
  peer = createServer((request, response) => void pass(origin, request.url ?? '', request, response));
  await new Promise<void>((resolve) => void peer.listen(0, '127.0.0.1', resolve));
  const terms = { name: 'night', permissions: ALL_PERMISSIONS, merchantId: null, days: 30 };
  const made = await caudal.db.transaction(async (tx) => makeToken(tx, commandActor('test'), { userId: null }, terms, caudal.clock.now()));
  if (isRefusal(made)) throw new Error(`the test's token was refused: ${made.refusal}`);
  service = openRemote(`http://127.0.0.1:${(peer.address() as AddressInfo).port}`, made.token);
});
afterAll(async () => {
  peer.close();
  await caudal.close();
  rmSync(directory, { recursive: true });
});

/** Passes a request on. The service has written an export before it answers who asked for it. Downloads break. */
async function pass(origin: string, url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const { host: _, connection: _kept, ...headers } = request.headers as Record<string, string>;
  const { method = 'GET' } = request;
  const answer = await fetch(`${origin}${url}`, { method, headers, ...(body.length > 0 && { body }) });
  if (method === 'POST') for (const job of caudal.jobs.filter(({ name }) => name === 'exports.write')) await job.step();
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: 'close' });
  const isDownload = url.endsWith('/content');
  if (isDownload) ranges.push(headers['range']);
  if (!isDownload || breaksLeft-- <= 0) return void response.end(bytes);
  response.write(bytes.subarray(0, BROKEN_AFTER), () => response.destroy());
}

/** Runs an export command on the database, or at the service. */
async function run(words: readonly string[], isThere: boolean): Promise<void> {
  const { url, db, keys, clock } = caudal;
  const connection = { url, db, ownDb: db, actor: 'command:test', keys, clock, isSandbox: true, close: async () => undefined } as const;
  const connect: Connect = Object.assign(async () => connection, { service: async () => (isThere ? service : undefined) });
  const program = new Command().exitOverride();
  exportCommands(program, connect, EXPORTED_LISTS);
  await program.parseAsync(['export', ...words], { from: 'user' });
}

test.each(['csv', 'csv-safe', 'ndjson'])(
  'an export of a service is the very file that the database gives, over a connection that breaks: %s',
  async (format) => {
    const words = ['orders', '--merchant', shop, '--from', '2026-11-21', '--format', format, '--output'];
    const [here, there] = [join(directory, `here.${format}`), join(directory, `there.${format}`)];
    await run([...words, here], false);
    const said = printed.stdout();
    printed.clear();
    ranges.length = 0;
    breaksLeft = 2;
    await run([...words, there], true);
    expect(printed.stdout()).toBe(said.replace(here, there));
    expect(readFileSync(there)).toEqual(readFileSync(here));
    expect(ranges).toEqual([undefined, `bytes=${BROKEN_AFTER}-`, `bytes=${2 * BROKEN_AFTER}-`]);
    await run(['check', there], true);
    expect(printed.stdout()).toContain('is whole: 30 orders');
  },
);

test('every list is exported by a service, and the service keeps none of them', async () => {
  for (const { name } of EXPORTED_LISTS) {
    const path = join(directory, name);
    await run([name, '--output', path], true);
    printed.clear();
    await run(['check', path, '--json'], true);
    expect(JSON.parse(printed.stdout())).toMatchObject({ whole: true, list: name });
  }
  const { items } = await service.list({ route: 'GET /manage/v1/exports' }, 10);
  expect(items).toEqual([]);
});

test('a filter that the service refuses is one line, and no file is left', async () => {
  const path = join(directory, 'refused');
  await expect(run(['orders', '--amount-from', '5', '--output', path], true)).rejects.toMatchObject({
    name: 'CommandRefused',
    message: expect.stringMatching(/^[^\n]+$/) as string,
    exitCode: 2,
  });
  expect(() => readFileSync(path)).toThrow('ENOENT');
  expect(() => readFileSync(`${path}.part`)).toThrow('ENOENT');
});
