import { DatabaseError } from 'pg';
import type { Hold } from '../kit/changes/engine.ts';
import { columnsOf, newest, statement, Unavailable, type Tx } from '../kit/db.ts';
import { ENTRY_FIELDS, INSERT_ENTRIES_TEXT } from './entry.ts';
import { BEARERS, type Bearer, type LedgerTransaction, type OwnMoney } from './postings.ts';

// What moves money inside a transaction of the database: lock the funds, decide, post.

/** Names the fund of a merchant in a currency. */
type FundKey = { readonly merchantId: string; readonly currency: string };

/** Names what may bear refunds of a merchant. */
type BearerKey = { readonly merchantId: string; readonly takenFrom: Bearer };

/** What merchants have in an account, in minor units. The transaction holds the locks: no other one takes from it until it ends. */
type Funds<Key = FundKey> = {
  /** What is left now. A fund that never had money holds zero. */
  available(key: Key): bigint;
  /** Takes from a fund. False: the fund holds less, and nothing is taken. */
  take(key: Key, amountMinor: bigint): boolean;
};

/** A balance, of `wanted` and `named`, locked. Another transaction may hold it: then the search waits, or with "skip locked" finds nothing. */
const lockNewest = (account: string, currency: string, what: string, wait: '' | ' skip locked'): string =>
  newest('ledger_balances', { merchant_id: 'wanted.merchant_id', account, currency }, what, `for no key update${wait}`);
/** Not `exists`, which would drop the order. */
const existsNewest = (account: string, currency: string): string =>
  `(${newest('ledger_balances', { merchant_id: 'wanted.merchant_id', account, currency }, 'true')})`;

/** Locks in the same order as the trigger of the entries does: see ledger_apply_entries in the schema. */
const LOCK = statement(
  'ledger.lock_funds',
  `select wanted.merchant_id as "merchantId", wanted.currency, locked."balanceMinor"
     from (select * from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency) order by merchant_id collate "C", currency collate "C") as wanted
    cross join lateral (${lockNewest(`'available'`, 'wanted.currency', 'b.balance_minor as "balanceMinor"', '')}) as locked`,
);

const LOCK_COLLECTED = statement(
  'ledger.lock_collected',
  `select wanted.merchant_id as "merchantId", wanted.currency, locked."balanceMinor"
     from (values ($1, $2)) as wanted (merchant_id, currency)
    cross join lateral (${lockNewest(`'collected'`, 'wanted.currency', 'b.balance_minor as "balanceMinor"', '')}) as locked`,
);

/** Both accounts that a cashout moves from its registration on. Without `balanceMinor`: another transaction holds the account. */
const LOCK_FREE = statement(
  'ledger.lock_free_funds',
  `select wanted.merchant_id as "merchantId", wanted.currency, named.account, locked."balanceMinor"
     from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency)
    cross join (values ('available'), ('reserved')) as named (account)
     left join lateral (${lockNewest('named.account', 'wanted.currency', 'b.balance_minor as "balanceMinor"', ' skip locked')}) as locked on true
    where locked."balanceMinor" is not null or ${existsNewest('named.account', 'wanted.currency')}`,
);

/** What a merchant moves between its own accounts, in the order of all locks: `available` first. */
const lockOwn = (wait: '' | ' skip locked'): string =>
  `select wanted.account, locked."balanceMinor"
     from (select * from unnest($1::text[], $2::text[], $3::text[]) as wanted (account, merchant_id, currency) order by account collate "C") as wanted
     left join lateral (${lockNewest('wanted.account', 'wanted.currency', 'b.balance_minor as "balanceMinor"', wait)}) as locked on true
    where locked."balanceMinor" is not null or ${existsNewest('wanted.account', 'wanted.currency')}`;
const LOCK_OWN = statement('ledger.lock_own', lockOwn(''));
const LOCK_FREE_OWN = statement('ledger.lock_free_own', lockOwn(' skip locked'));

const lastFund = (account: string, below: string): string =>
  `select b.currency from ledger_balances b where b.merchant_id = wanted.merchant_id and b.account = ${account}${below}
    order by b.currency desc limit 1`;
/** The currencies of an account of `wanted`. It goes from one currency to the one before it, and so passes no former versions. */
const currenciesOf = (account: string): string =>
  `with recursive fund (currency) as (
        (${lastFund(account, '')})
        union all
        select (${lastFund(account, ' and b.currency < fund.currency')}) from fund where fund.currency is not null)
      select currency from fund where currency is not null`;
/**
 * Locks both accounts in all currencies in which a cashout was ever registered. Nobody knows the currency of one before its row is read.
 * Returns who has an account that is held. Who posts to `reserved` holds it from then on: it waits for no other one while it holds accounts.
 */
