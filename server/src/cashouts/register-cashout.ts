import { createBatch } from '../kit/batch.ts';
import { dayOf, endOfDay, startOfDay } from '../kit/calendar.ts';
import { statement, type Tx, type Value } from '../kit/db.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { cashoutRegistered, feeOf, lockFunds, postTransactions, readFees, withinLedger } from '../ledger/index.ts';
import type { OneTimePasswordSms } from '../messages/index.ts';
import { decideRegister, type RegisterCashout, type RegisterRefusal } from './cashout-decisions.ts';
import type { CashoutEvent } from './cashout-changes.ts';
import { changeValues, RECORD_CHANGES } from './cashout-history.ts';
import { COUNT_CHANGES, countChangeValues, countNew } from './cashout-rows.ts';
import { keyText, type Cashout } from './cashout.ts';
import type { CashoutDeps } from './index.ts';
import { countOfDays, readLimits } from './limits/limit-rows.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../requests/index.ts';
import { hashOtp, makeOtp, otpMessage } from './password/one-time-password.ts';

export type RegisterRequest = RegisterCashout & { readonly otpLength: number; readonly requestId: string };

/** `otp` is known to nobody but the receiver of this answer, or of the SMS; `balanceMinor` is what the fund holds afterwards. */
export type RegisteredCashout = { readonly cashout: Cashout; readonly otp: string; readonly balanceMinor: bigint };

export type RegisterOutcome = RegisteredCashout | Refusal<RegisterRefusal>;
type KeyedRequest = RegisterRequest & Keyed<RegisterOutcome>;
type KeyedOutcome = RegisterOutcome | SettledAnswer | Refusal<'key_reused'>;

export type RegisterDeps = Pick<CashoutDeps, 'db' | 'clock' | 'otpKey' | 'messages' | 'isBatchPerMerchant'>;

const LOAD = statement(
  'cashouts.load_for_register',
  `select stored.operation_id is not null as exists, nextval('cashouts_cashout_id_seq') as "cashoutId"
     from unnest($1::text[], $2::text[]) with ordinality as wanted (merchant_id, operation_id, place)
     left join cashouts as stored using (merchant_id, operation_id)
    order by wanted.place`,
);

const INSERT = statement(
  'cashouts.insert_registered',
  `insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency,
     description, document, sms, cellphone, otp_hash, expires_on, created_at, updated_at, updated_on, expires_at, fee_minor, tax_minor,
     reserved_minor)
   select merchant_id, operation_id, cashout_id, 'pending', 1, amount_minor, transaction_cost_minor, currency,
          description, document, sms, cellphone, otp_hash, expires_on, registered_at, registered_at, registered_on, expires_at, fee_minor,
          tax_minor, reserved_minor
     from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::boolean[],
                 $10::text[], $11::bytea[], $12::date[], $13::timestamptz[], $14::date[], $15::timestamptz[], $16::bigint[], $17::bigint[],
                 $18::bigint[])
       as new (merchant_id, operation_id, cashout_id, amount_minor, transaction_cost_minor, currency, description, document, sms,
               cellphone, otp_hash, expires_on, registered_at, registered_on, expires_at, fee_minor, tax_minor, reserved_minor)
    order by merchant_id collate "C", operation_id collate "C"`,
);

/**
 * Registers a cashout.
 * Shape: RegisterRequest → RegisteredCashout; amounts in minor units, expiresOn a day in the merchant's zone.
 * Refuses: currency_not_allowed, sms_unavailable, expire_out_of_range, cashout_exists, amount_out_of_limits, document_limit_reached,
 * fund_too_small — the first that applies.
 * Effects: takes amount, fee and tax from the merchant's fund; writes the cashout, its count, cashout.registered and the SMS in the same
 * transaction, many requests in each. The funds are locked first, so that requests of one merchant and currency are decided one after the
 * other, on all servers. A server that registers the same operation in another currency at the same time loses on the primary key; its
 * batch is run again one by one and then sees it. Of the one-time password only a keyed hash is kept, and the sealed answer where the
 * request has an Idempotency-Key.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §4.3, §7.3.
 */
export function createRegister(deps: RegisterDeps): (request: KeyedRequest) => Promise<KeyedOutcome> {
  const register = createBatch<KeyedRequest, KeyedOutcome>({
    run: (requests) => deps.db.transaction((tx) => runOnce(tx, requests, (fresh) => registerMany(tx, deps, fresh))),
    groupOf: deps.isBatchPerMerchant ? ({ merchant }) => merchant.merchantId : undefined,
  });
  return (request) => withinLedger(register(request));
}

type Stored = { readonly exists: boolean; readonly cashoutId: bigint };
type Registered = RegisteredCashout & { readonly request: RegisterRequest };

