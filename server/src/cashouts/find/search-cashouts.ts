import type { Db } from '../../kit/db.ts';
import { namedStatement } from '../../kit/lists/named-parameters.ts';
import { beginsWith, isEmpty, MOST_SEARCHED, searchOf, type Hit, type SearchedField } from '../../kit/lists/searches.ts';
import { forScopes, merchantsIn, type Scope } from '../../kit/lists/walks.ts';
import type { Cashout } from '../cashout.ts';
import { bareCellphone, CASHOUT_FITS, CASHOUT_PARAMETERS, cashoutValues, type CashoutFilter } from './cashout-filter.ts';
import { SELECT_NOW } from './find-cashouts.ts';

const OF_MERCHANT = 'o.merchant_id = k.merchant_id';
const CELLPHONE = bareCellphone('o.cellphone');
const LAST_CHANGED = 'o.updated_on desc, o.updated_at desc, o.cashout_id desc';

const FIELDS = {
  operationId: {
    from: 'cashouts as o',
    is: `${OF_MERCHANT} and o.operation_id = $searchedId`,
    begins: `${OF_MERCHANT} and ${beginsWith('o.operation_id', '$searchedId')}`,
    newest: 'o.operation_id',
    text: 'o.operation_id',
  },
  transaction: {
    from: 'cashout_payments as t join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id',
    is: 't.merchant_id = k.merchant_id and t.transaction_id = $searchedTransaction',
    begins: `t.merchant_id = k.merchant_id and ${beginsWith('t.transaction_id', '$searchedTransaction')}`,
    newest: 't.transaction_id',
    text: 't.transaction_id',
  },
  document: {
    from: 'cashouts as o',
    is: `${OF_MERCHANT} and o.document = $searchedDocument`,
    begins: `${OF_MERCHANT} and ${beginsWith('o.document', '$searchedDocument')}`,
    newest: LAST_CHANGED,
    text: 'o.document',
  },
  cellphone: {
    from: 'cashouts as o',
    is: `${OF_MERCHANT} and o.cellphone <> '' and ${CELLPHONE} = $searchedCellphone`,
    begins: `${OF_MERCHANT} and o.cellphone <> '' and ${beginsWith(CELLPHONE, '$searchedCellphone')}`,
    newest: LAST_CHANGED,
    text: CELLPHONE,
  },
} as const satisfies Record<string, SearchedField>;

/** The text of a search, as each field has it. Undefined: it cannot be in that field. */
export type CashoutTexts = {
  readonly id: string | undefined;
  readonly transaction: string | undefined;
  readonly document: string | undefined;
  readonly cellphone: string | undefined;
};
export type CashoutHit = Hit<Cashout, keyof typeof FIELDS>;

const PARAMETERS = {
  ...CASHOUT_PARAMETERS,
  searchedId: 'text',
  searchedTransaction: 'text',
  searchedDocument: 'text',
  searchedCellphone: 'text',
} as const;

const declare = (how: 'is' | 'begins', fits?: string) =>
  forScopes((isOfOne) => {
    const text = searchOf({ fields: FIELDS, merchants: merchantsIn('cashouts', isOfOne), fits, select: SELECT_NOW }, how);
    const name = `cashouts.search_${fits === undefined ? '' : 'filtered_'}${how}_of_${isOfOne ? 'one' : 'all'}`;
    return namedStatement(name, PARAMETERS, text);
  });
const SEARCHES = { is: declare('is'), begins: declare('begins') };
const FILTERED = { is: declare('is', CASHOUT_FITS), begins: declare('begins', CASHOUT_FITS) };

/** Finds cashouts by a text. Shape: as searchOrders. */
export function searchCashouts(
  db: Pick<Db, 'query'>,
  scope: Scope,
  how: 'is' | 'begins',
  texts: CashoutTexts,
  { filter, rows, now }: { readonly filter: CashoutFilter; readonly rows: number; readonly now: Temporal.Instant },
): Promise<CashoutHit[]> {
  const searched = {
    searchedId: texts.id,
    searchedTransaction: texts.transaction,
    searchedDocument: texts.document,
    searchedCellphone: texts.cellphone,
  };
  const searches = isEmpty(filter) ? SEARCHES : FILTERED;
  return searches[how](scope)<CashoutHit>(db, { ...cashoutValues(scope, filter, now), ...searched, most: MOST_SEARCHED, rows });
}
