import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CommandRefused, type Connection } from '../../kit/command-line.ts';
import { connectClient, connectionConfig, statement } from '../../kit/db.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { setFees } from '../../ledger/fees.ts';
import { ALL_PERMISSIONS, type Permission } from '../../manage/index.ts';
import { listNotices, type ListedNotice } from '../../notices/index.ts';
import { noticeIdOnWire } from '../../notices/notice-id.wire.ts';
import { loadCalendar } from '../../settlements/terms/calendar-rows.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { LINES, LINES_WITHOUT_URL } from '../../testing/command-lines.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import type { CreatedNetwork } from '../../networks/index.ts';
import { manageCalls } from '../../testing/manage-calls.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { freezeMerchant, setOnOff } from '../../merchants/change-merchant.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { openSettledShop } from '../../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { makeToken, type MadeToken } from '../../users/access-tokens.ts';
import { CONTRACT_DIALECT } from '../../requests/index.ts';
import { openOperations } from './open-operations.ts';
import { createProgram, type World } from '../program.ts';
import { commandName } from './command-acts.ts';
import { WITHOUT_URL } from './without-url.ts';
import { postingDb } from '../../testing/posting-db.ts';
import { commandActor } from '../../manage/run-here.ts';

// A command does at a service what it does on a database.

const printed = capturePrinted();
/** Of files that commands write and read. */
const folder = mkdtempSync(join(tmpdir(), 'caudal-commands-'));
let caudal: TestCaudal;
let origin: string;
let shop: string;
let payingNetwork: CreatedNetwork;
/** Of every permission. */
let all: Service;

/** A word of a line, and the name that it means: on the database, and at the service. */
let names: Readonly<Record<string, readonly [here: string, there: string]>>;

beforeAll(async () => {
  caudal = await startTestCaudal();
  origin = await caudal.app.listen({ port: 0, host: '127.0.0.1' });
  payingNetwork = await caudal.network();
  shop = await stockedShop();
  const stopped = await caudal.merchant();
  await freezeMerchant(caudal, stopped.merchantId);
  const twins = [await stockedShop(), await stockedShop()] as const;
  // A merchant asks for a refund once the network can no longer take its payment back.
  caudal.clock.advance({ seconds: 51 });
  for (const merchantId of [shop, ...twins]) await addRefunds(merchantId);
  await setNumbers();
  const [, ...settled] = await addSettlements([shop, ...twins]);
  all = { url: origin, token: (await tokenOf(ALL_PERMISSIONS)).token };
  const tokens = [await tokenOf(['orders:read']), await tokenOf(['orders:read'])] as const;
  const [net, other] = [await caudal.network(), await caudal.network()];
  await loadCalendar(
    caudal,
    'bogota',
    [1, 2].map((years) => ({ day: Temporal.PlainDate.from('2025-12-25').add({ years }), name: 'Navidad' })),
  );
  for (const number of RULE_NUMBERS) await caudal.db.query(ADD_RULE, [number]);
  const notice = await aWaitingNotice();
  const [message, otherMessage] = await waitingMessages();
  names = {
    NOTICE: [notice, notice],
    MESSAGE: [String(message), String(otherMessage)],
    SHOP: [shop, shop],
    TWIN: twins,
    STOPPED: [stopped.merchantId, stopped.merchantId],
    NEW: ['new-a', 'new-b'],
    RULE: RULE_NUMBERS,
    FILE: [join(folder, 'here'), join(folder, 'there')],
    NETWORK: [net.netname, other.netname],
    NETNAME: ['net-a', 'net-b'],
    USER: ['ana-a@example.com', 'ana-b@example.com'],
    TOKEN: [tokens[0].tokenId, tokens[1].tokenId],
    REFERENCE: ['910000001', '910000002'],
    DRAFT: [settled[0]?.draft ?? '', settled[1]?.draft ?? ''],
    SETTLED: [settled[0]?.settled ?? '', settled[1]?.settled ?? ''],
    HOLD: [settled[0]?.hold ?? '', settled[1]?.hold ?? ''],
    BANKFILE: ['file-a', 'file-b'],
    ...(await settledTwice()),
  };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await caudal.close();
});

