import { selectListOf } from '../kit/changes/columns.ts';
import { columnsOf, statement, type Tx } from '../kit/db.ts';
import { SETTLEMENT_COLUMNS, type Settlement, type SettlementKey, type SettlementState } from './settlement-columns.ts';
import type { SettlementLine } from './terms/deductions.ts';

/** A row under these names, of a table called s, is a Settlement. */
export const SELECT_SETTLEMENT = selectListOf(SETTLEMENT_COLUMNS, 's');

const DRAW_ID = statement('settlements.draw_id', `select nextval('settlements_settlement_id_seq') as id`);
const INSERT = statement(
  'settlements.insert',
  `insert into settlements (merchant_id, settlement_id, currency, state, cutoff_at, settled_on, due_on, entries, gross_minor, net_minor, made_at)
   values ($1, $2, $3, 'draft', $4, $5, $6, $7, $8, $9, $10)`,
);
const LINE_FIELDS = [
  'kind',
  'name',
  'base',
  'source',
  'baseMinor',
  'ratePpm',
  'fixedMinor',
  'taxPpm',
  'amountMinor',
  'taxMinor',
  'releaseOn',
] as const satisfies readonly (keyof SettlementLine)[];
const INSERT_LINES = statement(
  'settlements.insert_lines',
  `insert into settlement_lines (merchant_id, settlement_id, line, kind, name, base, source, base_minor, rate_ppm, fixed_minor, tax_ppm,
                                 amount_minor, tax_minor, release_on)
   select $1, $2::bigint, place, kind, name, base, source, base_minor, rate_ppm, fixed_minor, tax_ppm, amount_minor, tax_minor, release_on
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::bigint[], $10::int[], $11::bigint[],
                 $12::bigint[], $13::date[]) with ordinality
       as l (kind, name, base, source, base_minor, rate_ppm, fixed_minor, tax_ppm, amount_minor, tax_minor, release_on, place)`,
);
const LOCK = statement(
  'settlements.lock',
  `select ${SELECT_SETTLEMENT} from settlements s where s.merchant_id = $1 and s.settlement_id = $2 for no key update`,
);
const OF_IDS = `select ${SELECT_SETTLEMENT} from settlements s where s.settlement_id = any ($1::bigint[]) order by s.merchant_id, s.settlement_id`;
const READ_SEVERAL = statement('settlements.read_several', OF_IDS);
const LOCK_SEVERAL = statement('settlements.lock_several', `${OF_IDS} for no key update`);
const READ = statement(
  'settlements.read',
  `select ${SELECT_SETTLEMENT} from settlements s where s.merchant_id = $1 and s.settlement_id = $2`,
);
const READ_DUE = statement(
  'settlements.read_due',
  `select ${SELECT_SETTLEMENT} from settlements s where s.merchant_id = $1 and s.currency = $2 and s.due_on = $3::date`,
);
const SAVE = statement(
  'settlements.save',
  `update settlements set state = $3, approved_at = $4, sent_at = $5, file_id = $6, paid_at = $7, bank_reference = $8, returned_at = $9,
          problem = $10, cancelled_at = $11
    where merchant_id = $1 and settlement_id = $2`,
);
const READ_LINES = statement(
  'settlements.read_lines',
  `select kind, name, base, source, base_minor as "baseMinor", rate_ppm as "ratePpm", fixed_minor as "fixedMinor", tax_ppm as "taxPpm",
          amount_minor as "amountMinor", tax_minor as "taxMinor", release_on as "releaseOn"
     from settlement_lines where merchant_id = $1 and settlement_id = $2 order by line`,
);

/** Draws the id of a settlement that is about to be made. Every cell draws its own. */
export async function drawSettlementId(tx: Tx): Promise<bigint> {
  const [drawn] = await tx.query<{ readonly id: bigint }>(DRAW_ID, []);
  return (drawn as { readonly id: bigint }).id;
}

/** Writes a draft with its lines. Its entries are in this transaction already: the database adds both up. */
export function insertSettlement(tx: Tx, settlement: Settlement, lines: readonly SettlementLine[]): void {
  const { merchantId, settlementId, currency, cutoffAt, settledOn, dueOn, entries, grossMinor, netMinor, madeAt } = settlement;
  if (lines.length > 0) {
    const texts = lines.map((line) => ({ ...line, releaseOn: line.releaseOn?.toString() ?? null }));
    tx.send(INSERT_LINES, [merchantId, settlementId, ...columnsOf(texts, ...LINE_FIELDS)]);
  }
  const days = [settledOn.toString(), dueOn?.toString() ?? null];
  tx.send(INSERT, [merchantId, settlementId, currency, cutoffAt, ...days, entries, grossMinor, netMinor, madeAt]);
}

