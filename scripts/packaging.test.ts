import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Each is skipped where its program is not installed.

const ROOT = join(import.meta.dirname, '..');
const FILES = join(ROOT, 'packaging');
const has = (program: string, word: string): boolean => spawnSync(program, [word]).error === undefined;
/** Of `systemd-analyze security`: 10 is without any protection. */
const MOST_EXPOSED = 2;

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'caudal-packaging-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return `${stdout}${stderr}`;
}

test.skipIf(!has('systemd-analyze', '--version'))('systemd accepts the unit, and finds it well closed', () => {
  // It looks for the program of the unit. What the unit starts is proved by the test of the archive.
  const unit = join(directory, 'caudal.service');
  writeFileSync(unit, readFileSync(join(FILES, 'systemd/caudal.service'), 'utf8').replaceAll('/opt/caudal', ROOT));
  expect(run('systemd-analyze', 'verify', unit)).toBe('');
  const [, exposed] =
    /Overall exposure level for \S+: ([\d.]+)/.exec(run('systemd-analyze', 'security', '--offline=yes', '--no-pager', unit)) ?? [];
  expect(Number(exposed)).toBeLessThanOrEqual(MOST_EXPOSED);
});

test.skipIf(!has('nginx', '-v') || !has('openssl', 'version'))('nginx accepts its file', () => {
  const [certificate, key] = [join(directory, 'caudal.pem'), join(directory, 'caudal.key')];
  run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=pay.example.com', '-keyout', key, '-out', certificate);
  const site = readFileSync(join(FILES, 'nginx/caudal.conf'), 'utf8')
    .replace('/etc/ssl/certs/caudal.pem', certificate)
    .replace('/etc/ssl/private/caudal.key', key);
  writeFileSync(join(directory, 'nginx.conf'), `pid ${directory}/pid; error_log stderr; events {} http { access_log off; ${site} }`);
  run('nginx', '-t', '-q', '-p', directory, '-c', join(directory, 'nginx.conf'));
});

test.skipIf(!has('caddy', 'version'))('Caddy accepts its files, as it would write them itself', () => {
  for (const file of ['caddy/Caddyfile', 'container/Caddyfile']) {
    run('caddy', 'validate', '--adapter', 'caddyfile', '--config', join(FILES, file));
    expect(spawnSync('caddy', ['fmt', join(FILES, file)], { encoding: 'utf8' }).stdout).toBe(readFileSync(join(FILES, file), 'utf8'));
  }
});
