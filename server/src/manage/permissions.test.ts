import { expect, test } from 'vitest';
import { ALL_ROLES, ROLES, type Permission, type Role } from './permissions.ts';

/** Who has the permissions that move money, open accounts, or take what is stored out of the service. A new one is a decision. */
const SENSITIVE: Partial<Record<Permission, readonly Role[]>> = {
  'payments:write': ['owner', 'operations'],
  'ledger:read': ['owner', 'operations', 'finance', 'auditor', 'administrator', 'viewer'],
  'ledger:write': ['owner', 'finance'],
  'merchants:write': ['owner', 'operations'],
  'networks:write': ['owner', 'operations'],
  'secrets:write': ['owner', 'administrator'],
  'exports:read': ['owner', 'operations', 'finance', 'auditor', 'administrator'],
  'users:read': ['owner', 'auditor', 'administrator'],
  'users:write': ['owner', 'administrator'],
  'tokens:write': ['owner', 'administrator'],
  'audit:read': ['owner', 'auditor'],
  'people:write': ['owner'],
};

test.each(Object.entries(SENSITIVE))('%s is for %j alone', (permission, roles) => {
  expect(ALL_ROLES.filter((role) => (ROLES[role].permissions as ReadonlySet<string>).has(permission))).toEqual(roles);
});

test('who only reads writes nothing', () => {
  for (const role of ['auditor', 'viewer'] as const)
    expect([...ROLES[role].permissions].filter((permission) => !permission.endsWith(':read'))).toEqual([]);
});
