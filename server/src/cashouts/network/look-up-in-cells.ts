import type { Clock } from '../../kit/clock.ts';
import { Held, retryOnRace, untilFree } from '../../kit/changes/retry.ts';
import { columnsOf, LostRace, statement, Unavailable, type Db, type Tx } from '../../kit/db.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { requireWhole, type PerCell } from '../../kit/per-cell.ts';
import { canonicalDocument } from '../../people/index.ts';
import type { Cashout } from '../cashout.ts';
import { storedDocument } from '../end-users/documents.ts';
import {
  COUNT_OF_NETWORK,
  COUNT_OF_PLACES,
  COUNT_WRONG,
  LOCK_CANDIDATES,
  LOCK_TRIES,
  type Compare,
  type Found,
  type LookUpCashout,
} from './candidates.ts';
import {
  decideLookUp,
  hasTriedTooOften,
  placesOf,
  usableOf,
  windowStart,
  type LookUpRefusal,
  type PlaceTries,
  type WrongTries,
} from './collection.ts';

// A document may have cashouts in several cells. A look-up asks all of them, and home, each in a transaction of its own:
//
// 1. Home: it enters the document in cashout_look_ups, so that the look-ups of a document come one after the other,
//    whichever networks ask. It counts the try for the network with the document, and for the place, as if the password
//    were wrong.
// 2. Every cell, all at once: it counts the try for each cashout that the password might open, and reads their hashes.
// 3. Only then is the password compared, with all of them, and decided by the same function as in one database.
// 4. Where it fits one, the cashout is held, and what was counted is taken off again. Where it fits none, the counts stay.
// 5. Home: the entry goes, together with what is taken off there.
//
// A try is committed wherever it counts before its password is compared. So a process that is killed between two steps, and a cell or a
// home that goes away, leave a try too many on a counter, and never one too few. Without the entry of step 1 only exactness would be
// lost: each count is an update of its row, and each cashout is held by its row as it is then. That is why it may end by time, for
// those that were killed.

/** How long a look-up may take before others of its document go on. Mostly it takes some milliseconds. */
const LOOK_UP_SECONDS = 5;

const ENTER = statement(
  'cashouts.enter_look_up',
  `insert into cashout_look_ups as entered (document, network_id, place, until)
   values ($1, $2, $3, clock_timestamp() + interval '${LOOK_UP_SECONDS} seconds')
       on conflict (document) do update
      set network_id = excluded.network_id, place = excluded.place, until = excluded.until
    where excluded.until - entered.until > interval '${LOOK_UP_SECONDS} seconds'
   returning until`,
);
const LEAVE = statement('cashouts.leave_look_up', 'delete from cashout_look_ups where document = $1 and until = $2');

/** Without the tries of look-ups under way, other than this one: most of them will be taken off. */
const READ_PLACES = statement(
  'cashouts.read_wrong_tries_of_cells',
  `select t.place, t.since,
          t.tries - (select count(*) from cashout_look_ups l
                      where l.network_id = t.network_id and l.document <> $3 and t.place in ('', l.place) and l.until >= clock_timestamp())::int as tries
     from cashout_wrong_tries_of_places t where t.network_id = $1 and t.place = any($2::text[])`,
);

/**
 * Wherever cashouts are looked for. A commit that writes waits for the disk: without this one it would be faster where the document has
 * nothing. No network has an empty name.
 */
const MARK_ASKED = statement(
  'cashouts.mark_asked',
  `insert into cashout_wrong_tries as asked (network_id, document, since, tries) values ('', $1, $2, 0)
       on conflict (network_id, document) do update set since = excluded.since`,
);

