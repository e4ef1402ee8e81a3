import { createHmac, randomInt } from 'node:crypto';
import { createBatch } from '../kit/batch.ts';
import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { decideRegister, type RegisterCashout } from './cashout-decisions.ts';
import { changeValues, RECORD_CHANGES, type CashoutChange } from './cashout-history.ts';
import { COUNT_CHANGES, countChangeValues, countNew } from './cashout-rows.ts';
import type { Cashout } from './cashout.ts';

export type RegisterRequest = RegisterCashout & { readonly otpLength: number; readonly requestId: string };

/** `otp` is the one-time password: known to nobody but the receiver of this answer, or of the SMS. */
export type RegisteredCashout = { readonly cashout: Cashout; readonly otp: string };

export type RegisterRefusal = Extract<ReturnType<typeof decideRegister>, Refusal>['refusal'];

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
     description, document, sms, cellphone, otp_hash, expires_on, created_at, updated_at, updated_on)
   select merchant_id, operation_id, cashout_id, 'pending', 1, amount_minor, transaction_cost_minor, currency,
          description, document, sms, cellphone, otp_hash, expires_on, registered_at, registered_at, registered_on
     from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::boolean[],
                 $10::text[], $11::bytea[], $12::date[], $13::timestamptz[], $14::date[])
       as new (merchant_id, operation_id, cashout_id, amount_minor, transaction_cost_minor, currency, description, document, sms,
               cellphone, otp_hash, expires_on, registered_at, registered_on)
    order by merchant_id collate "C", operation_id collate "C"`,
);

/**
 * Registers a cashout.
 * Shape: RegisterRequest → RegisteredCashout; amounts in minor units, expiresOn a day in the merchant's zone. The merchant's fund is not
 * touched: there is no ledger yet, and so the answer has no balance.
 * Refuses: currency_not_allowed, expire_out_of_range, cashout_exists — the first that applies.
 * Effects: writes the cashout, its count and cashout.registered in one transaction, many requests in each. A server that registers the
 * same operation at the same time loses on the primary key; its batch is run again one by one and then sees it. Of the one-time password
 * only a keyed hash is kept.
 * Source: contract §4.3.
 */
export function createRegister(
  db: Db,
  clock: Clock,
  otpKey: Buffer,
  isBatchPerMerchant = false,
): (request: RegisterRequest) => Promise<RegisteredCashout | Refusal<RegisterRefusal>> {
  return createBatch({
    run: (requests: readonly RegisterRequest[]) => registerMany(db, clock.now(), otpKey, requests),
    groupOf: isBatchPerMerchant ? ({ merchant }) => merchant.merchantId : undefined,
  });
}

type Stored = { readonly exists: boolean; readonly cashoutId: bigint };
type Registered = RegisteredCashout & { readonly otpHash: Buffer; readonly requestId: string };

function registerMany(
  db: Db,
  now: Temporal.Instant,
  otpKey: Buffer,
  requests: readonly RegisterRequest[],
): Promise<readonly (RegisteredCashout | Refusal<RegisterRefusal>)[]> {
  return db.transaction(async (tx) => {
    const keys = [requests.map(({ merchant }) => merchant.merchantId), requests.map(({ operationId }) => operationId)] as const;
    const stored = await tx.query<Stored>(LOAD, keys);
    const registered = new Map<string, Registered>();
    const answers = requests.map(({ otpLength, requestId, ...command }, index) => {
      const key = `${command.merchant.merchantId}/${command.operationId}`;
      const { exists, cashoutId } = stored[index] as Stored;
      const cashout = decideRegister(command, { cashoutId, exists: exists || registered.has(key) }, now);
      if (isRefusal(cashout)) return cashout;
      const otp = makeOtp(otpLength);
      registered.set(key, { cashout, otp, otpHash: hashOtp(otpKey, cashout, otp), requestId });
      return { cashout, otp };
    });
    const all = [...registered.values()];
    if (all.length > 0) {
      tx.send(INSERT, insertValues(all));
      tx.send(RECORD_CHANGES, changeValues(all.map(registration)));
      tx.send(COUNT_CHANGES, countChangeValues(all.flatMap(({ cashout }) => countNew(cashout))));
    }
    return answers;
  });
}

function insertValues(all: readonly Registered[]): Parameters<Db['query']>[1] {
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
    all.map(({ otpHash }) => otpHash),
    column(({ expiresOn }) => expiresOn),
    column(({ createdAt }) => createdAt),
    column(({ updatedOn }) => updatedOn),
  ];
}

function registration({ cashout, requestId }: Registered): CashoutChange {
  const { state, amountMinor, transactionCostMinor, currency, description, document, sms, cellphone, expiresOn } = cashout;
  const fields = { state, amountMinor, transactionCostMinor, currency, description, document, sms, cellphone, expiresOn };
  const changes = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [null, value] as const]));
  return { cashout, event: 'cashout.registered', requestId, changes };
}

/** Each of the 10^length passwords is as likely as any other; leading zeros belong to it. */
function makeOtp(length: number): string {
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0');
}

/** A password has few digits: only the key, and the operation that it is bound to, keep a stolen table from giving it away. */
export function hashOtp(otpKey: Buffer, { merchantId, operationId }: Pick<Cashout, 'merchantId' | 'operationId'>, otp: string): Buffer {
  return createHmac('sha256', otpKey).update(`${merchantId}/${operationId}/${otp}`).digest();
}
