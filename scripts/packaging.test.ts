import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../server/src/main/processes.ts';
import { captureProcess } from '../server/src/testing/captured.ts';
import { startChildServer, type ChildServer } from '../server/src/testing/child-server.ts';
import { eventually, PROCESS_MS, within } from '../server/src/testing/deadlines.ts';
import { createTestDatabase, type TestDatabase } from '../server/src/testing/test-database.ts';

// Each of a program is skipped where that is not installed.

const ROOT = join(import.meta.dirname, '..');
const FILES = join(ROOT, 'packaging');
const has = (program: string, word: string): boolean => spawnSync(program, [word]).error === undefined;
const hasNginx = has('nginx', '-v') && has('openssl', 'version');
const hasCaddy = has('caddy', 'version') && has('openssl', 'version');
/** Of `systemd-analyze security`: 10 is without any protection. */
const MOST_EXPOSED = 2;

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'caudal-packaging-'))));
afterAll(() => rmSync(directory, { recursive: true }));

const fileOf = (name: string): string => readFileSync(join(FILES, name), 'utf8');

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return `${stdout}${stderr}`;
}

test.skipIf(!has('systemd-analyze', '--version'))('systemd accepts the unit, and finds it well closed', () => {
  // It looks for the program of the unit. What the unit starts is proved by the test of the archive.
  const unit = join(directory, 'caudal.service');
  writeFileSync(unit, fileOf('systemd/caudal.service').replaceAll('/opt/caudal', ROOT));
  expect(run('systemd-analyze', 'verify', unit)).toBe('');
  const [, exposed] =
    /Overall exposure level for \S+: ([\d.]+)/.exec(run('systemd-analyze', 'security', '--offline=yes', '--no-pager', unit)) ?? [];
  expect(Number(exposed)).toBeLessThanOrEqual(MOST_EXPOSED);
});

test.skipIf(!has('caddy', 'version'))('Caddy accepts its files, as it would write them itself', () => {
  for (const file of ['caddy/Caddyfile', 'container/Caddyfile']) {
    run('caddy', 'validate', '--adapter', 'caddyfile', '--config', join(FILES, file));
    expect(spawnSync('caddy', ['fmt', join(FILES, file)], { encoding: 'utf8' }).stdout).toBe(fileOf(file));
  }
});

