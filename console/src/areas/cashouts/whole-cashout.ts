import type { Answer } from '../../api/client.ts';

/** All that is stored of a cashout. */
type WholeCashout = Answer<'readCashout'>['body'];
/** What every part of the page of a cashout is about. */
export type CashoutProps = { readonly cashout: WholeCashout };
