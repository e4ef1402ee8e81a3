import { dayOf, endOfDay, startOfDay } from '../kit/calendar.ts';
import { statement, storedTime, type Tx } from '../kit/db.ts';
import type { Acted } from '../kit/changes/act.ts';
import type { Change, Changed } from '../kit/changes/engine.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { cashoutRegistered, feeOf, fundedFor, lockFreeFunds, postTransactions, readFees, withinLedger } from '../ledger/index.ts';
import { mobileNumber } from '../kit/phones/mobile-number.ts';
import type { OneTimePasswordSms } from '../messages/index.ts';
import { canonicalDocument } from '../people/index.ts';
import { decideRegister, type RegisterCashout, type RegisterRefusal } from './cashout-decisions.ts';
import { diffCashouts, type CashoutEvent } from './cashout-changes.ts';
import { besideOfPassword, changeValues, RECORD_CHANGES } from './cashout-history.ts';
import { cashoutRows } from './change-cashouts.ts';
import { CASHOUTS, COUNT_CHANGES, countChangeValues, countNewCashout } from './cashout-rows.ts';
import type { Cashout } from './cashout.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { countOfDays, readLimits } from './limits/limit-rows.ts';
import { openProofBook, runOnce, type Keyed, type ProofBook, type SettledAnswer } from '../requests/index.ts';
import { hashOtp, makeOtp, otpMessage } from './password/one-time-password.ts';

export type RegisterRequest = Acted &
  RegisterCashout & {
    /** What its checksum proves; spent by the registration. Undefined: an actor of the management API. */
    readonly proof: string | undefined;
    readonly requestId: string;
    /** Absent: the merchant itself, by its secret. */
    readonly actor?: CashoutEvent['actor'];
  };

/** `otp` is known only to the receiver of this answer, or of the SMS. `balanceMinor` is what the fund holds afterwards. */
export type RegisteredCashout = {
  readonly cashout: Cashout;
  readonly otp: string;
  readonly balanceMinor: bigint;
  readonly event: CashoutEvent;
};

type RegisterOutcome = RegisteredCashout | Refusal<RegisterRefusal>;
type KeyedRequest = RegisterRequest & Keyed<RegisterOutcome>;
type KeyedOutcome = RegisterOutcome | SettledAnswer | Refusal<'key_reused'>;

export type RegisterDeps = Pick<CashoutDeps, 'engine' | 'otpKey' | 'messages' | 'shortPasswordDays'>;

const LOAD = statement(
  'cashouts.load_for_register',
  `select stored.operation_id is not null as exists, nextval('cashouts_cashout_id_seq') as "cashoutId"
     from unnest($1::text[], $2::text[]) with ordinality as wanted (merchant_id, operation_id, place)
     left join cashouts as stored using (merchant_id, operation_id)
    order by wanted.place`,
);

/**
 * Registers a cashout.
 * Shape: RegisterRequest → RegisteredCashout; amounts in minor units, expiresOn a day in the merchant's zone.
 * Refuses: checksum_invalid (spent before), currency_not_allowed, cellphone_impossible, sms_unavailable, expire_out_of_range, cashout_exists, amount_out_of_limits, document_limit_reached,
 * fund_too_small — the first that applies.
 * Effects: takes amount, fee and tax from the merchant's fund; writes the cashout, its count, cashout.registered and the SMS in the same
 * transaction, many requests in each. The funds are locked at first. So requests of one merchant and currency are decided one after the
 * other, on all servers. A server that registers the same cashout in another currency at the same time loses on the primary key; its
 * batch is run again one by one and then sees it. Of the one-time password only a keyed hash is kept, and the sealed answer where the
 * request has an Idempotency-Key.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §4.3, §7.3.
 */
export function createRegister(deps: RegisterDeps): (request: KeyedRequest) => Promise<KeyedOutcome> {
  const register = deps.engine.batched(registration(deps), {
    around: runOnce<KeyedRequest, RegisterOutcome>,
  });
  return (request) => withinLedger(register(request));
}

export type RegisterWorld = {
  readonly funds: Awaited<ReturnType<typeof lockFreeFunds>>;
  readonly fees: Awaited<ReturnType<typeof readFees>>;
  readonly limitsOf: Awaited<ReturnType<typeof readLimits>>;
  /** For each request: whether its cashout exists, and our id for it. */
  readonly stored: readonly { readonly exists: boolean; readonly cashoutId: bigint }[];
  /** By CASHOUTS.keyText: what the batch has registered. */
  readonly registered: Set<string>;
  readonly proofs: ProofBook;
  /** By documentName. */
  readonly registeredToday: Map<string, number>;
};
type Registered = Changed<KeyedRequest, RegisteredCashout>;

