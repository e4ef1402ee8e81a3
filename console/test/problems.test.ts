import { describe, expect, test } from 'vitest';
import { MESSAGE_PROBLEMS } from '../../server/src/messages/message-problems.ts';
import { NOTICE_PROBLEMS } from '../../server/src/notices/notice-problems.ts';
import { problemOf } from '../../server/src/notices/delivery/send-notice.ts';
import { causeOf, problemIn } from '../src/about/cause.ts';
import { UNSENT } from '../src/about/problems.ts';

describe.each(['es', 'en', 'pt'] as const)('in %s', (language) => {
  const { notice, message } = UNSENT[language];

  test.each(Object.values(NOTICE_PROBLEMS))('the service’s own text “%s” of a notice has words', (problem) => {
    expect(causeOf(problem)).not.toBe('other');
    expect(Object.values(notice)).toContain(problemIn(notice, problem));
  });

  test('each text of the service for a message has words, and no other text has', () => {
    expect(Object.keys(message).toSorted()).toEqual(Object.values(MESSAGE_PROBLEMS).toSorted());
  });

  test('a redirect says that it is not followed', () => {
    expect(problemIn(notice, problemOf(301) as string)).toBe(`HTTP 301, ${notice.redirect}`);
  });

  test('a code stays beside its words', () => {
    expect(problemIn(notice, 'CERT_HAS_EXPIRED')).toBe(`${notice.certificate} (CERT_HAS_EXPIRED)`);
  });
});

test('each answer that is no success has a cause', () => {
  const statuses = Array.from({ length: 300 }, (_, place) => 300 + place);
  expect(statuses.filter((status) => causeOf(problemOf(status) as string) === 'other')).toEqual([]);
});

test.each([
  ['HTTP 503', 'receiver'],
  ['HTTP 401', 'denied'],
  ['HTTP 404', 'missing'],
  ['EHOSTUNREACH', 'down'],
  ['ETIMEDOUT', 'slow'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'handshake'],
  ['EPROTO', 'handshake'],
  ['HPE_INVALID_CONSTANT', 'other'],
])('the problem “%s” is explained as %s', (problem, cause) => {
  expect(causeOf(problem)).toBe(cause);
});

test.each(['HTTP 503', 'HPE_INVALID_CONSTANT', 'a text of a later release'])('“%s” stays as it is', (problem) => {
  expect(problemIn(UNSENT.es.notice, problem)).toBe(problem);
});
