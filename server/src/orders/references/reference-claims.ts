import type { Clock } from '../../kit/clock.ts';
import { retryOnRace } from '../../kit/changes/retry.ts';
import { statement, Unavailable, type Db, type Tx } from '../../kit/db.ts';
import { HOME, type PerCell } from '../../kit/per-cell.ts';
import { makeReference } from './make-reference.ts';
import { SELECT_HOLDER, type Claim, type HolderRow } from './open-references.ts';
import { isTaken, type OrderKey } from '../order.ts';

// A reference belongs to one order of the whole service, whichever cell holds it. Home's open_references is the one place that says whose it
// is, by its primary key. Orders of home take their rows there as they always did. Another cell has a row there that names the cell and the
// number of its last claim; the order, and whether its reference rests, are in its own open_references.
//
// Why never two cells have one reference, however long a process is paused:
// - A command of a cell beside home takes a reference which its database does not know only with a claim: a number that home gave out
//   while its row named the cell.
// - Home's row goes from cell A to another one only by compare-and-set on A's last number n, and only after A has given the reference up:
//   a row of A's own table, committed under the lock of the reference there, says that claims up to n are over.
// - A command of A looks for that row, and takes the reference under its key, in the transaction that saves the order. With a number up to n
//   it is refused. With a higher one that was given out before the change, the compare-and-set fails. After the change no higher one is
//   given to A, until the reference came back to it.
// - Whichever of the two comes first in A wins: an order that is there is not given up, and an order meets the row that gives it up.
// So no clock decides who has a reference. What a crash leaves is a claim without an order, which its cell gives up when somebody asks.

/** In the cell that asks: is its own database the one that decides? */
const READ = statement('orders.read_holder', `select ${SELECT_HOLDER} from open_references where reference = $1`);
const LOCK = statement('orders.lock_holder', `select ${SELECT_HOLDER} from open_references where reference = $1 for update`);

/**
 * At home. A claim that the cell has already gets a new number, drawn under the lock of its row. Nothing comes back for a row of another
 * holder, nor for one that was written a moment ago and is not seen yet.
 */
const CLAIM = statement(
  'orders.claim_reference',
  `with claimed as (
     insert into open_references (reference, merchant_id, order_id, cell, claim, claimed_at)
     values ($1, '', '', $2, nextval('reference_claims'), $3) on conflict (reference) do nothing returning claim),
   again as (
     update open_references set claim = nextval('reference_claims') where reference = $1 and cell = $2 returning claim)
   select claim from claimed union all select claim from again`,
);
const MOVE_CLAIM = statement(
  'orders.move_reference_claim',
  `update open_references set cell = $2, claim = nextval('reference_claims'), claimed_at = $3
    where reference = $1 and cell = $4 and claim = $5 returning claim`,
);
/** Home takes it: then its row is gone, and orders of home decide. */
const END_CLAIM = statement(
  'orders.end_reference_claim',
  'delete from open_references where reference = $1 and cell = $2 and claim = $3 returning claim',
);
/** An order of home has let its reference rest for long enough. */
const CLAIM_RESTING = statement(
  'orders.claim_resting_reference',
  `update open_references
      set merchant_id = '', order_id = '', expires_at = null, ended = false, made = false, cell = $2, claim = nextval('reference_claims'), claimed_at = $3
    where reference = $1 returning claim`,
);

/** In the cell that has the reference: it is over with all claims up to this number. */
const GIVE_UP_ROW = statement(
  'orders.give_reference_up',
  `update open_references
      set merchant_id = '', order_id = '', expires_at = null, ended = false, made = false, cell = $2, claim = greatest(claim, $3)
    where reference = $1`,
);
const GIVE_UP_CLAIM = statement(
  'orders.give_unused_reference_up',
  `insert into open_references (reference, merchant_id, order_id, cell, claim) values ($1, '', '', $2, $3)`,
);

const FIND_CELL = statement('orders.find_cell_of_reference', 'select cell from open_references where reference = $1');

/** The cell whose orders a reference is to be looked for in. `home`: its database. */
export async function cellOfReference(home: Pick<Db, 'query'>, reference: string): Promise<number> {
  const [row] = await home.query<{ cell: number | null }>(FIND_CELL, [reference]);
  return row?.cell ?? HOME;
}

