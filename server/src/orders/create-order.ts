import { randomInt } from 'node:crypto';
import { createBatch } from '../kit/batch.ts';
import type { Clock } from '../kit/clock.ts';
import { statement, type Tx } from '../kit/db.ts';
import type { Refusal } from '../kit/outcome.ts';
import type { Messages } from '../messages/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../requests/index.ts';
import { WRITABLE, writtenColumns, type Orders } from './change-orders.ts';
import type { CheckoutLink } from './checkout-token.ts';
import { isHeld, openReferenceBook, type ReferenceBook } from './open-references.ts';
import { orderMail, type MailingMerchant } from './order-mail.ts';
import { distinctKeys, insertEvents, instantTexts, keyText } from './order-rows.ts';
import { decideCreate, type CreateOrder, type CreateRefusal, type Decided, type Order, type OrderKey, type Refused } from './order.ts';
import type { OrderEvent } from './order-history.ts';

/** Our ids for all of the batch, whether or not each comes to be used: a gap costs nothing, another round trip would. */
const FIND_TAKEN = statement(
  'orders.find_taken_ids',
  `select o.merchant_id as "merchantId", o.order_id as "orderId"
     from unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
     join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id`,
);
const DRAW_SERVICE_IDS = statement('orders.draw_service_ids', `select nextval('service_order_ids') as id from generate_series(1, $1::int)`);

const COLUMNS = WRITABLE.map(([, column]) => column).join(', ');
/** Sorted, so that two batches with the same new ids wait for each other in one order. */
const INSERT = statement(
  'orders.insert',
  `insert into orders (merchant_id, order_id, service_order_id, version, created_at, updated_at, ${COLUMNS})
   select merchant_id, order_id, service_order_id, version, created_at, created_at, ${COLUMNS}
     from jsonb_to_recordset($1::jsonb)
       as k (merchant_id text, order_id text, service_order_id bigint, version int, created_at timestamptz,
             ${WRITABLE.map(([, column, type]) => `${column} ${type}`).join(', ')})
    order by merchant_id, order_id`,
);

export type CreateOutcome = Decided | Refused<CreateRefusal>;
type Command = CreateOrder & { readonly merchant: MailingMerchant };
export type KeyedCreateOrder = Command & Keyed<CreateOutcome>;
export type CreateOrderOnce = (command: KeyedCreateOrder) => Promise<CreateOutcome | SettledAnswer | Refusal<'key_reused'>>;

/**
 * Creates an order. Its id is the merchant's for ever, whatever becomes of the order.
 * Shape: CreateOrder → the new order; without a reference the service makes one, without an expiration it is 30 days from today.
 * Refuses: country_not_allowed, order_exists, currency_not_allowed, recurrent_not_allowed, expiration_out_of_range, reference_taken.
 * Effects: records order.created; takes the reference; writes the mail to the payer; keeps the answer where the request has an Idempotency-Key.
 * Source: contract §3.2, §7.3.
 */
export function createOrders({ db, groupOf, ...creating }: Orders & Creating): CreateOrderOnce {
  return createBatch({
    run: (commands: readonly KeyedCreateOrder[]) =>
      db.transaction((tx) => runOnce(tx, commands, (fresh) => createAll(tx, creating, fresh))),
    groupOf,
  });
}

type Creating = { readonly clock: Clock; readonly messages: Pick<Messages, 'writes' | 'write'>; readonly checkoutLink: CheckoutLink };

async function createAll(
  tx: Tx,
  { clock, messages, checkoutLink }: Creating,
  commands: readonly Command[],
): Promise<readonly CreateOutcome[]> {
  const { distinct } = distinctKeys(commands);
  const spares = commands.map(makeReference);
  const wanted = commands.map(({ given }, index) => given.reference ?? (spares[index] as string));
  const [takenIds, drawn, references] = await Promise.all([
    tx.query<OrderKey>(FIND_TAKEN, [distinct.map((key) => key.merchantId), distinct.map((key) => key.orderId)]),
    tx.query<{ id: bigint }>(DRAW_SERVICE_IDS, [commands.length]),
    openReferenceBook(tx, wanted),
  ]);
  const now = clock.now();
  const taken = new Set(takenIds.map(keyText));
  const created: { before: undefined; after: Order; merchant: MailingMerchant }[] = [];
  const events: OrderEvent[] = [];
  const decisions = commands.map((command, index) => {
    const decision = decideCreate(command, {
      now,
      exists: taken.has(keyText(command)),
      serviceOrderId: (drawn[index] as { id: bigint }).id,
      spareReference: freeReference(spares[index] as string, references, command, now),
      holder: references.holder(wanted[index] as string),
    });
    if ('order' in decision) {
      taken.add(keyText(command));
      references.note(undefined, decision.order);
      created.push({ before: undefined, after: decision.order, merchant: command.merchant });
      events.push(decision.event);
    }
    return decision;
  });
  if (created.length > 0) {
    insertOrders(
      tx,
      created.map(({ after }) => after),
    );
    insertEvents(tx, events);
    references.save(tx, created);
    if (messages.writes.mail) {
      messages.write(
        tx,
        created.map(({ after, merchant }) => orderMail('order_created', after, merchant, checkoutLink(after))),
      );
    }
  }
  return decisions;
}

/** Another one in the rare case that the spare reference is in use. It was not looked up; the insert tells if that one is too. */
function freeReference(spare: string, references: ReferenceBook, key: OrderKey, now: Temporal.Instant): string {
  let reference = spare;
  while (isHeld(references, reference, key, now)) reference = makeReference();
  return reference;
}

function insertOrders(tx: Tx, orders: readonly Order[]): void {
  const times = instantTexts(orders.map(({ createdAt }) => createdAt));
  const rows = orders.map((order, index) => ({
    merchant_id: order.merchantId,
    order_id: order.orderId,
    service_order_id: order.serviceOrderId.toString(),
    version: order.version,
    created_at: times[index],
    ...writtenColumns(undefined, order),
  }));
  tx.send(INSERT, [JSON.stringify(rows)]);
}

const RANDOM_DIGITS = 11;

/**
 * Makes a reference to pay with: 12 digits that nobody can guess from another one, the last a check digit (Luhn), so that a
 * mistyped digit, or two exchanged, is told at the counter.
 */
export function makeReference(): string {
  // Not starting with 0: spreadsheets and tills drop leading zeros.
  const digits = String(randomInt(10 ** (RANDOM_DIGITS - 1), 10 ** RANDOM_DIGITS));
  return digits + checkDigit(digits);
}

/** The Luhn check digit of a text of digits (ISO/IEC 7812-1). */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return String((10 - (sum % 10)) % 10);
}
