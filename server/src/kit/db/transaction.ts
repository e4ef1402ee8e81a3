import type { PoolClient } from 'pg';
import type { Abandon } from './abandon.ts';
import { confirming, mustConfirm } from './confirm.ts';
import { classify, Unanswered } from './faults.ts';
import type { Value } from './parameters.ts';
import { sendPipeline, toPart, type Part } from './pipeline.ts';
import type { ServerClient } from './servers.ts';
import type { Statement } from './statement.ts';
import type { Span } from '../traces/tracer.ts';

export type Tx = {
  /** Sends a statement and waits for its rows. The first one travels together with `begin`. */
  query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
  /** Queues a statement that travels together with `commit`. Its failure makes the whole transaction fail. */
  send(statement: Statement, values: readonly Value[]): void;
  /** Says that nothing has been written. Unless something is sent after it, the end is a rollback: it waits for no disk. Of several servers it is a commit. */
  wroteNothing(): void;
  /** Adds to the act of the transaction what changed by it: field to its value before and after. Absent: no act is recorded. */
  readonly note?: (changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>) => void;
};

const BEGIN: Statement = { name: 'begin', text: 'begin' };
const COMMIT: Statement = { name: 'commit', text: 'commit' };
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback' };

/** Whether a connection should be closed after a fault. */
export const isOver = (client: PoolClient, fault: Error): boolean => (client as unknown as ServerClient).isOverAfter(fault);

/** Gives a connection back whose transaction failed: rolled back, or not at all where it is gone. */
export async function giveBack(client: PoolClient, fault: Error, askerOf?: () => Span): Promise<void> {
  const isRolledBack = !isOver(client, fault) && (await sendPipeline(client, [toPart(ROLLBACK, [])], askerOf)) === undefined;
  client.release(!isRolledBack);
}

/**
 * Runs one transaction on a connection of its own and gives the connection back.
 * Shape: a connection, work that uses only this `tx`, the span for which it runs → what the work returns.
 * Throws: Unavailable; else what the work or the database threw. Then nothing was written.
 */
export async function runTransaction<T>(client: PoolClient, abandon: Abandon, work: (tx: Tx) => Promise<T>, asker?: Span): Promise<T> {
  const askerOf = asker && (() => asker);
  let queued: Part[] = [toPart(BEGIN, [])];
  /** Ends with the last pipeline that was sent. Fails with the first that failed, and then none is sent any more. */
  let sent = Promise.resolve();
  let sending: Promise<void> | undefined;
  let mayRollBack = false;
  /** The commit was sent, and what was written waits for it. */
  let isCommitting = false;

  /** Sends what is queued as one pipeline, after the one before it is answered. */
  const send = (): Promise<void> => {
    sent = sent.then(async () => {
      const parts = queued;
      queued = [];
      const failure = parts.length === 0 ? undefined : await sendPipeline(client, parts, askerOf);
      if (failure !== undefined) throw failure.error;
    });
    return sent;
  };
  /** The queries of one tick share a pipeline. */
  const sendNextTick = (): Promise<void> =>
    (sending ??= new Promise((resolve) => {
      process.nextTick(() => {
        sending = undefined;
        resolve(send());
      });
    }));

  try {
    const result = await work({
      query: async <Row>(statement: Statement, values: readonly Value[]) => {
        const part = toPart(statement, values);
        queued.push(part);
        await sendNextTick();
        return part.rows as Row[];
      },
      send: (statement, values) => void queued.push(toPart(statement, values)),
      wroteNothing: () => void (mayRollBack = true),
    });
    // A commit writes to the disk where a row was only locked.
    const endsUnwritten = mayRollBack && queued.length === 0 && !mustConfirm(client);
    queued.push(...(endsUnwritten ? [toPart(ROLLBACK, [])] : [...confirming(client), toPart(COMMIT, [])]));
    isCommitting = !endsUnwritten;
    await send(); // Throws also where a query failed before and the work caught its error.
    client.release();
    return result;
  } catch (error) {
    queued = [];
    await sent.catch(() => undefined);
    const fault = classify(error);
    if (fault instanceof Unanswered) void abandon(client, isCommitting);
    else await giveBack(client, fault, askerOf);
    throw fault;
  }
}