/** $3: when the try was counted. A window that began later does not have it. */
const TAKE_OFF_NETWORK = statement(
  'cashouts.take_try_off_network',
  'update cashout_wrong_tries set tries = tries - 1 where network_id = $1 and document = $2 and since <= $3 and tries > 0',
);
const TAKE_OFF_PLACES = statement(
  'cashouts.take_try_off_places',
  `update cashout_wrong_tries_of_places t set tries = t.tries - 1
     from (select place from cashout_wrong_tries_of_places
            where network_id = $1 and place = any($2::text[]) and since <= $3 order by place for update) as counted
    where t.network_id = $1 and t.place = counted.place and t.tries > 0`,
);
/** A window begins with a wrong try. */
const END_WINDOW = statement(
  'cashouts.end_empty_window',
  'delete from cashout_wrong_tries where network_id = $1 and document = $2 and tries = 0',
);
const END_WINDOWS = statement(
  'cashouts.end_empty_windows',
  'delete from cashout_wrong_tries_of_places where network_id = $1 and place = any($2::text[]) and tries = 0',
);

/** Where the password is still the one that was compared. A new one has no wrong tries. */
const TAKE_OFF = statement(
  'cashouts.take_try_off',
  `update cashouts c set otp_wrong_tries = c.otp_wrong_tries - 1
     from unnest($1::text[], $2::text[], $3::bytea[]) as k (merchant_id, operation_id, otp_hash)
    where c.merchant_id = k.merchant_id and c.operation_id = k.operation_id and c.otp_hash = k.otp_hash and c.otp_wrong_tries > 0`,
);
/** Where the cashout is as it was when it was compared: nobody has ended it, given it another password, or got it for another network. */
const HOLD = statement(
  'cashouts.hold_as_compared',
  `update cashouts set locked_by = $3, locked_until = $4, locked_at_point = $5
    where merchant_id = $1 and operation_id = $2 and state = 'pending' and otp_hash = $6
      and locked_by is not distinct from $7 and locked_until is not distinct from $8
   returning 1`,
);

type InCell = Found & { readonly cell: number };
type Deps = { readonly dbs: PerCell<Db>; readonly clock: Clock; readonly compare: Compare };
/** A try that home has counted. */
type Entered = { readonly until: Temporal.Instant; readonly countedAt: Temporal.Instant };

/**
 * Looks a cashout up in all cells: as createLookUp does in one database, with its refusals. Held: another look-up of the
 * document is under way.
 * Throws: Unavailable where home is away. Where a cell is away, or is not served here, a password that fits a cashout of
 * the others still opens it. One that fits none may be of that cell: it counts, and nobody learns whether it is wrong.
 */
export async function lookUpInCells(deps: Deps, command: LookUpCashout): Promise<Cashout | Refusal<LookUpRefusal> | Held> {
  const { dbs, clock, compare } = deps;
  const entered = await dbs.home.transaction((tx) => enter(tx, deps, command));
  if (!('until' in entered)) return entered;
  const leave = (): Promise<void> => settle(() => dbs.home.query(LEAVE, [canonicalDocument(command.document), entered.until]));
  const asked = await Promise.allSettled(dbs.all.map(([cell, db]) => countFirst(deps, db, cell, command)));
  const away = asked.find((one) => one.status === 'rejected');
  const candidates = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const now = clock.now();
  const outcome = decideLookUp(compare(candidates, command.otp, now), command, undefined, [], now);
  if ('refused' in outcome && outcome.wrongFor !== null) {
    // Nothing was compared, and the cell that this process does not serve may have it: that is no try.
    if (candidates.length === 0 && !dbs.isWhole()) await settle(() => dbs.home.transaction((tx) => takeOff(tx, command, entered)));
    else await leave();
    if (away !== undefined) throw away.reason;
    requireWhole(dbs);
    return outcome.refused;
  }
  const isHeld =
    'refused' in outcome ||
    (await hold(deps, command, outcome.found, candidates).catch((error) => leave().then(() => Promise.reject(error))));
  await Promise.all([
    ...dbs.all.map(([cell, db]) => {
      const counted = usableOf(candidates.filter((one) => one.cell === cell).map(asCandidate), now);
      const keys = counted.map(({ cashout }) => cashout);
      return settle(() => db.query(TAKE_OFF, columnsOf(keys, 'merchantId', 'operationId', 'otpHash')));
    }),
    settle(() => dbs.home.transaction((tx) => takeOff(tx, command, entered))),
  ]);
  if (!isHeld) throw new LostRace('the cashout has changed since its password was compared');
  return 'refused' in outcome ? outcome.refused : outcome.found;
}

