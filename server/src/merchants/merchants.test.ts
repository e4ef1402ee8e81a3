import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { isRefusal } from '../kit/outcome.ts';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { seededBytes } from '../testing/seed.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { disableMerchant, enableMerchant, hashRotation, signingSecretRotation, setSigning } from './change-merchant.ts';
import { openHomeDirectory } from '../testing/home-directory.ts';
import { merchantCommands } from './index.ts';
import { createMerchant, type CreatedMerchant, type CreateMerchant } from './create-merchant.ts';
import { readMerchants, showMerchant } from './read-merchants.ts';
import type { Signing } from './merchant.ts';
import { readStoredMerchant } from './merchant-rows.ts';
import { readNoticeEndpoints, setNoticeUrl } from './notice-endpoints.ts';

const printed = capturePrinted();
const clock = testClock();
const keys = testKeys();
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log: createLog('silent'), connections: 8, statementTimeoutMs: null });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const create = (merchantId: string, command: Partial<CreateMerchant> = {}) =>
  createMerchant({ db, keys, clock }, { merchantId, country: '343', ...command });
const rotate = (merchantId: string, days: number) => db.transaction(hashRotation({ keys, clock }, merchantId, days));

describe('the notice URL', () => {
  test('is given at creation, changed and taken away, and a disabled merchant keeps it', async () => {
    const created = await create('with-url', { noticeUrl: 'https://shop.example/notices?a=1' });
    if (isRefusal(created)) throw new Error(created.refusal);
    await create('without-url');
    const read = () => readNoticeEndpoints(db, keys, ['with-url', 'without-url', 'nobody'], clock.now());
    const noticeHashes = { algorithm: 'sha256', ofChecksum: created.noticeHash, ofSignature: [created.noticeHash] };
    expect([...(await read())]).toEqual([['with-url', { url: 'https://shop.example/notices?a=1', noticeHashes }]]);

    expect(await setNoticeUrl({ db }, 'with-url', 'http://127.0.0.1:8080/')).toBeUndefined();
    await disableMerchant({ db, clock }, 'with-url');
    expect([...(await read())]).toEqual([['with-url', { url: 'http://127.0.0.1:8080/', noticeHashes }]]);
    await setNoticeUrl({ db }, 'with-url', null);
    expect((await read()).size).toBe(0);
    expect(await setNoticeUrl({ db }, 'nobody', null)).toEqual({ refusal: 'merchant_unknown' });
  });

  test.each([
    'ftp://shop.example',
    'shop.example/notices',
    'https://a:b@shop.example',
    'https://shop.example/#top',
    'https://shop.example/\r\nnotices',
    ' https://shop.example',
    'https://shop.example\\@evil.example',
    `https://x.example/${'x'.repeat(500)}`,
  ])('is not %j', async (noticeUrl) => {
    expect(await create('misled', { noticeUrl })).toEqual({ refusal: 'notice_url_invalid' });
    expect(await setNoticeUrl({ db }, 'plain', noticeUrl)).toEqual({ refusal: 'notice_url_invalid' });
  });
});

