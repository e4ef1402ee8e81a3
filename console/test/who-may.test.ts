import { expect, test } from 'vitest';
import { ROLES } from '../../server/src/manage/index.ts';

// Texts of the console name who can do what the reader may not. They are right as long as the table of roles says so.
test.each([
  ['administrator', 'secrets:write', 'changes the notice URL'],
  ['administrator', 'notices:send', 'sends a notice again'],
  ['administrator', 'users:write', 'gives another role'],
  ['support', 'notices:send', 'sends a notice again, and resumes a receiver'],
  ['operations', 'payments:write', 'resolves a refused payment, and approves refunds'],
  ['operations', 'refunds:write', 'asks for a refund'],
  ['administrator', 'refunds:write', 'asks for a refund'],
  ['clerk', 'refunds:write', 'asks for a refund'],
  ['administrator', 'funds:write', 'moves what was collected to the fund'],
  ['finance', 'funds:write', 'moves what was collected to the fund'],
  ['finance', 'settlements:write', 'prepares and approves settlements'],
  ['operations', 'merchants:write', 'says to which account a merchant is paid'],
  ['owner', 'users:write', 'gives another role'],
] as const)('the role %s has %s: it %s', (role, permission, _act) => {
  expect(ROLES[role].permissions).toContain(permission);
});
