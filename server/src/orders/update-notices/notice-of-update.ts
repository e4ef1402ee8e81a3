import type { NewNotice } from '../../notices/index.ts';
import type { DecidedOrder } from '../order.ts';

/** The notice of an update. It keeps the version alone: the history has what changed. */
export const noticeOfUpdate = ({ order }: DecidedOrder): NewNotice => ({
  kind: 'order',
  merchantId: order.merchantId,
  orderId: order.orderId,
  poId: order.orderId,
  serviceOrderId: order.serviceOrderId,
  status: 'updated',
  version: order.version,
  amountMinor: order.amountMinor,
  currency: order.currency,
  payment: '',
  at: order.updatedAt,
});