const LOCK_FREE_OF = statement(
  'ledger.lock_free_funds_of',
  `select distinct wanted.merchant_id as "merchantId"
     from unnest($1::text[]) as wanted (merchant_id)
    cross join lateral (
      ${currenciesOf(`'reserved'`)}) as fund
    cross join (values ('available'), ('reserved')) as named (account)
     left join lateral (${lockNewest('named.account', 'fund.currency', 'true as is_free', ' skip locked')}) as locked on true
    where case when locked.is_free is null then ${existsNewest('named.account', 'fund.currency')} end`,
);

/** What bears refunds of merchants, in all currencies. Without `balanceMinor`: another transaction holds the account. */
const LOCK_FREE_BEARERS = statement(
  'ledger.lock_free_bearers',
  `select wanted.place::int, fund.currency, locked."balanceMinor"
     from unnest($1::text[], $2::text[]) with ordinality as wanted (merchant_id, account, place)
    cross join lateral (
      ${currenciesOf('wanted.account')}) as fund
     left join lateral (${lockNewest('wanted.account', 'fund.currency', 'b.balance_minor as "balanceMinor"', ' skip locked')}) as locked on true
    where locked."balanceMinor" is not null or ${existsNewest('wanted.account', 'fund.currency')}`,
);

/** Names the funds of a merchant, for the engine. It also means all that a change writes of a merchant's money and counts. */
export const fundsName = (merchantId: string): string => `funds/${merchantId}`;

/**
 * As lockFunds, but it never waits: the index of each key whose fund another transaction holds goes to `hold`.
 * Of a fund that is held the amount is unknown. It counts as empty.
 */
export async function lockFreeFunds(tx: Tx, keys: readonly FundKey[], hold: Hold): Promise<Funds> {
  const rows = await tx.query<FundKey & { readonly account: string; readonly balanceMinor: bigint | null }>(
    LOCK_FREE,
    columnsOf(distinctFunds(keys), 'merchantId', 'currency'),
  );
  const held = new Set(rows.filter(({ balanceMinor }) => balanceMinor === null).map(textOf));
  if (held.size > 0) keys.forEach((key, index) => held.has(textOf(key)) && hold(index, fundsName(key.merchantId)));
  const available = rows.filter(({ account }) => account === 'available');
  return openFunds<FundKey>(
    available.map(({ balanceMinor, ...key }) => ({ ...key, balanceMinor: balanceMinor ?? 0n })),
    textOf,
  );
}

/**
 * Locks the available funds of merchants until commit, and waits for those that another transaction holds.
 * Shape: keys in any order, repeated or not → Funds, which counts what the transaction takes.
 * Effects: call it once, after the room's own rows are locked, with every fund that the transaction will change.
 */
export async function lockFunds(tx: Tx, keys: readonly FundKey[]): Promise<Funds> {
  return openFunds<FundKey>(
    await tx.query<FundKey & { readonly balanceMinor: bigint }>(LOCK, columnsOf(distinctFunds(keys), 'merchantId', 'currency')),
    textOf,
  );
}

/** Locks what a merchant has collected in a currency until commit, and waits for whoever holds it. */
export async function lockCollected(tx: Tx, { merchantId, currency }: FundKey): Promise<Funds> {
  return openFunds<FundKey>(await tx.query<FundKey & { readonly balanceMinor: bigint }>(LOCK_COLLECTED, [merchantId, currency]), textOf);
}

/** Locks the funds of merchants, and never waits. The index of each merchant goes to `hold` where another transaction holds a fund of it. */
export async function lockFreeFundsOf(tx: Tx, merchantIds: readonly string[], hold: Hold): Promise<void> {
  const rows = await tx.query<Pick<FundKey, 'merchantId'>>(LOCK_FREE_OF, [[...new Set(merchantIds)]]);
  const held = new Set(rows.map(({ merchantId }) => merchantId));
  if (held.size > 0) merchantIds.forEach((merchantId, index) => held.has(merchantId) && hold(index, fundsName(merchantId)));
}

/**
 * Locks what bears refunds of merchants, and never waits. The index of each key goes to `hold` where another transaction holds it.
 * Where there are none, nothing is asked.
 */
export async function lockFreeBearers(tx: Tx, keys: readonly BearerKey[], hold: Hold): Promise<Funds<BearerKey & FundKey>> {
  const wanted = [...new Map(keys.map((key) => [bearerText(key), key])).values()];
  const accounts = wanted.map(({ merchantId, takenFrom }) => ({ merchantId, account: BEARERS[takenFrom] }));
  const rows =
    wanted.length === 0
      ? []
      : await tx.query<{ readonly place: number; readonly currency: string; readonly balanceMinor: bigint | null }>(
          LOCK_FREE_BEARERS,
          columnsOf(accounts, 'merchantId', 'account'),
        );
  const balances = rows.map(({ place, ...row }) => ({ ...(wanted[place - 1] as BearerKey), ...row }));
  const held = new Set(balances.filter(({ balanceMinor }) => balanceMinor === null).map(bearerText));
  keys.forEach((key, index) => held.has(bearerText(key)) && hold(index, fundsName(key.merchantId)));
  return openFunds(
    balances.map(({ balanceMinor, ...key }) => ({ ...key, balanceMinor: balanceMinor ?? 0n })),
    (key: BearerKey & FundKey) => `${bearerText(key)}/${key.currency}`,
  );
}

