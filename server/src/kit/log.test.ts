import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { captureLog } from '../testing/captured.ts';
import type { Log } from './log.ts';

const CANARY = 'canary-3f9a';

/** The lines that `write` writes at debug level, as one text. */
function written(write: (log: Log) => void): string {
  const { log, lines } = captureLog();
  write(log);
  return lines.join('');
}

describe('a log line', () => {
  test('is one JSON object with time, level in words, and message', () => {
    const line = written((log) => log.info({ versions: [1] }, 'done'));
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), versions: [1], msg: 'done' });
  });

  test('below the level is not written', () => {
    const [warnings, nothing] = [captureLog('warn'), captureLog('silent')];
    warnings.log.info({}, 'hello');
    nothing.log.error({}, 'hello');
    expect([...warnings.lines, ...nothing.lines]).toEqual([]);
  });

  test.each(
    [
      'checksum fixedHash fixedHashes noticeHash noticeHashes signingSecret signingSecrets secret secrets key keys masterKey masterKeys otp oneTimePassword password token',
      'authorization cookie connectionString databaseUrl email cellphone document userDocument userName user_di user_name',
      'headers url query params body values',
    ].flatMap((names) => names.split(' ')),
  )('shows no %s, at the top, one, two or three levels down, nor in a list', (name) => {
    const text = written((log) => {
      log.info({ [name]: CANARY }, 'top');
      log.info({ one: { [name]: CANARY } }, 'one level down');
      log.info({ one: { two: { [name]: [CANARY] } } }, 'two levels down');
      log.info({ one: { two: { three: { [name]: { of: CANARY } } } } }, 'three levels down');
      log.info({ list: [{ [name]: CANARY }] }, 'in a list');
    });
    expect(text.split('\n')).toHaveLength(6);
    expect(text).not.toContain(CANARY);
  });

  test.each(['error', 'err'])('shows type, message and code of an %s, and none of its other fields', (field) => {
    const error = Object.assign(new DatabaseError('duplicate key', 1, 'error'), { code: '23505', detail: CANARY, where: CANARY });
    const text = written(
      (log) => log.error({ [field]: new Error('outside', { cause: error }) }, 'failed') ?? log.error({ [field]: error }, 'failed'),
    );
    expect(text).toContain('duplicate key');
    expect(text).toContain('23505');
    expect(text).not.toContain(CANARY);
  });

  test('can show any thrown value', () => {
    const text = written((log) => {
      for (const thrown of [undefined, null, CANARY, { detail: CANARY }, 7n]) log.error({ error: thrown }, 'failed');
    });
    expect(text.trim().split('\n')).toHaveLength(5);
    expect(text).not.toContain(CANARY);
  });
});

test('a warning that comes again and again does not flood the log', () => {
  const text = written((log) => {
    for (let at = 0; at < 76_188; at++) log.warn({ requestId: String(at), error: new Error('the database is away') }, 'cannot serve now');
  });
  expect(text.trim().split('\n')).toHaveLength(10);
});
