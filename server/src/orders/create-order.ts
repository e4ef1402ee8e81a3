import type { Acted } from '../kit/changes/act.ts';
import { statement } from '../kit/db.ts';
import type { Change } from '../kit/changes/engine.ts';
import { ClaimLost, withClaim } from '../kit/changes/retry.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { distinctKeys } from '../kit/changes/table.ts';
import type { Messages } from '../messages/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../requests/index.ts';
import { orderRow, type OrdersAndReferences } from './change-orders.ts';
import type { CheckoutLink } from './checkout-token.ts';
import { makeReference } from './references/make-reference.ts';
import { mindClaim, openReferenceBook, type Claim, type ReferenceBook } from './references/open-references.ts';
import { orderMails, type MailingMerchant } from './order-mail.ts';
import { insertEvents, ORDERS } from './order-rows.ts';
import { openIdStarts, type IdStarts } from './payments/id-starts.ts';
import type { ReferenceClaims, Spare, Stock } from './references/reference-claims.ts';
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
/** `claim`: on the reference that it gives, or on the spare one. `spare`: for a command that gives none, in a cell beside home. */
type ClaimingCreateOrder = KeyedCreateOrder & Claimed;
type Claimed = { readonly claim?: Claim | undefined; readonly spare?: string | undefined };
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
  const create = engine.batched(creation(creating), { around: runOnce<ClaimingCreateOrder, CreateOutcome> });
  const { claims } = creating;
  if (claims === undefined) return create;
  return (command) =>
    withClaim(
      () => claimFor(claims, command),
      async (claimed) => {
        let isUsed = false;
        try {
          const outcome = await create({ ...command, ...claimed });
          isUsed = !isRefusal(outcome) && !('isReplay' in outcome && outcome.isReplay);
          return outcome;
        } finally {
          // Where a creation failed nobody knows. If it was used after all, the primary key of the cell says so to the next one.
          if (!isUsed && 'spare' in claimed) claims.stock?.putBack(claimed);
        }
      },
    );
}

/** The claim on the reference that it gives, or a spare one. At home that is none: the database decides. */
async function claimFor(
  { claim, stock }: ReferenceClaims,
  { given: { reference }, merchantId }: CreateOrder,
): Promise<{ readonly claim?: Claim } | Spare> {
  if (reference !== undefined) return { claim: await claim(reference, merchantId) };
  return (await stock?.draw()) ?? {};
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
  claims,
}: Omit<Creating, 'engine'>): Change<ClaimingCreateOrder, World, Required<DecidedOrder>, Refused<CreateRefusal>> => ({
  keysOf: orderRow,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands) => {
    const { distinct } = distinctKeys<OrderKey>(commands, ORDERS.keyText);
    const spares = commands.map(({ spare }) => spare ?? makeReference());
    const [taken, drawn, references, starts] = await Promise.all([
      tx.query<OrderKey>(FIND_TAKEN, [distinct.map((key) => key.merchantId), distinct.map((key) => key.orderId)]),
      tx.query<{ id: bigint }>(DRAW_SERVICE_IDS, [commands.length]),
      openReferenceBook(
        tx,
        commands.map(({ given }, index) => given.reference ?? (spares[index] as string)),
        claims?.stock !== undefined,
      ),
      openIdStarts(tx, commands.map(asWanted)),
    ]);
    return { taken: new Set(taken.map(ORDERS.keyText)), serviceOrderIds: drawn.map(({ id }) => id), references, starts, spares };
  },
  decide: ({ taken, serviceOrderIds, references, starts, spares }, command, { now, index }) => {
    const spare = spares[index] as string;
    const { claim, given } = command;
    const holder = references.holder(given.reference ?? spare, claim);
    const decided = decideCreate(command, {
      now,
      exists: taken.has(ORDERS.keyText(command)),
      serviceOrderId: serviceOrderIds[index] as bigint,
      spareReference: given.reference ?? freeReference(spare, references, claim, claims?.stock),
      holder,
      restDays,
      allowanceDays,
      isAmbiguous: starts.isAmbiguous(asWanted(command)),
    });
    return mindClaim(decided, holder, claim);
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
function freeReference(spare: string, references: ReferenceBook, claim: Claim | undefined, stock: Stock | undefined): string {
  if (stock === undefined) {
    let reference = spare;
    while (references.holder(reference) !== undefined) reference = makeReference();
    return reference;
  }
  for (let next: Claimed | undefined = { spare, claim }; next?.spare !== undefined; next = stock.next())
    if (references.holder(next.spare, next.claim) === undefined) return next.spare;
  throw new ClaimLost('all references of the stock were used');
}