/** Makes a merchant with three orders that somebody tried to pay, two pending ones, refunds, cashouts and a fee. Each has the same as the others. */
async function stockedShop(): Promise<string> {
  const merchant = await caudal.merchant();
  const orders = orderCalls(caudal, merchant);
  const network = networkOrderCalls(caudal, payingNetwork);
  for (let number = 1; number <= 5; number++) {
    const { data } = await orders.create({ order: `A-${number}` });
    const payload = JSON.stringify({ reference: data['Referencia'] });
    if (number === 3) expect(await network.pay(data['SVordenID'], `T-${merchant.merchantId}`, '1.00')).toMatchObject({ data: {} });
    else if (number === 2) await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload });
  }
  const cashouts = cashoutCalls(caudal, merchant);
  const texted = cashouts.registration({ operation: 'W-2', sms: 'true', cellphone: '3005550000' });
  const third = cashouts.registration({ operation: 'W-3' });
  for (const sent of [cashouts.registration(), texted, third]) expect(await cashouts.register(sent)).toMatchObject({ code: '0000' });
  const { merchantId } = merchant;
  await setFees(caudal, { merchantId, kind: 'order', currency: 'COP', percentPpm: 25_000, fixedMinor: 500n, taxPpm: 0 });
  return merchantId;
}

const PAYER =
  '{"bankCode":"1007","bankName":"Bank","type":"checking","number":"04512345678","holderName":"Us","holderDocumentType":"NIT","holderDocument":"900123456"}';
const ACCOUNT = JSON.parse(PAYER) as object;

async function writeInFolder(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** Two approved settlements, what a bank says of each, and a layout. */
async function settledTwice(): Promise<Pick<typeof names, string>> {
  const settled = [];
  for (const name of ['results-a', 'results-b']) {
    const settledShop = await openSettledShop(caudal);
    const { merchantId, owner } = settledShop;
    await owner.send('PUT', '/calendars/colombia', {});
    await owner.send('PATCH', `/settlement-schedules/${merchantId}/COP`, { period: 'on_demand', calendar: 'colombia', account: ACCOUNT });
    await settledShop.pay();
    const made = await settledShop.run();
    await settledShop.step(made, { to: 'approved' });
    const id = String(made.settlementId);
    settled.push({ merchantId, id, results: await writeInFolder(name, `settlement,result,reference\n${id},paid,T-1\n`) });
  }
  const [one, other] = settled as [(typeof settled)[number], (typeof settled)[number]];
  const layout = await writeInFolder('layout', `{"format":"pain.001.001.09","timeZone":"America/Bogota","payer":${PAYER}}`);
  return {
    LAYOUTFILE: [layout, layout],
    RESULTSFILE: [one.results, other.results],
    SETTLEMENT: [one.id, other.id],
    PAIDSHOP: [one.merchantId, other.merchantId],
  };
}

/** Asks for three refunds of the order that was paid, and pays another one. */
async function addRefunds(merchantId: string): Promise<void> {
  const clerk = await manageCalls(caudal, { merchantId });
  for (const refund of ['R-0', 'R-2', 'R-3']) {
    const refundedBy = refund === 'R-3' ? 'cashout' : 'operator';
    const asked = { refund, amount: { amount: '100', currency: 'COP' }, refundedBy, reason: 'returned' };
    expect(await clerk.send('POST', `/orders/${merchantId}/A-2/refunds`, asked)).toMatchObject({ status: 201 });
  }
  const { reference } = (await clerk.get(`/orders/${merchantId}/A-1`)).body;
  await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference }) });
}

