import { cashoutsOfRefunds } from '../../cashouts/index.ts';
import { statement } from '../../kit/db.ts';
import { firstFinding, type Check } from '../../kit/checks/finding.ts';
import type { Snapshot } from '../../kit/snapshot.ts';
import { checkFees, compareEntries, type ExpectedEntries } from '../../ledger/index.ts';
import type { Refund } from '../refunds/refund-columns.ts';
import { SELECT_REFUND } from '../refunds/refund-rows.ts';
import { SELECT_PAYMENT } from './payment-rows.ts';
import type { Payment } from './payment.ts';
import { postingsOf } from './save-settled.ts';

/** A paid order is approved by its last payment, and voided when that one is given back. Earlier payments are from a time when it was recurrent. */
const WRONG_PAYMENTS = statement(
  'orders.verify_payments',
  `select merchant_id as "merchantId", order_id as id,
          case when o.order_id is null then 'has payments but is not stored'
               when o.payments <> coalesce(p.payments, 0) or o.payments <> coalesce(p.newest, 0)
                 then 'counts ' || o.payments || ' payments, has ' || coalesce(p.payments, 0) || ' up to number ' || coalesce(p.newest, 0)
               when o.payments_given_back <> coalesce(p.given_back, 0)
                 then 'counts ' || o.payments_given_back || ' payments given back, has ' || coalesce(p.given_back, 0)
               else 'is ' || o.state || ', its last payment ' || coalesce(p.newest_state, 'none') end as problem
     from orders o
     full join (
       select merchant_id, order_id, count(*) as payments, max(payment_number) as newest, count(*) filter (where state <> 'paid') as given_back,
              (array_agg(state order by payment_number desc))[1] as newest_state
         from order_payments group by merchant_id, order_id) as p using (merchant_id, order_id)
    where o.order_id is null or o.payments <> coalesce(p.payments, 0) or o.payments <> coalesce(p.newest, 0)
       or o.payments_given_back <> coalesce(p.given_back, 0)
       or (o.state = 'approved' and p.newest_state is distinct from 'paid')
       or (o.state = 'voided' and coalesce(p.newest_state, 'paid') = 'paid') limit 1`,
);

const WRONG_TRANSACTIONS = statement(
  'orders.verify_transactions',
  `select coalesce(p.merchant_id, t.merchant_id) as "merchantId", coalesce(p.order_id, t.order_id) as id,
          case when t.source is null then 'has payment ' || p.payment_number || ' under a transaction that does not name it: ' || p.source || ' ' || p.transaction_id
               else 'lacks payment ' || t.payment_number || ' of the transaction ' || t.source || ' ' || t.transaction_id end as problem
     from order_payments p
     full join order_transactions t
       on t.source = p.source and t.transaction_id = p.transaction_id and t.merchant_id = p.merchant_id and t.order_id = p.order_id
      and t.payment_number = p.payment_number
    where (p.order_id is null and t.cell is null) or t.source is null limit 1`,
);

/** The id in the notices of a payment is that of its order, or of one payment of a recurrent order. */
const WRONG_IDS = statement(
  'orders.verify_po_ids',
  `select p.merchant_id as "merchantId", p.order_id as id, 'has payment ' || p.payment_number || ' under the id ' || p.po_id as problem
     from order_payments p
     left join order_history h on h.merchant_id = p.merchant_id and h.order_id = p.order_id and h.event = 'order.paid'
      and h.changed_at = p.paid_at and h.actor = p.source
      and coalesce((h.changes -> 'payments' ->> 1)::int, p.payment_number) = p.payment_number
    where h.order_id is null or (p.state = 'paid') is distinct from (p.given_back_at is null)
       or p.po_id <> case when h.changes ? 'state' then p.order_id else p.order_id || '_' || p.payment_number end limit 1`,
);

const WRONG_REFUNDS = statement(
  'orders.verify_refunds',
  `select p.merchant_id as "merchantId", p.order_id as id,
          'has ' || coalesce(r.promised, 0) || ' of payment ' || p.payment_number || ' promised to its payer and ' || coalesce(r.paid, 0)
            || ' paid, in minor units, but counts ' || p.refunded_minor || ' and is ' || p.state as problem
     from order_payments p
     left join (
       select merchant_id, order_id, payment_number, sum(amount_minor) filter (where state not in ('failed', 'cancelled')) as promised,
              sum(amount_minor) filter (where state = 'paid') as paid
         from order_refunds group by merchant_id, order_id, payment_number) as r using (merchant_id, order_id, payment_number)
    where p.refunded_minor <> coalesce(r.promised, 0) or (p.state = 'voided') <> (coalesce(r.paid, 0) = p.amount_minor) limit 1`,
);

