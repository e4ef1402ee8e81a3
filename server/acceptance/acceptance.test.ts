import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readApiDocument, type AnswerJudge, type ApiDocument } from './api-document.ts';
import { openDeployment, type Deployment } from './deployment.ts';
import { readExamples, type ExampleRequest, type Json } from './example.ts';
import { openHttpClient, type Answer, type HttpClient } from './http-client.ts';
import { play } from './play.ts';
import { MissingRole, Stage } from './stage.ts';

const { adminUrl, runId } = inject('testServer');
const START_MS = 90_000;

let deployment: Deployment;
let client: HttpClient;
let judge: AnswerJudge;

beforeAll(async () => {
  deployment = await openDeployment(adminUrl, `caudal_test_${runId}_acceptance`);
  client = openHttpClient(deployment.origin);
  const document = await client.send({ method: 'GET', path: '/openapi.json' });
  judge = readApiDocument(JSON.parse(document.text) as ApiDocument);
}, START_MS);

afterAll(async () => {
  client.close();
  await deployment.stop();
}, START_MS);

const examples = readExamples();
const operations = [...new Set(examples.map(({ operation }) => operation))];

/** A deployment need not have a merchant for every role: what it lacks is shown as skipped. */
const skipMissingRole =
  (skip: (note: string) => never) =>
  (error: unknown): never => {
    if (error instanceof MissingRole) return skip(error.message);
    throw error;
  };

describe.each(operations)('%s', (operation) => {
  describe.concurrent('answers as its examples say', () => {
    for (const example of examples.filter((one) => one.operation === operation)) {
      test(`${example.section} ${example.why} (${example.file})`, async ({ skip }) => {
        if (example.only === 'sandbox' && !deployment.isSandbox) skip('only a sandbox serves this');
        const findings = await play(example, { client, cast: deployment, judge }).catch(skipMissingRole(skip));
        expect(findings.length, findings.join('\n')).toBe(0);
      });
    }
  });
});