/** Lets settlements and holds have numbers like no other one that is printed. */
async function setNumbers(): Promise<void> {
  const owner = await connectClient(connectionConfig(caudal.url, 10_000));
  await owner.query(`select setval('settlements_settlement_id_seq', 920000000), setval('held_money_hold_id_seq', 930000000)`);
  await owner.end();
}

/** Makes two drafts of what merchants have collected, and holds money back. They collect something more. Each has all at the same time. */
async function addSettlements(merchants: readonly string[]): Promise<readonly { draft: string; settled: string; hold: string }[]> {
  const { send } = await manageCalls(caudal);
  const ofEach = async (path: (merchant: string) => string, body: object, member: string): Promise<readonly string[]> => {
    const made: string[] = [];
    for (const merchant of merchants) {
      const answer = await send('POST', path(merchant), body);
      expect(answer).toMatchObject({ status: 201 });
      made.push(String(answer.body[member]));
    }
    return made;
  };
  const collect = async (): Promise<void> => {
    const given = { account: 'collected', amount: { amount: '5000', currency: 'COP' }, reason: 'a test' };
    await ofEach((merchant) => `/ledger/${merchant}/adjustments`, given, 'transaction');
    caudal.clock.advance({ seconds: 1 });
  };
  const settle = async (): Promise<readonly string[]> => {
    await collect();
    return ofEach((merchant) => `/settlements/${merchant}/run`, { currency: 'COP', until: '2026-11-21' }, 'settlement');
  };
  const [drafts, settled] = [await settle(), await settle()];
  await collect();
  const held = { amount: { amount: '50', currency: 'COP' }, reason: 'a dispute' };
  const holds = await ofEach((merchant) => `/holds/${merchant}`, held, 'hold');
  return merchants.map((_, index) => ({ draft: drafts[index] ?? '', settled: settled[index] ?? '', hold: holds[index] ?? '' }));
}

/** A rule of all merchants. Its number is like no other number that is printed. */
const ADD_RULE = statement(
  'test.add_rule',
  `insert into settlement_rules (rule_id, name, kind, base, currency, rate_ppm, fixed_minor, tax_ppm, since, set_at)
   values ($1::bigint, 'fees-' || $1::bigint, 'fee', 'payout', 'COP', 10000, 0, 0, '2027-01-01', now())`,
);
const RULE_NUMBERS = ['940000001', '940000002'] as const;

/** A notice of a merchant that has an address for it. */
async function aWaitingNotice(): Promise<string> {
  const merchant = await caudal.merchant({ noticeUrl: 'https://shop.example/notices' });
  const { data } = await orderCalls(caudal, merchant).create({ order: 'A-1' });
  await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: data['Referencia'] }) });
  const [listed] = await listNotices(caudal.db, { merchantId: merchant.merchantId, limit: 1 });
  return noticeIdOnWire((listed as ListedNotice).notice);
}

const HOLD_MESSAGES = statement(
  'test.hold_two_messages',
  `update messages set message_id = message_id + 910000000, state = 'pending', ended_at = null, sealed = coalesce(sealed, ''), due_at = $1
    where message_id in (select message_id from messages order by message_id limit 2) returning message_id as "messageId"`,
);
/** Two messages that wait for an hour. Their ids are like no other number that is printed. */
const waitingMessages = async (): Promise<readonly bigint[]> =>
  (await caudal.db.query<{ messageId: bigint }>(HOLD_MESSAGES, [caudal.clock.now().add({ hours: 1 })])).map(({ messageId }) => messageId);

/** Makes an access token. */
async function tokenOf(permissions: readonly Permission[], merchantId: string | null = null): Promise<MadeToken> {
  const terms = { name: 'night', permissions, merchantId, days: 30 };
  const made = await caudal.db.transaction(async (tx) => makeToken(tx, commandActor('test'), { userId: null }, terms, caudal.clock.now()));
  if (isRefusal(made)) throw new Error(`the test's token was refused: ${made.refusal}`);
  return made;
}