describe('creating a merchant', () => {
  test('gives it two different secrets, and the language and the currencies of its country', async () => {
    const created = await create('plain');
    if (isRefusal(created)) throw new Error(created.refusal);
    expect(created).toEqual({
      merchant: 'plain',
      fixedHash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      noticeHash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    expect(created.fixedHash).not.toBe(created.noticeHash);
    expect(await readStoredMerchant(db, keys, 'plain')).toMatchObject({
      name: 'plain',
      language: 'es',
      currencies: ['COP', 'USD'],
      isDisabled: false,
      isFrozen: false,
    });
  });

  test('answers in Portuguese in Brazil by default', async () => {
    await create('loja', { country: '076' });
    await create('shop.br', { country: '076', language: 'en', currencies: ['BRL', 'BRL'], name: 'A loja' });
    expect(await readStoredMerchant(db, keys, 'loja')).toMatchObject({ language: 'pt' });
    expect(await readStoredMerchant(db, keys, 'shop.br')).toMatchObject({ name: 'A loja', language: 'en', currencies: ['BRL'] });
  });

  test('works in every country of the contract, under each of its codes', async () => {
    // Contract §6.
    const own = ['343', '345', '348', '314'];
    const iso = '170 218 604 188 484 152 320 222 591 068 032 076 214 340 558 600 858'.split(' ');
    for (const code of [...own, ...iso]) expect(isRefusal(await create(`in-${code}`, { country: code }))).toBe(false);
  });

  test.each<[string, string, Partial<CreateMerchant>]>([
    ['merchant_id_invalid', '', {}],
    ['merchant_id_invalid', 'x'.repeat(51), {}],
    ['merchant_id_invalid', 'a b', {}],
    ['merchant_id_invalid', 'tienda\n', {}],
    ['merchant_id_invalid', 'niño', {}],
    ['merchant_id_invalid', '..', {}],
    ['merchant_id_invalid', 'available', { name: '' }],
    ['name_invalid', 'fine', { name: '', country: '999' }],
    ['name_invalid', 'fine', { name: ' ' }],
    ['name_invalid', 'fine', { name: 'two\nlines' }],
    ['name_invalid', 'fine', { name: 'x'.repeat(101) }],
    ['country_unknown', 'fine', { country: '999', currencies: [] }],
    ['country_unknown', 'fine', { country: 'CO' }],
    ['currency_not_of_country', 'fine', { currencies: [] }],
    ['currency_not_of_country', 'plain', { currencies: ['COP', 'EUR'] }],
    ['merchant_exists', 'plain', {}],
  ])('is refused as %s, the first reason that applies (%j, %j)', async (refusal, merchantId, command) => {
    expect(await create(merchantId, command)).toEqual({ refusal });
  });

  test('at once under one id succeeds once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => create('raced')));
    const created = outcomes.find((outcome) => !isRefusal(outcome)) as CreatedMerchant;
    expect(outcomes.filter(isRefusal)).toHaveLength(7);
    expect((await readStoredMerchant(db, keys, 'raced'))?.fixedHashes).toEqual([{ secret: created.fixedHash, expiresAt: null }]);
  });
});

describe('rotating the fixed hash', () => {
  test('keeps the earlier one for the days, then forgets it for good', async () => {
    const created = await create('turning');
    const first = await rotate('turning', 2);
    if (isRefusal(created) || isRefusal(first)) throw new Error('refused');
    const end = clock.now().add({ hours: 48 });
    expect(first.previousValidUntil).toEqual(end);
    expect((await readStoredMerchant(db, keys, 'turning'))?.fixedHashes).toEqual([
      { secret: first.fixedHash, expiresAt: null },
      { secret: created.fixedHash, expiresAt: end },
    ]);
    expect(await rotate('turning', 7)).toEqual({ refusal: 'rotation_under_way' });

    clock.advance({ days: 2 });
    const second = await rotate('turning', 7);
    if (isRefusal(second)) throw new Error('refused');
    const held = (await readStoredMerchant(db, keys, 'turning'))?.fixedHashes.map(({ secret }) => secret);
    expect(held).toEqual([second.fixedHash, first.fixedHash]);
  });

  test('with 0 days leaves the new one alone, also while two are valid', async () => {
    await create('leaked');
    await rotate('leaked', 7);
    const rotated = await rotate('leaked', 0);
    if (isRefusal(rotated)) throw new Error(rotated.refusal);
    expect(rotated.previousValidUntil).toBeNull();
    expect((await readStoredMerchant(db, keys, 'leaked'))?.fixedHashes).toEqual([{ secret: rotated.fixedHash, expiresAt: null }]);
  });

  test('at once succeeds once: never three are valid', async () => {
    await create('hurried');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => rotate('hurried', 7)));
    expect(outcomes.filter(isRefusal)).toEqual(Array.from({ length: 7 }, () => ({ refusal: 'rotation_under_way' })));
    expect((await readStoredMerchant(db, keys, 'hurried'))?.fixedHashes).toHaveLength(2);
  });

  test.each([
    ['merchant_unknown', 'nobody', 9],
    ['days_out_of_range', 'plain', 8],
    ['days_out_of_range', 'plain', -1],
  ])('is refused as %s', async (refusal, merchantId, days) => {
    expect(await rotate(merchantId, days)).toEqual({ refusal });
  });
});

