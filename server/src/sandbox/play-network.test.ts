import { expect, test } from 'vitest';
import { Unavailable } from '../kit/db.ts';
import { createHttpServer } from '../kit/http.ts';
import { startCaudalForTest } from '../testing/test-caudal.ts';
import { networkPlayer } from './play-network.ts';

test('a simulation that comes while the server closes was not begun: it is unavailable, and no fault of ours', async () => {
  const { db, keys, clock, networks, log } = await startCaudalForTest();
  const app = createHttpServer({ log, faultEnvelopes: [{ prefix: '/', renderFault: (fault) => fault }] });
  const play = networkPlayer(app, { db, keys, clock, networks });
  await app.ready();
  await app.close();
  const request = { method: 'POST', path: () => '/', signed: [], fields: {}, requestId: 'r' } as const;
  await expect(play(request)).rejects.toThrow(Unavailable);
});
