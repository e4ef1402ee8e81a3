import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CITUS_URL, createCitusSchema } from '../src/testing/citus-cell.ts';
import { inLane } from '../src/testing/lanes.ts';
import { createEmptyDatabase, type TestDatabase } from '../src/testing/test-database.ts';
import { readApiDocument, type ApiDocument } from './api-document.ts';
import { openDeployment, type Deployment } from './deployment.ts';
import { readExamples, type ExampleRequest, type Json } from './example.ts';
import { openHttpClient, type Answer, type HttpClient } from './http-client.ts';
import { runExample, type Target } from './run-example.ts';
import { MissingRole, Placeholders } from './placeholders.ts';

const { adminUrl, runId, citus } = inject('testServer');
const START_MS = 90_000;

type Setup = { readonly name: string; readonly makeCells: () => Promise<readonly TestDatabase[]> };
const ALONE: Setup = { name: 'in one database', makeCells: async () => [] };
/** Merchants are in each cell, and at home. That costs 20 seconds of a processor more: too much for the short lane. */
const WITH_CELLS: readonly Setup[] = [
  ...inLane({
    short: [],
    long: [{ name: 'in home and two cells', makeCells: () => Promise.all([createEmptyDatabase(), createEmptyDatabase()]) }],
  }),
  ...(CITUS_URL === undefined
    ? []
    : [{ name: 'in home and three schemas of Citus', makeCells: () => Promise.all([1, 2, 3].map(createCitusSchema)) }]),
];
/** A deployment that the environment names has its databases already. A schema on Citus is no home. */
const isGiven = (process.env['CAUDAL_ACCEPTANCE_URL'] ?? '') !== '' || citus !== null;
const setups = isGiven ? [ALONE] : [ALONE, ...WITH_CELLS];

let deployment: Deployment;
let client: HttpClient;
let target: Target;
/** The same merchants on a server that speaks the dialect of the family. */
let family: Target | undefined;

/** Answers of a server are checked against its own documents. */
async function openTarget(origin: string): Promise<Target> {
  const own = openHttpClient(origin);
  const read = async (path: string) => JSON.parse((await own.send({ method: 'GET', path })).text) as ApiDocument;
  const [merchants, networks] = [await read('/openapi.json'), await read('/openapi/networks.json')];
  const checkAnswer = readApiDocument({ ...merchants, paths: { ...merchants.paths, ...networks.paths } });
  return { client: own, accounts: deployment, checkAnswer };
}

const examples = readExamples();
const operations = [...new Set(examples.map(({ operation }) => operation))];

/** Skips an example whose merchant or network the deployment lacks. */
const skipMissingRole =
  (skip: (note: string) => never) =>
  (error: unknown): never => {
    if (error instanceof MissingRole) return skip(error.message);
    throw error;
  };

/** Sends requests of one merchant that are too many, or too varied, for example files. */
function openSession(role: 'colombia' | 'second' = 'colombia') {
  const placeholders = new Placeholders(deployment, role);
  const send = async (request: ExampleRequest): Promise<Answer> => {
    const filled = placeholders.fillRequest(request);
    const answer = await client.send(filled);
    expect(target.checkAnswer(filled.method, filled.path, answer)).toEqual([]);
    return answer;
  };
  return { placeholders, send };
}

type Page = { code: string; first: string; previous: string; next: string; end: string; data: { operation: string; status: string }[] };
const pageOf = ({ text }: Answer): Page => JSON.parse(text) as Page;
const callAgain = async (link: string): Promise<Page> => pageOf(await client.send({ method: 'GET', path: link }));

async function walk(from: Page): Promise<readonly Page[]> {
  const pages = [from];
  for (let page = from; page.next !== ''; pages.push(page)) page = await callAgain(page.next);
  return pages;
}

const list = (query: Readonly<Record<string, string>>): ExampleRequest => ({
  method: 'GET',
  path: '/cashout/v1/operation/{{merchant}}',
  query: { checksum: '{{checksum of merchant, start, end}}', ...query },
});
const cancel = (id: string): ExampleRequest => ({
  method: 'DELETE',
  path: `/cashout/v1/operation/{{merchant}}/${id}`,
  body: { checksum: `{{checksum of merchant, ${id.slice(2, -2)}}}`, document: '{{document}}' },
});

