import { randomInt } from 'node:crypto';
import type { Acted } from '../kit/changes/act.ts';
import { statement } from '../kit/db.ts';
import type { Change } from '../kit/changes/engine.ts';
import type { Refusal } from '../kit/outcome.ts';
import { distinctKeys } from '../kit/changes/table.ts';
import type { Messages } from '../messages/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../requests/index.ts';
import { orderRow, type OrdersAndReferences } from './change-orders.ts';
import type { CheckoutLink } from './checkout-token.ts';
import { openReferenceBook, type ReferenceBook } from './open-references.ts';
import { orderMails, type MailingMerchant } from './order-mail.ts';
import { insertEvents, ORDERS } from './order-rows.ts';
import { openIdStarts, type IdStarts } from './payments/id-starts.ts';
import { decideCreate, type CreateOrder, type CreateRefusal, type DecidedOrder, type OrderKey, type Refused } from './order.ts';

/** Our ids for all of the batch, whether or not each comes to be used: a gap costs nothing, another round trip would. */
const FIND_TAKEN = statement(
  'orders.find_taken_ids',
  `select o.merchant_id as "merchantId", o.order_id as "orderId"
     from unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
     join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id`,
);
const DRAW_SERVICE_IDS = statement('orders.draw_service_ids', `select nextval('service_order_ids') as id from generate_series(1, $1::int)`);

type CreateOutcome = DecidedOrder | Refused<CreateRefusal>;
type Command = Acted & CreateOrder & { readonly merchant: MailingMerchant };
type KeyedCreateOrder = Command & Keyed<CreateOutcome>;
export type CreateOrderOnce = (command: KeyedCreateOrder) => Promise<CreateOutcome | SettledAnswer | Refusal<'key_reused'>>;

/**
 * Creates an order. Its id is the merchant's for ever, whatever becomes of the order.
 * Shape: CreateOrder → the new order; without a reference the service makes one, without an expiration it is 30 days from today.
 * Refuses: country_not_allowed, order_exists, id_ambiguous, currency_not_allowed, recurrent_not_allowed, expiration_out_of_range,
 * reference_taken.
 * Effects: records order.created; takes the reference; writes the mail to the payer; keeps the answer where the request has an Idempotency-Key.
 * Source: contract §3.2, §7.3.
 */
export function createOrders({ engine, ...creating }: Creating): CreateOrderOnce {
  return engine.batched(creation(creating), { around: runOnce<KeyedCreateOrder, CreateOutcome> });
}

export type Creating = OrdersAndReferences & { readonly messages: Pick<Messages, 'writes' | 'write'>; readonly checkoutLink: CheckoutLink };

type World = {
  /** By ORDERS.keyText: those that exist, and those that the batch has created. */
  readonly taken: Set<string>;
  readonly serviceOrderIds: readonly bigint[];
  readonly references: ReferenceBook;
  readonly starts: IdStarts;
  /** A reference for each command, in case it gives none. */
  readonly spares: readonly string[];
};

const creation = ({
  restDays,
  allowanceDays,
  messages,
  checkoutLink,
}: Omit<Creating, 'engine'>): Change<KeyedCreateOrder, World, Required<DecidedOrder>, Refused<CreateRefusal>> => ({
  keysOf: orderRow,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands) => {
    const { distinct } = distinctKeys<OrderKey>(commands, ORDERS.keyText);
    const spares = commands.map(makeReference);
    const [taken, drawn, references, starts] = await Promise.all([
      tx.query<OrderKey>(FIND_TAKEN, [distinct.map((key) => key.merchantId), distinct.map((key) => key.orderId)]),
      tx.query<{ id: bigint }>(DRAW_SERVICE_IDS, [commands.length]),
      openReferenceBook(
        tx,
        commands.map(({ given }, index) => given.reference ?? (spares[index] as string)),
      ),
      openIdStarts(tx, commands.map(asWanted)),
    ]);
    return { taken: new Set(taken.map(ORDERS.keyText)), serviceOrderIds: drawn.map(({ id }) => id), references, starts, spares };
  },
  decide: ({ taken, serviceOrderIds, references, starts, spares }, command, { now, index }) => {
    const spare = spares[index] as string;
    return decideCreate(command, {
      now,
      exists: taken.has(ORDERS.keyText(command)),
      serviceOrderId: serviceOrderIds[index] as bigint,
      spareReference: freeReference(spare, references),
      holder: references.holder(command.given.reference ?? spare),
      restDays,
      allowanceDays,
      isAmbiguous: starts.isAmbiguous(asWanted(command)),
    });
  },
  note: ({ taken, references, starts }, { outcome: { order } }) => {
    taken.add(ORDERS.keyText(order));
    references.note(undefined, order);
    starts.note(undefined, order);
  },
  save: (tx, { references, starts }, changes) => {
    ORDERS.insert(
      tx,
      changes.map(({ outcome }) => outcome.order),
    );
    insertEvents(
      tx,
      changes.map(({ outcome }) => outcome.event),
    );
    references.save(
      tx,
      changes.map(({ command, outcome }) => ({ before: undefined, after: outcome.order, isMade: command.given.reference === undefined })),
    );
    starts.save(tx);
    if (!messages.writes.mail) return;
    messages.write(
      tx,
      changes.flatMap(({ command, outcome: { order } }) => orderMails('order_created', order, command.merchant, checkoutLink)),
    );
  },
});

const asWanted = ({ merchantId, orderId, given }: CreateOrder) => ({
  merchantId,
  orderId,
  isNew: true,
  isRecurrent: given.recurrent === true,
});

/** Another one in the rare case that the spare reference was ever used. It was not looked up: where it was used too, the insert fails. */
function freeReference(spare: string, references: ReferenceBook): string {
  let reference = spare;
  while (references.holder(reference) !== undefined) reference = makeReference();
  return reference;
}

const RANDOM_DIGITS = 11;

/**
 * Makes a reference to pay with: 12 digits that nobody can guess from another one. The last is a check digit (Luhn): a counter
 * notices a mistyped digit, or two exchanged.
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
