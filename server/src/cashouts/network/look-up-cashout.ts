import { columnsOf, statement, type Db, type Tx } from '../../kit/db.ts';
import type { Refusal } from '../../kit/outcome.ts';
import type { PerCell } from '../../kit/per-cell.ts';
import { retryOnRace, untilFree, type Held } from '../../kit/changes/retry.ts';
import { openShares } from '../../kit/limits/shares.ts';
import { canonicalDocument } from '../../people/index.ts';
import { storedDocument } from '../end-users/documents.ts';
import type { Cashout } from '../cashout.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import {
  comparing,
  COUNT_OF_NETWORK,
  COUNT_OF_PLACES,
  COUNT_WRONG,
  LOCK_CANDIDATES,
  LOCK_TRIES,
  type Found,
  type LookUpCashout,
} from './candidates.ts';
import {
  decideLookUp,
  placesOf,
  windowStart,
  type LookUpOutcome,
  type LookUpRefusal,
  type PlaceTries,
  type WrongTries,
} from './collection.ts';
import { lookUpInCells } from './look-up-in-cells.ts';

/** Not locked: look-ups of a whole network would wait for each other. Some that come together may count late. */
const READ_PLACES = statement(
  'cashouts.read_wrong_tries_of_places',
  'select place, tries, since from cashout_wrong_tries_of_places where network_id = $1 and place = any($2::text[])',
);

const HOLD = statement(
  'cashouts.hold_for_network',
  `update cashouts set locked_by = $3, locked_until = $4, locked_at_point = $5 where merchant_id = $1 and operation_id = $2`,
);

/** Look-ups that run at a time: all connections are shared with the other operations. Networks take turns. */
const AT_ONCE = 4;

/**
 * Looks up the cashout that a document and a one-time password open, and holds it for the network.
 * Shape: LookUpCashout → the cashout, with the end of its lock.
 * Refuses: too_many_tries, password_wrong (also a short one that has ended), cashout_locked (also for a frozen merchant), cashout_not_served — the first that applies.
 * Effects: locks the document's pending cashouts until commit. All of them are compared with the password, whichever fits, so the
 * time reveals nothing. A wrong password is counted for each of them, and for the network with the document. It is counted for the
 * point and the whole network too. None of it changes the version of a cashout or the list. What another transaction holds is tried
 * again. A transaction for each: what a wrong password counts for decides about the next one.
 * Source: contract §4.3.
 */
export function createLookUp({
  db,
  clock,
  otpKey,
  shortPasswordDays,
  dbs,
}: Pick<CashoutDeps, 'db' | 'clock' | 'otpKey' | 'shortPasswordDays'> & {
  /** Where the document may have cashouts. */
  readonly dbs: PerCell<Db>;
}): (command: LookUpCashout) => Promise<Cashout | Refusal<LookUpRefusal>> {
  const inTurn = openShares({ atOnce: AT_ONCE, perOwner: AT_ONCE });
  const compare = comparing({ otpKey, shortPasswordDays });
  const lookUp = async (tx: Tx, command: LookUpCashout): Promise<Cashout | Refusal<LookUpRefusal>> => {
    const { netname, served, document, otp, point } = command;
    const [candidates, [tries], places] = await Promise.all([
      tx.query<Found>(LOCK_CANDIDATES, [storedDocument(document)]),
      tx.query<WrongTries>(LOCK_TRIES, [netname, canonicalDocument(document)]),
      tx.query<PlaceTries>(READ_PLACES, [netname, placesOf(point)]),
    ]);
    const now = clock.now();
    const outcome = decideLookUp(compare(candidates, otp, now), { netname, served }, tries, places, now);
    write(tx, command, outcome, now);
    return 'found' in outcome ? outcome.found : outcome.refused;
  };
  // Asked each time: a cell may have been added since this process started.
  const once = (command: LookUpCashout): Promise<Cashout | Refusal<LookUpRefusal> | Held> =>
    dbs.isAlone ? db.transaction((tx) => lookUp(tx, command)) : lookUpInCells({ dbs, clock, compare }, command);
  return (command) => untilFree(() => inTurn(command.netname, () => retryOnRace(() => once(command))));
}

function write(tx: Tx, { netname, document, point }: LookUpCashout, outcome: LookUpOutcome, now: Temporal.Instant): void {
  if ('found' in outcome) {
    const { merchantId, operationId, lockedUntil } = outcome.found;
    tx.send(HOLD, [merchantId, operationId, netname, lockedUntil, point]);
  } else if (outcome.wrongFor !== null) {
    tx.send(COUNT_WRONG, columnsOf(outcome.wrongFor, 'merchantId', 'operationId'));
    tx.send(COUNT_OF_NETWORK, [netname, canonicalDocument(document), now, windowStart(now)]);
    tx.send(COUNT_OF_PLACES, [netname, placesOf(point), now]);
  }
}
