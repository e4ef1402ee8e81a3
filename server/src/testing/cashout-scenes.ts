import type { Caudal } from '../main/rooms.ts';
import { changeLimits } from '../cashouts/limits/set-limits.ts';
import { adjust } from '../ledger/adjust.ts';
import { moveToFund, topUp } from '../ledger/index.ts';
import { cashoutCalls } from './cashout-calls.ts';
import { networkCalls } from './network-calls.ts';
import { postingDb } from './posting-db.ts';
import { keyInFlight, scene, sending, servedElsewhere, WRONG_CHECKSUM, type Provocation, type Scenes, type Staged } from './precedence.ts';
import type { TestCaudal, TestMerchant } from './test-caudal.ts';

const DOCUMENT = '1020304050';
const HOLD_MINUTES = 6;
const REVERSAL_SECONDS = 51;

type Calls = ReturnType<typeof cashoutCalls>;
type Network = ReturnType<typeof networkCalls>;
/** A registered cashout, and who changes it. `otp` follows its renewals. */
type CashoutStage = Staged & { readonly calls: Calls; operation: string; otp: string; holder: Network };
type RegisterStage = Staged & { readonly merchantId: string; readonly calls: Calls; readonly operation: string };

const MERCHANT_INVALID = sending('merchant', 'not valid');
const NETWORK_SHAPE = { network_invalid: sending('netname', 'NOT VALID'), checksum_invalid: WRONG_CHECKSUM };
const REPEATED_PARAMETER: Provocation<Staged> = { touches: ['query'], apply: (staged) => void (staged.query = '&a=1&a=2') };
const LOOKUP = {
  merchant_invalid: MERCHANT_INVALID,
  parameter_invalid: sending('document', 'x'),
  operation_invalid: sending('operation', 'not valid'),
  checksum_invalid: WRONG_CHECKSUM,
};
const LIST = {
  merchant_invalid: MERCHANT_INVALID,
  parameter_invalid: sending('zz', '1'),
  date_malformed: sending('start', '20260231'),
  range_invalid: { touches: ['start'], apply: ({ fields }: Staged) => void Object.assign(fields, { start: '20261102', end: '20261101' }) },
  limit_invalid: sending('limit', '9'),
  checksum_invalid: WRONG_CHECKSUM,
};

const changing = (
  touches: readonly string[],
  phase: number,
  apply: (staged: CashoutStage) => Promise<unknown>,
): Provocation<CashoutStage> => ({ touches, phase, apply: async (staged) => void (await apply(staged)) });

/** Of another document the cashout is not registered. */
const OTHER_DOCUMENT = sending('document', '999');
const HELD = changing(['cashout'], 2, async ({ holder, otp }) => holder.lookUp(otp, DOCUMENT));
const PAID = changing(['cashout'], 3, async ({ holder, otp, operation }) => {
  const { idoperation } = (await holder.lookUp(otp, DOCUMENT)).data;
  await holder.pay(idoperation, `T-${operation}`);
});
const CHANGE = { cashout_not_registered: OTHER_DOCUMENT, cashout_not_pending: PAID, cashout_locked: HELD };

/** Registers a cashout and gives its password, where that does not go by SMS. Throws where it is refused. */
async function register(calls: Calls, operation: string, members: object = {}): Promise<string> {
  const { code, text, data } = await calls.register(calls.registration({ operation, document: DOCUMENT, ...members }));
  if (code !== '0000') throw new Error(`${operation} was refused: ${code} ${text}`);
  return data['otp'] ?? '';
}

/** Makes requests that would succeed, each about a merchant and a cashout of its own. */
async function openStages(service: TestCaudal) {
  const [ours, theirs] = await Promise.all([service.network(), service.network()]);
  const [network, other] = [networkCalls(service, ours), networkCalls(service, theirs)];
  let count = 0;

  const stageCashout = async (): Promise<CashoutStage & { readonly merchant: TestMerchant }> => {
    const merchant = await service.merchant();
    const calls = cashoutCalls(service, merchant);
    const operation = `W-${++count}`;
    const otp = await register(calls, operation);
    const fields = { merchant: merchant.merchantId, operation, document: DOCUMENT };
    return { fields, headers: {}, cleanUp: [], secret: merchant.fixedHash, calls, operation, otp, holder: network, merchant };
  };
  const stageFound = async (): Promise<CashoutStage> => {
    const staged = await stageCashout();
    const { idoperation } = (await network.lookUp(staged.otp, DOCUMENT)).data;
    const fields = { netname: network.netname, idoperation, transaction: `T-${staged.operation}` };
    return { ...staged, fields, secret: ours.secret };
  };
  const stageToCollect = async (): Promise<CashoutStage> => {
    const staged = await stageCashout();
    // A document of its own: wrong tries count for the document.
    const document = `77${String(count).padStart(8, '0')}`;
    const otp = await register(staged.calls, `${staged.operation}-d`, { document });
    return { ...staged, otp, fields: { netname: network.netname, otp, document }, secret: ours.secret };
  };
  const elsewhere = servedElsewhere(service, network.netname, '348');
  return { other, elsewhere, stageCashout, stageFound, stageToCollect };
}