/** The registration of cashouts alone, for what registers one together with more. */
export const registration = ({
  otpKey,
  messages,
  shortPasswordDays,
}: RegisterDeps): Change<KeyedRequest, RegisterWorld, RegisteredCashout, Refusal<RegisterRefusal>> => ({
  keysOf: (request) => cashoutRows({ ...fundOf(request), operationId: request.operationId }),
  ownerOf: ({ merchant }) => merchant.merchantId,
  load: async (tx, requests, hold) => {
    const keys = requests.map(fundOf);
    const [funds, fees, limitsOf, proofs, stored] = await Promise.all([
      lockFreeFunds(tx, keys, hold),
      readFees(tx, keys),
      readLimits(tx, keys),
      openProofBook(tx, requests.flatMap(proofIn)),
      tx.query<RegisterWorld['stored'][number]>(LOAD, [
        requests.map(({ merchant }) => merchant.merchantId),
        requests.map(({ operationId }) => operationId),
      ]),
    ]);
    return { funds, fees, limitsOf, stored, proofs, registered: new Set(), registeredToday: new Map() };
  },
  loadAsOf: countToday,
  decide: ({ funds, fees, limitsOf, stored, registered, proofs, registeredToday }, request, { now, index }) => {
    const { proof: _proof, requestId, once: _once, act: _act, actor = 'merchant', ...command } = request;
    const fund = fundOf(request);
    const { exists, cashoutId } = stored[index] as RegisterWorld['stored'][number];
    const availableMinor = funds.available(fund);
    const cashout = decideRegister(command, {
      now,
      exists: exists || registered.has(CASHOUTS.keyText({ ...fund, operationId: command.operationId })),
      isProofSpent: proofIn(request).some(proofs.isSpent),
      cashoutId,
      limits: limitsOf(fund),
      registeredToday: registeredToday.get(documentName(request)) ?? 0,
      ...feeOf(fees.of(fund), command.amountMinor),
      availableMinor,
      canSendSms: messages.writes.sms,
      canReceiveSms: command.sms && mobileNumber(command.cellphone, command.merchant.country.region) !== undefined,
    });
    if (isRefusal(cashout)) return cashout;
    const changes = diffCashouts(undefined, cashout);
    const event = { cashout, event: 'cashout.registered', actor, requestId, changes } as const;
    return { cashout, otp: makeOtp(cashout.otpLength), balanceMinor: availableMinor - fundedFor(cashout), event };
  },
  note: ({ funds, registered, proofs, registeredToday }, { command, outcome: { cashout } }) => {
    funds.take(fundOf(command), fundedFor(cashout));
    registered.add(CASHOUTS.keyText(cashout));
    proofIn(command).forEach(proofs.spend);
    registeredToday.set(documentName(command), (registeredToday.get(documentName(command)) ?? 0) + 1);
  },
  save: (tx, { proofs }, all, now) => {
    const hashes = all.map(({ outcome: { cashout, otp } }) => hashOtp(otpKey.current().key, cashout, otp));
    // Money goes before the counts, as in every change: two transactions then never wait for each other in a circle.
    CASHOUTS.insert(
      tx,
      all.map((one, index) => insertedRow(one, hashes[index] as Buffer)),
    );
    proofs.save(tx, now);
    const besides = all.map(({ command: { proof } }, index) => besideOfPassword(hashes[index] as Buffer, proof));
    tx.send(RECORD_CHANGES, changeValues(all.map(({ outcome: { event } }, index) => ({ ...event, beside: besides[index] }))));
    const posted = all.map(({ outcome: { cashout } }) => cashoutRegistered(cashout, cashout.createdAt));
    postTransactions(tx, posted);
    messages.write(
      tx,
      all.flatMap(({ command, outcome: { cashout, otp } }): OneTimePasswordSms[] =>
        cashout.sms ? [otpMessage(command.merchant, cashout, otp, shortPasswordDays)] : [],
      ),
    );
    tx.send(COUNT_CHANGES, countChangeValues(all.flatMap(({ outcome }) => countNewCashout(outcome.cashout))));
  },
});

const fundOf = ({ merchant: { merchantId }, currency }: RegisterRequest) => ({ merchantId, kind: 'cashout' as const, currency });

const proofIn = ({ merchant: { merchantId }, proof }: RegisterRequest) => (proof === undefined ? [] : [{ merchantId, proof }]);

/** Counts only where a limit asks for it: most merchants have none, and their registrations make no further round trip. */
async function countToday(
  tx: Tx,
  { limitsOf, registeredToday }: RegisterWorld,
  requests: readonly RegisterRequest[],
  now: Temporal.Instant,
): Promise<void> {
  const limited = requests.filter((request) => limitsOf(fundOf(request)).perDocumentAndDay !== null);
  const wanted = [...new Map(limited.map((request) => [documentName(request), request]))];
  if (wanted.length === 0) return;
  const days = wanted.map(([, { merchant, currency, document }]) => {
    const { timeZone } = merchant.country;
    const today = dayOf(now, timeZone);
    return { merchantId: merchant.merchantId, currency, document, today, since: startOfDay(today, timeZone) };
  });
  const counts = await countOfDays(tx, days);
  for (const [index, [name]] of wanted.entries()) registeredToday.set(name, counts[index] as number);
}

const documentName = ({ merchant, currency, document }: RegisterRequest): string =>
  `${merchant.merchantId}/${currency}/${canonicalDocument(document)}`;

function insertedRow({ command, outcome: { cashout } }: Registered, otpHash: Buffer) {
  return {
    ...cashout,
    otpHash: `\\x${otpHash.toString('hex')}`,
    expiresAt: storedTime(endOfDay(cashout.expiresOn, command.merchant.country.timeZone)),
  };
}