test('signing has its secret from the first time on, whatever is set later, and rotates like the fixed hash', async () => {
  await create('signer');
  const set = (signing: Signing) => setSigning({ db, keys, clock }, 'signer', signing);
  expect(await set('off')).toMatchObject({ signingSecret: null });
  const first = await set('accept');
  if (isRefusal(first)) throw new Error(first.refusal);
  expect(first.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const signing of ['require', 'off', 'require'] as const)
    expect(await set(signing)).toEqual({ ...first, signing, signingSecret: null });

  const rotated = await db.transaction(signingSecretRotation({ keys, clock }, 'signer', 2));
  if (isRefusal(rotated)) throw new Error(rotated.refusal);
  const until = clock.now().add({ hours: 48 });
  expect(rotated.previousValidUntil).toEqual(until);
  const read = await readStoredMerchant(db, keys, 'signer');
  expect(read?.signing).toBe('require');
  expect(read?.fixedHashes).toHaveLength(1);
  expect(read?.signingSecrets).toEqual([
    { secret: rotated.signingSecret, expiresAt: null },
    { secret: first.signingSecret, expiresAt: until },
  ]);
  const shown = await showMerchant({ db }, 'signer', clock.now());
  expect(shown?.signingSecrets.map(({ validUntil }) => validUntil)).toEqual([null, until]);
  expect(await setSigning({ db, keys, clock }, 'nobody', 'accept')).toEqual({ refusal: 'merchant_unknown' });
});

test('a merchant that is disabled twice keeps the time of the first, and is as before once enabled', async () => {
  await create('paused');
  const before = await readStoredMerchant(db, keys, 'paused');
  const since = clock.now();
  await disableMerchant({ db, clock }, 'paused');
  clock.advance({ hours: 1 });
  await disableMerchant({ db, clock }, 'paused');
  expect((await showMerchant({ db }, 'paused', clock.now()))?.disabledAt).toEqual(since);
  await enableMerchant({ db }, 'paused');
  expect(await readStoredMerchant(db, keys, 'paused')).toEqual(before);
  expect(await disableMerchant({ db, clock }, 'nobody')).toEqual({ refusal: 'merchant_unknown' });
  expect(await enableMerchant({ db }, 'nobody')).toEqual({ refusal: 'merchant_unknown' });
});

test.each([
  ['freeze', { isFrozen: true }],
  ['thaw', { isFrozen: false }],
  ['disable', { isDisabled: true }],
  ['enable', { isDisabled: false }],
  ['limits --burst 8', { limits: { perSecond: 20_000, burst: 8, concurrent: 1_000 } }],
  ['set-notice-url https://shop.example/notices', { noticeUrl: 'https://shop.example/notices' }],
  ['set-notice-url none', { noticeUrl: null }],
  ['limits --default', { limits: null }],
  ['set --name Tienda --currencies COP', { name: 'Tienda', language: 'es', currencies: ['COP'], contact: null }],
  ['set --contact ana@shop.example', { name: 'Tienda', language: 'es', currencies: ['COP'], contact: 'ana@shop.example' }],
  ['set --contact none', { name: 'Tienda', language: 'es', currencies: ['COP'], contact: null }],
  ['set --language pt', { name: 'Tienda', language: 'pt', currencies: ['COP'], contact: null }],
])('%s prints what holds then as JSON', async (line, changed) => {
  await create('program');
  const [command = '', ...rest] = line.split(' ');
  const words = [command, 'program', ...rest, '--json'];
  const run = () => runCommand({ url: database.url, db, keys, clock }, merchantCommands, 'merchants', ...words);
  expect(JSON.parse(await printed.by(run))).toEqual({ merchant: 'program', ...changed });
});

test('set refuses what its merchant cannot have, and running servers follow', async () => {
  await create('terms');
  const set = (...words: string[]) => runCommand({ url: database.url, db, keys, clock }, merchantCommands, 'merchants', 'set', ...words);
  await expect(set('terms', '--currencies', 'COP,PEN')).rejects.toMatchObject({ exitCode: 2 });
  await expect(set('terms', '--name', ' ')).rejects.toMatchObject({ exitCode: 2 });
  await expect(set('terms', '--country', '348')).rejects.toThrow('unknown option');
  await expect(set('terms')).rejects.toThrow('Give --name');
  for (const contact of ['nobody', 'a@b, c@d', '']) await expect(set('terms', '--contact', contact)).rejects.toMatchObject({ exitCode: 2 });
  await expect(set('nobody', '--name', 'x')).rejects.toThrow('There is no merchant nobody.');
  const directory = await openHomeDirectory({ db, url: database.url, keys, clock, log: createLog('silent') });
  await set('terms', '--name', 'Terms of tomorrow');
  await eventually(SOON_MS, async () => expect((await directory.find('terms'))?.name).toBe('Terms of tomorrow'));
  await directory.close();
});