/** Sends requests of one merchant that are too many, or too varied, for a file each. */
function openDialogue(role: 'colombia' | 'second' = 'colombia') {
  const stage = new Stage(deployment, role);
  const send = async (request: ExampleRequest): Promise<Answer> => {
    const filled = stage.fillRequest(request);
    const answer = await client.send(filled);
    expect(judge(filled.method, filled.path, answer)).toEqual([]);
    return answer;
  };
  return { stage, send };
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

describe('the walk of a list (§4.2)', () => {
  const OPERATIONS = 260;
  const AT_ONCE = 20;
  const ids = Array.from({ length: OPERATIONS }, (_, index) => `{{operation ${index + 1}}}`);
  let dialogue: ReturnType<typeof openDialogue>;
  let registered: readonly string[];

  beforeAll(async () => {
    dialogue = openDialogue();
    registered = ids.map((id) => dialogue.stage.fillExpected(id));
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
        some.map((operation) => dialogue.send({ method: 'POST', path: '/cashout/v1/operation', body: { ...body, operation } })),
      );
      for (const { text } of answers) expect(text).toContain('"code":"0000"');
    }
  }, START_MS);

  test.each(['10', '23', '100'])('shows every operation once, %s on a page, and its end is the last page', async (limit) => {
    const first = pageOf(await dialogue.send(list({ document: '{{document}}', limit })));
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
    const pages = await walk(pageOf(await dialogue.send(list({ document: '{{document}}', limit: '50' }))));
    for (const [index, { data }] of pages.entries()) {
      const numbered = pageOf(await dialogue.send(list({ document: '{{document}}', limit: '50', page: String(index + 1) })));
      expect(numbered.data).toEqual(data);
    }
  });

  test('goes back the way it came', async () => {
    const pages = await walk(pageOf(await dialogue.send(list({ document: '{{document}}', limit: '40' }))));
    let page = pages.at(-1) as Page;
    for (const expected of pages.slice(0, -1).reverse()) {
      page = await callAgain(page.previous);
      expect(page.data).toEqual(expected.data);
    }
    expect(page.previous).toBe('');
  });

  test('answers a link again as it did before', async () => {
    const { next, end } = pageOf(await dialogue.send(list({ document: '{{document}}', limit: '30' })));
    for (const link of [next, end]) expect(await callAgain(link)).toEqual(await callAgain(link));
  });

  test('refuses a cursor under other filters', async () => {
    const { next } = pageOf(await dialogue.send(list({ document: '{{document}}', limit: '30' })));
    const cursor = new URL(next, deployment.origin).searchParams.get('cursor') as string;
    expect(pageOf(await dialogue.send(list({ document: '{{document}}', status: 'PENDIENTE', limit: '30', cursor }))).code).toBe('0019');
    expect(pageOf(await dialogue.send(list({ document: '{{document 2}}', limit: '30', cursor }))).code).toBe('0019');
    expect(pageOf(await dialogue.send(list({ document: '{{document}}', limit: '30', cursor: `${cursor}A` }))).code).toBe('0019');
  });

  test('refuses the cursor of another merchant', async ({ skip }) => {
    if (deployment.actors.second === undefined) skip('the deployment under test has no second merchant');
    const { next } = pageOf(await dialogue.send(list({ limit: '30' })));
    const cursor = new URL(next, deployment.origin).searchParams.get('cursor') as string;
    expect(pageOf(await openDialogue('second').send(list({ limit: '30', cursor }))).code).toBe('0019');
  });

  test('neither repeats nor skips what does not change while others do', async () => {
    const CHANGED = 60;
    // Of all operations of the merchant, by the kept counts; others than ours may be among them.
    let page = pageOf(await dialogue.send(list({ status: 'PENDIENTE,CANCELADA', limit: '20' })));
    const shown = page.data.map(({ operation }) => operation);
    for (let index = 0; page.next !== ''; index += 10) {
      for (const id of index < CHANGED ? ids.slice(index, index + 10) : []) {
        expect((await dialogue.send(cancel(id))).text).toContain('"code":"0000"');
      }
      page = await callAgain(page.next);
      shown.push(...page.data.map(({ operation }) => operation));
    }
    const unchanged = registered.slice(CHANGED);
    expect(shown.filter((operation) => unchanged.includes(operation)).sort()).toEqual(unchanged.toSorted());
  });
});

describe('languages (§2.1)', () => {
  test('words a refusal in the language of the request, and the codes stay', async () => {
    const { send } = openDialogue();
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

const envelope = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown;
const numbered = (id: string, more = ''): string => `GET /api/v3/porders/A-1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${more}\r\n`;

describe('what an HTTP library would not send', () => {
  const PATIENCE_MS = 3_000;

  test('answers what is no HTTP in its own envelope', async () => {
    const answer = await client.sendBytes('HELLO\r\n\r\n', PATIENCE_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(envelope(answer)).toEqual({ CODE: '0011', DESC: expect.any(String), DATA: {} });
  });

  test('answers headers that are too large in its own envelope', async () => {
    const answer = await client.sendBytes(`GET / HTTP/1.1\r\nHost: a\r\nX-Pad: ${'a'.repeat(40_000)}\r\n\r\n`, PATIENCE_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(envelope(answer)).toEqual({ CODE: '0913', DESC: expect.any(String), DATA: {} });
  });

  test('reads a body in chunks', async () => {
    const head = 'PATCH /api/v3/porders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await client.sendBytes(`${head}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, PATIENCE_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"CODE":"0011"');
  });

  test('answers several requests of one connection in their order', async () => {
    const answer = await client.sendBytes(numbered('one') + numbered('two') + numbered('three', 'Connection: close\r\n'), PATIENCE_MS);
    expect([...answer.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id)).toEqual(['one', 'two', 'three']);
  });

  test('outlives a body that never comes to its end', async () => {
    await client.sendBytes('PATCH /api/v3/porders HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{"merchant"', 200);
    expect((await client.send({ method: 'PATCH', path: '/api/v3/porders', body: '{}' })).status).toBe(200);
  });
});