type Stages = Awaited<ReturnType<typeof openStages>>;

const before = (touches: string, make: (staged: RegisterStage) => Promise<unknown>): Provocation<RegisterStage> => ({
  touches: [touches],
  apply: async (staged) => void (await make(staged)),
});

/** How the refusals of a registration are earned: of a merchant with a small fund, and with limits. */
function registrationScene(service: TestCaudal, { stageCashout }: Stages): Scenes {
  const stage = async (): Promise<RegisterStage> => {
    const merchant = await service.merchant({ fundMinor: 10_000_000n });
    const limits = { leastMinor: null, mostMinor: 6_000_000n, perDocumentAndDay: 1 };
    await changeLimits(service, { merchantId: merchant.merchantId, currency: 'COP' }, limits);
    const calls = cashoutCalls(service, merchant);
    const { operation } = await stageCashout();
    const fields = { merchant: merchant.merchantId, operation, amount: '51000', currency: 'COP', document: DOCUMENT };
    return { fields, headers: {}, cleanUp: [], secret: merchant.fixedHash, merchantId: merchant.merchantId, calls, operation };
  };
  const sendFirst = async ({ calls, operation }: RegisterStage, headers: Record<string, string>): Promise<unknown> => {
    const body = calls.registration({ operation: `${operation}-first`, document: '31', amount: '1' });
    return service.app.inject({ method: 'POST', url: '/cashout/v1/operation', payload: JSON.stringify(body), headers });
  };
  return {
    registerCashout: scene(stage, {
      merchant_invalid: MERCHANT_INVALID,
      parameter_invalid: sending('description', 'd'.repeat(51)),
      operation_invalid: sending('operation', 'not valid'),
      amount_invalid: sending('amount', '0'),
      expire_malformed: sending('expire', '2026-02-31'),
      checksum_invalid: [
        WRONG_CHECKSUM,
        // Another cut of the same text has used the checksum up.
        {
          touches: ['operation', 'amount', 'currency', 'document'],
          apply: ({ calls, operation }: RegisterStage) => register(calls, `${operation}5`, { amount: '1000' }).then(() => undefined),
        },
      ],
      // Last: a request that waits for its key holds the fund.
      key_in_flight: {
        touches: ['key'],
        phase: 4,
        apply: (staged: RegisterStage) =>
          keyInFlight<RegisterStage>(service, staged.merchantId, 'register-cashout', sendFirst).apply(staged),
      },
      key_reused: before('key', async (staged) => {
        staged.headers['idempotency-key'] = `k-${staged.operation}`;
        await sendFirst(staged, { 'idempotency-key': `k-${staged.operation}` });
      }),
      currency_not_allowed: sending('currency', 'BRL'),
      cellphone_impossible: {
        touches: ['sms'],
        apply: ({ fields }: Staged) => void Object.assign(fields, { sms: true, cellphone: '12' }),
      },
      sms_unavailable: {
        touches: ['sms'],
        apply: ({ fields }: Staged) => void Object.assign(fields, { sms: true, cellphone: '3001234567' }),
      },
      expire_out_of_range: sending('expire', '2030-01-01'),
      cashout_exists: before('operation', ({ calls, operation }) => register(calls, operation, { amount: '1', document: '32' })),
      amount_out_of_limits: sending('amount', '70000'),
      document_limit_reached: before('document', ({ calls, operation }) => register(calls, `${operation}-d`, { amount: '1' })),
      fund_too_small: before('fund', ({ calls, operation }) => register(calls, `${operation}-f`, { amount: '60000', document: '33' })),
    }),
  };
}

