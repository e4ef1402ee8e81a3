import type { NewNotice } from '../../notices/index.ts';
import type { Dialect } from '../../requests/index.ts';
import type { Order } from '../order.ts';

export type NoticeOfExpiry = ReturnType<typeof noticeOfExpiry>;

/** Makes what the merchant hears of an order that expired. Receivers of the family also read how it was to be paid. */
export const noticeOfExpiry =
  ({ noticeBodies }: Pick<Dialect, 'noticeBodies'>) =>
  ({ merchantId, orderId, serviceOrderId, amountMinor, currency, method, updatedAt }: Order): NewNotice => ({
    kind: 'order',
    merchantId,
    orderId,
    poId: orderId,
    serviceOrderId,
    status: 'cancelled',
    amountMinor,
    currency,
    payment: noticeBodies === 'family' ? method : '',
    at: updatedAt,
  });
