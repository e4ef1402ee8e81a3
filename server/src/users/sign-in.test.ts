import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../kit/http.ts';
import { statement } from '../kit/db.ts';
import { capturePrinted } from '../testing/captured.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { enrolUser, linkOf, loadPage, PASSWORD, runUsers, secretOn, sendForm, type PageAnswer } from '../testing/user-calls.ts';
import { codeAt, stepOf } from './credentials/one-time-code.ts';

const ALL_TEXT = statement(
  'test.all_of_users',
  `select concat_ws(' ', (select string_agg(u::text, ' ') from users u), (select string_agg(p::text, ' ') from user_passwords p),
     (select string_agg(c::text, ' ') from user_code_secrets c), (select string_agg(r::text, ' ') from user_recovery_codes r),
     (select string_agg(s::text, ' ') from user_sessions s), (select string_agg(l::text, ' ') from user_links l)) as text`,
);

let service: TestCaudal;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const run = (...words: string[]): Promise<string> => printed.by(() => runUsers(service, ...words));
const signIn = (form: { email: string; password: string; code: string }, address?: string): Promise<PageAnswer> =>
  sendForm(service, { act: 'sign-in', ...form }, address === undefined ? {} : { address });
const isSignedIn = async (cookie: string | undefined): Promise<boolean> => (await loadPage(service, { cookie })).page.includes('sign-out');
/** The next code: one that was not used yet. */
const nextStep = (): void => service.clock.advance({ seconds: 30 });
let users = 0;
const enrol = (role?: Parameters<typeof enrolUser>[3], merchantId?: string) =>
  enrolUser(service, (work) => printed.by(work), `user-${++users}@example.com`, role, merchantId);

describe('an invitation', () => {
  test('says on the command line what its link is for, until when by the clock of the machine, and that a mail brings it too', async () => {
    const said = await run('users', 'invite', 'said@example.com', '--role', 'support');
    expect(said).toMatch(/^said@example\.com chooses password and authenticator app here, once, until \d{4}-\d\d-\d\d.*:\n\n {2}http/);
    expect(said).toContain('A mail with it is sent where CAUDAL_SMTP_URL is set.');
  });

  test('lets its holder choose password and app once; the database holds none of what the browser got', async () => {
    const { link: url } = JSON.parse(await run('users', 'invite', 'Ana@Example.com', '--role', 'owner', '--json')) as { link: string };
    const { page } = await loadPage(service, { url });
    const secret = secretOn(page);
    expect(secretOn((await loadPage(service, { url })).page), 'a page that is loaded again shows the same key').toEqual(secret);
    const form = { act: 'enrol', link: linkOf(url), password: PASSWORD, code: codeAt(secret, stepOf(service.clock.now())) };
    for (const [password, why] of [
      ['short', 'fewer than 12'],
      ['ana ana ana ana', 'easy to guess'],
      ['password2026!', 'easy to guess'],
      ['I am ana@example.com', 'contains your e-mail'],
    ] as const)
      expect((await sendForm(service, { ...form, password })).page).toContain(why);
    expect((await sendForm(service, { ...form, code: '000000' })).page).toContain('The code is not right');
    const enrolled = await sendForm(service, form);
    expect(enrolled.page.match(/<li>/g)).toHaveLength(10);
    expect(await isSignedIn(enrolled.cookie)).toBe(true);
    expect((await sendForm(service, form)).status).toBe(410);

    const [{ text } = { text: '' }] = await service.db.query<{ text: string }>(ALL_TEXT, []);
    expect(text).toContain('argon2id');
    const [, held = ''] = enrolled.cookie?.split('=') ?? [];
    const [recoveryCode = ''] = /[A-Z2-7]{6}(-[A-Z2-7]{6}){3}/.exec(enrolled.page) ?? [];
    for (const secretText of [PASSWORD, held, linkOf(url), recoveryCode, recoveryCode.replaceAll('-', '')]) {
      expect(secretText).not.toBe('');
      expect(text).not.toContain(secretText);
    }
    expect(text).not.toContain(secret.toString('hex'));
  });

  test('ends after seven days, and when another one is made', async () => {
    const first = JSON.parse(await run('users', 'invite', 'late@example.com', '--role', 'support', '--json')) as { link: string };
    const second = JSON.parse(await run('users', 'reset', 'late@example.com', '--json')) as { link: string };
    expect((await loadPage(service, { url: first.link })).status).toBe(410);
    expect((await loadPage(service, { url: second.link })).status).toBe(200);
    service.clock.advance({ days: 7 });
    expect((await loadPage(service, { url: second.link })).status).toBe(410);
  });
});

