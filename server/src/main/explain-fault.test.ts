import { BinariesUnavailable } from '@caudal/embedded-postgres';
import { expect, test } from 'vitest';
import { explainFault } from './explain-fault.ts';

test('a machine on which the embedded PostgreSQL does not run is sent to DATABASE_URL', () => {
  expect(explainFault(new BinariesUnavailable('There is no embedded PostgreSQL for linux-riscv64 here.'))).toBe(
    'There is no embedded PostgreSQL for linux-riscv64 here. Set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
});

test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'a certificate of the database that is not trusted leads to the setting that adds an authority: %s',
  (code) => {
    expect(explainFault(Object.assign(new Error('of TLS'), { code }))).toMatch(
      /^The certificate of the database .* NODE_EXTRA_CA_CERTS=FILE/,
    );
  },
);

test('a database that does not answer is one line', () => {
  expect(explainFault(new Error('timeout expired'))).toBe('The database cannot be used: timeout expired');
});