/** A reference for a new order, claimed before. */
type Spare = { readonly spare: string; readonly claim: bigint };

/** How the orders of one cell come to references, in a service of several cells. */
export type ReferenceClaims = {
  /** False at home, where the primary key decides. */
  readonly isBesideHome: boolean;
  /** A reference that the service makes; undefined at home. Throws: Unavailable, where the stock is empty and home is away. */
  readonly draw: () => Promise<Spare | undefined>;
  /** The next one of the stock at once, in the rare case that another process of this cell has used one of it. */
  readonly drawNext: () => Spare | undefined;
  /** Takes back what a creation did not use, or of which nobody knows. */
  readonly putBack: (unused: { readonly spare?: string | undefined; readonly claim?: Claim | undefined }) => void;
  /** Claims a reference that a merchant gives. Throws: Unavailable, where home or the cell that has it is away. */
  readonly claim: (reference: string, merchantId: string) => Promise<Claim>;
};

type ClaimDeps = { readonly dbs: PerCell<Db>; readonly cell: number; readonly clock: Clock; readonly restDays: number };

/** Opens the claims of the orders of one cell. */
export function openReferenceClaims(deps: ClaimDeps): ReferenceClaims {
  const { dbs, cell } = deps;
  const isBesideHome = cell !== HOME;
  const stock = isBesideHome ? openStock(deps) : undefined;
  return {
    isBesideHome,
    draw: async () => stock?.draw(),
    drawNext: () => stock?.next(),
    putBack: ({ spare, claim }) => {
      if (spare !== undefined && typeof claim === 'bigint') stock?.putBack({ spare, claim });
    },
    claim: async (reference, merchantId) => {
      const [own] = await dbs.of(cell).query<HolderRow>(READ, [reference]);
      if (own === undefined ? !isBesideHome : own.cell === null) return 'here';
      return claimGiven(deps, reference, merchantId);
    },
  };
}

/** So often another process may change a claim between two of our steps. */
const TRIES = 4;

async function claimGiven(deps: ClaimDeps, reference: string, merchantId: string): Promise<Claim> {
  const { dbs, cell, clock } = deps;
  for (let tries = 0; tries < TRIES; tries++) {
    if (cell !== HOME) {
      const [claimed] = await dbs.home.query<{ claim: bigint }>(CLAIM, [reference, cell, clock.now()]);
      if (claimed !== undefined) return claimed.claim;
    }
    const [holder] = await dbs.home.query<HolderRow>(READ, [reference]);
    if (holder === undefined && cell === HOME) return 'here';
    const claim = holder && (await claimFrom(deps, holder, merchantId));
    if (claim !== undefined) return claim;
  }
  throw new Unavailable('a reference was claimed by others all the time');
}

/** Takes a reference over from whom home names. Undefined: it has just changed there. */
async function claimFrom(
  deps: ClaimDeps,
  { reference, cell: from, claim, isMade }: HolderRow,
  merchantId: string,
): Promise<Claim | undefined> {
  const { dbs, cell, clock } = deps;
  if (from === null) return cell === HOME ? 'here' : claimResting(deps, reference, merchantId);
  // One that the service made rests for ever.
  if (isMade === true) return 'elsewhere';
  if (from === cell) return undefined;
  if (!(await giveUp(deps, { reference, from, claim: claim ?? 0n, merchantId }))) return 'elsewhere';
  const [moved] =
    cell === HOME
      ? await dbs.home.query<{ claim: bigint }>(END_CLAIM, [reference, from, claim])
      : await dbs.home.query<{ claim: bigint }>(MOVE_CLAIM, [reference, cell, clock.now(), from, claim]);
  if (moved === undefined) return undefined;
  return cell === HOME ? 'here' : moved.claim;
}

/** Claims what an order of home has or had, where it rests no more. */
const claimResting = ({ dbs, cell, clock, restDays }: ClaimDeps, reference: string, merchantId: string): Promise<Claim | undefined> =>
  dbs.home.transaction(async (tx) => {
    const [holder] = await tx.query<HolderRow>(LOCK, [reference]);
    if (holder === undefined || holder.cell !== null) return undefined;
    const now = clock.now();
    if (isTaken(holder, ownerOnly(merchantId), { now, restDays })) return 'elsewhere';
    const [claimed] = await tx.query<{ claim: bigint }>(CLAIM_RESTING, [reference, cell, now]);
    return claimed?.claim;
  });

