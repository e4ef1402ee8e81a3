import { once } from 'node:events';
import { connect, createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OWN_CERTIFICATE } from '../../testing/own-certificate.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { CHECK_NAMES, examine, type Examination } from './examine.ts';
import { BOUNDS, THIS_MACHINE, type Bounds } from './served.ts';

const ENDS_MS = Date.parse('2120-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

let database: TestDatabase;
let address: Server;
let front: Server;
let settings: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  address = createServer(OWN_CERTIFICATE);
  front = createPlainServer((client) => void serveTls(client));
  for (const server of [address, front]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const { user, password, database: name } = new Client({ connectionString: database.url });
  settings = {
    CAUDAL_MODE: 'production',
    CAUDAL_MASTER_KEY: '0'.repeat(64),
    CAUDAL_CHECKOUT_URL: `https://127.0.0.1:${portOf(address)}/checkout`,
    DATABASE_URL: `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${portOf(front)}/${name}?sslmode=no-verify`,
  };
});
afterAll(async () => {
  for (const server of [address, front]) server.close();
  await database.drop();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Takes TLS as PostgreSQL does: after eight bytes that ask for it. Behind it is the database of the test. */
async function serveTls(client: ReturnType<typeof connect>): Promise<void> {
  const { host, port } = new Client({ connectionString: database.url });
  await once(client, 'readable');
  client.read(8);
  client.write('S');
  const sealed = new TLSSocket(client, { isServer: true, ...OWN_CERTIFICATE });
  const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ port, host });
  for (const socket of [sealed, upstream]) socket.on('error', () => [sealed, upstream].map((one) => one.destroy()));
  sealed.pipe(upstream).pipe(sealed);
}

const ADDRESS = 'certificate of CAUDAL_CHECKOUT_URL';
const SERVERS = 'servers of the database';

/** What both checks say, so many days before the certificates end. */
async function look(daysLeft: number, bounds: Partial<Bounds> = {}): Promise<readonly Examination[]> {
  const machine = { ...THIS_MACHINE, nowMs: () => ENDS_MS - daysLeft * DAY_MS };
  const except = CHECK_NAMES.filter((name) => name !== ADDRESS && name !== SERVERS);
  const seen = await Array.fromAsync(examine(settings, { machine, bounds: { ...BOUNDS, ...bounds }, except }));
  return seen.filter(({ check }) => !except.includes(check) && [ADDRESS, SERVERS].includes(check));
}

function trustForTest(): void {
  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, OWN_CERTIFICATE.cert]);
}

test.each([
  ['are far from their end', 15, undefined, ''],
  ['end in some days', 10, 'warning', 'ends in 10.0 days'],
  ['end at once', 2, 'fault', 'ends in 2.0 days'],
  ['have ended', -1, 'fault', 'has ended'],
] as const)('certificates of the database and of the public address that %s', async (_what, daysLeft, level, says) => {
  trustForTest();
  const found = (where: string) =>
    level === undefined ? [] : [{ level, says: expect.stringMatching(`^the certificate of ${where}.* ${says}$`) }];
  expect(await look(daysLeft)).toMatchObject([
    { check: ADDRESS, found: found(`127.0.0.1:${portOf(address)}`) },
    { check: SERVERS, found: found(`\\w+ on 127.0.0.1:${portOf(front)}`) },
  ]);
});

test('a certificate of a short life is not called near its end all of that life', async () => {
  trustForTest();
  for (const { found } of await look(10, { certificateWarningShare: 0.0001, certificateFaultShare: 0 })) expect(found).toEqual([]);
});

test('a public address whose certificate is not trusted, and one that nobody answers at', async () => {
  const [untrusted] = await look(1_000);
  expect(untrusted?.found).toMatchObject([{ level: 'warning', says: expect.stringMatching(/^this machine does not trust .*SELF_SIGNED/) }]);
  const given = settings['CAUDAL_CHECKOUT_URL'] as string;
  settings['CAUDAL_CHECKOUT_URL'] = 'https://127.0.0.1:1/checkout';
  const [unseen] = await look(1_000);
  settings['CAUDAL_CHECKOUT_URL'] = given;
  expect(unseen).toEqual({
    check: ADDRESS,
    found: [],
    problem: expect.stringMatching(/^127\.0\.0\.1:1 is not reached from here: .*ECONNREFUSED/),
  });
});
