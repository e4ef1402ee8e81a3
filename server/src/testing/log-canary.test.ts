import { describe, expect, test } from 'vitest';
import { randomSecret } from '../kit/secrets.ts';
import { captureLog } from './captured.ts';
import { checksumOf } from './checksum-of.ts';
import { findSecrets } from './log-canary.ts';
import { seededBytes } from './seed.ts';

function logged(fields: object, message = 'said'): string {
  const { log, lines } = captureLog('debug', () => undefined);
  log.info(fields, message);
  return lines.join('');
}

describe('the search of the run’s log finds', () => {
  const key = seededBytes(32);
  test.each([
    ['a fixed or notice hash', randomSecret()],
    ['a checksum', checksumOf(['a'], 'b')],
    ['a master key in hex', key.toString('hex')],
    ['a master key in base64', key.toString('base64')],
    ['a token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['an e-mail address', 'ana@example.com'],
    ['a document number', '1020304050'],
    ['a phone number', '3001234567'],
    ['a query string', '/api/v3/porders/A-1?merchant=shop&checksum=00'],
    ['a connection string', 'postgres://me:pass@db/caudal'],
    ['a mail server’s login', 'smtps://me:pass@mail'],
    ['a one-time password that was given out', '480213'],
  ])('%s, in a field and in a message', (_what, secret) => {
    expect(findSecrets(logged({ said: { aloud: secret } }), ['480213'])).not.toEqual([]);
    expect(findSecrets(logged({}, `it is ${secret}`), ['480213'])).not.toEqual([]);
  });

  test('nothing in what a server says of its work', () => {
    const harmless = [
      logged({ requestId: randomSecret(), route: '/api/v3/porders/:order', method: 'GET', status: 200, seconds: 0.480213 }, 'answered'),
      logged({ error: new Error('connect ECONNREFUSED 127.0.0.1:45678') }, 'cannot serve now'),
      logged({ address: 'http://127.0.0.1:9464' }, 'metrics are served at /metrics'),
    ];
    expect(findSecrets(harmless.join(''), ['480213'])).toEqual([]);
  });
});
