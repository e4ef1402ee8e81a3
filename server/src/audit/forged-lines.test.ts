import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { openRemote } from '../kit/remote/open-remote.ts';
import { capturePrinted } from '../testing/captured.ts';
import { makeDataDirectory, removeDataDirectory } from '../testing/data-directory.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { tokenOf } from '../testing/user-calls.ts';
import { actPeople } from './act-people.ts';
import { auditCommands } from './audit.cli.ts';
import { checkpointLine, exportHead, exportLine, exportTail, showStub, toCheckpoint } from './chain-file.ts';
import { linkActs } from './link-acts.job.ts';
import { recordActs } from './record-acts.ts';
import { openChainSigner, type ChainSigner } from './sign.ts';
import { selectLinks } from './verify-chain.ts';

// Whatever a forger writes in any field of any line, of a file or of what a service answers: it is found.

const printed = capturePrinted();
let service: TestCaudal;
let directory: string;
let signer: ChainSigner;
let token: string;
/** An export that begins after a stub, with acts of every kind: with details, without, erased, and the act that says so. */
let whole: readonly string[];

beforeAll(async () => {
  service = await startTestCaudal();
  directory = makeDataDirectory();
  token = (await tokenOf(service, ['audit:read'])).replace('Bearer ', '');
  const { byName } = await openServiceKeys({ db: service.db, keys: service.keys, clock: service.clock }, ['audit-log']);
  signer = openChainSigner(byName['audit-log']);
  const actor = { kind: 'user', id: '7', name: 'ana@example.com' } as const;
  const act = { actor, source: '192.0.2.7', requestId: 'r', operation: 'voidOrder', merchantId: 'shop', target: 'order A-1' } as const;
  const done = { ...act, at: service.clock.now(), outcome: 'done' } as const;
  await service.db.transaction(async (tx) =>
    recordActs(tx, [
      done,
      { ...done, details: { reason: 'as asked' } },
      { ...done, requestId: null, merchantId: null, target: null, outcome: 'refused:not_found' },
      { ...done, details: { reason: 'as payer@example.com asked' } },
    ]),
  );
  while (await linkActs(service.db));
  const people = actPeople(service.db);
  const found = await people.find({ document: null, email: 'payer@example.com' });
  await service.db.transaction((tx) => people.erase(tx, found, 'erased-1f'));
  while (await linkActs(service.db));
  const [first, ...rest] = await selectLinks(service.db, 0n, 100);
  const at = service.clock.now();
  const stub = { place: first!.place, hash: first!.hash, at, signature: signer.sign('stub', first!, at) };
  whole = [exportHead(showStub(signer, stub)), ...rest.map(exportLine), exportTail(toCheckpoint(signer, rest.at(-1)!, at))];
});
afterAll(async () => {
  removeDataDirectory(directory);
  await service.close();
});

const file = (name: string): string => join(directory, name);

const openNothing = async (): Promise<never> => {
  throw new Error('nothing may be opened');
};

function audit(origin: string | undefined, ...words: string[]): Promise<string> {
  const program = new Command().exitOverride();
  const remote = async () => (origin === undefined ? undefined : openRemote(origin, token));
  auditCommands(program, Object.assign(openNothing, { service: remote }), openNothing);
  return printed
    .by(() => program.parseAsync(['audit', ...words], { from: 'user' }))
    .then(
      (text) => text,
      ({ message }: Error) => `refused: ${message}`,
    );
}

const checkFile = (lines: readonly string[], ...words: string[]): Promise<string> => {
  writeFileSync(file('forged'), lines.join(''));
  return audit(undefined, 'verify', '--file', file('forged'), ...words);
};

type Json = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every way to alter one field of what a line says, however deep: it has another value, none, or is not there, or there is one more. */
function* forgeries(value: unknown, path: string): Generator<readonly [what: string, forged: unknown]> {
  if (!isNode(value)) {
    yield [`${path} null`, null];
    yield [`${path} empty`, ''];
    yield [`${path} a number`, 7];
    yield [`${path} an object`, {}];
    if (value === null) yield [`${path} a text`, 'deadbeef'];
    if (typeof value !== 'string' || value === '') return;
    const last = value.at(-1) === '1' ? '2' : '1';
    yield [`${path} longer`, `${value}0`];
    yield [`${path} behind a blank`, ` ${value}`];
    yield [`${path} with a tail`, `${value}!`];
    yield [`${path} shorter`, value.slice(0, -1)];
    yield [`${path} other`, value.slice(0, -1) + last];
    yield [`${path} in capitals`, value.toUpperCase()];
    return;
  }
  yield [`${path} null`, null];
  yield [`${path} with one more`, { ...value, more: 'x' }];
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield [`${path}.${name} gone`, rest];
    yield [`${path}.${name} last`, { ...rest, [name]: field }];
    for (const [what, forged] of forgeries(field, `${path}.${name}`)) yield [what, { ...value, [name]: forged }];
  }
}

