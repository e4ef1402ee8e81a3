import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { listActs } from '../../audit/act-rows.ts';
import type { Caudal } from '../../main/rooms.ts';
import { axeFindings, BROWSER_TIMEOUT_MS, closePages, sharedBrowser } from '../../testing/browser.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { startOpenIdPeer, type OpenIdPeer } from '../../testing/openid-peer.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { codeAt, stepOf } from '../credentials/one-time-code.ts';
import { enrolUser, PASSWORD, runUsers } from '../../testing/user-calls.ts';

const STEP_MS = 10_000;
const PHONE = { width: 390, height: 844 };

const printed = capturePrinted();
let service: TestCaudal;
let server: Caudal;
let origin: string;
let peer: OpenIdPeer;
let browser: Browser;
let faults: string[] = [];

async function freePort(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

beforeAll(async () => {
  browser = await sharedBrowser();
  service = await startTestCaudal();
  const port = await freePort();
  origin = `http://localhost:${port}`;
  peer = await startOpenIdPeer(`${origin}/console/sign-in/openid`);
  server = await service.openAnother({ consoleUrl: origin, openId: peer.settings });
  await server.app.listen({ port, host: 'localhost' });
  return async () => {
    await closePages(browser);
    await server.close();
    await peer.close();
    await service.close();
  };
}, BROWSER_TIMEOUT_MS);

const signInUrl = (): string => `${origin}/console/sign-in`;

type OpenBrowser = { readonly context: BrowserContext; readonly page: Page; readonly held: Authenticator };
/** The passkeys of an authenticator, with their private keys. */
type Authenticator = { readonly read: () => Promise<Credential>; readonly hold: (credential: Credential) => Promise<void> };
type Credential = { readonly credentialId: string; readonly userHandle?: string; readonly privateKey: string } & Record<string, unknown>;

/** A browser with an authenticator that knows its user. */
async function openBrowser(path = '', isVerifying = true): Promise<OpenBrowser> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => /Content.Security.Policy/i.test(message.text()) && faults.push(message.text()));
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: isVerifying, automaticPresenceSimulation: true },
  });
  await page.goto(path === '' ? signInUrl() : path.replace('http://localhost/', `${origin}/`));
  const held: Authenticator = {
    read: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0] as unknown as Credential,
    hold: async (credential) => {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
    },
  };
  return { context, page, held };
}

/** Someone who was invited and made a passkey. */
async function enrolByPasskey(): Promise<OpenBrowser & { readonly email: string }> {
  const { email, link } = await invite();
  const opened = await openBrowser(link);
  await opened.page.getByRole('button', { name: 'Make a passkey' }).click();
  await opened.page.getByText(`E-mail: ${email}`).waitFor();
  return { ...opened, email };
}

/** What a page asks an authenticator for. */
const optionsOn = async (page: Page): Promise<string> =>
  (await page.locator('form[data-passkey]').first().getAttribute('data-passkey')) ?? '';

/** What the browser would send for a form of passkeys. The form is not sent. */
const answerTo = (page: Page, asked: string): Promise<string> =>
  page.evaluate<string>(`(async (options) => JSON.stringify((options.rp === undefined
    ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON({ ...options, excludeCredentials: [] }) })
  ).toJSON()))(${asked})`);

const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent();

async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

let users = 0;
async function invite(): Promise<{ readonly email: string; readonly link: string }> {
  const email = `browser-${++users}@example.com`;
  const { link } = JSON.parse(await printed.by(() => runUsers(service, 'users', 'invite', email, '--role', 'support', '--json'))) as {
    link: string;
  };
  return { email, link };
}

async function send(fields: Record<string, string>, context?: BrowserContext): Promise<number> {
  const cookie = ((await context?.cookies(origin)) ?? []).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { host: new URL(origin).host, origin, 'accept-language': 'en', cookie };
  const payload = new URLSearchParams(fields).toString();
  return (await server.app.inject({ method: 'POST', url: '/console/sign-in', headers, payload })).statusCode;
}

