import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../kit/clock.ts';
import { ServiceRefused } from '../../kit/command-line.ts';
import { decideNotice, GIVE_UP_AFTER_HOURS, REFUND_STEPS, SETTLEMENT_STEPS } from '../notice.ts';
import { problemOf, type Sender } from '../delivery/send-notice.ts';
import type { SignedNotice } from './sources.ts';

/** What became of a notice at its receiver, or that it is shown only. */
export type Forwarded = {
  readonly notice: SignedNotice;
  readonly event: NoticeEvent;
  /** It was written before, and is sent again. */
  readonly isAgain: boolean;
  /** Null: it is shown only. */
  readonly to: string | null;
  readonly attempt: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly problem: string | null;
  readonly ms: number | null;
  /** When it is tried again. Null: not at all. */
  readonly nextAt: Temporal.Instant | null;
};

/** What a notice says: its kind and its status. A test says nothing else. */
export const NOTICE_EVENTS = [
  'order.approved',
  'order.cancelled',
  'order.updated',
  ...REFUND_STEPS.map((step) => `refund.${step}` as const),
  'cashout.approved',
  'cashout.expired',
  ...SETTLEMENT_STEPS.map((step) => `settlement.${step}` as const),
  'test',
] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Notices of refunds are about the order: they come in one sequence with its others. */
const eventOf = ({ kind, status }: Pick<SignedNotice, 'kind' | 'status'>): NoticeEvent =>
  (kind === 'test' ? kind : status.startsWith('refund_') ? status.replace('_', '.') : `${kind}.${status}`) as NoticeEvent;

export type ForwarderOptions = {
  /** Reads a notice and signs it now. */
  readonly read: (id: string) => Promise<SignedNotice>;
  readonly isWanted: (event: NoticeEvent) => boolean;
  /** Undefined: it is shown only. */
  readonly targetOf: (event: NoticeEvent) => string | undefined;
  readonly send: Sender['send'];
  readonly report: (forwarded: Forwarded) => void;
  /** Called when the notices that are under way have changed. */
  readonly onPending: () => void;
  readonly signal: AbortSignal;
  readonly chance: () => number;
};

/** Requests at the same time, as the service sends to one merchant. */
const AT_ONCE = 4;
/** Notices under way. Beyond that no further ones are read: a receiver that is gone fills no memory. */
const MOST_PENDING = 1_000;
/** A signature that is older is made again. Receivers refuse old ones. */
const FRESH_MS = 30_000;
/** Rounds that are remembered, so that a list and an event do not both forward one. */
const MOST_REMEMBERED = 20_000;