test.each(['https://10.0.0.5/notices', 'https://[::1]/', 'https://localhost/x', 'https://169.254.169.254/', 'http://shop.example/'])(
  'production refuses the notice URL %s, which would never get a notice',
  async (url) => {
    await create('production');
    const production = { url: database.url, db, keys, clock, isSandbox: false };
    const set = runCommand(production, merchantCommands, 'merchants', 'set-notice-url', 'production', url);
    await expect(set).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('In production') as string });
  },
);

test('the list and the single view show no secret', async () => {
  const created = await create('shown');
  if (isRefusal(created)) throw new Error(created.refusal);
  const listed = await readMerchants({ db });
  expect(listed.map(({ merchant }) => merchant)).toEqual(listed.map(({ merchant }) => merchant).toSorted());
  const shown = await showMerchant({ db }, 'shown', clock.now());
  expect(shown?.fixedHashes).toEqual([{ createdAt: clock.now(), validUntil: null }]);
  for (const secret of [created.fixedHash, created.noticeHash]) expect(JSON.stringify([listed, shown])).not.toContain(secret);
});

const runMerchants = (...words: string[]) => runCommand({ url: database.url, db, keys, clock }, merchantCommands, 'merchants', ...words);
const bring = (path: string) => runMerchants('create', '--id', 'refused', '--country', '343', '--notice-hash-file', path);
const heldHashes = async () => (await readStoredMerchant(db, keys, 'brought'))?.fixedHashes.map(({ secret }) => secret);

describe('secrets of another service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'caudal-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode });
    return path;
  };

  test('come from files, at creation and in a rotation', async () => {
    const [first, second] = [seededBytes(32).toString('hex'), seededBytes(32).toString('base64url')];
    await runMerchants('create', '--id', 'brought', '--country', '343', '--fixed-hash-file', fileOf('fixed', `${first}\n`));
    expect(await heldHashes()).toEqual([first]);
    await runMerchants('rotate-hash', 'brought', '--hash-file', fileOf('next', second));
    expect(await heldHashes()).toEqual([second, first]);
  });

  test('that the merchant had before, or has, are refused: their checksums were forgotten', async () => {
    const [first, second, third] = [1, 2, 3].map(() => seededBytes(32).toString('hex')) as [string, string, string];
    await runMerchants('create', '--id', 'returning', '--country', '343', '--fixed-hash-file', fileOf('r1', first));
    const bringNext = (name: string, secret: string) =>
      runMerchants('rotate-hash', 'returning', '--days', '0', '--hash-file', fileOf(name, secret));
    await expect(bringNext('r2', first)).rejects.toThrow(/had this secret before/);
    await bringNext('r3', second);
    await runMerchants('rotate-hash', 'returning', '--days', '0');
    for (const [name, secret] of Object.entries({ r4: first, r5: second })) {
      await expect(bringNext(name, secret)).rejects.toThrow(/had this secret before/);
    }
    await bringNext('r6', third);
    // Another merchant, and another kind, may have it.
    await runMerchants('create', '--id', 'other', '--country', '343', '--fixed-hash-file', fileOf('r7', third));
    await runMerchants('rotate-hash', 'other', '--days', '0', '--hash-file', fileOf('r8', first));
    await runMerchants('rotate-notice-hash', 'returning', '--days', '0', '--hash-file', fileOf('r9', first));
  });

  test('are refused where others may read the file, or it holds none', async () => {
    await expect(bring(fileOf('open', 'a'.repeat(64), 0o644))).rejects.toThrow(/Other users may read/);
    await expect(bring(fileOf('spaces', 'two words here'))).rejects.toThrow(/holds no secret/);
    await expect(bring(join(folder, 'absent'))).rejects.toThrow(/cannot be read: ENOENT/);
  });
});
