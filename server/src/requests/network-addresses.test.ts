import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkCommands, signingSecretOf, type CreatedNetwork } from '../networks/index.ts';
import type { Caudal } from '../main/rooms.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { signatureHeaders } from './request-signature.wire.ts';

const PROXY = '192.0.2.1';

let service: TestCaudal;
let behindProxy: Caudal;
let network: CreatedNetwork;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
  behindProxy = await service.openAnother({ trustedProxies: [PROXY] });
  network = await service.network();
});
afterAll(async () => {
  await behindProxy.close();
  await service.close();
});

/** Sends a look-up of no order that is right in everything. Gives code and text of the answer. */
async function ask(
  remoteAddress: string,
  { headers = {}, sum }: { readonly headers?: Record<string, string>; readonly sum?: string } = {},
  { app }: Caudal = behindProxy,
): Promise<readonly unknown[]> {
  const { netname, secret } = network;
  const url = `/api/v3/references/${netname}`;
  const payload = JSON.stringify({ reference: '1', checksum: sum ?? checksumOf([netname, '1'], secret) });
  const signature = signatureHeaders(signingSecretOf(secret), { method: 'POST', url, body: Buffer.from(payload) }, service.clock.now());
  const reply = await app.inject({ method: 'POST', url, payload, remoteAddress, headers: { ...signature, ...headers } });
  const { CODE, DESC } = reply.json<{ CODE: string; DESC: string }>();
  return [CODE, DESC];
}

const asIfFrom = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Ties the network to addresses. Waits until the server knows. */
async function tie(list: string, here: string, isLetIn: boolean): Promise<void> {
  await printed.by(() => runCommand(service, networkCommands, 'networks', 'addresses', network.netname, list));
  await eventually(SOON_MS, async () => expect((await behindProxy.networks.find(network.netname))?.mayCallFrom(here)).toBe(isLetIn));
}

test('a network that is tied to addresses gets the answer of a wrong checksum from elsewhere', async () => {
  expect((await ask('198.51.100.9'))[0]).toBe('0001');
  await tie('203.0.113.0/24,2001:db8::/32', '198.51.100.9', false);
  const wrong = await ask('203.0.113.5', { sum: 'f'.repeat(128) });
  expect(wrong[0]).toBe('0025');
  expect(await ask('198.51.100.9')).toEqual(wrong);
  expect(await ask('2001:db9::1')).toEqual(wrong);
  expect((await ask('203.0.113.5'))[0]).toBe('0001');
  expect((await ask('::ffff:203.0.113.5'))[0]).toBe('0001');
  expect((await ask('2001:db8::7'))[0]).toBe('0001');
});

test('the address is that of the connection; a named proxy says whose it is, and nobody else does', async () => {
  await tie('203.0.113.0/24', '2001:db8::7', false);
  expect((await ask(PROXY, asIfFrom('203.0.113.5')))[0]).toBe('0001');
  expect((await ask(PROXY, asIfFrom('198.51.100.9')))[0]).toBe('0025');
  expect((await ask('198.51.100.9', asIfFrom('203.0.113.5')))[0]).toBe('0025');
  await tie('any', '198.51.100.9', true);
  expect((await ask('198.51.100.9'))[0]).toBe('0001');
});

test.each(['10.0.0.0/33', 'example.com', ''])('%j ties a network to nothing', async (list) => {
  const failed = runCommand(service, networkCommands, 'networks', 'addresses', network.netname, list);
  await expect(failed).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('addresses and networks') as string });
});

test.each([
  ['203.0.113.5:52311', true],
  ['"203.0.113.5:52311"', true],
  ['[2001:db8::7]:443', true],
  ['"[2001:db8::7]"', true],
  ['198.51.100.9, 203.0.113.5:1', true],
  ['198.51.100.9:52311', false],
  ['unknown', false],
  ['203.0.113.5, unknown', false],
  ['', false],
])('a proxy that writes X-Forwarded-For: %s', async (written, isLetIn) => {
  await tie('203.0.113.0/24,2001:db8::/32', '198.51.100.9', false);
  expect((await ask(PROXY, asIfFrom(written)))[0]).toBe(isLetIn ? '0001' : '0025');
});

test('of proxies at any address the first that is named counts', async () => {
  const anywhere = await service.openAnother({ trustedProxies: ['0.0.0.0/0', '::/0'] });
  try {
    await tie('203.0.113.0/24', '198.51.100.9', false);
    await eventually(SOON_MS, async () =>
      expect((await ask('198.51.100.9', asIfFrom('203.0.113.5, 198.51.100.9'), anywhere))[0]).toBe('0001'),
    );
    expect((await ask('198.51.100.9', asIfFrom('198.51.100.7, 203.0.113.5'), anywhere))[0]).toBe('0025');
  } finally {
    await anywhere.close();
  }
});