const envelope = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown;
const numbered = (id: string, more = ''): string => `GET /api/v3/porders/A-1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${more}\r\n`;

describe.each(setups)('$name', ({ makeCells }) => {
  let cells: readonly TestDatabase[];

  beforeAll(async () => {
    cells = await makeCells();
    const home = citus?.acceptance ?? `caudal_test_${runId}_acceptance_${cells.length}`;
    deployment = await openDeployment({ adminUrl, home, isMade: citus !== null, cells });
    target = await openTarget(deployment.origin);
    family = deployment.familyOrigin === undefined ? undefined : await openTarget(deployment.familyOrigin);
    client = target.client;
  }, START_MS);

  afterAll(async () => {
    for (const { client: own } of [target, ...(family === undefined ? [] : [family])]) own.close();
    await deployment.stop();
    for (const cell of cells) await cell.drop();
  }, START_MS);

  describe.each(operations)('%s', (operation) => {
    describe.concurrent('answers as its examples say', () => {
      for (const example of examples.filter((one) => one.operation === operation)) {
        test(`${example.section} ${example.why} (${example.file})`, async ({ skip }) => {
          if (example.only === 'sandbox' && !deployment.isSandbox) skip('only a sandbox serves this');
          const findings = await runExample(example, target).catch(skipMissingRole(skip));
          expect(findings.length, findings.join('\n')).toBe(0);
        });
        const { family: answer } = example;
        if (answer === undefined) continue;
        test(`in the dialect of the family: ${example.why} (${example.file})`, async ({ skip }) => {
          if (family === undefined) return skip('the deployment under test speaks one dialect');
          const findings = await runExample({ ...example, answer }, family);
          expect(findings.length, findings.join('\n')).toBe(0);
        });
      }
    });
  });

  describe('the walk of a list (§4.2)', () => {
    const OPERATIONS = 260;
    const AT_ONCE = 20;
    const ids = Array.from({ length: OPERATIONS }, (_, index) => `{{operation ${index + 1}}}`);
    let session: ReturnType<typeof openSession>;
    let registered: readonly string[];

    beforeAll(async () => {
      session = openSession();
      registered = ids.map((id) => session.placeholders.fillExpected(id));
      const body: Json = {
        merchant: '{{merchant}}',
        amount: '10',
        currency: 'COP',
        document: '{{document}}',
        checksum: '{{checksum of merchant, operation, amount, currency, document}}',
      };
      for (let from = 0; from < OPERATIONS; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE);
        const answers = await Promise.all(
          some.map((operation) => session.send({ method: 'POST', path: '/cashout/v1/operation', body: { ...body, operation } })),
        );
        for (const { text } of answers) expect(text).toContain('"code":"0000"');
      }
    }, START_MS);

    test.each(['10', '23', '100'])('shows every cashout once, %s on a page, and its link `end` leads to the last page', async (limit) => {
      const first = pageOf(await session.send(list({ document: '{{document}}', limit })));
      const pages = await walk(first);
      expect(pages).toHaveLength(Math.ceil(OPERATIONS / Number(limit)));
      const shown = pages.flatMap(({ data }) => data.map(({ operation }) => operation));
      expect(shown).toHaveLength(OPERATIONS);
      expect(new Set(shown)).toEqual(new Set(registered));
      expect(first.previous).toBe('');
      expect((await callAgain(first.end)).data).toEqual(pages.at(-1)?.data);
      expect((await callAgain(first.first)).data).toEqual(first.data);
    });

    test('gives the same pages by number as by its links', async () => {
      const pages = await walk(pageOf(await session.send(list({ document: '{{document}}', limit: '50' }))));
      for (const [index, { data }] of pages.entries()) {
        const numbered = pageOf(await session.send(list({ document: '{{document}}', limit: '50', page: String(index + 1) })));
        expect(numbered.data).toEqual(data);
      }
    });

    test('walks back over the same pages', async () => {
      const pages = await walk(pageOf(await session.send(list({ document: '{{document}}', limit: '40' }))));
      let page = pages.at(-1) as Page;
      for (const expected of pages.slice(0, -1).reverse()) {
        page = await callAgain(page.previous);
        expect(page.data).toEqual(expected.data);
      }
      expect(page.previous).toBe('');
    });

    test('answers a link again as it did before', async () => {
      const { next, end } = pageOf(await session.send(list({ document: '{{document}}', limit: '30' })));
      for (const link of [next, end]) expect(await callAgain(link)).toEqual(await callAgain(link));
    });

    test('refuses a cursor under other filters', async () => {
      const { next } = pageOf(await session.send(list({ document: '{{document}}', limit: '30' })));
      const cursor = new URL(next, deployment.origin).searchParams.get('cursor') as string;
      expect(pageOf(await session.send(list({ document: '{{document}}', status: 'PENDIENTE', limit: '30', cursor }))).code).toBe('0019');
      expect(pageOf(await session.send(list({ document: '{{document 2}}', limit: '30', cursor }))).code).toBe('0019');
      expect(pageOf(await session.send(list({ document: '{{document}}', limit: '30', cursor: `${cursor}A` }))).code).toBe('0019');
    });

    test('refuses the cursor of another merchant', async ({ skip }) => {
      if (deployment.merchants.second === undefined) skip('the deployment under test has no second merchant');
      const { next } = pageOf(await session.send(list({ limit: '30' })));
      const cursor = new URL(next, deployment.origin).searchParams.get('cursor') as string;
      expect(pageOf(await openSession('second').send(list({ limit: '30', cursor }))).code).toBe('0019');
    });

    test('neither repeats nor skips unchanged cashouts while others change', async () => {
      const CHANGED = 60;
      // Lists all cashouts of the merchant, by the stored counts. Some may be of other tests.
      let page = pageOf(await session.send(list({ status: 'PENDIENTE,CANCELADA', limit: '20' })));
      const shown = page.data.map(({ operation }) => operation);
      for (let index = 0; page.next !== ''; index += 10) {
        for (const id of index < CHANGED ? ids.slice(index, index + 10) : []) {
          expect((await session.send(cancel(id))).text).toContain('"code":"0000"');
        }
        page = await callAgain(page.next);
        shown.push(...page.data.map(({ operation }) => operation));
      }
      const unchanged = registered.slice(CHANGED);
      expect(shown.filter((operation) => unchanged.includes(operation)).sort()).toEqual(unchanged.toSorted());
    });
  });

  describe('languages (§2.1)', () => {
    test('answers a refusal in the language of the request, with the same code', async () => {
      const { send } = openSession();
      const texts: string[] = [];
      for (const language of ['es', 'en', 'pt']) {
        const answer = await send({ method: 'PATCH', path: '/api/v3/porders', body: { merchant: '{{merchant}}', language } });
        const { CODE, DESC } = JSON.parse(answer.text) as { CODE: string; DESC: string };
        expect(CODE).toBe('0011');
        texts.push(DESC);
      }
      expect(new Set(texts).size).toBe(3);
    });
  });

  describe('requests that an HTTP library does not send', () => {
    const PATIENCE_MS = 3_000;

    test('answers bytes that are no HTTP in the envelope of orders', async () => {
      const answer = await client.sendBytes('HELLO\r\n\r\n', PATIENCE_MS);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(envelope(answer)).toEqual({ CODE: '0011', DESC: expect.any(String), DATA: {} });
    });

    test('answers too large headers in the envelope of orders', async () => {
      const answer = await client.sendBytes(`GET / HTTP/1.1\r\nHost: a\r\nX-Pad: ${'a'.repeat(40_000)}\r\n\r\n`, PATIENCE_MS);
      expect(answer).toMatch(/^HTTP\/1\.1 431 /);
      expect(envelope(answer)).toEqual({ CODE: '0913', DESC: expect.any(String), DATA: {} });
    });

    test('reads a chunked body', async () => {
      const head = 'PATCH /api/v3/porders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
      const answer = await client.sendBytes(`${head}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, PATIENCE_MS);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('"CODE":"0011"');
    });

    test('answers pipelined requests in their order', async () => {
      const answer = await client.sendBytes(numbered('one') + numbered('two') + numbered('three', 'Connection: close\r\n'), PATIENCE_MS);
      expect([...answer.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id)).toEqual(['one', 'two', 'three']);
    });

    test('keeps serving after a body that never ends', async () => {
      await client.sendBytes('PATCH /api/v3/porders HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{"merchant"', 200);
      expect((await client.send({ method: 'PATCH', path: '/api/v3/porders', body: '{}' })).status).toBe(200);
    });
  });
});
