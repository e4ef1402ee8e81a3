import type { NewNotice } from '../../notices/index.ts';
import type { Order } from '../order.ts';

/** What the merchant hears of an order that expired. */
export const noticeOfExpiry = ({ merchantId, orderId, serviceOrderId, amountMinor, currency, updatedAt }: Order): NewNotice => ({
  kind: 'order',
  merchantId,
  orderId,
  poId: orderId,
  serviceOrderId,
  status: 'cancelled',
  amountMinor,
  currency,
  payment: '',
  at: updatedAt,
});
