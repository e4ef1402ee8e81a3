import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { withSnapshot } from './snapshot.ts';

/** Stands before a database and sends what follows a copy, `COPY 3`, in a packet of its own, which comes later. */
async function openSlowEnd(url: string): Promise<string> {
  const { host, port, user, password, database } = new Client({ connectionString: url });
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ port, host, noDelay: true });
    client.on('data', (bytes: Buffer) => upstream.write(bytes));
    client.on('close', () => upstream.destroy());
    upstream.on('data', (bytes: Buffer) => void forward(bytes));
    const forward = async (bytes: Buffer): Promise<void> => {
      // A message is its letter, its length in four bytes, and this text.
      const end = bytes.indexOf('COPY ') - 5;
      if (end < 0) return void client.write(bytes);
      client.write(bytes.subarray(0, end));
      for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
      client.write(bytes.subarray(end));
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const secret = password ? `:${encodeURIComponent(password)}` : '';
  return `postgres://${encodeURIComponent(user ?? '')}${secret}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`;
}

test('a copy says how many rows it had, also where the database says so later than the rows', async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const copied = await withSnapshot(await openSlowEnd(own.url), async (snapshot) => {
    const copy = snapshot.copy({ text: 'select n from generate_series(1, $1::int) as n' }, [3], 'format csv');
    for (;;) {
      const next = await copy.next();
      if (next.done === true) return next.value;
    }
  });
  expect(copied).toBe(3);
});
