import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listActs, type ListedAct } from '../audit/act-rows.ts';
import { READ_NAMES } from '../audit/acts-of.ts';
import { statement } from '../kit/db.ts';
import { ALL_PERMISSIONS } from '../manage/index.ts';
import { isWriteOperation } from '../manage/management-operation.ts';
import { capturePrinted } from '../testing/captured.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { sampleRequest } from '../testing/sample-requests.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { enrolUser, PASSWORD, secretOn, tokenOf, type TestUser } from '../testing/user-calls.ts';
import { codeAt, stepOf } from '../users/credentials/one-time-code.ts';
import { managementOperations } from './manage.ts';
import { ON_OFF_SETTINGS } from '../merchants/on-off-settings.ts';

// Each write of the management API leaves exactly one act, whether it was done or refused. Generated from the declarations.

let service: TestCaudal;
let shop: TestMerchant;
let staff: ManageCalls;
let clerk: ManageCalls;
let owner: TestUser;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant({ noticeUrl: 'https://shop.example/notices' });
  staff = await manageCalls(service, { name: 'console' });
  clerk = await manageCalls(service, {
    name: 'till',
    merchantId: shop.merchantId,
    permissions: ['cashouts:write', 'refunds:write', 'notices:send'],
  });
});
afterAll(() => service.close());

const newest = async (limit = 500): Promise<readonly ListedAct[]> => listActs(service.db, { limit });

/** The acts of some work, the newest first. The clock of a sandbox moves, so that the number says which is the newest. */
async function actsOf(work: () => Promise<unknown>): Promise<readonly ListedAct[]> {
  const known = new Set((await newest()).map(({ actId }) => actId));
  await work();
  return (await newest()).filter(({ actId }) => !known.has(actId)).toSorted((one, other) => Number(other.actId - one.actId));
}

const writes = managementOperations.filter(isWriteOperation);

const money = { amount: '45000', currency: 'COP' };
const order = (id: string) =>
  staff.send('POST', '/orders', { merchant: shop.merchantId, order: id, email: 'ana@example.com', amount: money });
const cashout = (id: string, key?: string) => {
  const body = { merchant: shop.merchantId, operation: id, amount: money, document: '1020304050' };
  return clerk.send('POST', '/cashouts', body, key === undefined ? {} : { 'idempotency-key': key });
};
const atOrder = (id: string): string => `/orders/${shop.merchantId}/${id}`;
const atRefund = (id: string): string => `/refunds/${shop.merchantId}/${id}`;
const PART = { amount: { amount: '100', currency: 'COP' }, refundedBy: 'operator', reason: 'returned' };
const atCashout = (id: string): string => `/cashouts/${shop.merchantId}/${id}`;

async function paidOrder(id: string): Promise<void> {
  const { serviceOrderId } = (await order(id)).body;
  expect(await networkOrderCalls(service, await service.network()).pay(serviceOrderId, 'T-1')).toMatchObject({ code: '0000' });
}

/** The second payment is refused, and waits for somebody. */
async function paidTwice(id: string): Promise<void> {
  const { serviceOrderId } = (await order(id)).body;
  const network = networkOrderCalls(service, await service.network());
  await network.pay(serviceOrderId, 'T-2');
  await network.pay(serviceOrderId, 'T-3');
}

/** Sends a request of a browser in which the owner is signed in. */
async function ofUser(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, cookie = owner.cookie) {
  const headers = { host: 'localhost', origin: 'http://localhost', cookie };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await service.app.inject({ method, url: `/manage/v1${path}`, remoteAddress: '198.51.100.7', headers, ...payload });
  return { status: answer.statusCode, text: answer.body };
}

async function anotherSession(): Promise<string> {
  service.clock.advance({ seconds: 30 });
  const { text } = await ofUser('POST', '/sessions', { email: owner.email, password: PASSWORD, code: owner.code() }, '');
  return (JSON.parse(text) as { id: string }).id;
}

async function codeOfNewApp(): Promise<string> {
  const { key } = JSON.parse((await ofUser('POST', '/me/codes')).text) as { key: string };
  return codeAt(secretOn(`<code>${key}</code>`), stepOf(service.clock.now()));
}

let guests = 0;
const invite = () =>
  staff.send('POST', '/users', { email: `guest-${++guests}@example.com`, name: 'Guest', role: 'support', language: 'en' });
