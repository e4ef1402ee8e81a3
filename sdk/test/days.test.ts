import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Caudal } from '../src/index.ts';
import { listedDay } from '../src/days.ts';
import { refusalOf } from './failing.ts';

test('a listed day is read in either form of a deployment', () => {
  const days = { '20261121': '2026-11-21', '21112026': '2026-11-21', '20122026': '2026-12-20', '01012026': '2026-01-01' };
  for (const [sent, day] of Object.entries(days)) expect(listedDay(sent)).toBe(day);
});

test('a redirect is not followed: a checksum goes to the named address alone', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url?.split('?')[0]);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const caudal = new Caudal({ url: `http://127.0.0.1:${port}`, merchant: 'demo', fixedHash: 'secret' });
    expect(await refusalOf(caudal.balance())).toMatchObject({ code: 'unreadable', status: 302 });
    expect(asked).toEqual(['/cashout/v1/operation/available/demo']);
  } finally {
    server.close();
  }
});