/** Whether commands on the database find a sandbox. */
let isSandbox = true;

/** The real program on the database of the test, which it leaves open. */
const program = (): Command =>
  createProgram(async (): Promise<World> => {
    const { url, db, keys, clock, messages } = caudal;
    const acting = postingDb(db, clock, 'SHOP');
    const connection = { url, db: acting, ownDb: db, actor: 'command:test', keys, clock, isSandbox, close: async () => undefined } as const;
    const connect = async (): Promise<Connection> => connection;
    const openOutbox: World['openOutbox'] = async () => ({ ...messages, close: async () => undefined });
    return {
      ...(await import('../connect.ts')),
      connect,
      connectWithAnyKey: connect,
      openOutbox,
      openHere: async (given) => openOperations(given, () => openOutbox(given), SETTINGS),
      readConsoleUrl: () => 'http://127.0.0.1',
    };
  });

/** Those of the service of the test. */
const SETTINGS = {
  dialect: CONTRACT_DIALECT,
  referenceRestDays: 90,
  shortPasswordDays: 1,
  checkoutUrl: 'https://pay.example/checkout',
  consoleUrl: 'http://localhost',
  get machineClock() {
    return caudal.clock;
  },
} as const;

type Service = { readonly url: string; readonly token: string };
type Outcome = { readonly printed: string; readonly refused: unknown; readonly exitCode: unknown };

/** Runs a command on the database, or on a service. */
async function run(line: string, service?: Service): Promise<Outcome> {
  const named = line.replaceAll(/[A-Z]{3,}/g, (word) => names[word]?.[service === undefined ? 0 : 1] ?? word);
  const words = [...named.split(' '), ...(service === undefined ? [] : ['--url', service.url])];
  if (service !== undefined) vi.stubEnv('CAUDAL_TOKEN', service.token);
  let refused: unknown;
  const text = await printed.by(() =>
    program()
      .parseAsync(words, { from: 'user' })
      .catch((error: unknown) => (refused = error)),
  );
  vi.unstubAllEnvs();
  const code = refused === undefined ? process.exitCode : (refused as CommandRefused).exitCode;
  process.exitCode = undefined;
  return { printed: text, refused: refused === undefined ? undefined : (refused as Error).message, exitCode: code };
}

/** What is drawn at random or counted: secrets, ids. */
const DRAWN =
  /[0-9]+-[0-9a-f]{12}\b|[0-9a-f]{16}\b|[A-Za-z0-9+/_.-]{22,}=*|\b[0-9]{12}\b|(?<=Rule |"rule":"|"(?:serviceOrder|cashout)Id":")[0-9]+|msg_\d+_\d+|\b9[23]0\d{6}\b/g;
