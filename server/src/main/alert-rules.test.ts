import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startChildServer } from '../testing/child-server.ts';
import { eventually, PROCESS_MS } from '../testing/deadlines.ts';
import { createShop, makeOrder, sendOrder } from '../testing/served-shop.ts';
import { createTestDatabase } from '../testing/test-database.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const RULES = join(ROOT, 'packaging', 'prometheus', 'alerts.yml');
const rules = readFileSync(RULES, 'utf8');
const dashboard = readFileSync(join(ROOT, 'packaging', 'grafana', 'dashboard.json'), 'utf8');
const page = readFileSync(join(ROOT, 'docs', 'operations', 'watch.md'), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** What a server that has worked shows. */
let shown: string;
beforeAll(async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, CAUDAL_MASTER_KEY: '0'.repeat(64), CAUDAL_MODE: 'production' };
  const server = startChildServer({ ...settings, CAUDAL_METRICS_ADDRESS: '127.0.0.1:0' });
  const origin = await server.origin;
  const shop = await createShop(settings, 'shop');
  await makeOrder(origin, shop, '100');
  await sendOrder(origin, 'PATCH', { ...shop, fixedHash: 'wrong' }, '250');
  const [, address] = /"address":"(http[^"]+)","msg":"metrics are served/.exec(server.stderr()) ?? [];
  await eventually(PROCESS_MS, async () => {
    shown = await (await fetch(`${address}/metrics`)).text();
    expect(shown, 'jobs have worked').toContain('caudal_job_done_timestamp_seconds{');
  });
  await server.stop();
  await database.drop();
});

const metricsIn = (text: string): readonly string[] => [...new Set(text.match(/\b(?:caudal|process|nodejs)_[a-z0-9_]*[a-z0-9]\b/g))];

const unknownOf = (text: string): readonly string[] => metricsIn(text).filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(shown));

test('the rules name metrics that the service has', () => {
  expect(metricsIn(rules).length).toBeGreaterThanOrEqual(8);
  expect(unknownOf(rules)).toEqual([]);
});

test('the dashboard names metrics that the service has', () => {
  expect(metricsIn(dashboard).length).toBeGreaterThanOrEqual(12);
  expect(unknownOf(dashboard)).toEqual([]);
});

test('no metric has a label that Prometheus sets itself: it would rename ours, and sums would be over all', () => {
  expect(shown.match(/^\w+\{(?:.*,)?(?:job|instance)=.*/gm) ?? []).toEqual([]);
});

test('the page describes each metric of ours, and each alert', () => {
  const declared = Array.from(shown.matchAll(/^# HELP (caudal_\w+)/gm), ([, name]) => name as string);
  const stems = page.replaceAll('`, `…', ' caudal_database_connections');
  expect(declared.filter((name) => !stems.includes(name))).toEqual([]);
  expect(Array.from(rules.matchAll(/alert: (\w+)/g), ([, name]) => name as string).filter((name) => !page.includes(`\`${name}\``))).toEqual(
    [],
  );
});

test('the number of requests in hand comes back to none, and a refusal has its code', () => {
  expect(shown).toMatch(/^caudal_requests_waiting 0$/m);
  expect(shown).toMatch(/^caudal_requests_written 0$/m);
  expect(shown).toMatch(/^caudal_batch_requests_sum 1$/m);
  expect(shown).toMatch(/^caudal_refusals_total\{operation="updateOrder",code="\d{4}",refusal="checksum_invalid"\} 1$/m);
  expect(shown).toMatch(/^caudal_database_connections_idle [1-9]/m);
});

test.skipIf(!hasPromtool)('promtool accepts the rules (skipped where it is not installed)', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
