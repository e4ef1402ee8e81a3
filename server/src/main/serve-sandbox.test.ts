import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { runCaudal, runCaudalHere, runWholeCaudal, serveForTest } from '../testing/child-server.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { eventually, PROCESS_MS, SOON_MS, withinSeconds } from '../testing/deadlines.ts';
import { createShop, makeOrder, printedCommands, readAmount, runPrinted, sendOrder, type ServedShop } from '../testing/served-shop.ts';

const log = createLog('silent');
const oneLine = expect.stringMatching(/^[^\n]+\n$/) as string;

describe('a sandbox on its own data directory', () => {
  let dataDir: string;
  let environment: Record<string, string>;
  let shop: ServedShop;

  beforeAll(() => {
    dataDir = makeDataDirectory();
    environment = { CAUDAL_DATA_DIR: dataDir };
  });
  afterAll(() => removeDataDirectory(dataDir));

  const postmasterFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');

  test('prints where it serves, the demo merchant’s fixed hash and commands that work as they are printed', async () => {
    const server = serveForTest(environment);
    const origin = await server.origin;
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9][0-9]+$/);
    expect(server.stdout()).toMatch(/^Merchant demo, fixed hash [0-9a-f]{32}$/m);
    const commands = printedCommands(server.stdout());
    expect(commands).toHaveLength(4);
    const answers = await Promise.all(commands.map(runPrinted));
    expect(answers.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
    const [created, changed, paid, listed] = answers.map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
    expect(created).toMatchObject({ CODE: '0000', DATA: { Operacion: 'CREADA' } });
    expect(changed).toMatchObject({ CODE: '0000', DATA: { Operacion: 'ACTUALIZADO' } });
    expect(paid).toMatchObject({ CODE: '0000', DATA: { Operacion: 'PAGADA' } });
    expect(listed).toMatchObject({ code: '0000', next: expect.stringMatching(/^\//) });
    expect(listed!['data']).toHaveLength(23);
  });

  test('prints them again when it is started again, and they work again', async () => {
    const server = serveForTest(environment);
    await server.origin;
    const commands = printedCommands(server.stdout());
    const answers = await Promise.all(commands.map(runPrinted));
    for (const { stdout } of answers) expect(stdout).toMatch(/"(CODE|code)":"0000"/);
    expect(answers).toHaveLength(4);
  });

  test('refuses a second server on its directory in one line, and a disabled merchant within a second', async () => {
    const origin = await serveForTest(environment).origin;
    const second = serveForTest(environment);
    expect((await second.exited()).code).toBe(1);
    expect(second.stderr()).toEqual(oneLine);
    expect(second.stderr()).toContain(`in use by process`);
    expect(second.stderr()).toContain(origin);
    expect(second.stdout()).toBe('');

    const listed = await runWholeCaudal(environment, 'merchants', 'list');
    expect([listed.exitCode, listed.stderr], 'nothing is said of the database of this server').toEqual([0, '']);
    const signed = await runCaudal(environment, 'sign', 'queryOrder', 'merchant=demo', 'order=A-1001');
    expect(signed.stdout, 'commands print where it serves').toContain(`${origin}/api/v3/porders`);
    shop = await createShop(environment, 'shop');
    const other = await createShop(environment, 'other');
    await makeOrder(origin, shop, '100');
    await makeOrder(origin, other, '100');
    expect(await runCaudalHere(environment, 'merchants', 'disable', 'other')).toMatchObject({ exitCode: 0 });
    await withinSeconds(1, async () => expect(await sendOrder(origin, 'PATCH', other, '200')).toMatchObject({ CODE: '0025' }));
    expect(await sendOrder(origin, 'PATCH', shop, '200')).toMatchObject({ CODE: '0000' });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('answers a request under way after %s, then stops its database and exits 0', async (signal) => {
    const server = serveForTest(environment);
    const origin = await server.origin;
    const { url } = await openEmbeddedPostgres({ name: 'caudal', dataDir, command: 'a test', log });
    const locker = new Client({ connectionString: url });
    await locker.connect();
    await locker.query('begin');
    await locker.query('lock table orders in exclusive mode');
    const answer = sendOrder(origin, 'PATCH', shop, signal === 'SIGTERM' ? '300' : '400');
    await eventually(SOON_MS, async () => {
      const { rows } = await locker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    });
    server.child.kill(signal);
    // A new request is refused. A running one is answered.
    await eventually(SOON_MS, () => expect(fetch(`${origin}/healthz`)).rejects.toThrow('fetch failed'));
    await locker.query('commit');
    await locker.end();
    expect(await answer).toMatchObject({ CODE: '0000' });
    const askedAt = performance.now();
    expect(await server.exited()).toEqual({ code: 0, signal: null });
    expect(performance.now() - askedAt).toBeLessThan(5_000);
    expect(existsSync(postmasterFile())).toBe(false);
  });

  test('killed with -9 leaves no database running, and the next start has all that was acknowledged', async () => {
    const server = serveForTest(environment);
    expect(await sendOrder(await server.origin, 'PATCH', shop, '512.25')).toMatchObject({ CODE: '0000' });
    const postmaster = Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]);
    expect(await server.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await eventually(PROCESS_MS, () => expect(() => process.kill(postmaster, 0)).toThrow('ESRCH'));
    expect(await readAmount(await serveForTest(environment).origin, shop)).toBe('512.25');
  });
});