const invited = async (): Promise<string> => ((await invite()).body as unknown as { user: { id: string } }).user.id;
const VIEW = { name: 'Open orders', address: '/orders?state=pending' };
const savedView = async (): Promise<string> => (JSON.parse((await ofUser('PUT', '/me/views', VIEW)).text) as { id: string }).id;
const CHILD = { name: 'Child', permissions: ['orders:read'], days: 1 };
/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
const ACCOUNT = {
  bankCode: '1007',
  bankName: 'Bank',
  type: 'savings',
  number: '04512345678',
  holderName: 'Shop',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const LAYOUT = { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: ACCOUNT };
const RULE = { name: 'iva', kind: 'fee', base: 'payout', currency: 'COP', percent: '1', since: '2027-01-01' };
/** A settlement that a bank has to pay. */
let payable: string;
async function approvedSettlement(): Promise<string> {
  const shop = await openSettledShop(service);
  await staff.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { period: 'daily', calendar: 'colombia', account: ACCOUNT });
  await shop.pay();
  const made = await shop.run();
  await shop.step(made, { to: 'approved' });
  return String(made.settlementId);
}
/** A rule that was added. */
let rule: string;
const EXPORT = { list: 'orders', format: 'csv' };

/** What prepares a write, the write, on what it is, and what the act shows of it. */
type Scene = {
  readonly before?: () => Promise<unknown>;
  readonly run: () => Promise<{ readonly status: number }>;
  readonly target: string | RegExp;
  /** `none`: its name says all that it does. */
  readonly changes?: 'none';
  /** Acts of what `run` does before. */
  readonly preparation?: readonly string[];
};

