import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { openMessageTables, orderMail, type MessageTables } from '../testing/message-room.ts';
import { startSmtpPeer } from '../testing/smtp-peer.ts';
import { claimMessages } from './message-rows.ts';
import { LEASE_SECONDS } from './message.ts';
import { findWaiting, sendMessageNow } from './send-message-now.ts';

const NEWEST = statement('test.newest_message', 'select max(message_id) as id from messages');

let tables: MessageTables;
beforeAll(async () => {
  tables = await openMessageTables();
});
afterEach(() => tables.reset());
afterAll(() => tables.close());

const newest = async (): Promise<bigint> => (await tables.db.query<{ id: bigint }>(NEWEST, []))[0]?.id ?? 0n;

test('a mail that waits for an hour is sent now, once its server is repaired', async () => {
  const peer = await startSmtpPeer();
  await peer.close();
  const gone = tables.room({ mail: `smtp://127.0.0.1:${peer.port}` });
  await gone.store(orderMail(tables.clock.now()));
  for (let hour = 0; hour < 10; hour++) {
    await gone.runJobs();
    tables.clock.advance({ hours: 1 });
  }
  await gone.runJobs();
  const repaired = await startSmtpPeer();
  const room = tables.room({ mail: `smtp://127.0.0.1:${repaired.port}` });
  await room.runJobs();
  expect(repaired.received, 'it is due in an hour').toEqual([]);
  const found = await findWaiting(tables.db, await newest(), 'shop');
  expect(await sendMessageNow(tables, found!)).toBeUndefined();
  await room.runJobs();
  expect(repaired.received).toHaveLength(1);
  expect(await findWaiting(tables.db, await newest(), undefined), 'it waits no more').toBeUndefined();
  await repaired.close();
});

test('a message that a server sends at this moment is sent once', async () => {
  const repaired = await startSmtpPeer();
  const room = tables.room({ mail: `smtp://127.0.0.1:${repaired.port}` });
  await room.store(orderMail(tables.clock.now()));
  const now = tables.clock.now();
  await claimMessages(tables.db, 'mail', now, now.add({ seconds: LEASE_SECONDS }), 10);
  const found = await findWaiting(tables.db, await newest(), undefined);
  expect(await sendMessageNow(tables, found!)).toEqual({ refusal: 'message_due' });
  await room.runJobs();
  expect(repaired.received).toEqual([]);
  await repaired.close();
});

test('of another merchant none is found', async () => {
  const room = tables.room({ mail: 'smtp://127.0.0.1:1' });
  await room.store(orderMail(tables.clock.now()));
  expect(await findWaiting(tables.db, await newest(), 'other')).toBeUndefined();
  expect(await findWaiting(tables.db, await newest(), 'shop')).toMatchObject({ merchantId: 'shop' });
});
