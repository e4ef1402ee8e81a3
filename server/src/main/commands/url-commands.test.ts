import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditCommands } from '../../audit/audit.cli.ts';
import { cashoutCommands } from '../../cashouts/cashouts.cli.ts';
import { CommandRefused, type Connect } from '../../kit/command-line.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { openRemote } from '../../kit/remote/open-remote.ts';
import type { Remote } from '../../kit/remote/remote.ts';
import { setFees } from '../../ledger/fees.ts';
import { ledgerCommands } from '../../ledger/ledger.cli.ts';
import { ALL_PERMISSIONS, type Permission } from '../../manage/index.ts';
import { merchantCommands } from '../../merchants/merchants.cli.ts';
import { networkCommands } from '../../networks/networks.cli.ts';
import { noticeCommands } from '../../notices/notices.cli.ts';
import { orderCommands } from '../../orders/payments/orders.cli.ts';
import { findCommand } from '../../search/find.cli.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { makeToken } from '../../users/access-tokens.ts';
import { createProgram } from '../program.ts';

const printed = capturePrinted();
let caudal: TestCaudal;
let origin: string;
let shop: string;
let all: Remote;

beforeAll(async () => {
  caudal = await startTestCaudal();
  origin = await caudal.app.listen({ port: 0, host: '127.0.0.1' });
  const merchant = await caudal.merchant();
  shop = merchant.merchantId;
  const orders = orderCalls(caudal, merchant);
  for (let number = 1; number <= 3; number++) {
    const { data } = await orders.create({ order: `A-${number}` });
    const payload = JSON.stringify({ reference: data['Referencia'] });
    if (number < 3) await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload });
  }
  const cashouts = cashoutCalls(caudal, merchant);
  expect(await cashouts.register(cashouts.registration())).toMatchObject({ code: '0000' });
  await setFees(caudal, { merchantId: shop, kind: 'order', currency: 'COP', percentPpm: 25_000, fixedMinor: 500n, taxPpm: 0 });
  all = openRemote(origin, await tokenOf(ALL_PERMISSIONS));
});
afterAll(() => caudal.close());

/** Makes an access token. */
async function tokenOf(permissions: readonly Permission[], merchantId: string | null = null): Promise<string> {
  const terms = { name: 'night', permissions, merchantId, days: 30 };
  const made = await caudal.db.transaction(async (tx) => makeToken(tx, 'operator', { userId: null }, terms, caudal.clock.now()));
  if (isRefusal(made)) throw new Error(`the test's token was refused: ${made.refusal}`);
  return made.token;
}

const unused = async (): Promise<never> => {
  throw new Error('a list needs none of it');
};

/** Runs a command on the database, or on a service. Gives what it printed. */
async function run(words: readonly string[], service?: Remote): Promise<string> {
  const program = new Command().exitOverride();
  const { url, db, keys, clock } = caudal;
  const connection = { url, db, ownDb: db, actor: 'command:test', keys, clock, isSandbox: true, close: async () => undefined } as const;
  const connect: Connect = Object.assign(async () => connection, { service: async () => service });
  merchantCommands(program, connect);
  networkCommands(program, connect);
  orderCommands(program, connect, unused);
  cashoutCommands(program, connect, unused);
  findCommand(program, connect);
  ledgerCommands(program, connect);
  noticeCommands(program, connect, unused);
  auditCommands(program, connect, unused);
  return printed.by(async () =>
    program.parseAsync(
      words.map((word) => word.replace('SHOP', shop)),
      { from: 'user' },
    ),
  );
}

describe('a command prints of a service what it prints of its database', () => {
  test.each([
    'find A-',
    'find A-2 --merchant SHOP --state approved',
    'find nothing-has-this',
    'orders list',
    'orders list --merchant SHOP --limit 2',
    'orders list --merchant SHOP --state approved,expired --from 2026-11-21 --to 2026-11-21 --currency COP --amount-from 1',
    'orders list --reference 1',
    'cashouts list',
    'cashouts list --merchant SHOP --from 2026-11-21 --currency COP --amount-to 99999999',
    'merchants list',
    'merchants show SHOP',
    'merchants show SHOP --utc',
    'networks list',
    'networks show sandbox',
    'ledger balances --merchant SHOP',
    'ledger entries --merchant SHOP --account available --from 2026-11-21T00:00:00-05:00',
    'ledger entries --merchant SHOP --limit 2 --utc',
    'ledger fees --merchant SHOP',
    'notices list',
    'notices list --merchant SHOP --state waiting --limit 1',
    'audit list',
    'audit list --operation listOrders --merchant SHOP --since 2026-11-21T00:00:00Z --limit 1',
  ])('%s', async (line) => {
    const words = line.split(' ');
    const here = await run(words);
    expect(here).not.toBe('');
    expect(await run(words, all)).toBe(here);
    const json = await run([...words, '--json']);
    expect(JSON.parse(await run([...words, '--json'], all))).toEqual(JSON.parse(json));
  });

  test.each(['merchants show nobody', 'networks show nobody', 'orders list --merchant nobody', 'ledger fees --merchant nobody'])(
    '%s',
    async (line) => {
      const refused = (service?: Remote): Promise<unknown> => run(line.split(' '), service).catch((error: unknown) => error);
      const here = await refused();
      expect(here).toBeInstanceOf(CommandRefused);
      expect(await refused(all)).toMatchObject({ message: (here as Error).message, exitCode: 1 });
    },
  );
});

const lineOf = expect.stringMatching(/^[^\n]+$/) as string;
const sent = (line: string, service: Remote): Promise<unknown> => run(line.split(' '), service).catch((error: unknown) => error);