const asCandidate = <One extends Found>(cashout: One) => ({ cashout, endsAt: cashout.endsAt });

/** What is left undone where a database is away: a try stays counted, or an entry ends by time. The answer stands. */
const settle = (work: () => Promise<unknown>): Promise<void> =>
  work().then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    },
  );

/** Step 1. Held: another look-up of the document is under way. */
async function enter(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { netname, document, point }: LookUpCashout,
): Promise<Entered | Refusal<'too_many_tries'> | Held> {
  const key = canonicalDocument(document);
  const [[entered], [tries], places] = await Promise.all([
    tx.query<{ until: Temporal.Instant }>(ENTER, [key, netname, point]),
    tx.query<WrongTries>(LOCK_TRIES, [netname, key]),
    tx.query<PlaceTries>(READ_PLACES, [netname, placesOf(point), key]),
  ]);
  if (entered === undefined) {
    tx.wroteNothing();
    return new Held('');
  }
  const now = clock.now();
  if (hasTriedTooOften(tries, places, now)) {
    tx.send(LEAVE, [key, entered.until]);
    return refuse('too_many_tries');
  }
  tx.send(COUNT_OF_NETWORK, [netname, key, now, windowStart(now)]);
  tx.send(COUNT_OF_PLACES, [netname, placesOf(point), now]);
  return { until: entered.until, countedAt: now };
}

/** Step 2: as much work where the document has nothing. */
const countFirst = ({ clock }: Pick<Deps, 'clock'>, db: Db, cell: number, { document }: LookUpCashout): Promise<readonly InCell[]> =>
  untilFree(() =>
    retryOnRace(() =>
      db.transaction(async (tx) => {
        const found = await tx.query<Found>(LOCK_CANDIDATES, [storedDocument(document)]);
        const now = clock.now();
        tx.send(MARK_ASKED, [canonicalDocument(document), now]);
        const usable = usableOf(found.map(asCandidate), now).map(({ cashout }) => cashout);
        tx.send(COUNT_WRONG, columnsOf(usable, 'merchantId', 'operationId'));
        return found.map((one) => ({ ...one, cell }));
      }),
    ),
  );

/** Step 4: false where the cashout has changed since. */
async function hold(
  { dbs }: Pick<Deps, 'dbs'>,
  { netname, point }: LookUpCashout,
  { merchantId, operationId, lockedUntil }: Cashout,
  candidates: readonly InCell[],
): Promise<boolean> {
  const before = candidates.find((one) => one.merchantId === merchantId && one.operationId === operationId) as InCell;
  const asCompared = [before.otpHash, before.lockedBy, before.lockedUntil];
  const held = await untilFree(() =>
    dbs.of(before.cell).query(HOLD, [merchantId, operationId, netname, lockedUntil, point, ...asCompared]),
  );
  return held.length > 0;
}

/** Step 5, after a password that fitted. */
async function takeOff(tx: Tx, { netname, document, point }: LookUpCashout, { until, countedAt }: Entered): Promise<void> {
  const key = canonicalDocument(document);
  tx.send(TAKE_OFF_NETWORK, [netname, key, countedAt]);
  tx.send(END_WINDOW, [netname, key]);
  tx.send(TAKE_OFF_PLACES, [netname, placesOf(point), countedAt]);
  tx.send(END_WINDOWS, [netname, placesOf(point)]);
  tx.send(LEAVE, [key, until]);
}
