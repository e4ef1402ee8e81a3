import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { LISTED_COLUMNS } from './cashout-rows.ts';
import type { ListedCashout } from './cashout.ts';

export type QueryCashout = { readonly merchantId: string; readonly operationId: string; readonly document: string };

const SELECT = statement(
  'cashouts.select_one',
  `select ${LISTED_COLUMNS} from cashouts where merchant_id = $1 and operation_id = $2 and document = $3`,
);

/**
 * Finds one cashout.
 * Shape: QueryCashout → ListedCashout.
 * Refuses: cashout_unknown, also when the document is another than the stored one: who asks must know both.
 * Effects: none.
 * Source: contract §4.3.
 */
export async function queryCashout(
  db: Db,
  { merchantId, operationId, document }: QueryCashout,
): Promise<ListedCashout | Refusal<'cashout_unknown'>> {
  const [cashout] = await db.query<ListedCashout>(SELECT, [merchantId, operationId, document]);
  return cashout ?? refuse('cashout_unknown');
}