/** Of users and tokens a command takes the machine's time. The service has that of the test. */
const TIMES = /[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z?/g;
/** What both ways have in common: the twins have one name, and what is drawn is left out. */
function common(name: string, { printed: text, refused, exitCode }: Outcome): object {
  const plain = (of: string): string => {
    const named = Object.entries(names).reduce((left, [word, both]) => both.reduce((rest, one) => rest.replaceAll(one, word), left), of);
    // Sizes and connections change from one moment to the next, and only a server serves.
    if (name === 'cells list') return named.replaceAll(/\b(?:\d+|null|true|yes)\b|[" ]/g, '');
    return (/^(users|tokens) /.test(name) ? named.replaceAll(TIMES, '(time)') : named).replaceAll(DRAWN, '…');
  };
  const shown = plain(text);
  return {
    printed: name !== 'cells list' && /^[[{].*\n$/.test(shown) ? (JSON.parse(shown) as unknown) : shown,
    refused: plain(String(refused)),
    exitCode,
  };
}

/** Who runs the command gets a link. Who asks a service that sends mail does not: the mail brings it. */
const MAILED = new Set(['users invite', 'users reset']);
const isOfMail = (text: unknown): boolean => /A mail brings|"link":null/.test(typeof text === 'string' ? text : JSON.stringify(text));
/** It needs neither a database nor a service. */
const OF_FILES = new Set(['export check']);
const isKnown = (name: string): boolean => name in LINES || name in WITHOUT_URL || OF_FILES.has(name);

const leaves = (command: Command): readonly Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leaves));

test('every command asks a service as it asks a database, or says why it cannot', () => {
  const commands = leaves(program()).map(commandName);
  // Every list is exported by the same code: `exports/ask-export.test.ts`.
  expect(commands.filter((name) => !isKnown(name) && !name.startsWith('export '))).toEqual([]);
  expect(Object.keys(LINES).filter((name) => !commands.includes(name) || name in WITHOUT_URL)).toEqual([]);
});

describe('a command does at a service what it does on its database', () => {
  test.each(Object.entries(LINES))('%s', async (name, lines) => {
    const [first] = lines;
    for (const line of lines.flatMap((one) => [one, `${one} --json`])) {
      const here = await run(line);
      if (line === first) expect(here).toMatchObject({ refused: undefined, printed: expect.stringContaining('\n') as string });
      const there = common(name, await run(line, all));
      const isMailed = MAILED.has(name) && here.refused === undefined;
      const expected = isMailed ? { printed: expect.toSatisfy(isOfMail) as unknown } : {};
      expect(there, line).toEqual({ ...common(name, here), ...expected });
    }
  });
});

const lineOf = expect.stringMatching(/^[^\n]+$/) as string;
const tokenOnly = async (permissions: readonly Permission[], merchantId?: string): Promise<Service> => ({
  url: origin,
  token: (await tokenOf(permissions, merchantId)).token,
});

describe('a service that says no', () => {
  test('is one line: to a token without the permission, to one that has ended, and to a wrong parameter', async () => {
    const narrow = await tokenOnly(['orders:read']);
    expect(await run('networks list', narrow)).toMatchObject({ refused: 'Permission denied; It needs networks:read.', exitCode: 1 });
    expect(await run('merchants freeze SHOP', narrow)).toMatchObject({ refused: lineOf, exitCode: 1 });
    expect(await run('orders list', { url: origin, token: 'cdl_nobody' })).toMatchObject({ refused: lineOf, exitCode: 1 });
    expect(await run('ledger entries --merchant SHOP --currency Peso', all)).toMatchObject({
      refused: expect.stringContaining('currency') as string,
      exitCode: 2,
    });
  });

  test('shows an actor that is bound to a merchant nothing of others, and its own in the zone of that merchant', async () => {
    const other = await caudal.merchant();
    const bound = await tokenOnly(ALL_PERMISSIONS, other.merchantId);
    expect(await run('orders list', bound)).toMatchObject({ printed: 'No matching orders.\n' });
    expect(await run('merchants show SHOP', bound)).toMatchObject({ refused: `There is no merchant ${shop}.`, exitCode: 1 });
    const own = await tokenOnly(['orders:read'], shop);
    const named = await run(`orders list --merchant SHOP`);
    expect(named.printed).toContain('CREATED (America/Bogota)');
    for (const line of ['orders list', 'orders list --merchant SHOP']) expect(await run(line, own), line).toEqual(named);
  });

  test('a name that a URL drops reaches no other operation', async () => {
    for (const name of ['.', '..'])
      expect(await run(`merchants show ${name}`, all)).toMatchObject({ refused: `There is no merchant ${name}.` });
  });
});

/** A new one for each SMS: a number gets few in an hour. */
let nextCellphone = 2000;

describe('what only a sandbox has', () => {
  test('is refused in production in one line, there and here, and nothing is made', async () => {
    const production = await caudal.openAnother({ mode: 'production' });
    const there = { url: await production.app.listen({ host: '127.0.0.1', port: 0 }), token: all.token };
    const none = expect.stringMatching(/^"trigger" works in a sandbox alone.*nothing was made\.$/) as string;
    const before = (await run('orders list --merchant SHOP --limit 1000')).printed;
    expect(await run('trigger order.paid --merchant SHOP', there)).toMatchObject({ refused: none, exitCode: 1 });
    expect(await run('orders expire A-5 --merchant SHOP', there)).toMatchObject({
      refused: `A-5 of ${shop} does not exist, or this is not a sandbox.`,
      exitCode: 1,
    });
    await production.close();
    isSandbox = false;
    expect(await run('trigger order.paid --merchant SHOP')).toMatchObject({ refused: none, exitCode: 1 });
    isSandbox = true;
    expect((await run('orders list --merchant SHOP --limit 1000')).printed).toBe(before);
  });

  beforeAll(async () => void (await setOnOff.reportsUpdates(caudal, shop, true)));
  const [paid, cancelled] = [
    ['order', 'approved'],
    ['order', 'cancelled'],
  ] as const;
  /** What `trigger` makes: its state in the end, and its notices, the newest first. */
  const MADE: Readonly<Record<string, readonly [state: string, ...notices: (readonly [kind: string, status: string])[]]>> = {
    'order.created': ['pending'],
    'order.updated': ['pending', ['order', 'updated']],
    'order.cancelled': ['cancelled'],
    'order.expired': ['expired', cancelled],
    'order.paid': ['approved', paid],
    'order.reversed': ['voided', cancelled, paid],
    'cashout.registered': ['pending'],
    'cashout.cancelled': ['cancelled'],
    'cashout.collected': ['approved', ['cashout', 'approved']],
    'cashout.reversed': ['nullified', ['cashout', 'approved']],
    // The last one: days pass.
    'cashout.expired': ['expired', ['cashout', 'expired']],
  };
  /** The table of the documents. Shape: event → what it says of the notices, oldest first. */
  const documented = new Map(
    readFileSync(join(import.meta.dirname, '../../../../docs/integrators.md'), 'utf8')
      .matchAll(/^\| `((?:order|cashout)\.\w+)` \| (.+) \|$/gm)
      .map(([, event = '', notices = '']) => [event, [...notices.matchAll(/`(\w+)\.(\w+)`/g)].map(([, kind, status]) => [kind, status])]),
  );

  test('every event of `trigger` is tried and documented', () => {
    const events = program().commands.find((one) => one.name() === 'trigger')?.registeredArguments[0]?.argChoices;
    expect([events?.toSorted(), [...documented.keys()]]).toEqual([Object.keys(MADE).toSorted(), Object.keys(MADE)]);
  });

  test.each(Object.entries(MADE))(
    '`trigger %s` walks there, with the notices that the documents name',
    async (event, [state, ...notices]) => {
      const subject = event.startsWith('order') ? 'order' : 'cashout';
      const token = await tokenOnly(['sandbox:use', 'merchants:read', `${subject}s:write`]);
      const clock = event === 'cashout.expired' ? ' --move-clock' : '';
      expect(documented.get(event)).toEqual(notices.toReversed());
      for (const service of [undefined, token]) {
        const { printed: made, refused } = await run(
          `trigger ${event} --merchant SHOP --json --cellphone 300555${nextCellphone++}${clock}`,
          service,
        );
        expect(refused).toBeUndefined();
        await caudal.runJobs();
        const { [subject]: id, notice } = JSON.parse(made) as Record<string, string | null>;
        expect(notice?.match(/\w+\.\w+/g) ?? []).toEqual(notices.toReversed().map((names) => names.join('.')));
        const shown = await run(`${subject}s show ${id} --merchant SHOP --json`);
        expect(JSON.parse(shown.printed)).toMatchObject({ state });
        const listed = JSON.parse((await run('notices list --merchant SHOP --limit 9 --json')).printed) as Record<string, string>[];
        expect(listed.filter((one) => one['subject'] === id).map(({ kind, status }) => [kind, status])).toEqual(notices);
      }
    },
  );
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
    [{ status: 200, headers: {}, body: '<html>' }, 'incompatible version'],
    [{ status: 200, headers: {}, body: '{"items":[{}],"next":null}' }, 'incompatible version'],
    [{ status: 502, headers: {}, body: 'bad\ngateway' }, 'status 502'],
    [
      { status: 503, headers: { 'retry-after': '7' }, body: '{"type":"/docs/problems/unavailable","title":"No\\nnow"}' },
      'No now; try again after 7 s.',
    ],
  ])('is one line, and gets the token once: %j', async (given, text) => {
    answer = { ...given, headers: { ...given.headers, ...(given.status === 302 && { location: `${address}/elsewhere` }) } };
    asked.length = 0;
    const { refused, exitCode } = await run('notices list', { url: address, token: 'secret-token' });
    expect([refused, exitCode]).toEqual([lineOf, 1]);
    expect(refused).toContain(text);
    expect(refused).not.toContain('secret-token');
    expect(asked).toEqual(['Bearer secret-token']);
  });

  test('that does not listen is one line', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => void gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => void gone.close(resolve));
    const service = { url: `http://127.0.0.1:${port}`, token: 'secret-token' };
    expect(await run('orders list', service)).toMatchObject({ refused: lineOf, exitCode: 1 });
    expect(await run('merchants freeze SHOP', service)).toMatchObject({ refused: expect.stringMatching(/look before you repeat it\.$/) });
  });
});