/** Whether the cell that has a reference gives it up for a merchant of another one, by the rule that holds within one database. */
function giveUp(
  { dbs, cell, clock, restDays }: ClaimDeps,
  {
    reference,
    from,
    claim,
    merchantId,
  }: { readonly reference: string; readonly from: number; readonly claim: bigint; readonly merchantId: string },
): Promise<boolean> {
  const give = async (tx: Tx): Promise<boolean> => {
    const [holder] = await tx.query<HolderRow>(LOCK, [reference]);
    if (holder === undefined) tx.send(GIVE_UP_CLAIM, [reference, cell, claim]);
    else if (holder.cell === null && isTaken(holder, ownerOnly(merchantId), { now: clock.now(), restDays })) return false;
    else tx.send(GIVE_UP_ROW, [reference, cell, claim]);
    return true;
  };
  return retryOnRace(() => dbs.of(from).transaction(give));
}

/** An order that no cell has yet: the rule asks only for its merchant. */
const ownerOnly = (merchantId: string): OrderKey => ({ merchantId, orderId: '' });

/** References that a process claims at once, and keeps for creations. Two hundred creations in a second use a stock up in a second and a half. */
const STOCK = 300;
const REFILL_BELOW = STOCK / 2;
/** What a process has drawn and never used, another one of the cell uses: it was stopped, or forgot its answer. */
const LEFT_AFTER_HOURS = 24;
/** A refill looks at more old ones than it draws, so that those which were used are all noted in time. */
const SETTLED_AT_ONCE = 1_000;

const DRAW = statement(
  'orders.draw_references',
  `insert into open_references (reference, merchant_id, order_id, made, cell, claim, claimed_at)
   select reference, '', '', true, $2, nextval('reference_claims'), $3 from unnest($1::text[]) as k (reference) order by reference
       on conflict (reference) do nothing
   returning reference as spare, claim`,
);
const FIND_LEFT = statement(
  'orders.find_references_left',
  `update open_references set claimed_at = $3 where reference in (
     select reference from open_references where made and claimed_at is not null and cell = $1 and claimed_at < $2
      order by claimed_at limit $4 for update skip locked)
   returning reference as spare, claim`,
);
const FIND_USED = statement('orders.find_references_used', 'select reference from open_references where reference = any($1::text[])');
const SETTLE = statement(
  'orders.settle_references',
  'update open_references set claimed_at = null where reference = any($1::text[]) and made and cell = $2',
);

/**
 * Keeps references for new orders, so that they are created while home is away. Two processes of a cell may hold the same one after a day:
 * the primary key of the cell decides then, and the loser takes the next.
 */
function openStock({ dbs, cell, clock }: ClaimDeps) {
  const stock: Spare[] = [];
  let filling: Promise<void> | undefined;

  /** What was drawn a day ago and not used is used now. */
  async function takeLeft(): Promise<void> {
    const now = clock.now();
    const left = await dbs.home.query<Spare>(FIND_LEFT, [cell, now.subtract({ hours: LEFT_AFTER_HOURS }), now, SETTLED_AT_ONCE]);
    if (left.length === 0) return;
    const rows = await dbs.of(cell).query<{ reference: string }>(FIND_USED, [left.map(({ spare }) => spare)]);
    const used = new Set(rows.map(({ reference }) => reference));
    await dbs.home.query(SETTLE, [[...used], cell]);
    stock.push(...left.filter(({ spare }) => !used.has(spare)));
  }

  async function fill(): Promise<void> {
    await takeLeft();
    if (stock.length >= STOCK) return;
    const references = Array.from({ length: STOCK - stock.length }, makeReference);
    stock.push(...(await dbs.home.query<Spare>(DRAW, [references, cell, clock.now()])));
  }
  const refill = (): Promise<void> => (filling ??= fill().finally(() => (filling = undefined)));

  const next = (): Spare | undefined => {
    if (stock.length <= REFILL_BELOW) void refill().catch(() => undefined);
    return stock.pop();
  };
  return {
    next,
    // Behind the others: this one may be used by now.
    putBack: (spare: Spare): void => void stock.unshift(spare),
    draw: async (): Promise<Spare> => {
      for (;;) {
        const spare = next();
        if (spare !== undefined) return spare;
        await refill();
      }
    },
  };
}
