import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../../testing/notice-receiver.ts';
import { problemOf, openSender, type Sender } from './send-notice.ts';

/** A busy machine answers within them. Only the test of the sender that gives up waits for less. */
const LIMITS = { connectTimeoutMs: 10_000, statusTimeoutMs: 10_000, answerTimeoutMs: 500 };
const sandbox = openSender({ ...LIMITS, allowsInternal: true });
const impatient = openSender({ ...LIMITS, statusTimeoutMs: 150, allowsInternal: true });
const production = openSender({ ...LIMITS, allowsInternal: false });
let receiver: NoticeReceiver;

beforeAll(async () => {
  receiver = await startNoticeReceiver();
});
afterAll(async () => {
  await Promise.all([sandbox.close(), impatient.close(), production.close(), receiver.close()]);
});
afterEach(() => receiver.answer(answering(200)));

const send = (url = receiver.url, sender: Sender = sandbox) =>
  sender.send({ url, headers: { 'content-type': 'application/json' }, body: '{}' });

const METADATA = '169.254.169.254';

/** Lets the system's resolver give these answers, one for each question. Shape: → how many it gave. */
async function withAnswers(answers: readonly (readonly string[])[], work: () => Promise<void>): Promise<number> {
  const { lookup } = dns;
  let asked = 0;
  const answer = (...[, , done]: readonly [string, object, (error: null, found: object) => void]): void =>
    done(
      null,
      (answers[asked++] ?? []).map((address) => ({ address, family: 4 })),
    );
  Object.assign(dns, { lookup: answer });
  syncBuiltinESMExports();
  try {
    await work();
    return asked;
  } finally {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
  }
}

describe('sending a notice', () => {
  test('keeps the status and the first 500 characters of the answer, without control characters', async () => {
    receiver.answer(answering(202, `a\0b\u001b${'ñ'.repeat(498)}🚀🚀`));
    expect(await send()).toEqual({ status: 202, answer: `a b ${'ñ'.repeat(496)}` });
    receiver.answer(answering(500, '🚀'.repeat(600)));
    expect(await send()).toEqual({ status: 500, answer: '🚀'.repeat(500) });
  });

  test('follows no redirect', async () => {
    const before = receiver.received.length;
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer((_notice, response) => void response.writeHead(status, { location: '/elsewhere' }).end());
      expect(await send()).toEqual({ status, answer: '' });
    }
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/notices'));
  });

  test('resolves a name once for each connection: what was checked is what is connected to', async () => {
    const url = receiver.url.replace('127.0.0.1', 'rebound.example');
    receiver.answer((_notice, response) => void response.writeHead(200, { connection: 'close' }).end());
    const before = receiver.received.length;
    const asked = await withAnswers([['127.0.0.1'], [METADATA], [METADATA, '127.0.0.1'], [METADATA, '0.0.0.0']], async () => {
      for (const sent of [
        { status: 200 },
        { problem: 'the address is not allowed' },
        { status: 200 },
        { problem: 'the address is not allowed' },
      ])
        expect(await send(url)).toMatchObject(sent);
    });
    expect([asked, receiver.received.length - before]).toEqual([4, 2]);
  });

  test('gives up a receiver that does not answer in time', async () => {
    receiver.answer(() => undefined);
    expect(await send(receiver.url, impatient)).toEqual({ problem: 'no answer in time' });
  });

  test('believes the status of an answer that stalls or never ends, and reads no more of it than its limit', async () => {
    receiver.answer((_notice, response) => void response.writeHead(200).write('begun'));
    expect(await send()).toEqual({ status: 200, answer: 'begun' });

    receiver.answer((_notice, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.writeHead(200).once('close', () => clearInterval(drip));
    });
    expect(await send()).toMatchObject({ status: 200, answer: expect.stringMatching(/^\.+$/) as string });

    let written = 0;
    receiver.answer((_notice, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    expect(await send()).toEqual({ status: 200, answer: 'x'.repeat(500) });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('names what is wrong with a connection', async () => {
    const closed = await startNoticeReceiver();
    await closed.close();
    expect(await send(closed.url)).toEqual({ problem: 'connection refused' });
    receiver.answer((_notice, response) => void response.socket?.destroy());
    expect(await send()).toEqual({ problem: 'the connection broke' });
    expect(await send('https://no-such-name.invalid/')).toEqual({ problem: 'the name does not resolve' });
  });
});

describe('in production', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '0x7f000001',
    '017700000001',
    '１２７.０.０.１',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00::1]',
  ])('the address %s in a URL is refused', async (host) => {
    expect(await send(`https://${host}:${new URL(receiver.url).port}/`, production)).toEqual({ problem: 'the address is not allowed' });
  });

  test('a name that resolves to this machine is refused, and nothing arrives', async () => {
    const before = receiver.received.length;
    expect(await send(receiver.url.replace('http://127.0.0.1', 'https://localhost'), production)).toEqual({
      problem: 'the address is not allowed',
    });
    expect(receiver.received).toHaveLength(before);
    // The very same name is let through where that is wanted: it was the address that was refused.
    expect(await send(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 200 });
  });

  test('plain http is refused', async () => {
    expect(await send('http://shop.example/', production)).toEqual({ problem: 'the URL is not https' });
  });
});

test('a receiver takes a notice by a status of 200 to 299, and by no other', () => {
  const taken = Array.from({ length: 500 }, (_, at) => 100 + at).filter((status) => problemOf(status) === null);
  expect([taken[0], taken.at(-1), taken.length]).toEqual([200, 299, 100]);
  expect(problemOf(300)).toBe('HTTP 300, redirects are not followed');
});
