import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import type { OpenIdSettings } from '../users/index.ts';

/** A person as the provider knows it. */
type Person = { readonly subject: string; readonly email: string; readonly isVerified: boolean | 'true' | undefined };

/** A real provider of OpenID Connect. Each browser is signed in there as `person`. */
export type OpenIdPeer = { readonly settings: OpenIdSettings; person: Person; close(): Promise<void> };

/** Starts a provider that sends people back to one address. */
export async function startOpenIdPeer(redirectUri: string): Promise<OpenIdPeer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['caudal', 'the-secret-of-the-client'];
  const peer: OpenIdPeer = {
    settings: { issuer, clientId, clientSecret, trustsEmails: false },
    person: { subject: 'nobody', email: 'nobody@example.com', isVerified: true },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of this test'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: peer.person.email, email_verified: peer.person.isVerified }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId as string });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (context.path !== '/interaction') return next();
    await provider.interactionFinished(context.req, context.res, { login: { accountId: peer.person.subject } });
    context.respond = false;
  });
  const answer = provider.callback();
  server.on('request', (request, reply) => void answer(request, reply));
  return peer;
}