describe('a passkey', () => {
  test('lets an invited person in, signs in again by itself, and proves a session again', async () => {
    const { email, link } = await invite();
    const { context, page } = await openBrowser(link);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText(`E-mail: ${email}`).waitFor();
    expect((await context.cookies()).map(({ name, httpOnly, secure }) => [name, httpOnly, secure])).toEqual([
      ['__Host-caudal', true, true],
    ]);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText(`E-mail: ${email}`).waitFor();

    service.clock.advance({ minutes: 11 });
    await page.reload();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Your account has no passkey').waitFor();
    expect((await service.messages.list({ limit: 1 }))[0]?.content).toMatchObject({
      to: email,
      mail: { subject: 'Caudal: a passkey was removed from your account' },
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The passkey is not accepted').waitFor();
    expect(faults).toEqual([]);
  });

  test('is added to an account with a password by who has just proved to be its user', async () => {
    const { email, code } = await enrolUser(service, (work) => printed.by(work), `browser-${++users}@example.com`, 'support');
    service.clock.advance({ seconds: 30 });
    const { page } = await openBrowser();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Code').fill(code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    service.clock.advance({ minutes: 11 });
    await page.reload();
    expect(await page.getByRole('button', { name: 'Make a passkey' }).count()).toBe(0);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('the code is not right').waitFor();
    await page.getByLabel('Code').fill(code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByRole('button', { name: 'Remove' }).waitFor();
  });

  test('of an authenticator that does not know its user proves nothing', async () => {
    const { link } = await invite();
    const { page } = await openBrowser(link, false);
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('The browser gave no passkey').waitFor();
    expect(await heading(page)).toBe('Your access to Caudal');
  });

  test('an answer that is sent again, changed or made for another session is refused', async () => {
    const { link } = await invite();
    const { context, page } = await openBrowser(link);
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const form = new URLSearchParams(sent[0]);
    const passkey = form.get('passkey') as string;
    await context.clearCookies();
    expect(await send({ act: 'passkey', passkey })).toBe(422);
    for (const broken of [
      '',
      '{}',
      'null',
      '{"id":"x"}',
      passkey.replace('"type":"public-key"', '"type":"x"'),
      passkey.slice(0, -2),
      passkey + passkey,
    ])
      expect(await send({ act: 'passkey', passkey: broken })).toBe(422);
  });
});

describe('a passkey of another account', () => {
  test('proves its own account alone, from its own page and session, with a counter that goes on', async () => {
    const [mine, other] = [await enrolByPasskey(), await enrolByPasskey()];
    const [own, foreign] = [await mine.held.read(), await other.held.read()];
    service.clock.advance({ minutes: 11 });
    await Promise.all([mine.page.reload(), other.page.reload()]);
    const prove = async (credential: Credential, of: Page = mine.page): Promise<number> => {
      await mine.held.hold(credential);
      const passkey = await answerTo(mine.page, await optionsOn(of));
      await mine.page.reload();
      return send({ act: 'prove-passkey', passkey }, mine.context);
    };
    expect(await prove({ ...own, signCount: 10 }, other.page)).toBe(422);
    expect(await prove({ ...foreign, signCount: 50 })).toBe(422);
    expect(await prove({ ...foreign, userHandle: own.userHandle ?? '', signCount: 60 })).toBe(422);
    expect(await prove({ ...own, signCount: 20 })).toBe(303);

    await mine.page.reload();
    await mine.page.getByRole('button', { name: 'Sign out' }).click();
    for (const [credential, status] of [
      [{ ...foreign, userHandle: own.userHandle ?? '', signCount: 70 }, 422],
      [{ ...own, userHandle: foreign.userHandle ?? '', signCount: 30 }, 422],
      [{ ...own, credentialId: foreign.credentialId, signCount: 80 }, 422],
      [{ ...own, signCount: 19 }, 422],
      [{ ...own, signCount: 31 }, 303],
    ] as const) {
      await mine.held.hold(credential);
      await mine.page.reload();
      const passkey = await answerTo(mine.page, await optionsOn(mine.page));
      expect([credential['signCount'], await send({ act: 'passkey', passkey })]).toEqual([credential['signCount'], status]);
    }
    await mine.page.reload();
    const asked = await optionsOn(mine.page);
    // Another program of this machine may have the same host name, with another port.
    await mine.page.route('http://localhost:9999/', (route) => route.fulfill({ contentType: 'text/html', body: 'elsewhere' }));
    await mine.page.goto('http://localhost:9999/');
    expect(await send({ act: 'passkey', passkey: await answerTo(mine.page, asked) })).toBe(422);
  });

  test('keeps its id: nobody else registers it', async () => {
    const [mine, other] = [await enrolByPasskey(), await enrolByPasskey()];
    const taken = Buffer.from((await other.held.read()).credentialId, 'base64');
    const made = await answerTo(mine.page, await optionsOn(mine.page));
    const answer = JSON.parse(made) as { rawId: string; response: { attestationObject: string } };
    const ownId = Buffer.from(answer.rawId, 'base64url');
    const add = async (id: Buffer): Promise<number> => {
      // No signature covers the id of a passkey without attestation.
      const bytes = Buffer.from(answer.response.attestationObject, 'base64url');
      id.copy(bytes, bytes.indexOf(ownId));
      const rawId = id.toString('base64url');
      const response = { ...answer.response, attestationObject: bytes.toString('base64url') };
      return send({ act: 'add-passkey', passkey: JSON.stringify({ ...answer, id: rawId, rawId, response }) }, mine.context);
    };
    expect(await add(taken)).toBe(422);
    await other.page.getByRole('button', { name: 'Sign out' }).click();
    await other.page.getByRole('button', { name: 'Use a passkey' }).click();
    await other.page.getByText(`E-mail: ${other.email}`).waitFor();
  });
});

const signInThere = async (page: Page): Promise<void> => page.getByRole('link', { name: 'Sign in with your organisation' }).click();

describe('a provider of identities', () => {
  test('signs in an invited person by a verified address, and knows the person by subject from then on', async () => {
    const { email } = await invite();
    peer.person = { subject: 's-1', email: email.toUpperCase(), isVerified: false };
    const first = await openBrowser();
    await signInThere(first.page);
    await first.page.getByText('does not say that your e-mail address is verified').waitFor();
    expect((await first.context.cookies(origin)).map(({ name }) => name)).toEqual([]);

    // As Amazon Cognito says it.
    peer.person = { ...peer.person, isVerified: 'true' };
    const second = await openBrowser();
    await signInThere(second.page);
    await second.page.getByText(`E-mail: ${email}`).waitFor();

    peer.person = { subject: 's-1', email: 'another@example.com', isVerified: false };
    const third = await openBrowser();
    await signInThere(third.page);
    await third.page.getByText(`E-mail: ${email}`).waitFor();

    peer.person = { subject: 's-2', email, isVerified: true };
    const stranger = await openBrowser();
    await signInThere(stranger.page);
    await stranger.page.getByText('you have no account here').waitFor();
    const acts = await listActs(service.db, { operation: 'signIn', limit: 4 });
    expect(acts.map(({ outcome }) => outcome)).toEqual(['refused:openid_unknown', 'done', 'done', 'refused:openid_unverified']);
  });

  test('proves a session again, and only for its own user', async () => {
    const { email } = await invite();
    peer.person = { subject: 's-3', email, isVerified: true };
    const { page } = await openBrowser();
    await signInThere(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    service.clock.advance({ minutes: 11 });
    await page.reload();
    await signInThere(page);
    await page.getByRole('button', { name: 'Make a passkey' }).waitFor();
    service.clock.advance({ minutes: 11 });
    await page.reload();
    peer.person = { subject: 's-1', email, isVerified: true };
    await signInThere(page);
    await page.getByText('did not confirm who you are').waitFor();
  });

  test('a way back that this browser did not begin signs nobody in', async () => {
    const { context, page } = await openBrowser('http://localhost/console/sign-in/openid?code=x&state=y');
    await page.getByText('did not confirm who you are').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  });
});

const enrolByCodes = async (javaScriptEnabled: boolean): Promise<Page> => {
  const { email, link } = await invite();
  const context = await browser.newContext({
    viewport: PHONE,
    locale: 'en',
    javaScriptEnabled,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  await page.goto(link.replace('http://localhost/', `${origin}/`));
  const app = page.getByRole('link', { name: 'Add the account to the app' });
  const uri = new URL((await app.getAttribute('href')) ?? '');
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(uri.pathname)).toContain(email);
  const secret = uri.searchParams.get('secret') ?? '';
  expect((await page.locator('code').first().textContent())?.replaceAll(' ', '')).toBe(secret);
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByLabel('New password').fill(PASSWORD);
  // As apps show it.
  await page.getByLabel('Six digits').fill(codeAt(bytesOf(secret), stepOf(service.clock.now())).replace(/^.../, '$& '));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  return page;
};
const codesOn = (page: Page): Promise<string[]> => page.locator('ol code').allTextContents();

describe('on the phone that has the app of codes', () => {
  test('an app is opened by a link, and the recovery codes are copied and downloaded', async () => {
    const page = await enrolByCodes(true);
    const codes = await codesOn(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy the codes' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${codes.join('\n')}\n`);
  });

  test.each([true, false])('a file holds every recovery code, with a script or without one: %s', async (hasScript) => {
    const page = await enrolByCodes(hasScript);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the codes' }).click()]);
    expect(file.suggestedFilename()).toBe('caudal-recovery-codes.txt');
    expect(
      readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\n'),
    ).toEqual(await codesOn(page));
    expect(await page.getByRole('button', { name: 'Copy the codes' }).count()).toBe(hasScript ? 1 : 0);
  });
});

/** What a text of base32 stands for. */
function bytesOf(text: string): Buffer {
  const bits = Array.from(text, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