test.skipIf(process.platform === 'win32')('the container of the database makes no user without the passwords', () => {
  // It says what it is asked to do, as psql would do it.
  writeFileSync(join(directory, 'psql'), '#!/bin/sh\necho asked\n', { mode: 0o755 });
  const env = { PATH: `${directory}:${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync(join(FILES, 'container', 'roles.sh'), { encoding: 'utf8', env });
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining('/run/secrets/owner') });
});

let certificate: string;
let key: string;

function makeCertificate(): void {
  [certificate, key] = [join(directory, 'caudal.pem'), join(directory, 'caudal.key')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...names, '-keyout', key, '-out', certificate);
}

/** `from`: the address of this machine that the client has. `forged`: the one that it claims. */
type Asked = { readonly from?: string; readonly forged?: string; readonly body?: string };

async function ask(port: number, path: string, { from, forged, body }: Asked = {}): Promise<{ answer: IncomingMessage; body: string }> {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    ...(from !== undefined && { localAddress: from }),
    agent: false,
    ca: readFileSync(join(directory, 'caudal.pem')),
    servername: 'localhost',
    headers: { host: 'localhost', 'content-type': 'application/json', ...(forged !== undefined && { 'x-forwarded-for': forged }) },
  });
  asked.end(body);
  const [answer] = (await within(PROCESS_MS, 'an answer through the proxy', once(asked, 'response'))) as [IncomingMessage];
  return { answer, body: await text(answer) };
}

/** Starts a proxy for one test, and waits until it answers with a status. */
async function startProxy(port: number, status: number, program: string, ...words: string[]): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: directory } });
  const { stderr, ended } = captureProcess(child);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await within(PROCESS_MS, 'the end of the proxy', ended);
  });
  await eventually(PROCESS_MS, async () => {
    expect(child.exitCode, stderr()).toBe(null);
    expect((await ask(port, '/healthz')).answer.statusCode).toBe(status);
  });
}

/** Starts nginx with our site, in front of an address. */
async function startNginx(behind: string, status: number): Promise<{ plain: number; port: number }> {
  const [plain, port] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const site = fileOf('nginx/caudal.conf')
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('127.0.0.1:3000', behind)
    .replace('/etc/ssl/certs/caudal.pem', certificate)
    .replace('/etc/ssl/private/caudal.key', key);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${directory}/pid; error_log stderr; events {} http { ${folders} access_log ${directory}/log; ${site} }`,
  );
  expect(run('nginx', '-t', '-q', '-e', 'stderr', '-p', directory, '-c', file)).toBe('');
  await startProxy(port, status, 'nginx', '-e', 'stderr', '-p', directory, '-c', file);
  return { plain, port };
}

/** Starts Caddy with our site, in front of an address. */
async function startCaddy(behind: string, status: number): Promise<{ port: number }> {
  const port = await findFreePort('127.0.0.1');
  const site = fileOf('caddy/Caddyfile')
    .replace(/^\S+example\.com.*\{\n/m, `localhost:${port} {\n\ttls ${certificate} ${key}\n\tbind 127.0.0.1\n`)
    .replace('127.0.0.1:3000', behind);
  const file = join(directory, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  await startProxy(port, status, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile');
  return { port };
}

/** Ten requests of one address that prove nobody are served at once. What a client says of its own address changes nothing. */
async function expectWholeProxy(port: number, from: string): Promise<void> {
  const statuses: (number | undefined)[] = [];
  for (let time = 0; time < 20; time++)
    statuses.push((await ask(port, '/checkout?token=x', { from, forged: `192.0.2.${time}` })).answer.statusCode);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(404));
  expect(statuses.slice(10)).toContain(429);
  expect((await ask(port, '/checkout?token=x', { from: '127.0.0.99' })).answer.statusCode, 'another client has its own limit').toBe(404);

  const { answer } = await ask(port, '/readyz');
  expect([answer.statusCode, answer.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  const large = await ask(port, '/api/v3/porders', { body: `{"merchant":"${'x'.repeat(300_000)}"}` });
  expect([large.answer.statusCode, large.body], 'refused by Caudal, in its own words').toEqual([413, expect.stringContaining('"CODE"')]);
}

describe.skipIf(!hasNginx && !hasCaddy)('by TLS, each client known by its address whatever it says, serves', () => {
  let database: TestDatabase;
  let server: ChildServer;
  let behind: string;

  beforeAll(async () => {
    makeCertificate();
    database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: '0'.repeat(64), CAUDAL_MODE: 'production' };
    server = startChildServer({ ...settings, CAUDAL_TRUSTED_PROXIES: '127.0.0.1', CAUDAL_UNPROVED_PER_SECOND: '1' });
    behind = new URL(await server.origin).host;
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test.skipIf(!hasNginx)('nginx', async () => {
    const { plain, port } = await startNginx(behind, 200);
    await expectWholeProxy(port, '127.0.0.50');
    expect(readFileSync(join(directory, 'log'), 'utf8'), 'tokens and checksums of addresses are in no log').not.toContain('token');
    const moved = await fetch(`http://127.0.0.1:${plain}/console?a=b`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, 'https://127.0.0.1/console?a=b']);
  });

  test.skipIf(!hasCaddy)('Caddy', async () => {
    await expectWholeProxy((await startCaddy(behind, 200)).port, '127.0.0.51');
  });
});

describe.skipIf(!hasNginx && !hasCaddy)('while Caudal is away, clients learn to come again', () => {
  beforeAll(makeCertificate);

  test.skipIf(!hasNginx)('from nginx', async () => expectAway((await startNginx(await nowhere(), 503)).port));
  test.skipIf(!hasCaddy)('from Caddy', async () => expectAway((await startCaddy(await nowhere(), 503)).port));
});

const nowhere = async (): Promise<string> => `127.0.0.1:${await findFreePort('127.0.0.1')}`;

/** Clients of the contract know this answer: 503 in JSON, with the time after which to come again. */
async function expectAway(port: number): Promise<void> {
  const { answer, body } = await ask(port, '/api/v3/porders', { body: '{}' });
  const { statusCode, headers } = answer;
  expect([statusCode, body]).toEqual([503, '{}']);
  expect(headers).toMatchObject({
    'retry-after': '1',
    'content-type': 'application/json',
    'strict-transport-security': 'max-age=31536000',
  });
}
