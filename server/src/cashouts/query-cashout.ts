import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { SELECT_LISTED } from './cashout-rows.ts';
import { stateOn } from './cashout-changes.ts';
import type { ListedCashout } from './cashout.ts';

export type QueryCashout = {
  readonly merchantId: string;
  readonly operationId: string;
  readonly document: string;
  /** In the merchant's zone. */
  readonly today: Temporal.PlainDate;
};

const SELECT = statement(
  'cashouts.select_one',
  `select ${SELECT_LISTED} from cashouts where merchant_id = $1 and operation_id = $2 and document = $3`,
);

/**
 * Finds one cashout.
 * Shape: QueryCashout → ListedCashout; one that is past its last day counts as expired, whether or not the sweep has touched it.
 * Refuses: cashout_unknown, also when the document is another than the stored one: who asks must know both.
 * Effects: none.
 * Source: contract §4.3, §4.6.
 */
export async function queryCashout(
  db: Db,
  { merchantId, operationId, document, today }: QueryCashout,
): Promise<ListedCashout | Refusal<'cashout_unknown'>> {
  const [cashout] = await db.query<ListedCashout>(SELECT, [merchantId, operationId, document]);
  if (cashout === undefined) return refuse('cashout_unknown');
  return { ...cashout, state: stateOn(cashout, today) };
}
