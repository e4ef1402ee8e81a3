import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTICE_GAUGES } from '../notices/index.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operations', 'watch.md'), 'utf8');
const [, rules = ''] = /## Alerts\n[^]*?```yaml\n([^]*?)```/.exec(PAGE) ?? [];
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test('the rules name metrics that the service has', () => {
  const metrics = new Set([
    'caudal_refused_total',
    'caudal_messages_over_limit_total',
    'caudal_http_request_duration_seconds_count',
    ...Object.keys(NOTICE_GAUGES),
  ]);
  const named = new Set(rules.match(/\bcaudal_[a-z_]+/g));
  expect(named.size).toBeGreaterThan(2);
  expect([...named].filter((name) => !metrics.has(name))).toEqual([]);
});

test.skipIf(!hasPromtool)('promtool accepts the rules (skipped where it is not installed)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'caudal-rules-'));
  const file = join(directory, 'rules.yml');
  writeFileSync(file, rules);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  rmSync(directory, { recursive: true });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
