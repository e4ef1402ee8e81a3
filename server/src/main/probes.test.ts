import { expect, onTestFinished, test } from 'vitest';
import type { Db } from '../kit/db.ts';
import { createHttpServer } from '../kit/http.ts';
import { createLog } from '../kit/log.ts';
import { homeAlone } from '../kit/per-cell.ts';
import { registerProbes } from './probes.ts';

test('many questions whether a server is ready are one question to the database', async () => {
  let asked = 0;
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  const query = (): Promise<unknown[]> => {
    asked++;
    return promise;
  };
  const log = createLog('silent');
  const app = createHttpServer({ log, faultEnvelopes: [{ prefix: '/', renderFault: () => ({}) }] });
  onTestFinished(() => app.close());
  registerProbes(app, { cells: homeAlone({ name: 'home', db: { query } as unknown as Db, notWriting: () => undefined }), log });
  let arrived = 0;
  app.addHook('onRequest', (_request, _reply, done) => {
    done();
    if (++arrived === 300) setImmediate(resolve, [{ found: false }]);
  });
  const answers = await Promise.all(Array.from({ length: 300 }, () => app.inject('/readyz')));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  expect(asked).toBe(1);
});