/** How the refusals of merchants' other operations are earned. */
function merchantScenes({ stageCashout }: Stages): Scenes {
  const only = async (...names: readonly string[]): Promise<CashoutStage> => {
    const staged = await stageCashout();
    return { ...staged, fields: Object.fromEntries(names.map((name) => [name, staged.fields[name]])) };
  };
  return {
    listCashouts: scene(() => only('merchant'), { ...LIST, page_invalid: sending('page', '0') }),
    listMovements: scene(() => only('merchant'), LIST),
    readBalance: scene(() => only('merchant'), {
      merchant_invalid: MERCHANT_INVALID,
      parameter_invalid: REPEATED_PARAMETER,
      checksum_invalid: WRONG_CHECKSUM,
    }),
    queryCashout: scene(stageCashout, {
      ...LOOKUP,
      parameter_invalid: [LOOKUP.parameter_invalid, REPEATED_PARAMETER],
      cashout_unknown: OTHER_DOCUMENT,
    }),
    cancelCashout: scene(stageCashout, {
      ...LOOKUP,
      parameter_invalid: [LOOKUP.parameter_invalid, REPEATED_PARAMETER],
      ...CHANGE,
    }),
  };
}

type MoveStage = Staged & { readonly merchantId: string };

const changed = (touched: string, phase: number, make: (staged: MoveStage) => Promise<unknown>): Provocation<MoveStage> => ({
  touches: [touched],
  phase,
  apply: async (staged) => void (await make(staged)),
});

/** How the refusals of a move to the fund are earned: of a merchant that has collected something. */
function moveScene(service: TestCaudal): Scenes {
  let count = 0;
  const of = (merchantId: string) => ({ db: postingDb(service.db, service.clock, merchantId), clock: service.clock });
  const collect = (merchantId: string, amountMinor: bigint): Promise<unknown> =>
    adjust(of(merchantId), { merchantId, currency: 'COP', account: 'collected', amountMinor, reason: 'as orders bring it' });
  const stage = async (): Promise<MoveStage> => {
    const { merchantId, fixedHash } = await service.merchant({ fundMinor: 0n });
    await collect(merchantId, 100_000n);
    const fields = { merchant: merchantId, currency: 'COP', amount: '500', reference: `fund.${++count}` };
    return { fields, headers: {}, cleanUp: [], secret: fixedHash, merchantId };
  };
  return {
    moveToFund: scene(stage, {
      merchant_invalid: MERCHANT_INVALID,
      parameter_invalid: [sending('reference', 'not valid'), sending('currency', 'XYZ')],
      amount_invalid: sending('amount', '0'),
      checksum_invalid: WRONG_CHECKSUM,
      currency_not_allowed: sending('currency', 'BRL'),
      move_differs: changed('reference', 0, async ({ merchantId, fields }) =>
        moveToFund(of(merchantId), {
          merchant: { merchantId, currencies: ['COP'] },
          currency: 'COP',
          amountMinor: 1n,
          reference: String(fields['reference']),
        }),
      ),
      collected_too_small: changed('collected', 1, ({ merchantId }) => collect(merchantId, -90_000n)),
      fund_too_large: changed('fund', 1, ({ merchantId }) =>
        topUp(of(merchantId), { merchantId, currency: 'COP', amountMinor: 10n ** 18n - 1n }),
      ),
    }),
  };
}