describe('a service that says no', () => {
  test('is one line: to a token without the permission, to one that has ended, and to a wrong parameter', async () => {
    const narrow = openRemote(origin, await tokenOf(['orders:read']));
    expect(await sent('networks list', narrow)).toMatchObject({ message: 'You may not do this; It needs networks:read.', exitCode: 1 });
    expect(await sent('orders list', openRemote(origin, 'cdl_nobody'))).toMatchObject({ message: lineOf, exitCode: 1 });
    expect(await sent('ledger entries --merchant SHOP --currency Peso', all)).toMatchObject({
      message: expect.stringContaining('currency') as string,
      exitCode: 2,
    });
  });

  test('shows an actor that is bound to a merchant nothing of others', async () => {
    const other = await caudal.merchant();
    const bound = openRemote(origin, await tokenOf(ALL_PERMISSIONS, other.merchantId));
    expect(await run(['orders', 'list'], bound)).toBe('There is no such order.\n');
    expect(await sent('merchants show SHOP', bound)).toMatchObject({ message: `There is no merchant ${shop}.`, exitCode: 1 });
  });

  test('a name that a URL drops reaches no other operation', async () => {
    for (const name of ['.', '..'])
      expect(await sent(`merchants show ${name}`, all)).toMatchObject({ message: `There is no merchant ${name}.` });
  });
});

describe('a peer that is no Caudal', () => {
  let peer: Server;
  let address: string;
  const asked: (string | undefined)[] = [];
  let answer: { status: number; headers: Record<string, string>; body: string };

  beforeAll(async () => {
    peer = createServer(({ headers }, response) => {
      asked.push(headers.authorization);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => void peer.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  });
  afterAll(() => void peer.close());

  test.each([
    [{ status: 302, headers: { location: 'THERE' }, body: '' }, 'elsewhere'],
    [{ status: 200, headers: {}, body: '<html>' }, 'another version'],
    [{ status: 200, headers: {}, body: '{"items":[{}],"next":null}' }, 'another version'],
    [{ status: 502, headers: {}, body: 'bad\ngateway' }, 'status 502'],
    [
      { status: 503, headers: { 'retry-after': '7' }, body: '{"type":"/docs/problems/unavailable","title":"No\\nnow"}' },
      'No now; try again after 7 s.',
    ],
  ])('is one line, and gets the token once: %j', async (given, text) => {
    answer = { ...given, headers: { ...given.headers, ...(given.status === 302 && { location: `${address}/elsewhere` }) } };
    asked.length = 0;
    const refused = (await sent('orders list', openRemote(address, 'secret-token'))) as CommandRefused;
    expect(refused).toMatchObject({ name: 'CommandRefused', message: lineOf, exitCode: 1 });
    expect(refused.message).toContain(text);
    expect(refused.message).not.toContain('secret-token');
    expect(asked).toEqual(['Bearer secret-token']);
  });

  test('that does not listen is one line', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => void gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => void gone.close(resolve));
    const service = openRemote(`http://127.0.0.1:${port}`, 'secret-token');
    expect(await sent('orders list', service)).toMatchObject({ message: lineOf, exitCode: 1 });
  });
});

const runProgram = (...words: string[]): Promise<unknown> =>
  createProgram()
    .parseAsync(words, { from: 'user' })
    .catch((error: unknown) => error);

describe('--url', () => {
  test.each([
    ['a token in the clear', 'token', ['orders', 'list', '--url', 'http://caudal.example.com']],
    ['an address with a password', 'token', ['orders', 'list', '--url', 'https://me:pass@caudal.example.com']],
    ['no address', 'token', ['--url', 'caudal', 'orders', 'list']],
    ['no token', '', ['orders', 'list', '--url', 'https://caudal.example.com']],
    ['a token that no header can have', 'secret\ntoken', ['orders', 'list', '--url', 'https://caudal.example.com']],
    ['a name beside the token', 'token', ['orders', 'list', '--url', 'https://caudal.example.com', '--as', 'Ana']],
    ['a command without an operation', 'token', ['merchants', 'disable', 'shop', '--url', 'https://caudal.example.com']],
    ['a command of the keys', 'token', ['master-key', 'status', '--url', 'https://caudal.example.com']],
    ['a command of this machine', 'token', ['messages', 'test-mail', 'a@example.com', '--url', 'https://caudal.example.com']],
    ['balances of all merchants', 'token', ['ledger', 'balances', '--url', 'https://caudal.example.com']],
    ['balances of a network', 'token', ['ledger', 'balances', '--network', 'n', '--url', 'https://caudal.example.com']],
  ])('refuses %s in one line, before anything is opened', async (_, token, words) => {
    vi.stubEnv('CAUDAL_TOKEN', token);
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    const refused = (await runProgram(...words)) as CommandRefused;
    vi.unstubAllEnvs();
    expect(refused).toMatchObject({ name: 'CommandRefused', message: lineOf, exitCode: 2 });
    expect(refused.message).not.toContain('secret');
    expect(printed.stdout() + printed.stderr()).toBe('');
  });

  test('reads from the service with the token of the environment, and opens no database', async () => {
    vi.stubEnv('CAUDAL_TOKEN', await tokenOf(['merchants:read']));
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    expect(await runProgram('--url', `${origin}/`, 'merchants', 'show', shop, '--json')).toBeInstanceOf(Command);
    vi.unstubAllEnvs();
    expect(JSON.parse(printed.stdout())).toMatchObject({ merchant: shop });
    expect(printed.stderr()).toBe('');
  });
});
