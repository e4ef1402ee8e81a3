import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readExamples } from '../../acceptance/example.ts';
import { openHttpClient } from '../../acceptance/http-client.ts';
import { runExample } from '../../acceptance/run-example.ts';
import { CONTRACT_DIALECT, FAMILY_DIALECT, type Dialect } from '../requests/index.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// Each line of the dialect has an example. Where a server lacks that line alone, one of the family fails.

/** What no answer shows has its own test: a page in `dialect.test.ts`, bodies of notices in `notice.wire.test.ts`. */
const SHOWN_ELSEWHERE = new Set<string>(['hasCheckoutAtRoot', 'noticeBodies']);
const lines = (Object.keys(FAMILY_DIALECT) as (keyof Dialect)[]).filter((line) => !SHOWN_ELSEWHERE.has(line));
const examples = readExamples().flatMap((example) => (example.family === undefined ? [] : [{ ...example, answer: example.family }]));

let service: TestCaudal;
let accounts: Parameters<typeof runExample>[1]['accounts'];

beforeAll(async () => {
  // Examples reckon from today.
  service = await startTestCaudal({ now: Temporal.Now.instant().toString() });
  const [{ merchantId, fixedHash }, network] = await Promise.all([service.merchant(), service.network()]);
  accounts = { merchants: { colombia: { merchant: merchantId, fixedHash } }, network };
});
afterAll(() => service.close());

/** The examples that fail at a server of this dialect. */
async function failing(dialect: Dialect): Promise<readonly string[]> {
  const server = await service.openAnother({ dialect });
  onTestFinished(() => server.close());
  const client = openHttpClient(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  onTestFinished(() => client.close());
  const ran = await Promise.all(
    examples.map(async (example) =>
      (await runExample(example, { client, accounts, checkAnswer: () => [] })).length === 0 ? [] : [example.file],
    ),
  );
  return ran.flat();
}

test('the examples of the family pass at a server that has all of it', async () => {
  expect(examples.length).toBeGreaterThan(lines.length);
  expect(await failing(FAMILY_DIALECT)).toEqual([]);
});

test.each(lines)('an example fails without %s', async (line) => {
  expect(await failing({ ...FAMILY_DIALECT, [line]: CONTRACT_DIALECT[line] })).not.toEqual([]);
});
