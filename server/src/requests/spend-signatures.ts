import { createBatch } from '../kit/changes/batch.ts';
import { columnsOf, statement, type Db } from '../kit/db.ts';
import type { Tracer } from '../kit/traces/tracer.ts';

/** The id of a signed request, and until when it must be remembered. */
export type MessageId = { readonly merchantId: string; readonly messageId: string; readonly forgetAt: Temporal.Instant };

/** Sorted, so that two servers wait for each other in one order. */
const SPEND = statement(
  'requests.spend_signatures',
  `insert into spent_signatures (merchant_id, message_id, forget_at)
   select merchant_id, message_id, forget_at from unnest($1::text[], $2::text[], $3::timestamptz[]) as k (merchant_id, message_id, forget_at)
    order by merchant_id collate "C", message_id collate "C"
   on conflict do nothing returning merchant_id as "merchantId", message_id as "messageId"`,
);

type Spent = { readonly merchantId: string; readonly messageId: string };

/**
 * Spends the id of a signed request.
 * Shape: MessageId → true the first time, false ever after, on whichever server.
 * Effects: one statement for all that come together; committed before it answers.
 * Source: contract §7.5.
 */
export function spendSignatures(db: Db, tracer?: Tracer): (message: MessageId) => Promise<boolean> {
  return createBatch({
    tracer,
    ownerOf: ({ merchantId }) => merchantId,
    run: async (messages: readonly MessageId[]) => {
      const rows = await db.query<Spent>(SPEND, columnsOf(messages, 'merchantId', 'messageId', 'forgetAt'));
      const spent = new Set(rows.map(textOf));
      return messages.map((message) => spent.delete(textOf(message)));
    },
  });
}

/** Neither id holds a space. */
const textOf = ({ merchantId, messageId }: Spent): string => `${merchantId} ${messageId}`;
