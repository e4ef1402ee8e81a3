import { DatabaseError, type PoolClient } from 'pg';
import type { Abandon } from './abandon.ts';
import { confirming, mustConfirm } from './confirm.ts';
import { classify, isRetryable, Unanswered } from './faults.ts';
import type { Value } from './parameters.ts';
import { sendPipeline, toPart, type Part } from './pipeline.ts';
import type { Statement } from './statement.ts';
import { giveBack, isOver } from './transaction.ts';
import { openTurns } from './turns.ts';
import type { Span, Tracer } from '../traces/tracer.ts';

/** Pipelines under way at once. One more leaves only when these take long. */
const READERS = 4;
/** Most statements of one pipeline. They are answered together, so a slow one delays the others. */
const MAX_TOGETHER = 4;
/** How long a statement waits for a free reader at most: one slow statement must not delay everyone. */
const PATIENCE_MS = 5;

const BEGIN_READ_ONLY: Statement = { name: 'begin_read_only', text: 'begin read only' };
const COMMIT: Statement = { name: 'commit', text: 'commit' };

type Read = Part & {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
  readonly asker: Span | undefined;
};

type Gathering = {
  readonly connect: () => Promise<PoolClient>;
  readonly abandon: Abandon;
  readonly isCommitWaiting: () => boolean | Promise<boolean>;
  /** Statements of one pipeline at most. */
  readonly mostTogether?: number;
};

/** Statements that may write. One that calls a function which writes is found by asking the database. */
const WRITES = /\b(?:insert|update|delete)\b/;

/**
 * Gathers single statements that are asked for at the same time into pipelines, each on one connection.
 * For its caller each statement is a transaction by itself: where another one fails and undoes it, it runs again.
 * A lone statement leaves at once. Under load the pipelines grow by themselves, and merchants take turns.
 * While a commit waits for a standby, a statement that writes fails as Unavailable.
 */
export function gatherReads(
  { connect, abandon, isCommitWaiting, mostTogether = MAX_TOGETHER }: Gathering,
  tracer?: Tracer,
): <Row>(statement: Statement, values: readonly Value[]) => Promise<Row[]> {
  const askerOf = (part: Part): Span | undefined => (part as Partial<Read>).asker;
  const waiting = openTurns<Read>();
  let reading = 0;
  let patience: NodeJS.Timeout | undefined;

  async function read(together: readonly Read[]): Promise<void> {
    let client: PoolClient;
    try {
      client = await connect();
    } catch (error) {
      for (const { reject } of together) reject(error);
      return;
    }
    const isReadOnly = await isCommitWaiting();
    const parts = isReadOnly ? [toPart(BEGIN_READ_ONLY, []), ...together, toPart(COMMIT, [])] : [...together, ...confirming(client)];
    const isRecorded = together.some(({ asker }) => asker !== undefined);
    const failure = await sendPipeline(client, parts, isRecorded ? askerOf : undefined);
    if (failure === undefined) {
      for (const { resolve, rows } of together) resolve(rows);
      return client.release();
    }
    const { error } = failure;
    const at = isReadOnly ? failure.at - 1 : failure.at;
    const fault = classify(error);
    if (fault instanceof Unanswered)
      void abandon(client, mustConfirm(client) || together.some(({ statement }) => WRITES.test(statement.text)));
    else if (isReadOnly) await giveBack(client, fault);
    else client.release(isOver(client, fault));
    // A statement that the database refuses undoes the whole pipeline: the others run again, each alone. So does one that lost a race to them.
    const again =
      error instanceof DatabaseError && together.length > 1 ? together.filter((_, index) => index !== at || isRetryable(error)) : [];
    for (const one of together) if (!again.includes(one)) one.reject(fault);
    await Promise.all(again.map((one) => read([{ ...one, rows: [] }])));
  }

  function leave(): void {
    clearTimeout(patience);
    patience = undefined;
    const together = waiting.take(mostTogether);
    reading++;
    void read(together).finally(() => {
      reading--;
      leaveIfFree();
    });
    leaveIfFree();
  }

  function leaveIfFree(): void {
    if (waiting.count() === 0) return;
    if (reading < READERS) leave();
    else patience ??= setTimeout(leave, PATIENCE_MS);
  }

  return <Row>(statement: Statement, values: readonly Value[]) =>
    new Promise<Row[]>((resolve, reject) => {
      const asker = tracer?.current();
      const { merchantAt } = statement;
      const merchant = merchantAt === undefined ? undefined : values[merchantAt];
      const read = { ...toPart(statement, values), resolve: resolve as (rows: unknown[]) => void, reject, asker };
      waiting.join(typeof merchant === 'string' ? merchant : '', read);
      if (waiting.count() === 1) setImmediate(leaveIfFree);
    });
}