/** Reads a settlement and locks it until commit. It waits for whoever holds it. */
export async function lockSettlement(tx: Tx, { merchantId, settlementId }: SettlementKey): Promise<Settlement | undefined> {
  return (await tx.query<Settlement>(LOCK, [merchantId, settlementId]))[0];
}

const MOST_BIGINT = 2n ** 63n - 1n;
/** No settlement has an id that is too large to store. */
const storable = (ids: readonly bigint[]): readonly bigint[] => ids.filter((id) => id <= MOST_BIGINT);

/** Reads the settlements of these ids that are in this database, whosever they are. */
export const readSettlements = (db: Pick<Tx, 'query'>, ids: readonly bigint[]): Promise<readonly Settlement[]> =>
  db.query<Settlement>(READ_SEVERAL, [storable(ids)]);

/** The same, and locks them until commit. Whoever locks several settlements does so in the order of their keys. */
export const lockSettlements = (tx: Tx, ids: readonly bigint[]): Promise<readonly Settlement[]> =>
  tx.query<Settlement>(LOCK_SEVERAL, [storable(ids)]);

export async function readSettlement(db: Pick<Tx, 'query'>, { merchantId, settlementId }: SettlementKey): Promise<Settlement | undefined> {
  return (await db.query<Settlement>(READ, [merchantId, settlementId]))[0];
}

/** Reads the settlement that was made for a day of a schedule. */
export async function readSettlementDue(
  db: Pick<Tx, 'query'>,
  { merchantId, currency }: Pick<Settlement, 'merchantId' | 'currency'>,
  dueOn: Temporal.PlainDate,
): Promise<Settlement | undefined> {
  return (await db.query<Settlement>(READ_DUE, [merchantId, currency, dueOn]))[0];
}

/** Writes the state of a settlement, and what came with it. */
export function saveSettlement(tx: Tx, settlement: Settlement): void {
  const { merchantId, settlementId, state, approvedAt, sentAt, fileId, paidAt, bankReference, returnedAt, problem, cancelledAt } =
    settlement;
  tx.send(SAVE, [merchantId, settlementId, state, approvedAt, sentAt, fileId, paidAt, bankReference, returnedAt, problem, cancelledAt]);
}

/** Reads what was taken off a settlement. */
export function readSettlementLines(
  db: Pick<Tx, 'query'>,
  { merchantId, settlementId }: SettlementKey,
): Promise<readonly SettlementLine[]> {
  return db.query<SettlementLine>(READ_LINES, [merchantId, settlementId]);
}

/** Where a page of the list ends. */
export type SettlementPlace = Pick<Settlement, 'madeAt' | 'merchantId' | 'settlementId'>;

/** Each kind of list goes along an index of its own. Those that are under way are few among many that have ended. */
const listOf = (kind: string, where: string) =>
  statement(
    `settlements.list_${kind}`,
    `select ${SELECT_SETTLEMENT} from settlements s
      where ${where} and ($2::text[] is null or s.state = any ($2)) and ($3::text is null or s.currency = $3)
        and ($4::date is null or s.settled_on >= $4) and ($5::date is null or s.settled_on <= $5)
        and ($6::timestamptz is null or (s.made_at, s.merchant_id, s.settlement_id) < ($6, $7, $8))
      order by s.made_at desc, s.merchant_id desc, s.settlement_id desc limit $9`,
  );
const LISTS = {
  all: listOf('of_all', '$1::text is null'),
  one: listOf('of_merchant', 's.merchant_id = $1'),
  underWay: listOf('under_way', `$1::text is null and s.state in ('draft', 'approved', 'sent')`),
};
const UNDER_WAY: ReadonlySet<SettlementState> = new Set(['draft', 'approved', 'sent']);

type SettlementFilter = {
  readonly merchantId: string | undefined;
  readonly states: readonly SettlementState[] | undefined;
  readonly currency: string | undefined;
  /** Made on these days, in the merchant's zone. */
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** Lists settlements, the newest first. Absent: any. */
export function listSettlements(
  db: Pick<Tx, 'query'>,
  {
    merchantId,
    states,
    currency,
    from,
    to,
    after,
    limit,
  }: SettlementFilter & { readonly after: SettlementPlace | undefined; readonly limit: number },
): Promise<readonly Settlement[]> {
  const ofAll = states?.every((state) => UNDER_WAY.has(state)) === true ? LISTS.underWay : LISTS.all;
  return db.query<Settlement>(merchantId === undefined ? ofAll : LISTS.one, [
    ...[merchantId, states, currency, from, to, after?.madeAt, after?.merchantId, after?.settlementId].map((one) => one ?? null),
    limit,
  ]);
}