async function registerMany(
  tx: Tx,
  { clock, otpKey, messages }: RegisterDeps,
  requests: readonly RegisterRequest[],
): Promise<readonly RegisterOutcome[]> {
  const keys = requests.map(({ merchant: { merchantId }, currency }) => ({ merchantId, kind: 'cashout' as const, currency }));
  const [funds, fees, limitsOf, stored] = await Promise.all([
    lockFunds(tx, keys),
    readFees(tx, keys),
    readLimits(tx, keys),
    tx.query<Stored>(LOAD, [requests.map(({ merchant }) => merchant.merchantId), requests.map(({ operationId }) => operationId)]),
  ]);
  // Asked after the locks are held: a batch that had to wait for one decides as of now, not as of before.
  const now = clock.now();
  const registeredToday = await countOfToday(tx, requests, limitsOf, now);
  const registered = new Map<string, Registered>();
  const answers = requests.map((request, index) => {
    const { otpLength, requestId: _, ...command } = request;
    const key = keys[index] as (typeof keys)[number];
    const { exists, cashoutId } = stored[index] as Stored;
    const name = keyText({ ...key, operationId: command.operationId });
    const documentDay = documentName(request);
    const cashout = decideRegister(command, {
      now,
      exists: exists || registered.has(name),
      cashoutId,
      limits: limitsOf(key),
      registeredToday: registeredToday.get(documentDay) ?? 0,
      ...feeOf(fees.of(key), command.amountMinor),
      availableMinor: funds.available(key),
      canSendSms: messages.writes.sms,
    });
    if (isRefusal(cashout)) return cashout;
    funds.take(key, cashout.reservedMinor);
    registeredToday.set(documentDay, (registeredToday.get(documentDay) ?? 0) + 1);
    const answer = { cashout, otp: makeOtp(otpLength), balanceMinor: funds.available(key) };
    registered.set(name, { ...answer, request });
    return answer;
  });
  if (registered.size > 0) save(tx, { otpKey, messages }, [...registered.values()]);
  return answers;
}

/** Counted only where a limit asks for it: most merchants have none, and their registrations make no further round trip. */
async function countOfToday(
  tx: Tx,
  requests: readonly RegisterRequest[],
  limitsOf: Awaited<ReturnType<typeof readLimits>>,
  now: Temporal.Instant,
): Promise<Map<string, number>> {
  const limited = requests.filter(({ merchant, currency }) => limitsOf({ ...merchant, currency }).perDocumentAndDay !== null);
  const wanted = [...new Map(limited.map((request) => [documentName(request), request]))];
  if (wanted.length === 0) return new Map();
  const days = wanted.map(([, { merchant, currency, document }]) => {
    const { timeZone } = merchant.country;
    const today = dayOf(now, timeZone);
    return { merchantId: merchant.merchantId, currency, document, today, since: startOfDay(today, timeZone) };
  });
  const counts = await countOfDays(tx, days);
  return new Map(wanted.map(([name], index) => [name, counts[index] as number]));
}

const documentName = ({ merchant, currency, document }: RegisterRequest): string => `${merchant.merchantId}/${currency}/${document}`;

/** Money goes before the counts, as in every change: two transactions then never wait for each other in a circle. */
function save(tx: Tx, { otpKey, messages }: Pick<RegisterDeps, 'otpKey' | 'messages'>, all: readonly Registered[]): void {
  tx.send(INSERT, insertValues(otpKey, all));
  tx.send(RECORD_CHANGES, changeValues(all.map(registration)));
  postTransactions(
    tx,
    all.map(({ cashout }) => cashoutRegistered(cashout, cashout.createdAt)),
  );
  messages.write(
    tx,
    all.flatMap(({ cashout, otp, request }): OneTimePasswordSms[] => (cashout.sms ? [otpMessage(request.merchant, cashout, otp)] : [])),
  );
  tx.send(COUNT_CHANGES, countChangeValues(all.flatMap(({ cashout }) => countNew(cashout))));
}

function insertValues(otpKey: Buffer, all: readonly Registered[]): readonly Value[] {
  const column = <T>(pick: (cashout: Cashout) => T): T[] => all.map(({ cashout }) => pick(cashout));
  return [
    column(({ merchantId }) => merchantId),
    column(({ operationId }) => operationId),
    column(({ cashoutId }) => cashoutId),
    column(({ amountMinor }) => amountMinor),
    column(({ transactionCostMinor }) => transactionCostMinor),
    column(({ currency }) => currency),
    column(({ description }) => description),
    column(({ document }) => document),
    column(({ sms }) => sms),
    column(({ cellphone }) => cellphone),
    all.map(({ cashout, otp }) => hashOtp(otpKey, cashout, otp)),
    column(({ expiresOn }) => expiresOn),
    column(({ createdAt }) => createdAt),
    column(({ updatedOn }) => updatedOn),
    all.map(({ cashout, request }) => endOfDay(cashout.expiresOn, request.merchant.country.timeZone)),
    column(({ feeMinor }) => feeMinor),
    column(({ taxMinor }) => taxMinor),
    column(({ reservedMinor }) => reservedMinor),
  ];
}

function registration({ cashout, request: { requestId } }: Registered): CashoutEvent {
  const { state, amountMinor, transactionCostMinor, currency, description, document, sms, cellphone, expiresOn, feeMinor, taxMinor } =
    cashout;
  const fields = {
    state,
    amountMinor,
    transactionCostMinor,
    currency,
    description,
    document,
    sms,
    cellphone,
    expiresOn,
    feeMinor,
    taxMinor,
  };
  const changes = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [null, value] as const]));
  return { cashout, event: 'cashout.registered', actor: 'merchant', requestId, changes };
}