const openNothing = async (): Promise<never> => {
  throw new Error('nothing may be opened');
};

const elsewhere = 'https://caudal.example.com';
const refusedLine = async (line: string, token = 'token'): Promise<unknown> => {
  vi.stubEnv('CAUDAL_TOKEN', token);
  const failure: unknown = await createProgram(openNothing)
    .parseAsync(line.split(' '), { from: 'user' })
    .catch((error: unknown) => error);
  vi.unstubAllEnvs();
  expect(printed.stdout() + printed.stderr()).toBe('');
  expect(failure, line).toBeInstanceOf(CommandRefused);
  expect(failure).toMatchObject({ message: lineOf, exitCode: 2 });
  return (failure as CommandRefused).message;
};

describe('--url', () => {
  test.each([
    ['a token in the clear', 'token', 'orders list --url http://caudal.example.com'],
    ['an address with a password', 'token', 'orders list --url https://me:pass@caudal.example.com'],
    ['no address', 'token', '--url caudal orders list'],
    ['no token', '', `orders list --url ${elsewhere}`],
    ['a token that no header can have', 'secret\ntoken', `orders list --url ${elsewhere}`],
    ['a name beside the token', 'token', `orders list --url ${elsewhere} --as Ana`],
  ])('refuses %s in one line, before anything is opened', async (_, token, line) => {
    expect(await refusedLine(line, token)).not.toContain('secret');
  });

  test('is refused by each command that has none, with the reason, before anything is opened', async () => {
    expect(Object.keys(LINES_WITHOUT_URL).toSorted()).toEqual(Object.keys(WITHOUT_URL).toSorted());
    for (const [name, words] of Object.entries(LINES_WITHOUT_URL))
      expect(await refusedLine(`${name} ${words} --url ${elsewhere}`.replace('  ', ' '))).toBe(
        `"${name}" has no --url: ${WITHOUT_URL[name]}.`,
      );
  });

  test('an address may end with a slash, and no database is opened', async () => {
    vi.stubEnv('CAUDAL_TOKEN', all.token);
    await createProgram(openNothing).parseAsync(['--url', `${origin}/`, 'merchants', 'show', shop, '--json'], { from: 'user' });
    vi.unstubAllEnvs();
    expect(JSON.parse(printed.stdout())).toMatchObject({ merchant: shop });
    expect(printed.stderr()).toBe('');
  });
});