const forgedTexts = function* (line: string, name: string): Generator<readonly [what: string, forged: string]> {
  for (const [what, forged] of forgeries(JSON.parse(line), name))
    if (`${JSON.stringify(forged)}\n` !== line) yield [what, `${JSON.stringify(forged)}\n`];
};

describe('a file', () => {
  test('is whole as it was written, and no field of any of its lines can be altered', async () => {
    expect(await checkFile(whole)).toBe(
      `The chain is whole: 4 links, the details of 1 erased. It is signed by the key ${signer.publicKey()}.\n`,
    );
    const missed: string[] = [];
    let tried = 0;
    for (const [at, line] of whole.entries())
      for (const [what, forged] of forgedTexts(line, `line ${at + 1}`)) {
        tried += 1;
        if (!(await checkFile(whole.with(at, forged))).startsWith('refused: ')) missed.push(what);
      }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  });

  test('cannot show details as erased that no act names', async () => {
    const at = whole.findIndex((line) => line.includes('as asked'));
    const line = JSON.parse(whole[at]!) as Json;
    const erased = `${JSON.stringify({ ...line, details: { salt: null, content: null } })}\n`;
    expect(await checkFile(whole.with(at, erased))).toMatch(/no act says that they were erased/);
  });

  test('cannot begin later than its stub, or be made by another service where its key is known', async () => {
    const [, second = ''] = whole;
    const { place, hash } = JSON.parse(second) as { place: string; hash: string };
    const { after } = JSON.parse(whole[0]!) as { after: Json };
    const head = `${JSON.stringify({ chain: 'caudal/audit/1', after: { ...after, place, hash } })}\n`;
    expect(await checkFile([head, ...whole.slice(2)])).toBe('refused: The beginning of the file has a wrong signature.');
    expect(await checkFile(whole, '--key', signer.publicKey())).toContain('The chain is whole');
    const other = 'D75a980182b10ab7D54bfed3c964073a0ee172f3daa6';
    expect(await checkFile(whole, '--key', other)).toMatch(/^refused: The beginning of the file is signed by a key that is not trusted/);
    writeFileSync(file('kept'), checkpointLine((JSON.parse(whole.at(-1)!) as { end: Parameters<typeof checkpointLine>[0] }).end));
    expect(await checkFile(whole, '--checkpoints', file('kept'))).toContain('The chain is whole');
    expect(await checkFile(whole, '--checkpoints', file('kept'), '--key', other)).toMatch(/^refused: The checkpoint of place/);
  });
});

test('no field of a checkpoint can be altered', async () => {
  const line = checkpointLine((JSON.parse(whole.at(-1)!) as { end: Parameters<typeof checkpointLine>[0] }).end);
  for (const [what, forged] of forgedTexts(line, 'checkpoint')) {
    writeFileSync(file('kept'), forged);
    expect([what, await checkFile(whole, '--checkpoints', file('kept'))]).toEqual([what, expect.stringMatching(/^refused: /)]);
  }
});

type Forge = (path: string, body: Json) => unknown;
const unforged: Forge = (_path, body) => body;

test('no field of what a service answers can be altered', async () => {
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  let forge = unforged;
  const between = createServer((request, response) => {
    void fetch(origin + request.url, { headers: { authorization: request.headers.authorization ?? '' } }).then(async (answer) => {
      const body = forge(request.url?.split('?')[0] ?? '', (await answer.json()) as Json);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => void between.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void between.close());
  const address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  expect(await audit(address, 'verify')).toContain('The chain is whole: 5 links, the details of 1 erased');
  writeFileSync(file('export'), await audit(address, 'export'));
  const lines = readFileSync(file('export'), 'utf8').trimEnd().split('\n');
  const missed: string[] = [];
  const tryEach = async (line: unknown, name: string, put: (forged: unknown) => Forge): Promise<void> => {
    for (const [what, forged] of forgeries(line, name)) {
      forge = put(forged);
      if (JSON.stringify(forged) !== JSON.stringify(line) && !(await audit(address, 'verify')).startsWith('refused: ')) missed.push(what);
    }
  };
  for (const [index, line] of lines.slice(1, -1).entries())
    await tryEach(JSON.parse(line), `link ${index + 1}`, (forged) => (path, body) => {
      const items = body['items'] as readonly unknown[] | undefined;
      return path.endsWith('/chain') && items !== undefined ? { ...body, items: items.with(index, forged) } : body;
    });
  const { end } = JSON.parse(lines.at(-1)!) as { end: Json };
  await tryEach(end, 'end', (forged) => (path, body) => (path.endsWith('/ends') ? { ...body, end: forged } : body));
  expect(missed).toEqual([]);
});
