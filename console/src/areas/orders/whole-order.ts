import type { Answer } from '../../api/client.ts';

/** All that is stored of an order. */
export type WholeOrder = Answer<'readOrder'>['body'];
/** What every part of the page of an order is about. */
export type OrderProps = { readonly order: WholeOrder };
