import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startOpenIdPeer } from '../../testing/openid-peer.ts';
import { startCaudalForTest } from '../../testing/test-caudal.ts';
import { openOpenId } from './openid.ts';

test('an issuer with the wrong slash at its end is unavailable, and the log says what to set', async () => {
  const { users } = await startCaudalForTest();
  const provider = createServer((_request, reply) => {
    const issuer = `${origin}/tenant/v2.0`;
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void provider.close());
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const settings = { clientId: 'caudal', clientSecret: 'a secret', trustsEmails: false };
  const wrong = openOpenId(users.room, { ...settings, issuer: `${origin}/tenant/v2.0/` });
  await expect(wrong.start(false)).rejects.toMatchObject({
    name: 'Unavailable',
    message: `the provider of identities calls itself ${origin}/tenant/v2.0, and CAUDAL_OIDC_ISSUER is ${origin}/tenant/v2.0/: set it to the first`,
  });
  expect((await openOpenId(users.room, { ...settings, issuer: `${origin}/tenant/v2.0` }).start(false)).url).toContain('/tenant/v2.0/auth?');
});

test.each([
  [undefined, false, 'openid_unverified'],
  [undefined, true, 'openid_unknown'],
  [false, true, 'openid_unverified'],
  ['true', false, 'openid_unknown'],
] as const)('a provider that says %j of an address, where its addresses are trusted: %s', async (isVerified, trustsEmails, refusal) => {
  const { users } = await startCaudalForTest({ config: { consoleUrl: 'http://127.0.0.1' } });
  const peer = await startOpenIdPeer('http://127.0.0.1/console/sign-in/openid');
  onTestFinished(() => peer.close());
  peer.person = { subject: 's', email: 'nobody@example.com', isVerified };
  const openId = openOpenId(users.room, { ...peer.settings, trustsEmails });
  const { url, kept } = await openId.start(false);
  const visitor = { address: '192.0.2.7', browser: 'a test', requestId: 'r' };
  expect(await openId.signIn(new URL(await followThere(url)), kept, visitor)).toMatchObject({ refusal });
});

/** Goes where a provider sends a browser that it knows, to the address at which it sends it back. */
async function followThere(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = start; ;) {
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } });
    for (const cookie of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    at = new URL(reply.headers.get('location') ?? '', at).href;
    if (at.startsWith('http://127.0.0.1/console')) return at;
  }
}