/** Forwards notices: in order for each subject, and again with growing pauses where one is not taken, as the service does. */
export function openForwarder(options: ForwarderOptions) {
  const { read, isWanted, targetOf, report, onPending, signal } = options;
  /** How often each is under way: one that is sent again may follow itself. */
  const pending = new Map<string, number>();
  const rounds = new Set<string>();
  const tails = new Map<string, Promise<void>>();
  const inTurn = openTurns(AT_ONCE);
  let failure: unknown;

  const done = (id: string): void => {
    const left = (pending.get(id) ?? 1) - 1;
    if (left > 0) pending.set(id, left);
    else pending.delete(id);
    onPending();
  };

  async function deliver(notice: SignedNotice, to: string, readAtMs: number): Promise<void> {
    const giveUpAt = systemClock.now().add({ hours: GIVE_UP_AFTER_HOURS });
    for (let attempt = 1; !signal.aborted; attempt++) {
      const isFresh = (): boolean => attempt === 1 && performance.now() - readAtMs < FRESH_MS;
      const nextAt = await inTurn(async () => tryOnce(options, isFresh() ? notice : await read(notice.id), { to, attempt, giveUpAt }));
      if (nextAt === undefined) return;
      if (nextAt === null) return done(notice.id);
      await delay(nextAt.epochMilliseconds - Date.now(), undefined, { signal }).catch(() => undefined);
    }
  }

  async function begin(id: string): Promise<void> {
    const notice = await find(read, id);
    if (notice === undefined) return done(id);
    const round = `${notice.id} ${notice.giveUpAt}`;
    const event = eventOf(notice);
    if (rounds.has(round) || !isWanted(event)) return done(id);
    rounds.add(round);
    if (rounds.size > MOST_REMEMBERED) rounds.delete(rounds.values().next().value as string);
    const to = targetOf(event);
    if (to === undefined) {
      report({ notice, event, isAgain: isAgain(notice), to: null, ...NOT_SENT });
      return done(id);
    }
    const subject = `${notice.merchant} ${notice.kind} ${notice.subject}`;
    const readAtMs = performance.now();
    const tail = (tails.get(subject) ?? Promise.resolve()).then(() => deliver(notice, to, readAtMs));
    const ended = tail
      .catch((error: unknown) => void (failure ??= error))
      .then(() => void (tails.get(subject) === ended && tails.delete(subject)));
    tails.set(subject, ended);
  }

  return {
    /** Takes notices in their order. Resolves when all are under way. */
    take: async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) pending.set(id, (pending.get(id) ?? 0) + 1);
      onPending();
      for (const id of ids) {
        while (pending.size > MOST_PENDING + ids.length && tails.size > 0) await Promise.race(tails.values());
        if (failure !== undefined) throw failure;
        if (signal.aborted) return;
        await begin(id);
      }
    },
    pending: (): readonly string[] => [...pending.keys()],
    /** Waits for what is under way. Throws what made a forwarder fail. */
    close: async (): Promise<void> => {
      await Promise.all(tails.values());
      if (failure !== undefined && !signal.aborted) throw failure;
    },
  };
}

const NOT_SENT = { attempt: 0, status: null, answer: null, problem: null, ms: null, nextAt: null } as const;

type Try = { readonly to: string; readonly attempt: number; readonly giveUpAt: Temporal.Instant };

/**
 * Sends a notice and reports it.
 * Shape: → when it is tried again; null: not any more; undefined: the end of the listener has cut it, so the next run sends it again.
 */
async function tryOnce(
  { send, report, signal, chance }: ForwarderOptions,
  notice: SignedNotice,
  { to, attempt, giveUpAt }: Try,
): Promise<Temporal.Instant | null | undefined> {
  const startMs = performance.now();
  const sent = await send({ url: to, headers: notice.headers, body: notice.body });
  const ms = Math.round(performance.now() - startMs);
  if (signal.aborted) return undefined;
  const [status, answer, problem] = 'problem' in sent ? [null, null, sent.problem] : [sent.status, sent.answer, problemOf(sent.status)];
  const result = problem === null ? 'taken' : 'failed';
  const tried = { noticeId: 0n, attempts: attempt, giveUpAt, result, problem } as const;
  const { state, dueAt } = decideNotice(tried, systemClock.now(), chance());
  const nextAt = state === 'waiting' ? dueAt : null;
  report({ notice, event: eventOf(notice), isAgain: isAgain(notice), to, attempt, status, answer, problem, ms, nextAt });
  return nextAt;
}

/** Makes what lets so many works run at the same time. One that ends gives its place to the next. */
function openTurns(most: number) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else underWay++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay--;
      else next();
    }
  };
}

/** Reads one. Undefined: it is deleted, or nobody can make it. */
async function find(read: ForwarderOptions['read'], id: string): Promise<SignedNotice | undefined> {
  try {
    return await read(id);
  } catch (error) {
    if (error instanceof ServiceRefused && (error.problem === 'not_found' || error.problem === 'notice_unreadable')) return undefined;
    throw error;
  }
}

/** Its seven days begin again when it is sent again. */
const isAgain = ({ writtenAt, giveUpAt }: SignedNotice): boolean =>
  Temporal.Duration.compare(Temporal.Instant.from(giveUpAt).since(Temporal.Instant.from(writtenAt)), { hours: GIVE_UP_AFTER_HOURS }) > 0;
