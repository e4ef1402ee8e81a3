import { BinariesUnavailable } from '@caudal/embedded-postgres';
import { expect, test } from 'vitest';
import { explainFault } from './explain-fault.ts';

test('a machine on which the embedded PostgreSQL does not run is sent to DATABASE_URL', () => {
  expect(explainFault(new BinariesUnavailable('There is no embedded PostgreSQL for linux-riscv64 here.'))).toBe(
    'There is no embedded PostgreSQL for linux-riscv64 here. Set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
});

test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])(
  'a certificate of the database that is not trusted leads to the setting that adds an authority: %s',
  (code) => {
    expect(explainFault(Object.assign(new Error('of TLS'), { code }))).toMatch(
      /^The certificate of the database .* NODE_EXTRA_CA_CERTS=FILE/,
    );
  },
);

test.each([
  ['CERT_HAS_EXPIRED', /has ended.*renew it there/],
  ['CERT_NOT_YET_VALID', /has not begun.*the clock of this machine/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /of another host: name the database in DATABASE_URL/],
])('a certificate of the database that no authority repairs has its own remedy: %s', (code, line) => {
  const explained = explainFault(Object.assign(new Error('of TLS'), { code }));
  expect(explained).toMatch(line);
  expect(explained).not.toContain('NODE_EXTRA_CA_CERTS');
});

test('a database that does not answer is one line', () => {
  expect(explainFault(new Error('timeout expired'))).toBe('The database cannot be used: timeout expired');
});
