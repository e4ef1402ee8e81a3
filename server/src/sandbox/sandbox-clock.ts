import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { listen } from '../kit/listen.ts';
import type { Log } from '../kit/log.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { decideOffset, type ClockRefusal, type ClockWish } from './clock-offset.ts';

export type SandboxClock = Clock & {
  /**
   * Moves the clock of the whole service forward.
   * Refuses: clock_would_go_back, clock_too_far_ahead.
   * Effects: this server has the new time when the promise resolves; every other server on the database within a second.
   * Source: contract §7.6.
   */
  move(wish: ClockWish): Promise<ClockReading | Refusal<ClockRefusal>>;
  /** Does so in a transaction. After its commit `refresh` takes the new time. */
  moveIn(tx: Tx, wish: ClockWish): Promise<ClockReading | Refusal<ClockRefusal>>;
  /** Takes the time that is stored. */
  refresh(): Promise<void>;
  /** How far it runs ahead of the machine's clock. */
  readonly offsetMs: () => number;
  close(): Promise<void>;
};

/** What a sandbox's clock says, and how far it runs ahead of the machine's. */
export type ClockReading = { readonly now: Temporal.Instant; readonly offsetMs: number };

type SandboxClockOptions = {
  readonly db: Db;
  readonly url: string;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly log: Log;
};

const CHANNEL = 'sandbox_clock_moved';

const SELECT_OFFSET = statement('sandbox.select_clock', `select offset_ms::float8 as "offsetMs" from sandbox_clock where only_row`);
// An update without effect creates and locks the row, so that simultaneous moves of the clock follow one another.
const LOCK_OFFSET = statement(
  'sandbox.lock_clock',
  `insert into sandbox_clock (offset_ms) values (0)
       on conflict (only_row) do update set offset_ms = sandbox_clock.offset_ms returning offset_ms::float8 as "offsetMs"`,
);
const UPDATE_OFFSET = statement('sandbox.move_clock', `update sandbox_clock set offset_ms = $1 where only_row`);
const NOTIFY_OFFSET = statement('sandbox.notify_clock', `select pg_notify('${CHANNEL}', $1)`);

/**
 * Opens the clock of a sandbox: the machine's plus a stored offset. All servers on the database and the command line share it.
 * It never goes back, because rows with a later time than now would break the rules. So the larger of two offsets is the later one.
 */
export async function openSandboxClock({ db, url, clock, log }: SandboxClockOptions): Promise<SandboxClock> {
  let offsetMs = await readOffset(db);
  let isClosed = false;
  const take = (newOffsetMs: number): void => void (offsetMs = Math.max(offsetMs, newOffsetMs));
  const readAgain = (): void => {
    readOffset(db).then(take, (error: unknown) => {
      if (!isClosed) log.warn({ error }, 'the clock of the sandbox could not be read');
    });
  };
  const listener = await listen({ url, channel: CHANNEL, log, onMessage: (payload) => take(Number(payload)), onGap: readAgain });
  const now = (): Temporal.Instant => (offsetMs === 0 ? clock.now() : clock.now().add({ milliseconds: offsetMs }));
  const moveIn = async (tx: Tx, wish: ClockWish): Promise<ClockReading | Refusal<ClockRefusal>> => {
    const machineNow = clock.now();
    const [row] = await tx.query<{ offsetMs: number }>(LOCK_OFFSET, []);
    const decided = decideOffset(machineNow, (row as { offsetMs: number }).offsetMs, wish);
    if (isRefusal(decided)) return decided;
    tx.send(UPDATE_OFFSET, [decided]);
    tx.send(NOTIFY_OFFSET, [String(decided)]);
    return { now: machineNow.add({ milliseconds: decided }), offsetMs: decided };
  };
  return {
    now,
    offsetMs: () => offsetMs,
    moveIn,
    refresh: async () => take(await readOffset(db)),
    move: async (wish) => {
      const moved = await db.transaction((tx) => moveIn(tx, wish));
      if (!isRefusal(moved)) take(moved.offsetMs);
      return moved;
    },
    close: async () => {
      isClosed = true;
      await listener.close();
    },
  };
}

/** What the audit log shows of the clock before and after. */
export const clockFacts = { statement: SELECT_OFFSET, values: [] } as const;

/** Reads the clock of a sandbox for the command line. It is the machine's clock if nobody has moved it, as in production. */
export async function readSandboxClock(db: Pick<Db, 'query'>, clock: Clock): Promise<Clock> {
  const offsetMs = await readOffset(db);
  return { now: () => clock.now().add({ milliseconds: offsetMs }) };
}

async function readOffset(db: Pick<Db, 'query'>): Promise<number> {
  const [row] = await db.query<{ offsetMs: number }>(SELECT_OFFSET, []);
  return row?.offsetMs ?? 0;
}
