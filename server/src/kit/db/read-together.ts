import type { PoolClient } from 'pg';
import type { Abandon } from './abandon.ts';
import { confirming, mustConfirm } from './confirm.ts';
import { classify, Unanswered } from './faults.ts';
import type { Value } from './parameters.ts';
import { sendPipeline, toPart, type Part } from './pipeline.ts';
import type { Statement } from './statement.ts';
import type { Span } from '../traces/tracer.ts';
import { giveBack, type Tx } from './transaction.ts';

const BEGIN: Statement = { name: 'begin_snapshot', text: 'begin isolation level repeatable read read only' };
const COMMIT: Statement = { name: 'commit', text: 'commit' };

/**
 * Reads many things in one round trip, all of one state of the database.
 * Shape: a connection, work that asks for all its statements before it waits for any → what the work returns.
 * Its statements are recorded as parts of the span for which it runs.
 * Throws: Unavailable; else what the work or the database threw.
 */
export async function readTogether<T>(
  client: PoolClient,
  abandon: Abandon,
  work: (db: Pick<Tx, 'query'>) => Promise<T>,
  asker?: Span,
): Promise<T> {
  const parts: Part[] = [toPart(BEGIN, [])];
  const answered = Promise.withResolvers<void>();
  let isSent = false;
  const result = work({
    query: async <Row>(statement: Statement, values: readonly Value[]) => {
      if (isSent) throw new Error(`${statement.name} was asked for after the statements that it is read with`);
      const part = toPart(statement, values);
      parts.push(part);
      await answered.promise;
      return part.rows as Row[];
    },
  });
  // The caller gets the failure of the work below. Until then nobody waits for it.
  result.catch(() => undefined);
  answered.promise.catch(() => undefined);
  isSent = true;
  const failure = await sendPipeline(client, [...parts, ...confirming(client), toPart(COMMIT, [])], asker && (() => asker));
  if (failure === undefined) {
    client.release();
    answered.resolve();
    return result;
  }
  const fault = classify(failure.error);
  if (fault instanceof Unanswered) void abandon(client, mustConfirm(client));
  else await giveBack(client, fault);
  answered.reject(fault);
  return result;
}
