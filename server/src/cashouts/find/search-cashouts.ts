import { declareSearch, type Hit, type SearchedField, type SearchedTexts } from '../../kit/lists/searches.ts';
import { CASHOUTS } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { bareCellphone, CASHOUT_FITS, CASHOUT_PARAMETERS, cashoutValues, CASHOUT_STATE_NOW, type CashoutFilter } from './cashout-filter.ts';

const OF_MERCHANT = 'o.merchant_id = k.merchant_id';
const LAST_CHANGED = 'o.updated_on desc, o.updated_at desc, o.cashout_id desc';

const FIELDS = {
  operationId: { from: 'cashouts as o', of: OF_MERCHANT, text: 'o.operation_id', finds: 'beginning' },
  transaction: {
    from: 'cashout_payments as t join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id',
    of: 't.merchant_id = k.merchant_id',
    text: 't.transaction_id',
    finds: 'beginning',
  },
  document: { from: 'cashouts as o', of: OF_MERCHANT, text: 'o.document', newest: LAST_CHANGED, finds: 'beginning' },
  cellphone: {
    from: 'cashouts as o',
    of: `${OF_MERCHANT} and o.cellphone <> ''`,
    text: bareCellphone('o.cellphone'),
    newest: LAST_CHANGED,
    finds: 'beginning',
  },
} as const satisfies Record<string, SearchedField>;

/** In the order in which hits are listed. */
export const CASHOUT_FIELDS_SEARCHED: readonly string[] = Object.keys(FIELDS);

/** What is shown of a cashout that was found. */
const SHOWN = [
  'merchantId',
  'operationId',
  'document',
  'cellphone',
  'state',
  'amountMinor',
  'currency',
  'createdAt',
] as const satisfies readonly (keyof Cashout)[];

export type CashoutTexts = SearchedTexts<typeof FIELDS>;
export type FoundCashout = Pick<Cashout, (typeof SHOWN)[number]>;
export type CashoutHit = Hit<FoundCashout, keyof typeof FIELDS>;

/** Finds cashouts by a text. Shape: as searchOrders. */
export const searchCashouts = declareSearch<FoundCashout, typeof FIELDS, typeof CASHOUT_PARAMETERS, CashoutFilter>({
  table: 'cashouts',
  fields: FIELDS,
  select: CASHOUTS.selectList('o', SHOWN).replace('o.state', `${CASHOUT_STATE_NOW} as state`),
  fits: CASHOUT_FITS,
  parameters: CASHOUT_PARAMETERS,
  valuesOf: cashoutValues,
});
