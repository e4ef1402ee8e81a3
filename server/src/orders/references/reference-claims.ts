import type { Clock } from '../../kit/clock.ts';
import { retryOnRace } from '../../kit/changes/retry.ts';
import { columnsOf, statement, Unavailable, type Db, type Tx } from '../../kit/db.ts';
import { HOME, type PerCell } from '../../kit/per-cell.ts';
import { makeReference } from './make-reference.ts';
import { SELECT_HOLDER, type Claim, type HolderRow } from './open-references.ts';
import { isTaken, type OrderKey } from '../order.ts';

// A reference belongs to one order of the whole service, whichever cell holds it. Home's open_references is the one
// place that says whose it is, by its primary key. Orders of home take their rows there as they always did. Another
// cell has a row there that names the cell and the number of its last claim; the order, and whether its reference
// rests, are in its own open_references.
//
// Why never two cells have one reference, however long a process is paused:
// - A command of a cell beside home takes a reference which its database does not know only with a claim: a number that
//   home gave out while its row named the cell.
// - Home's row goes from cell A to another one only by compare-and-set on A's last number n, and only after A has given
//   the reference up: a row of A's own table, committed under the lock of the reference there, says that claims up to n
//   are over.
// - A command of A looks for that row, and takes the reference under its key, in the transaction that saves the order.
//   With a number up to n it is refused. With a higher one that was given out before the change, the compare-and-set
//   fails. After the change no higher one is given to A, until the reference came back to it.
// - Whichever of the two comes first in A wins: an order that is there is not given up, and an order meets the row that
//   gives it up.
// So no clock decides who has a reference. What a crash leaves is a claim without an order, which its cell gives up when
// somebody asks.

/** In the cell that asks: is its own database the one that decides? */
const READ = statement('orders.read_holder', `select ${SELECT_HOLDER} from open_references where reference = $1`);
const LOCK = statement('orders.lock_holder', `select ${SELECT_HOLDER} from open_references where reference = $1 for update`);

/**
 * At home. A claim that the cell has already gets a new number, drawn under the lock of its row. Nothing comes back for
 * a row of another holder, nor for one that was written a moment ago and is not seen yet.
 */
