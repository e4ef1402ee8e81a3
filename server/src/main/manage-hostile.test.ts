import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManagementOperation } from '../manage/index.ts';
import { oddComponent, oddToken, ODD_TEXTS } from '../testing/hostile-values.ts';
import { writeBody, type Member } from '../testing/hostile-bodies.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { seed, seededRandom } from '../testing/seed.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { managementOperations } from './manage.ts';

const REQUESTS_OF_EACH = 25;

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const random = seededRandom(seed);
const oddValue = (): string => (random.oneIn(2) ? oddComponent(random) : encodeURIComponent(random.pick(ODD_TEXTS).toWellFormed()));

/** A request for an operation whose parts are odd. Most name the real merchant, so that they get past the first refusals. */
function hostileRequest({ route, path, query, body }: ManagementOperation<never>, merchant: string) {
  const [method = '', template = ''] = route.split(' ');
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'merchant' && !random.oneIn(4) ? merchant : oddValue() || 'x'));
  const names = Object.keys(query?.properties ?? {});
  const parameters = names
    .filter(() => random.oneIn(2))
    .map((name) => `${name}=${name === 'merchant' && random.oneIn(2) ? merchant : oddValue()}`);
  const members = Object.keys(body?.properties ?? {}).map((name): Member => [
    name,
    name === 'merchant' ? `"${merchant}"` : oddToken(random),
  ]);
  return {
    method: method as 'GET',
    path: `${url.replace('/manage/v1', '')}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
    body:
      members.length === 0 || path === undefined
        ? writeBody(random, members)
        : writeBody(
            random,
            members.filter(() => !random.oneIn(4)),
          ),
  };
}

const clockLast = (one: { readonly name: string }, other: { readonly name: string }): number =>
  Number(one.name === 'moveClock') - Number(other.name === 'moveClock');

test(`no hostile request is a fault of the service: ${REQUESTS_OF_EACH} for each operation`, async () => {
  const { merchantId } = await service.merchant();
  // The clock comes last: once it was moved, the token has ended.
  const asked = managementOperations.filter(({ streams }) => streams === undefined).toSorted(clockLast);
  const calls = await manageCalls(service);
  const faults: string[] = [];
  for (const operation of asked) {
    for (let made = 0; made < REQUESTS_OF_EACH; made++) {
      const { method, path, body } = hostileRequest(operation, merchantId);
      const answer = await calls.sendRaw(method, path, Buffer.from(body, 'latin1'), {
        'if-match': random.pick(['*', '"1"', '"x', 'W/"1"', '\u00ff']),
      });
      if (answer.status >= 500 || (answer.status >= 400 && answer.problem === undefined))
        faults.push(`seed ${seed}: ${method} ${path} ${body} → ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  expect(faults).toEqual([]);
});