/** A cashout that has not ended is the one that its refund names, which is not paid in another way. */
const WRONG_CASHOUTS = statement(
  'orders.verify_refund_cashouts',
  `select coalesce(r.merchant_id, c.merchant_id) as "merchantId", coalesce(r.order_id, c.refund_id) as id,
          'has the refund ' || coalesce(r.refund_id, c.refund_id) || ', which does not fit its cashout ' || coalesce(r.operation_id, c.operation_id) as problem
     from (select * from order_refunds where operation_id is not null) as r
     full join ${cashoutsOfRefunds} as c using (merchant_id, operation_id)
    where (r.refund_id is null and c.state in ('pending', 'approved')) or (c.refund_id is null and r.refund_id is not null)
       or (r.refund_id is not null
         and (c.refund_id, c.amount_minor, c.currency) is distinct from (r.refund_id, r.amount_minor, r.currency))
       or (r.state = 'paid' and c.state is distinct from 'approved') limit 1`,
);

/** Sorted, so that those of an order come one after the other. */
const ALL_PAYMENTS = statement(
  'orders.verify_money',
  `select ${SELECT_PAYMENT} from order_payments p order by p.merchant_id, p.order_id, p.payment_number`,
);

const ALL_REFUNDS = statement(
  'orders.verify_refunded_money',
  `select ${SELECT_REFUND} from order_refunds r order by r.merchant_id, r.order_id`,
);

/** The ledger transactions of the orders that were ever paid; the others must have none. A refund is of a payment: it follows with its order. */
async function* demanded(snapshot: Snapshot): AsyncGenerator<ExpectedEntries> {
  const refunds = snapshot.rows<Refund>(ALL_REFUNDS, []);
  try {
    let refund = (await refunds.next()).value;
    for await (const payments of byOrder(snapshot.rows<Payment>(ALL_PAYMENTS, []))) {
      const { merchantId, orderId: id } = payments[0];
      const own: Refund[] = [];
      for (; refund?.merchantId === merchantId && refund.orderId === id; refund = (await refunds.next()).value) own.push(refund);
      const ofPayment = Map.groupBy(own, ({ paymentNumber }) => paymentNumber);
      yield { merchantId, id, transactions: payments.flatMap((one) => postingsOf(one, ofPayment.get(one.paymentNumber) ?? [])) };
    }
  } finally {
    await refunds.return();
  }
}

async function* byOrder(all: AsyncIterable<Payment>): AsyncGenerator<readonly [Payment, ...Payment[]]> {
  let some: [Payment, ...Payment[]] | undefined;
  for await (const payment of all) {
    if (some !== undefined && some[0].merchantId === payment.merchantId && some[0].orderId === payment.orderId) some.push(payment);
    else {
      if (some !== undefined) yield some;
      some = [payment];
    }
  }
  if (some !== undefined) yield some;
}

/** What must be true of stored payments. Source: contract §3.5, §3.8, §3.9. */
export const paymentChecks: readonly Check[] = [
  { promise: 'every order has the payments that it counts, and the state that they demand', run: firstFinding(WRONG_PAYMENTS) },
  { promise: 'every payment of an order is one transaction of its source, and no other', run: firstFinding(WRONG_TRANSACTIONS) },
  { promise: 'every payment of an order is as the history of the order says: who, when, and under which id', run: firstFinding(WRONG_IDS) },
  {
    promise: 'the fee of every payment follows from the terms of its merchant',
    run: checkFees(
      'orders.verify_fees',
      'order',
      'select merchant_id, order_id as id, currency, amount_minor, fee_minor, tax_minor from order_payments',
    ),
  },
  {
    promise: 'the refunds of every payment add up to what it has promised, and give it back whole where it is voided',
    run: firstFinding(WRONG_REFUNDS),
  },
  {
    promise: 'every refund and the cashout with which its payer collects it name each other, with one amount',
    run: firstFinding(WRONG_CASHOUTS),
  },
  {
    promise: 'every order has exactly the ledger entries that its payments and refunds demand',
    run: (snapshot) => compareEntries(snapshot, 'order', demanded(snapshot)),
  },
];