type LockedAccount = { readonly account: string; readonly balanceMinor: bigint | null };

/** Undefined: another transaction holds one of them. */
function ownOf(rows: readonly LockedAccount[]): OwnMoney | undefined {
  if (rows.some(({ balanceMinor }) => balanceMinor === null)) return undefined;
  const held = (account: string): bigint => rows.find((row) => row.account === account)?.balanceMinor ?? 0n;
  return { availableMinor: held('available'), collectedMinor: held('collected') };
}

const OWN_ACCOUNTS = ['available', 'collected'];
const ownColumns = ({ merchantId, currency }: FundKey) => [
  OWN_ACCOUNTS,
  OWN_ACCOUNTS.map(() => merchantId),
  OWN_ACCOUNTS.map(() => currency),
];

/** Locks the fund of a merchant and what it has collected until commit, and waits for whoever holds them. In place of lockFunds. */
export async function lockOwnMoney(tx: Tx, key: FundKey): Promise<OwnMoney> {
  const own = ownOf(await tx.query<LockedAccount>(LOCK_OWN, ownColumns(key)));
  if (own === undefined) throw new Unavailable('an account was made at this moment');
  return own;
}

/** The same, but it never waits. Undefined: another transaction holds one of them. */
export const lockFreeOwnMoney = async (tx: Tx, key: FundKey): Promise<OwnMoney | undefined> =>
  ownOf(await tx.query<LockedAccount>(LOCK_FREE_OWN, ownColumns(key)));
const bearerText = ({ merchantId, takenFrom }: BearerKey): string => `${merchantId}/${takenFrom}`;

const distinctFunds = (keys: readonly FundKey[]): readonly FundKey[] => [...new Map(keys.map((key) => [textOf(key), key])).values()];

function openFunds<Key>(rows: readonly (Key & { readonly balanceMinor: bigint })[], nameOf: (key: Key) => string): Funds<Key> {
  const balances = new Map(rows.map((row) => [nameOf(row), row.balanceMinor]));
  const available = (key: Key): bigint => balances.get(nameOf(key)) ?? 0n;
  return {
    available,
    take: (key, amountMinor) => {
      const leftMinor = available(key) - amountMinor;
      if (leftMinor < 0n) return false;
      balances.set(nameOf(key), leftMinor);
      return true;
    },
  };
}

const textOf = ({ merchantId, currency }: FundKey): string => `${merchantId}/${currency}`;

const INSERT_ENTRIES = statement('ledger.insert_entries', INSERT_ENTRIES_TEXT);

/**
 * Posts ledger transactions in one statement. The database checks them and applies them to the balances.
 * Shape: any number; none writes nothing.
 * Call it once in a database transaction, after lockFunds of every fund that these change, or without lockFunds at all.
 * Balances are locked in one order, and a second call would begin that order again.
 * Effects: sent without waiting; the whole database transaction fails when the database refuses one.
 * It refuses a sum that is not zero, a fund below zero, and a transaction that is posted already.
 */
export function postTransactions(tx: Tx, transactions: readonly LedgerTransaction[]): void {
  const entries = transactions.flatMap(({ lines, ...transaction }) =>
    lines.map((line, index) => ({ ...transaction, ...line, line: index + 1 })),
  );
  if (entries.length === 0) return;
  tx.send(INSERT_ENTRIES, columnsOf(entries, ...ENTRY_FIELDS));
}

/** SQLSTATE numeric_value_out_of_range. */
const OUT_OF_RANGE = '22003';

/** True when postings failed because a balance would be larger than a signed 64-bit integer. */
export function isBeyondLedger(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === OUT_OF_RANGE && error.where?.includes('ledger_apply_entries') === true;
}

/**
 * Waits for work that posts to the ledger.
 * Shape: the promise of one item of a batch, or of a transaction of its own → the same.
 * It wraps the item, never the batch: only the item that is too large fails. Unavailable inside a batch would fail all its items.
 * Throws: Unavailable when a balance cannot hold the sum; nothing is written then.
 * The same request succeeds once an operator has settled the account. So no money is taken twice, and none is refused for ever.
 * Source: contract §2.6.
 */
export async function withinLedger<T>(posting: Promise<T>): Promise<T> {
  try {
    return await posting;
  } catch (error) {
    if (!isBeyondLedger(error)) throw error;
    throw new Unavailable('the ledger: an account would hold more than 64 bits can; "caudal ledger adjust" enters its settlement');
  }
}