const CLAIM = statement(
  'orders.claim_reference',
  `with claimed as (
     insert into open_references (reference, merchant_id, order_id, cell, claim)
     values ($1, '', '', $2, nextval('reference_claims')) on conflict (reference) do nothing returning claim),
   again as (
     update open_references set claim = nextval('reference_claims') where reference = $1 and cell = $2 returning claim)
   select claim from claimed union all select claim from again`,
);
/** At home, sorted: references that nobody has claimed, or used at home. `spare`: those that the cell has got. */
const CLAIM_NEW = statement(
  'orders.claim_new_references',
  `insert into open_references (reference, merchant_id, order_id, made, cell, claim)
   select reference, '', '', made, $3, nextval('reference_claims') from unnest($1::text[], $2::boolean[]) as k (reference, made) order by reference
       on conflict (reference) do nothing
   returning reference as spare, claim`,
);
const MOVE_CLAIM = statement(
  'orders.move_reference_claim',
  `update open_references set cell = $2, claim = nextval('reference_claims')
    where reference = $1 and cell = $3 and claim = $4 returning claim`,
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
      set merchant_id = '', order_id = '', expires_at = null, ended = false, made = false, cell = $2, claim = nextval('reference_claims')
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
export type Spare = { readonly spare: string; readonly claim: bigint };

/** References that the service makes, kept for new orders, so that they are created while home is away. */
export type Stock = {
  /** Throws: Unavailable, where the stock is empty and home is away. */
  readonly draw: () => Promise<Spare>;
  /** The next one at once, in the rare case that one was used before. */
  readonly next: () => Spare | undefined;
  /** Takes back what a creation did not use, or of which nobody knows. */
  readonly putBack: (unused: Spare) => void;
};

/** How the orders of one cell come to references, in a service of several cells. */
export type ReferenceClaims = {
  /** Undefined at home, where the primary key decides. */
  readonly stock: Stock | undefined;
  /** Claims a reference that a merchant gives. Throws: Unavailable, where home or the cell that has it is away. */
  readonly claim: (reference: string, merchantId: string) => Promise<Claim>;
};

/** `restDays`: how long a reference rests after its order before another merchant may take it. */
export type ReferenceRules = { readonly clock: Clock; readonly restDays: number };

type ClaimDeps = ReferenceRules & {
  readonly dbs: PerCell<Db>;
  readonly cell: number;
  /** How many references a stock is to have: for a process that will soon be over one is enough. */
  readonly stocked?: number;
};

/** Opens the claims of the orders of one cell. */
export function openReferenceClaims(deps: ClaimDeps): ReferenceClaims {
  const { dbs, cell } = deps;
  return {
    stock: cell === HOME ? undefined : openStock(deps),
    claim: async (reference, merchantId) => {
      const [own] = await dbs.of(cell).query<HolderRow>(READ, [reference]);
      if (own === undefined ? cell === HOME : own.cell === null) return 'here';
      return claimGiven(deps, reference, merchantId);
    },
  };
}

/** So often another process may change a claim between two of our steps. */
const TRIES = 4;

async function claimGiven(deps: ClaimDeps, reference: string, merchantId: string): Promise<Claim> {
  const { dbs, cell } = deps;
  for (let tries = 0; tries < TRIES; tries++) {
    if (cell !== HOME) {
      const [claimed] = await dbs.home.query<{ claim: bigint }>(CLAIM, [reference, cell]);
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
  const { dbs, cell } = deps;
  if (from === null) return cell === HOME ? 'here' : claimResting(deps, reference, merchantId);
  // One that the service made rests for ever.
  if (isMade === true) return 'elsewhere';
  if (from === cell) return undefined;
  if (!(await giveUp(deps, { reference, from, claim: claim ?? 0n, merchantId }))) return 'elsewhere';
  const [moved] =
    cell === HOME
      ? await dbs.home.query<{ claim: bigint }>(END_CLAIM, [reference, from, claim])
      : await dbs.home.query<{ claim: bigint }>(MOVE_CLAIM, [reference, cell, from, claim]);
  if (moved === undefined) return undefined;
  return cell === HOME ? 'here' : moved.claim;
}

/** Claims what an order of home has or had, where it rests no more. */
const claimResting = ({ dbs, cell, clock, restDays }: ClaimDeps, reference: string, merchantId: string): Promise<Claim | undefined> =>
  dbs.home.transaction(async (tx) => {
    const [holder] = await tx.query<HolderRow>(LOCK, [reference]);
    if (holder === undefined || holder.cell !== null) return undefined;
    if (isTaken(holder, ownerOnly(merchantId), { now: clock.now(), restDays })) return 'elsewhere';
    const [claimed] = await tx.query<{ claim: bigint }>(CLAIM_RESTING, [reference, cell]);
    return claimed?.claim;
  });

/**
 * Whether the cell that has a reference gives it up for a merchant of another one, by the rule that holds within one
 * database.
 */
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

const DRAW_NUMBER = statement('orders.draw_claim_number', `select nextval('reference_claims') as claim`);
const DRAW_NUMBERS = statement(
  'orders.draw_claim_numbers',
  `select max(nextval('reference_claims')) as claim from generate_series(1, $1::bigint)`,
);
const LAST_GIVEN_UP = statement('orders.last_claim_given_up', 'select max(claim) as claim from open_references');

/**
 * Lets home number claims above those that cells have given up: a home that was restored to an earlier moment would
 * number them again.
 */
export async function passGivenUpClaims(dbs: PerCell<Db>): Promise<void> {
  const [drawn] = await dbs.home.query<{ claim: bigint }>(DRAW_NUMBER, []);
  for (const [cell, db] of dbs.all) {
    const [last] = cell === HOME ? [] : await db.query<{ claim: bigint | null }>(LAST_GIVEN_UP, []);
    const behind = (last?.claim ?? 0n) - (drawn?.claim ?? 0n);
    if (behind > 0n) await dbs.home.query(DRAW_NUMBERS, [behind]);
  }
}

type KeptReference = { readonly reference: string; readonly isMade: boolean; readonly merchantId: string };

/**
 * Claims references that a cell has and home does not know it to have, since one of the two was restored to an earlier
 * moment.
 * Effects: where home names another cell, the one whose order is over for long enough gives it up. Where neither does,
 * or the other one is away, nothing changes.
 */
export async function claimReferencesAgain(deps: ClaimDeps, kept: readonly KeptReference[]): Promise<void> {
  const claimed = await deps.dbs.home.query<Spare>(CLAIM_NEW, [...columnsOf(kept, 'reference', 'isMade'), deps.cell]);
  const isClaimed = new Set(claimed.map(({ spare }) => spare));
  for (const { reference, merchantId } of kept)
    if (!isClaimed.has(reference))
      await settle(deps, reference, merchantId).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
}

async function settle(deps: ClaimDeps, reference: string, merchantId: string): Promise<void> {
  const { home } = deps.dbs;
  if ((await claimGiven(deps, reference, merchantId)) !== 'elsewhere') return;
  const [owner] = await home.query<HolderRow>(READ, [reference]);
  const [drawn] = await home.query<{ claim: bigint }>(DRAW_NUMBER, []);
  if (owner === undefined || drawn === undefined || owner.cell === deps.cell) return;
  await giveUp({ ...deps, cell: owner.cell ?? HOME }, { reference, from: deps.cell, claim: drawn.claim, merchantId: owner.merchantId });
}

/** An order that no cell has yet: the rule asks only for its merchant. */
const ownerOnly = (merchantId: string): OrderKey => ({ merchantId, orderId: '' });

/**
 * References that a process claims at once, and keeps for creations. Two hundred creations in a second use a stock up
 * in a second and a half.
 */
const STOCK = 300;

/**
 * Opens the stock of one process. What it does not use when it stops, nobody uses: whether an order ever had it, a cell
 * that was restored to an earlier moment does not know.
 */
function openStock({ dbs, cell, stocked = STOCK }: ClaimDeps): Stock {
  const stock: Spare[] = [];
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    const references = Array.from({ length: stocked - stock.length }, makeReference);
    stock.push(...(await dbs.home.query<Spare>(CLAIM_NEW, [references, references.map(() => true), cell])));
  }
  const refill = (): Promise<void> => (filling ??= fill().finally(() => (filling = undefined)));

  const next = (): Spare | undefined => {
    if (stock.length <= stocked / 2) void refill().catch(() => undefined);
    return stock.pop();
  };
  return {
    next,
    // Behind the others: this one may be used by now.
    putBack: (spare) => void stock.unshift(spare),
    draw: async () => {
      for (;;) {
        const spare = next();
        if (spare !== undefined) return spare;
        await refill();
      }
    },
  };
}