/** How the refusals of a renewal are earned. `sender`: a server that sends SMS. */
function renewalScene(service: TestCaudal, sender: Caudal, { stageCashout }: Stages): Scenes {
  const renewedThreeTimes = changing(['resends'], 1, async (staged) => {
    const calls = cashoutCalls(sender, merchantOf(staged));
    for (let time = 0; time < 3; time++) {
      const { data } = await calls.renew(staged.operation, DOCUMENT);
      staged.otp = data['otp'] ?? staged.otp;
    }
  });
  const withSms = changing(['password'], 0, async (staged) => {
    const operation = `${staged.operation}-sms`;
    const merchant = merchantOf(staged);
    await register(cashoutCalls(sender, merchant), operation, { sms: true, cellphone: '3001234567' });
    if (staged.fields['operation'] === staged.operation) staged.fields['operation'] = operation;
    staged.operation = operation;
    const inbox = (await sender.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}`)).json<{
      data: { messages: { text: string }[] };
    }>();
    staged.otp = /\b[0-9]{6}\b/.exec(inbox.data.messages[0]?.text ?? '')?.[0] ?? '';
  });
  /** Of a registration by a release that took other numbers. */
  const unreachable = changing(['password'], 3, async (staged) => {
    const text = `update cashouts set sms = true, cellphone = '6015550000' where merchant_id = $1 and operation_id = $2`;
    await service.db.query({ name: 'test.set_cellphone', text }, [merchantOf(staged).merchantId, staged.operation]);
  });
  const sendFirst = (staged: CashoutStage, headers: Record<string, string>): Promise<unknown> => {
    const { merchantId, fixedHash } = merchantOf(staged);
    const checksum = cashoutCalls(service, { merchantId, fixedHash }).sign(DOCUMENT, `${staged.operation}-first`, merchantId, 'otp.1');
    const url = `/cashout/v1/operation/${merchantId}/${staged.operation}-first/otp`;
    return service.app
      .inject({ method: 'POST', url, payload: JSON.stringify({ document: DOCUMENT, renewal: 'otp.1', checksum }), headers })
      .then(String);
  };
  const stageToRenew = async () => {
    const staged = await stageCashout();
    staged.fields['renewal'] = 'otp.1';
    return staged;
  };
  return {
    renewOneTimePassword: scene(stageToRenew, {
      ...LOOKUP,
      parameter_invalid: sending('renewal', 'not valid'),
      checksum_invalid: [
        WRONG_CHECKSUM,
        // The same request has renewed it before.
        changing(['renewal', 'operation', 'merchant', 'document'], 0, async (staged) => {
          const { data } = await cashoutCalls(sender, merchantOf(staged)).renew(staged.operation, DOCUMENT, {
            renewal: staged.fields['renewal'],
          });
          staged.otp = data['otp'] ?? staged.otp;
        }),
      ],
      password_too_short: sending('otpLength', '5'),
      key_in_flight: {
        touches: ['key'],
        phase: 4,
        apply: (staged: CashoutStage) =>
          keyInFlight<CashoutStage>(service, merchantOf(staged).merchantId, 'renew-password', sendFirst).apply(staged),
      },
      key_reused: changing(['key'], 4, async (staged) => {
        staged.headers['idempotency-key'] = `k-${staged.operation}`;
        await sendFirst(staged, { 'idempotency-key': `k-${staged.operation}` });
      }),
      ...CHANGE,
      resend_limit_reached: renewedThreeTimes,
      cellphone_impossible: unreachable,
      sms_unavailable: withSms,
    }),
  };
}

/** The merchant of a staged request, also where another field names it wrongly. */
const merchantOf = (staged: CashoutStage): TestMerchant => (staged as CashoutStage & { readonly merchant: TestMerchant }).merchant;

/** How the refusals of networks' operations are earned. */
function networkScenes(service: TestCaudal, { other, elsewhere, stageFound, stageToCollect }: Stages): Scenes {
  const paid = async (): Promise<CashoutStage> => {
    const staged = await stageFound();
    await staged.holder.pay(staged.fields['idoperation'], String(staged.fields['transaction']));
    return staged;
  };
  const foundByOthers = changing(['hold'], 1, async (staged) => {
    service.clock.advance({ minutes: HOLD_MINUTES });
    await other.lookUp(staged.otp, DOCUMENT);
    staged.holder = other;
  });
  const paidBefore = changing(['state'], 2, async ({ holder, fields, operation }) =>
    holder.pay(fields['idoperation'], `T-${operation}-before`),
  );
  return {
    lookUpCashout: scene(stageToCollect, {
      ...NETWORK_SHAPE,
      parameter_invalid: sending('netcode', '<>'),
      too_many_tries: changing(['tries'], 2, async ({ holder, fields }) => {
        for (let time = 0; time < 10; time++) await holder.lookUp('000000000000', fields['document']);
      }),
      password_wrong: sending('otp', '000000000000'),
      cashout_locked: changing(['hold'], 1, async ({ otp, fields }) => other.lookUp(otp, fields['document'])),
      cashout_not_served: elsewhere,
    }),
    payCashout: scene(stageFound, {
      ...NETWORK_SHAPE,
      parameter_invalid: sending('teller', '<>'),
      transaction_repeated: changing(['transaction'], 0, async ({ holder, fields }) => {
        const another = await stageFound();
        await holder.pay(another.fields['idoperation'], String(fields['transaction']));
      }),
      cashout_not_registered: sending('idoperation', '999999999'),
      cashout_locked: foundByOthers,
      cashout_not_pending: paidBefore,
      lock_over: changing(['hold'], 3, async () => service.clock.advance({ minutes: HOLD_MINUTES })),
      cashout_not_served: elsewhere,
    }),
    reverseCashoutPayment: scene(paid, {
      ...NETWORK_SHAPE,
      parameter_invalid: sending('idoperation', 'x'),
      transaction_unknown: sending('transaction', 'T-of-nobody'),
      not_reversible: changing(['clock'], 1, async () => service.clock.advance({ seconds: REVERSAL_SECONDS })),
    }),
  };
}

/** How the refusals of the operations on cashouts are earned, by the name of the operation. `sender`: a server that sends SMS. */
export async function cashoutScenes(service: TestCaudal, sender: Caudal): Promise<Scenes> {
  const stages = await openStages(service);
  return {
    ...registrationScene(service, stages),
    ...merchantScenes(stages),
    ...moveScene(service),
    ...renewalScene(service, sender, stages),
    ...networkScenes(service, stages),
  };
}
