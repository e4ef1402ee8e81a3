import { selectListOf } from '../../kit/changes/columns.ts';
import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import { dayOfMerchant, daysAt } from '../../merchants/index.ts';
import type { Settlement } from '../settlement-columns.ts';
import type { SettlementLine } from '../terms/deductions.ts';
import { HOLD_COLUMNS, type HeldMoney, type HoldKey } from './hold.ts';

/** A row under these names, of a table called h, is a HeldMoney. */
export const SELECT_HELD_MONEY = selectListOf(HOLD_COLUMNS, 'h');

const DRAW_ID = statement('settlements.draw_hold_id', `select nextval('held_money_hold_id_seq') as id`);
const INSERT = statement(
  'settlements.insert_hold',
  `insert into held_money (merchant_id, hold_id, currency, amount_minor, reason, release_on, held_at) values ($1, $2, $3, $4, $5, $6, $7)`,
);
const INSERT_RESERVES = statement(
  'settlements.insert_reserves',
  `insert into held_money (merchant_id, currency, amount_minor, reason, settlement_id, release_on, held_at)
   select $1, $2, amount_minor, reason, $3::bigint, release_on, $4
     from unnest($5::bigint[], $6::text[], $7::date[]) as r (amount_minor, reason, release_on)`,
);
const LOCK = statement(
  'settlements.lock_hold',
  `select ${SELECT_HELD_MONEY} from held_money h where h.merchant_id = $1 and h.hold_id = $2 for no key update`,
);
const RELEASE = statement('settlements.release_hold', `update held_money set released_at = $3 where merchant_id = $1 and hold_id = $2`);

export async function drawHoldId(tx: Tx): Promise<bigint> {
  const [drawn] = await tx.query<{ readonly id: bigint }>(DRAW_ID, []);
  return (drawn as { readonly id: bigint }).id;
}

/** Writes a hold that was placed by hand. */
export function insertHold(tx: Tx, { merchantId, holdId, currency, amountMinor, reason, releaseOn, heldAt }: HeldMoney): void {
  tx.send(INSERT, [merchantId, holdId, currency, amountMinor, reason, releaseOn?.toString() ?? null, heldAt]);
}

/** Writes what a settlement that is approved keeps as a reserve. */
export function insertReserves(
  tx: Tx,
  { merchantId, currency, settlementId }: Settlement,
  lines: readonly SettlementLine[],
  at: Temporal.Instant,
): void {
  const reserves = lines
    .filter(({ kind }) => kind === 'reserve')
    .map(({ amountMinor, name, releaseOn }) => ({ amountMinor, reason: name, releaseOn: releaseOn?.toString() ?? null }));
  if (reserves.length === 0) return;
  tx.send(INSERT_RESERVES, [merchantId, currency, settlementId, at, ...columnsOf(reserves, 'amountMinor', 'reason', 'releaseOn')]);
}

/** Reads a hold and locks it until commit. It waits for whoever holds it. */
export async function lockHold(tx: Tx, { merchantId, holdId }: HoldKey): Promise<HeldMoney | undefined> {
  return (await tx.query<HeldMoney>(LOCK, [merchantId, holdId]))[0];
}

export function saveReleased(tx: Tx, { merchantId, holdId }: HoldKey, at: Temporal.Instant): void {
  tx.send(RELEASE, [merchantId, holdId, at]);
}

const READ_OF_SETTLEMENT = statement(
  'settlements.read_holds_of_settlement',
  `select ${SELECT_HELD_MONEY} from held_money h where h.merchant_id = $1 and h.settlement_id = $2 order by h.hold_id`,
);
/** Reads what a settlement has kept as a reserve, released or not. */
export const readHoldsOfSettlement = (
  db: Pick<Tx, 'query'>,
  { merchantId, settlementId }: Pick<Settlement, 'merchantId' | 'settlementId'>,
): Promise<readonly HeldMoney[]> => db.query<HeldMoney>(READ_OF_SETTLEMENT, [merchantId, settlementId]);

const LOCK_DUE = statement(
  'settlements.lock_due_holds',
  `select ${SELECT_HELD_MONEY} from held_money h where h.released_at is null and h.release_on <= $1::date and h.release_on <= ${dayOfMerchant('h.merchant_id', '$2')}
    order by h.release_on, h.merchant_id, h.hold_id limit $3 for no key update skip locked`,
);
const RELEASE_DUE = statement(
  'settlements.release_due_holds',
  `update held_money h set released_at = $3 from unnest($1::text[], $2::bigint[]) as due (merchant_id, hold_id)
    where h.merchant_id = due.merchant_id and h.hold_id = due.hold_id`,
);

/** Locks what is to be released by now in the zones of its merchants, and leaves out what another server has locked. */
export function lockDueHolds(tx: Tx, now: Temporal.Instant, limit: number): Promise<readonly HeldMoney[]> {
  const { latest, byCountry } = daysAt(now);
  return tx.query<HeldMoney>(LOCK_DUE, [latest, byCountry, limit]);
}

export function saveAllReleased(tx: Tx, holds: readonly HoldKey[], at: Temporal.Instant): void {
  tx.send(RELEASE_DUE, [...columnsOf(holds, 'merchantId', 'holdId'), at]);
}

/** Where a page of the list ends. */
export type HoldPlace = Pick<HeldMoney, 'heldAt' | 'merchantId' | 'holdId'>;

const listOf = (kind: string, where: string) =>
  statement(
    `settlements.list_holds_${kind}`,
    `select ${SELECT_HELD_MONEY} from held_money h
      where ${where} and ($2::boolean is null or (h.released_at is not null) = $2)
        and ($3::timestamptz is null or (h.held_at, h.merchant_id, h.hold_id) < ($3, $4, $5))
      order by h.held_at desc, h.merchant_id desc, h.hold_id desc limit $6`,
  );
const LISTS = { all: listOf('of_all', '$1::text is null'), one: listOf('of_merchant', 'h.merchant_id = $1') };

type HoldFilter = { readonly merchantId: string | undefined; readonly isReleased: boolean | undefined };

/** Lists holds, the newest first. Absent: any. */
export function listHolds(
  db: Pick<Tx, 'query'>,
  { merchantId, isReleased, after, limit }: HoldFilter & { readonly after: HoldPlace | undefined; readonly limit: number },
): Promise<readonly HeldMoney[]> {
  return db.query<HeldMoney>(merchantId === undefined ? LISTS.all : LISTS.one, [
    ...[merchantId, isReleased, after?.heldAt, after?.merchantId, after?.holdId].map((one) => one ?? null),
    limit,
  ]);
}
