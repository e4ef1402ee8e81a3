import type { OrderMail } from '../messages/index.ts';
import type { Merchant } from '../merchants/index.ts';
import type { Order } from './order.ts';

/** What a payer reads of the merchant, and in which language and country's way. */
export type MailingMerchant = Pick<Merchant, 'name' | 'language' | 'country'>;

/**
 * The mail to the payer of an order; none where the order has no address. `checkoutUrl`: where it is paid; null once it is.
 * Source: contract §3.5.
 */
export function orderMails(
  kind: OrderMail['kind'],
  order: Order,
  merchant: MailingMerchant,
  checkoutUrl: (order: Order) => string | null,
): readonly OrderMail[] {
  return order.email === '' ? [] : [orderMail(kind, order, merchant, checkoutUrl(order))];
}

function orderMail(kind: OrderMail['kind'], order: Order, merchant: MailingMerchant, checkoutUrl: string | null): OrderMail {
  const { merchantId, orderId, email, amountMinor, currency, description, reference, recurrent, expiresOn, updatedAt } = order;
  return {
    kind,
    merchantId,
    orderId,
    to: email,
    amountMinor,
    currency,
    description,
    reference,
    checkoutUrl,
    at: updatedAt,
    merchantName: merchant.name,
    language: order.language ?? merchant.language,
    country: merchant.country,
    expiresOn: recurrent ? null : expiresOn,
  };
}
