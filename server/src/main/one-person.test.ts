import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWriteOperation } from '../manage/management-operation.ts';
import { ALL_ROLES, ROLES, type Role } from '../manage/permissions.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { managementOperations, sandboxOnly } from './manage.ts';

// Who can end up with money alone: a walk over all roles of the service's side, and over all that their operations give (decision 0060).

/** What an operation gives to whoever carries it out, of what money can be made of. */
type Power =
  | 'a cashout of its own'
  | 'a merchant’s secret'
  | 'a network’s secret'
  | 'money in any fund'
  | 'another user'
  | 'the account that is paid'
  | 'a payment to that account';

/** Every write of the management API that gives such a thing. All others give none. */
const GIVES: Readonly<Record<string, Power>> = {
  createMerchant: 'a merchant’s secret',
  setMerchantSigning: 'a merchant’s secret',
  rotateFixedHash: 'a merchant’s secret',
  rotateSigningSecret: 'a merchant’s secret',
  createNetwork: 'a network’s secret',
  rotateNetworkSecret: 'a network’s secret',
  topUp: 'money in any fund',
  adjustAccount: 'money in any fund',
  moveToFund: 'money in any fund',
  setFundRule: 'money in any fund',
  setSettlementSchedule: 'the account that is paid',
  approveSettlements: 'a payment to that account',
  inviteUser: 'another user',
  changeUser: 'another user',
  resetUser: 'another user',
};

/** The operations of which somebody has judged that they give nothing of the kind. A new one fails here until it is judged. */
const GIVES_NOTHING = `
  updateOrder cancelOrder voidOrder requestRefund approveRefund payRefund failRefund cancelRefund resolveRefusedPayments cancelCashout nullifyCashout unlockCashout resendOneTimePassword changeCashoutLimits
  placeMerchant updateMerchant disableMerchant enableMerchant freezeMerchant thawMerchant setReplayGuard setStrictAmounts setLetterDocuments setUpdateNotices setEmptyEmails setKeptFees
  setNoticeChecksum setOpenAmounts setMerchantLimits setNoticeUrl setReturnUrl rotateNoticeHash setMerchantBrand
  setNetworkBrand setNetworkServes setNetworkAddresses setNetworkLimits setNetworkSigning disableNetwork enableNetwork setFees sendTestNotice
  redeliverNotice redeliverNotices sendNoticeNow pauseNoticeEndpoint resumeNoticeEndpoint sendMessageNow signIn endSession endSessions
  proveAgain changePassword offerCodes confirmCodes renewRecoveryCodes saveView deleteView signOutUser createToken endToken exportPerson
  erasePerson exportList deleteExport createOrder registerCashout registerRefundCashout endFundRule
  runSettlement cancelSettlement sendSettlement returnSettlement placeHold releaseHold addSettlementRule endSettlementRule loadCalendar setBankFileLayout makeSettlementFile paySettlement recordSettlementResults`
  .trim()
  .split(/\s+/);

/** Money in the hand. With a secret of a merchant its fund is paid out on the wire: that of a new one once somebody fills it. */
const endsInCash = (powers: ReadonlySet<Power>): boolean =>
  powers.has('a cashout of its own') ||
  powers.has('a merchant’s secret') ||
  powers.has('a network’s secret') ||
  powers.has('another user') ||
  (powers.has('the account that is paid') && powers.has('a payment to that account'));

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal({ config: { mode: 'production' } });
});
afterAll(() => service.close());

const writes = managementOperations.filter((one) => isWriteOperation(one) && !sandboxOnly.has(one));

test('of every write somebody has said what it gives', () => {
  expect(writes.map(({ name }) => name).toSorted()).toEqual([...Object.keys(GIVES), ...GIVES_NOTHING].toSorted());
});

test('no role of the service’s side but the owner’s ends up with money alone', async () => {
  const { merchantId } = await service.merchant();
  const rich: Role[] = [];
  for (const role of ALL_ROLES.filter((one) => ROLES[one].side === 'service')) {
    const { permissions } = ROLES[role] as { readonly permissions: ReadonlySet<string> };
    const powers = new Set<Power>();
    for (const { name, permission } of writes) {
      const power = GIVES[name];
      if (power !== undefined && permissions.has(permission)) powers.add(power);
    }
    const calls = await manageCalls(service, { name: role, permissions: [...ROLES[role].permissions] });
    const amount = { amount: '100.00', currency: 'COP' };
    for (const sms of [{ sms: true, cellphone: '3001234567' }, {}]) {
      const cashout = { merchant: merchantId, operation: `W-${role}-${Object.keys(sms).length}`, amount, document: '1020304050', ...sms };
      const { status, problem } = await calls.send('POST', '/cashouts', cashout);
      expect(status, role).toBe(403);
      expect(['password_for_merchant', 'permission_missing']).toContain(problem);
      if (status < 400) powers.add('a cashout of its own');
    }
    if (endsInCash(powers)) rich.push(role);
  }
  expect(rich, 'docs/security.md says so of the owner').toEqual(['owner']);
});