const ofMerchant = (method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Scene => ({
  run: () => staff.send(method, `/merchants/walked${path}`, body),
  target: 'merchant walked',
});
const ofNetwork = (method: 'POST' | 'PUT', path: string, body?: object): Scene => ({
  run: () => staff.send(method, `/networks/walked${path}`, body),
  target: 'network walked',
});

const ofLedger = (method: 'POST' | 'PUT', path: string, body: object): Scene => ({
  run: () => staff.send(method, `/ledger/${shop.merchantId}/${path}`, body),
  target: /^merchant /,
});
const atSettlement = (id: string | undefined, step = ''): string => `/settlements/${shop.merchantId}/${id}${step}`;
/** Makes a draft of what was collected until now. */
async function settle() {
  service.clock.advance({ seconds: 1 });
  const until = service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().toString();
  return staff.send('POST', atSettlement('run'), { currency: 'COP', until });
}
let settlements = 0;
/** The number of a new draft. */
async function settled(): Promise<string> {
  await paidOrder(`S-${++settlements}`);
  return String((await settle()).body['settlement']);
}
let settlement: string;
const HOLD = { amount: { amount: '100', currency: 'COP' }, reason: 'a dispute' };

const ofEndpoint = (verb: string): Scene => ({
  run: () => staff.send('POST', `/notice-endpoints/${shop.merchantId}/${verb}`),
  target: /^endpoint /,
  changes: 'none',
});

/** The transaction of what was simulated last. */
let transaction: string;
type Body = Readonly<Record<string, unknown>>;
const collect = ({ body }: { readonly body: Body }) =>
  staff.send('POST', '/sandbox/collections', { document: '1020304050', oneTimePassword: body['oneTimePassword'] });
async function simulated(made: Promise<{ readonly body: Body }>, simulate: (body: Body) => Promise<{ readonly body: Body }>) {
  transaction = (await simulate((await made).body)).body['transaction'] as string;
}

const END_NOTICES = statement('test.end_all_notices', `update notices set state = 'given_up'`);
const HOLD_NOTICES = statement(
  'test.hold_all_notices',
  `update notices set state = 'waiting', closed_at = null, leased_until = null, due_at = $1`,
);
const HOLD_MESSAGES = statement(
  'test.hold_all_messages',
  `update messages set state = 'pending', ended_at = null, sealed = coalesce(sealed, ''), due_at = $1::timestamptz + interval '1 hour'`,
);
const aMessage = async (): Promise<string> =>
  ((await staff.get('/messages?state=pending')).body['items'] as unknown as readonly { readonly id: string }[])[0]?.id ?? '';
const aNotice = async (): Promise<string> =>
  ((await staff.get(`/notices?merchant=${shop.merchantId}`)).body as unknown as { items: { id: string }[] }).items[0]?.id ?? '';

/** One request of each write that succeeds, in the order in which they run. */
const SCENES: Readonly<Record<string, Scene>> = {
  createOrder: { run: () => order('A-1'), target: 'order A-1' },
  updateOrder: {
    before: () => order('A-2'),
    run: () => staff.send('PATCH', atOrder('A-2'), { userName: 'Ana Gómez' }, { 'if-match': '*' }),
    target: 'order A-2',
  },
  cancelOrder: { before: () => order('A-3'), run: () => staff.send('POST', `${atOrder('A-3')}/cancel`), target: 'order A-3' },
  voidOrder: {
    before: () => paidOrder('A-4'),
    run: () => staff.send('POST', `${atOrder('A-4')}/void`, { reason: 'paid twice', refundedBy: 'network' }),
    target: 'order A-4',
  },
  requestRefund: {
    before: async () => {
      await paidOrder('A-9');
      // A merchant asks once the network can no longer take its payment back.
      service.clock.advance({ seconds: 51 });
    },
    run: () => clerk.send('POST', `${atOrder('A-9')}/refunds`, { refund: 'R-1', ...PART }),
    target: 'order A-9',
  },
  approveRefund: { run: () => staff.send('POST', `${atRefund('R-1')}/approve`), target: 'refund R-1' },
  payRefund: { run: () => staff.send('POST', `${atRefund('R-1')}/pay`, { proof: 'bank-7' }), target: 'refund R-1' },
  failRefund: {
    before: () => staff.send('POST', `${atOrder('A-9')}/refunds`, { refund: 'R-2', ...PART }),
    run: () => staff.send('POST', `${atRefund('R-2')}/fail`, { reason: 'unreachable' }),
    target: 'refund R-2',
  },
  registerRefundCashout: {
    before: async () => {
      await clerk.send('POST', `${atOrder('A-9')}/refunds`, { refund: 'R-4', ...PART, refundedBy: 'cashout' });
      return staff.send('POST', `${atRefund('R-4')}/approve`);
    },
    run: () => clerk.send('POST', `${atRefund('R-4')}/cashout`, { operation: 'W-R4', document: '1020304050' }),
    target: 'refund R-4',
  },
  cancelRefund: {
    before: () => clerk.send('POST', `${atOrder('A-9')}/refunds`, { refund: 'R-3', ...PART }),
    run: () => clerk.send('POST', `${atRefund('R-3')}/cancel`),
    target: 'refund R-3',
  },
  runSettlement: { before: () => paidOrder('A-10'), run: settle, target: /^merchant / },
  approveSettlements: {
    before: async () => (settlement = await settled()),
    run: () => staff.send('POST', '/settlements/approve', { settlements: [settlement] }),
    target: /^settlement /,
  },
  sendSettlement: { run: () => staff.send('POST', atSettlement(settlement, '/sent')), target: /^settlement / },
  paySettlement: { run: () => staff.send('POST', atSettlement(settlement, '/paid'), { bankReference: 'B-1' }), target: /^settlement / },
  returnSettlement: { run: () => staff.send('POST', atSettlement(settlement, '/returned'), { reason: 'closed' }), target: /^settlement / },
  cancelSettlement: {
    before: async () => (settlement = await settled()),
    run: () => staff.send('POST', atSettlement(settlement, '/cancel'), { reason: 'too early' }),
    target: /^settlement /,
  },
  placeHold: { run: () => staff.send('POST', `/holds/${shop.merchantId}`, HOLD), target: /^merchant / },
  releaseHold: {
    before: async () => (settlement = String((await staff.send('POST', `/holds/${shop.merchantId}`, HOLD)).body['hold'])),
    run: () => staff.send('POST', `/holds/${shop.merchantId}/${settlement}/release`, { reason: 'won' }),
    target: /^hold /,
  },
  loadCalendar: { run: () => staff.send('PUT', '/calendars/colombia', {}), target: 'calendar colombia' },
  setSettlementSchedule: {
    run: () =>
      staff.send('PATCH', `/settlement-schedules/${shop.merchantId}/COP`, { period: 'daily', calendar: 'colombia', account: ACCOUNT }),
    target: /^merchant /,
  },
  addSettlementRule: { run: () => staff.send('POST', '/settlement-rules', RULE), target: 'rule iva' },
  endSettlementRule: {
    before: async () => void (rule = String((await staff.send('POST', '/settlement-rules', { ...RULE, currency: 'USD' })).body['rule'])),
    run: () => staff.send('POST', `/settlement-rules/${rule}/end`, { until: '2027-01-31' }),
    target: /^rule [0-9]+$/,
  },
  setBankFileLayout: { run: () => staff.send('PUT', '/bank-file-layouts/bank', LAYOUT), target: 'layout bank' },
  makeSettlementFile: {
    before: approvedSettlement,
    run: () => staff.send('POST', '/settlement-files', { file: 'F-1', layout: 'bank', currency: 'COP' }),
    target: 'file F-1',
  },
  recordSettlementResults: {
    before: async () => {
      payable = await approvedSettlement();
      await staff.send('POST', '/settlement-files', { layout: 'bank', currency: 'COP' });
    },
    run: () => staff.send('POST', '/settlement-results', { csv: `settlement,result,reference\n${payable},paid,T-1\n` }),
    target: /^results [0-9a-f]{16}$/,
  },
  resolveRefusedPayments: {
    before: () => paidTwice('A-5'),
    run: () => staff.send('POST', `${atOrder('A-5')}/resolve`, { note: 'given back' }),
    target: 'order A-5',
    changes: 'none',
  },
  expireOrder: { before: () => order('A-6'), run: () => staff.send('POST', `${atOrder('A-6')}/expire`), target: 'order A-6' },
  simulatePayment: {
    before: () => order('A-7'),
    run: async () => staff.send('POST', '/sandbox/payments', { reference: (await staff.get(atOrder('A-7'))).body['reference'] }),
    target: 'order A-7',
  },
  reverseSimulatedPayment: {
    before: async () => simulated(order('A-8'), ({ reference }) => staff.send('POST', '/sandbox/payments', { reference })),
    run: () => staff.send('POST', `/sandbox/payments/${transaction}/reverse`),
    target: 'order A-8',
  },
  simulateCollection: {
    run: async () => collect(await cashout('W-6')),
    target: 'cashout W-6',
    preparation: ['registerCashout'],
  },
  reverseSimulatedCollection: {
    before: () => simulated(cashout('W-7'), (body) => collect({ body })),
    run: () => staff.send('POST', `/sandbox/collections/${transaction}/reverse`),
    target: 'cashout W-7',
  },
  unlockCashout: {
    before: async () => {
      const { oneTimePassword } = (await cashout('W-8')).body;
      expect(await networkCalls(service, await service.network()).lookUp(oneTimePassword, '1020304050')).toMatchObject({ code: '0000' });
    },
    run: () => staff.send('POST', `${atCashout('W-8')}/unlock`, { reason: 'its terminal broke' }),
    target: 'cashout W-8',
  },
  registerCashout: { run: () => cashout('W-1'), target: 'cashout W-1' },
  cancelCashout: { before: () => cashout('W-2'), run: () => clerk.send('POST', `${atCashout('W-2')}/cancel`), target: 'cashout W-2' },
  nullifyCashout: {
    before: () => cashout('W-3'),
    run: () => staff.send('POST', `${atCashout('W-3')}/nullify`, { reason: 'wrong person' }),
    target: 'cashout W-3',
  },
  resendOneTimePassword: {
    before: () => cashout('W-4'),
    run: () => clerk.send('POST', `${atCashout('W-4')}/resend`),
    target: 'cashout W-4',
  },
  topUp: ofLedger('POST', 'top-ups', { amount: money, reference: 'bank-7' }),
  adjustAccount: ofLedger('POST', 'adjustments', { account: 'available', amount: money, reason: 'The bank’s fee' }),
  moveToFund: {
    ...ofLedger('POST', 'moves-to-fund', { amount: money, reference: 'move-1' }),
    before: () =>
      staff.send('POST', `/ledger/${shop.merchantId}/adjustments`, { account: 'collected', amount: money, reason: 'to be moved' }),
  },
  setFundRule: ofLedger('PUT', 'fund-rules/COP', { low: '100.00', target: null }),
  endFundRule: { run: () => staff.send('DELETE', `/ledger/${shop.merchantId}/fund-rules/COP`), target: /^merchant / },
  setFees: {
    ...ofLedger('PUT', 'fees', { operation: 'order', percent: '2.5', fixed: money, taxPercent: '19' }),
    changes: 'none',
  },
  pauseNoticeEndpoint: ofEndpoint('pause'),
  resumeNoticeEndpoint: ofEndpoint('resume'),
  redeliverNotices: {
    run: () => staff.send('POST', '/notices/redeliver', { since: '2026-01-01T00:00:00Z', merchant: shop.merchantId }),
    target: /^endpoint /,
    changes: 'none',
  },
  sendNoticeNow: {
    before: () => service.db.query(HOLD_NOTICES, [service.clock.now()]),
    run: async () => staff.send('POST', `/notices/${await aNotice()}/send-now`),
    target: /^notice /,
    changes: 'none',
  },
  sendMessageNow: {
    before: () => service.db.query(HOLD_MESSAGES, [service.clock.now()]),
    run: async () => staff.send('POST', `/messages/${await aMessage()}/send-now`),
    target: /^message /,
    changes: 'none',
  },
  redeliverNotice: {
    before: () => service.db.query(END_NOTICES, []),
    run: async () => staff.send('POST', `/notices/${await aNotice()}/redeliver`),
    target: /^notice /,
    changes: 'none',
  },
  exportPerson: { run: () => staff.send('POST', '/people/export', { document: '99887766' }), target: /^$/, changes: 'none' },
  erasePerson: { run: () => staff.send('POST', '/people/erase', { document: '99887766' }), target: /^$/, changes: 'none' },
  placeMerchant: ofMerchant('PUT', '/cell', { cell: 'home' }),
  createMerchant: { run: () => staff.send('POST', '/merchants', { merchant: 'walked', country: '343' }), target: 'merchant walked' },
  updateMerchant: ofMerchant('PATCH', '', { name: 'Shop' }),
  setMerchantBrand: ofMerchant('PATCH', '/brand', { colour: '#0a5c78', logo: PIXEL }),
  ...Object.fromEntries(ON_OFF_SETTINGS.map(([, { operation, word }]) => [operation, ofMerchant('PUT', `/${word}`, { isOn: true })])),
  setOpenAmounts: ofMerchant('PUT', '/open-amounts', { openAmounts: [{ currency: 'COP', least: '1', most: '2' }] }),
  setNoticeChecksum: ofMerchant('PUT', '/notice-checksum', { noticeChecksum: 'sha512' }),
  setReturnUrl: ofMerchant('PUT', '/return-url', { returnUrl: 'https://shop.example/thanks' }),
  changeCashoutLimits: {
    run: () => staff.send('PATCH', `/merchants/${shop.merchantId}/cashout-limits/COP`, { most: '90000' }),
    target: /^merchant /,
    changes: 'none',
  },
  setMerchantLimits: ofMerchant('PUT', '/limits', { limits: { perSecond: 100, burst: 200, concurrent: 10 } }),
  setMerchantSigning: ofMerchant('PUT', '/signing', { signing: 'accept' }),
  setNoticeUrl: ofMerchant('PUT', '/notice-url', { noticeUrl: 'https://shop.example/new' }),
  sendTestNotice: ofEndpoint('test'),
  rotateFixedHash: ofMerchant('POST', '/rotate-fixed-hash'),
  rotateNoticeHash: ofMerchant('POST', '/rotate-notice-hash'),
  rotateSigningSecret: ofMerchant('POST', '/rotate-signing-secret'),
  freezeMerchant: ofMerchant('POST', '/freeze'),
  thawMerchant: ofMerchant('POST', '/thaw'),
  disableMerchant: ofMerchant('POST', '/disable'),
  enableMerchant: ofMerchant('POST', '/enable'),
  createNetwork: {
    run: () => staff.send('POST', '/networks', { netname: 'walked', countries: ['343'], currencies: ['COP'] }),
    target: 'network walked',
  },
  setNetworkBrand: {
    ...ofNetwork('PUT', '/brand'),
    run: () => staff.send('PATCH', '/networks/walked/brand', { hours: 'mon-sun 00:00-24:00' }),
  },
  setNetworkServes: ofNetwork('PUT', '/serves', { countries: null }),
  setNetworkAddresses: ofNetwork('PUT', '/addresses', { addresses: ['192.0.2.0/24'] }),
  setNetworkLimits: ofNetwork('PUT', '/limits', { limits: { perSecond: 1, burst: 2, concurrent: 3 } }),
  setNetworkSigning: ofNetwork('PUT', '/signing', { signing: 'checksum' }),
  rotateNetworkSecret: ofNetwork('POST', '/rotate-secret'),
  disableNetwork: ofNetwork('POST', '/disable'),
  enableNetwork: ofNetwork('POST', '/enable'),
  signIn: {
    before: async () => {
      owner = await enrolUser(service, (work) => printed.by(work), 'owner@example.com');
      service.clock.advance({ seconds: 30 });
    },
    run: () => ofUser('POST', '/sessions', { email: owner.email, password: PASSWORD, code: owner.code() }, ''),
    target: /^user /,
    changes: 'none',
  },
  endSession: {
    run: async () => ofUser('DELETE', `/sessions/${await anotherSession()}`),
    target: /^session /,
    changes: 'none',
    preparation: ['signIn'],
  },
  proveAgain: { run: () => ofUser('POST', '/me/step-up', { password: PASSWORD }), target: /^user /, changes: 'none' },
  changePassword: { run: () => ofUser('PUT', '/me/password', { password: 'nine grey herons at dawn' }), target: /^user /, changes: 'none' },
  offerCodes: { run: () => ofUser('POST', '/me/codes'), target: /^user /, changes: 'none' },
  confirmCodes: {
    run: async () => ofUser('PUT', '/me/codes', { code: await codeOfNewApp() }),
    target: /^user /,
    changes: 'none',
    preparation: ['offerCodes'],
  },
  saveView: { run: () => ofUser('PUT', '/me/views', VIEW), target: /^user /, changes: 'none' },
  deleteView: {
    run: async () => ofUser('DELETE', `/me/views/${await savedView()}`),
    target: /^user /,
    changes: 'none',
    preparation: ['saveView'],
  },
  renewRecoveryCodes: { run: () => ofUser('POST', '/me/recovery-codes'), target: /^user /, changes: 'none' },
  inviteUser: { run: () => invite(), target: /^user / },
  changeUser: {
    run: async () => staff.send('PATCH', `/users/${await invited()}`, { role: 'auditor' }, { 'if-match': '*' }),
    target: /^user /,
    preparation: ['inviteUser'],
  },
  resetUser: {
    run: async () => staff.send('POST', `/users/${await invited()}/reset`),
    target: /^user /,
    changes: 'none',
    preparation: ['inviteUser'],
  },
  signOutUser: {
    run: async () => staff.send('POST', `/users/${await invited()}/sign-out`),
    target: /^user /,
    changes: 'none',
    preparation: ['inviteUser'],
  },
  createToken: { run: () => staff.send('POST', '/tokens', CHILD), target: /^token / },
  endToken: {
    run: async () => staff.send('DELETE', `/tokens/${(await staff.send('POST', '/tokens', CHILD)).body['id']}`),
    target: /^token /,
    changes: 'none',
    preparation: ['createToken'],
  },
  exportList: { run: () => staff.send('POST', '/exports', EXPORT), target: /^export /, changes: 'none' },
  deleteExport: {
    run: async () => staff.send('DELETE', `/exports/${(await staff.send('POST', '/exports', EXPORT)).body['export']}`),
    target: /^export /,
    changes: 'none',
    preparation: ['exportList'],
  },
  moveClock: { run: () => staff.send('POST', '/sandbox/clock', { advance: 'PT1M' }), target: /^$/ },
  endSessions: { run: () => ofUser('DELETE', '/sessions'), target: /^user /, changes: 'none' },
};
test('every write has its scene', () => {
  expect(Object.keys(SCENES).toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
});

test.each(Object.entries(SCENES))('%s leaves one act: who, on what, and what changed, without values of people', async (name, scene) => {
  await scene.before?.();
  let status = 0;
  const acts = await actsOf(async () => ({ status } = await scene.run()));
  expect(status).toBeLessThan(300);
  expect(acts.map(({ operation, outcome }) => [operation, outcome])).toEqual(
    [name, ...(scene.preparation ?? [])].map((one) => [one, 'done']),
  );
  const [act] = acts;
  expect(act?.actor.name).toMatch(/^(console|till|owner@example\.com)$/);
  expect(act?.requestId).toEqual(expect.any(String));
  expect(act?.target ?? '').toMatch(scene.target);
  const { changes = {} } = JSON.parse(act?.content ?? '{}') as { changes?: object };
  expect(Object.keys(changes).length > 0).toBe(scene.changes !== 'none');
  expect(act?.content ?? '').not.toMatch(/ana@example|Ana Gómez|1020304050/);
  expect(act?.content ?? '', 'amounts have all their decimals').not.toMatch(/"\d+ [A-Z]{3}"/);
});

test('a replay is no second act', async () => {
  await cashout('W-5', 'K-5');
  const acts = await actsOf(async () => expect((await cashout('W-5', 'K-5')).headers['idempotency-replayed']).toBe('true'));
  expect(acts).toEqual([]);
});

describe('a write that is sent for things that do not exist', () => {
  test.each(writes.map((operation) => [operation.name, operation] as const))(
    '%s leaves one act: who, on what, and why not',
    async (name, operation) => {
      const request = sampleRequest(operation, 'no-such-shop');
      const authorization = await tokenOf(service, ALL_PERMISSIONS);
      let answer: { statusCode: number; body: string } | undefined;
      const acts = await actsOf(
        async () => (answer = await service.app.inject({ ...request, headers: { ...request.headers, authorization } })),
      );
      const { statusCode = 0, body = '' } = answer ?? {};
      const refusal = statusCode < 300 ? undefined : (JSON.parse(body) as { type: string }).type.replace('/docs/problems/', '');
      expect(acts.map((act) => [act.operation, act.outcome, act.actor.kind])).toEqual([
        [name, refusal === undefined ? 'done' : `refused:${refusal}`, 'token'],
      ]);
      const named = Object.keys(operation.path?.properties ?? {}).at(-1);
      if (named !== undefined) expect(acts[0]?.target).toMatch(/^[a-z]+ \S+$/);
    },
  );
});
const sendRefused = (times: number) => async (): Promise<void> => {
  for (let sent = 0; sent < times; sent++) expect((await clerk.send('POST', `${atCashout('none')}/cancel`)).status).toBe(404);
};

describe('refusals without end', () => {
  test('of one actor are a hundred acts in ten minutes, and one more that says how many others there were', async () => {
    service.clock.advance({ minutes: 10 });
    const acts = await actsOf(sendRefused(130));
    expect(acts.map(({ operation, target, outcome }) => [operation, target, outcome])).toEqual(
      Array.from({ length: 100 }, () => ['cancelCashout', 'cashout none', 'refused:not_found']),
    );
    const sums = await actsOf(() => service.runJobs());
    expect(sums).toMatchObject([{ actor: { kind: 'token', name: 'till' }, operation: 'moreActs', merchantId: shop.merchantId }]);
    expect(JSON.parse(sums[0]?.content ?? '')).toEqual({ given: { times: 30, acts: { 'cancelCashout refused:not_found': 30 } } });
    service.clock.advance({ minutes: 10 });
    expect(await actsOf(sendRefused(1))).toMatchObject([{ operation: 'cancelCashout' }]);
  });
});

test('a refusal under a key is one act, and its replay none', async () => {
  await cashout('W-6');
  const acts = await actsOf(async () => {
    for (let sent = 0; sent < 2; sent++) expect((await cashout('W-6', 'K-6')).problem).toBe('cashout_exists');
  });
  expect(acts.map(({ outcome }) => outcome)).toEqual(['refused:cashout_exists']);
});

test('what only shows something is called so, and nothing else is', () => {
  const name = new RegExp(READ_NAMES);
  expect(
    managementOperations.filter((operation) => name.test(operation.name) === isWriteOperation(operation)).map((one) => one.name),
  ).toEqual([]);
});

test('the list of acts leaves out who only looked, or shows them alone', async () => {
  await staff.get('/orders');
  await order('O-1');
  const namesOf = async (query: string) =>
    ((await staff.get(`/audit?limit=3${query}`)).body as unknown as { items: { operation: string }[] }).items.map(
      ({ operation }) => operation,
    );
  expect((await namesOf('')).slice(0, 2)).toEqual(['createOrder', 'listOrders']);
  expect(await namesOf('&only=reads')).toContain('listOrders');
  for (const operation of await namesOf('&only=reads')) expect(operation).toMatch(new RegExp(READ_NAMES));
  for (const operation of await namesOf('&only=changes')) expect(operation).not.toMatch(new RegExp(READ_NAMES));
});