describe('signing in', () => {
  test('takes password and code together; a code works once, and no code before it afterwards', async () => {
    const { email, secret, code } = await enrol();
    expect((await signIn({ email, password: PASSWORD, code: code() })).status, 'the invitation used this code').toBe(422);
    nextStep();
    const { status, cookie } = await signIn({ email: email.toUpperCase(), password: PASSWORD, code: code() });
    expect([status, await isSignedIn(cookie)]).toEqual([303, true]);
    expect((await signIn({ email, password: PASSWORD, code: codeAt(secret, stepOf(service.clock.now()) - 1) })).status).toBe(422);
    expect((await signIn({ email, password: PASSWORD, code: code() })).status).toBe(422);
  });

  test('two requests with one code at the same time open one session', async () => {
    const { email, code } = await enrol();
    nextStep();
    const form = { email, password: PASSWORD, code: code() };
    const answers = await Promise.all([signIn(form), signIn(form)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['303', '422']);
  });

  test('takes a recovery code in place of a code, once, and says so by mail', async () => {
    const { email, recoveryCodes } = await enrol();
    const [code = ''] = recoveryCodes;
    expect((await signIn({ email, password: PASSWORD, code: code.toLowerCase() })).status).toBe(303);
    expect((await signIn({ email, password: PASSWORD, code })).status).toBe(422);
    const mails = await service.messages.list({ limit: 1 });
    expect(mails[0]?.content).toMatchObject({ to: email, mail: { subject: 'Caudal: a recovery code was used' } });
  });

  test('answers the same whether the account is unknown, disabled, or the password or the code is wrong', async () => {
    const known = await enrol();
    const disabled = await enrol('support');
    await run('users', 'disable', disabled.email);
    nextStep();
    const code = known.code();
    const answers = await Promise.all([
      signIn({ email: 'nobody@example.com', password: PASSWORD, code }, '203.0.113.1'),
      signIn({ email: known.email, password: 'another password', code }, '203.0.113.1'),
      signIn({ email: known.email, password: PASSWORD, code: '000000' }, '203.0.113.1'),
      signIn({ email: disabled.email, password: PASSWORD, code: disabled.code() }, '203.0.113.1'),
    ]);
    // Each page has a challenge of its own.
    const ownPart = /value="[^"]*@[^"]*"|challenge&quot;:&quot;[\w-]+/g;
    const seen = answers.map(({ status, page, cookie }) => ({ status, cookie, page: page.replaceAll(ownPart, '') }));
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ status: 422, cookie: undefined });
  });

  test('a page elsewhere signs nobody in or out', async () => {
    const { email, code, cookie } = await enrol();
    nextStep();
    const foreign = { origin: 'http://evil.example' };
    expect((await sendForm(service, { act: 'sign-in', email, password: PASSWORD, code: code() }, foreign)).cookie).toBeUndefined();
    await sendForm(service, { act: 'sign-out' }, { ...foreign, cookie });
    expect(await isSignedIn(cookie)).toBe(true);
    await sendForm(service, { act: 'sign-out' }, { cookie });
    expect(await isSignedIn(cookie)).toBe(false);
  });
});

const guess = (email: string, address: string): Promise<PageAnswer> =>
  signIn({ email, password: 'a wrong guess', code: '000000' }, address);

describe('guesses', () => {
  test('ten of one account from one network are the most; its owner still signs in from a known one', async () => {
    const { email, code } = await enrol();
    nextStep();
    expect((await signIn({ email, password: PASSWORD, code: code() })).status).toBe(303);
    for (const account of [email, 'unknown@example.com']) {
      const answers: PageAnswer[] = [];
      for (let tries = 0; tries < 11; tries++) answers.push(await guess(account, '203.0.113.9'));
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
      expect(Number(answers[10]?.retryAfter)).toBeGreaterThan(800);
    }
    nextStep();
    expect((await signIn({ email, password: PASSWORD, code: code() })).status).toBe(303);
    service.clock.advance({ minutes: 15 });
    expect((await guess(email, '203.0.113.9')).status).toBe(422);
  });
});

describe('a session', () => {
  test('ends after half an hour without use, and after twelve hours', async () => {
    const { cookie } = await enrol();
    service.clock.advance({ minutes: 29 });
    expect(await isSignedIn(cookie)).toBe(true);
    for (let hours = 0; hours < 11.5; hours += 0.4) {
      service.clock.advance({ minutes: 24 });
      expect([hours, await isSignedIn(cookie)]).toEqual([hours, hours < 11.2]);
    }
    const { cookie: idle } = await enrol();
    service.clock.advance({ minutes: 30 });
    expect(await isSignedIn(idle)).toBe(false);
  });

  test('becomes idle although an open stream looks at it again and again', async () => {
    const { cookie } = await enrol();
    const look = () => service.users.lookAgain({ headers: { cookie } } as HttpRequest);
    service.clock.advance({ minutes: 29 });
    expect(await look()).toBeDefined();
    service.clock.advance({ minutes: 2 });
    expect(await look()).toBeUndefined();
    expect(await isSignedIn(cookie)).toBe(false);
  });

  test('ends at once when its user gets another role, is disabled, is reset or signed out', async () => {
    const { merchantId } = await service.merchant();
    for (const words of [['set-role', '--role', 'clerk', '--merchant', merchantId], ['disable'], ['reset'], ['sign-out']]) {
      const { email, cookie } = await enrol('support');
      const [command = '', ...options] = words;
      expect([command, await isSignedIn(cookie)]).toEqual([command, true]);
      await run('users', command, email, ...options);
      expect([command, await isSignedIn(cookie)]).toEqual([command, false]);
    }
  });
});

describe('a forgotten password', () => {
  test('is replaced by a link of a mail; an unknown address gets the same answer and none', async () => {
    const { email, code, cookie } = await enrol();
    const linksTo = async (to: string) =>
      (await service.messages.list({ limit: 50 })).filter(({ content }) => content?.to === to && content.text.includes('new password'));
    const answers = [
      await sendForm(service, { act: 'forgot', email }),
      await sendForm(service, { act: 'forgot', email: 'no-one@example.com' }),
    ];
    expect(answers[0]).toEqual(answers[1]);
    const mail = await eventually(SOON_MS, async () => {
      const [found] = await linksTo(email);
      expect(found).toBeDefined();
      return found;
    });
    expect(await linksTo('no-one@example.com')).toHaveLength(0);
    const link = linkOf(mail?.content?.text ?? '');
    const password = 'a longer sentence than before';
    expect((await sendForm(service, { act: 'password', link, password })).page).toContain('Your password changed');
    expect(await isSignedIn(cookie)).toBe(false);
    nextStep();
    expect((await signIn({ email, password: PASSWORD, code: code() })).status).toBe(422);
    expect((await signIn({ email, password, code: code() })).status).toBe(303);
    expect((await sendForm(service, { act: 'password', link, password })).status).toBe(410);
  });
});
