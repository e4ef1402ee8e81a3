import type { ActActor, DoneAct, RecordLone } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { networkOfAddress } from '../kit/limits/network-of-address.ts';
import { recordActs } from './record-acts.ts';

/** So many acts of one sender are rows of their own in ten minutes. Those beyond are summed up. */
const MOST = { actor: 100, network: 50, strangers: 300 } as const;
const WINDOW = { minutes: 10 };
const SUM_SECONDS = 60;
/** Strangers cannot make memory grow: what is beyond is counted without its sender. */
const MOST_SENDERS = 1_000;

const STRANGERS: ActActor = { kind: 'nobody', id: '', name: 'nobody' };
const SEVERAL = 'several';

/** What one sender had recorded in this window, and what is counted since the last sum. */
type Sender = {
  readonly actor: ActActor;
  readonly merchantId: string | null;
  since: Temporal.Instant;
  recorded: number;
  /** By operation and outcome: the declarations bound their number. */
  counted: Map<string, number>;
  source: string;
};

export type LoneActs = {
  /** Records an act that changes nothing, or counts it where its sender had too many. */
  readonly record: RecordLone;
  readonly job: Job;
  /** Writes what is still counted. */
  close(): Promise<void>;
};

/**
 * Opens what records acts that change nothing: refusals, and reads of many people. A sender could make as many as it can send requests.
 * So those beyond a bound are one act a minute, which says how often each of them came. Each server counts by itself, in memory.
 */
export function openLoneActs(db: Db, clock: Clock): LoneActs {
  const senders = new Map<string, Sender>();

  function senderOf(key: string, { actor, merchantId, source }: Omit<DoneAct, 'at' | 'outcome'>): Sender {
    const now = clock.now();
    let sender = senders.get(key);
    if (sender === undefined) senders.set(key, (sender = { actor, merchantId, since: now, recorded: 0, counted: new Map(), source }));
    else if (Temporal.Instant.compare(sender.since.add(WINDOW), now) <= 0) Object.assign(sender, { since: now, recorded: 0 });
    return sender;
  }

  /** Whose act it is, and whose bounds hold for it. What is beyond one of them is counted for the last. */
  function boundsOf(act: DoneAct): readonly (readonly [Sender, number])[] {
    const { actor, source } = act;
    const all = [senderOf('strangers', { ...act, actor: STRANGERS, merchantId: null }), MOST.strangers] as const;
    if (actor.kind === 'nobody') {
      const key = `network ${networkOfAddress(source)}`;
      return senders.has(key) || senders.size < MOST_SENDERS ? [[senderOf(key, act), MOST.network], all] : [all];
    }
    const key = `${actor.kind} ${actor.id}`;
    return senders.has(key) || senders.size < MOST_SENDERS ? [[senderOf(key, act), MOST.actor]] : [all];
  }

  async function sumUp(): Promise<void> {
    const now = clock.now();
    const taken = [...senders].flatMap(([key, sender]) => {
      const { counted } = sender;
      if (counted.size === 0 && Temporal.Instant.compare(sender.since.add(WINDOW), now) <= 0) senders.delete(key);
      sender.counted = new Map();
      return counted.size === 0 ? [] : [{ sender, counted }];
    });
    if (taken.length === 0) return;
    try {
      await db.transaction(async (tx) =>
        recordActs(
          tx,
          taken.map(({ sender, counted }) => sumOf(sender, counted, now)),
        ),
      );
    } catch (error) {
      for (const { sender, counted } of taken) for (const [what, times] of counted) count(sender, what, times);
      throw error;
    }
  }

  return {
    record: async (act) => {
      const bounds = boundsOf(act);
      for (const [sender] of bounds) sender.recorded++;
      if (bounds.every(([{ recorded }, most]) => recorded <= most)) return db.transaction(async (tx) => recordActs(tx, [act]));
      const [sender] = bounds.at(-1) as (typeof bounds)[number];
      if (sender.source !== act.source) sender.source = SEVERAL;
      count(sender, `${act.operation} ${act.outcome}`, 1);
    },
    job: inRounds(clock, SUM_SECONDS, { name: 'audit.sum-acts', step: async () => (await sumUp(), false) }),
    close: sumUp,
  };
}

const count = ({ counted }: Sender, what: string, times: number): void => void counted.set(what, (counted.get(what) ?? 0) + times);

/** One act for all that came beyond the bound. */
const sumOf = ({ actor, merchantId, source }: Sender, counted: ReadonlyMap<string, number>, at: Temporal.Instant): DoneAct => ({
  actor,
  source,
  requestId: null,
  operation: 'moreActs',
  merchantId,
  target: null,
  at,
  outcome: 'done',
  details: { given: { times: [...counted.values()].reduce((sum, times) => sum + times, 0), acts: Object.fromEntries(counted) } },
});
