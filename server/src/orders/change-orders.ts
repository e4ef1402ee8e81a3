import type { Change, Engine } from '../kit/changes/engine.ts';
import { changedRows } from '../kit/changes/table.ts';
import { openReferenceBook, type ReferenceBook } from './open-references.ts';
import { insertEvents, ORDERS, type OrderRow } from './order-rows.ts';
import type { Decided, Order, OrderKey, ReferenceHolder, Refused } from './order.ts';

/** What an operation that changes orders works with. */
export type Orders = { readonly engine: Engine };
/** `restDays`: how long a reference rests after its order before another merchant may take it. */
export type OrdersAndReferences = Orders & { readonly restDays: number };

/** Names the row of an order, for the engine. */
export const orderRow = (key: OrderKey): readonly string[] => [ORDERS.rowName(key)];

type Command = OrderKey & { readonly given?: { readonly reference?: string | undefined } };
type Decide<Item, Name extends string> = (
  order: Order | undefined,
  command: Item,
  situation: { readonly now: Temporal.Instant; readonly holder: ReferenceHolder | undefined; readonly restDays: number },
) => Decided | Refused<Name>;
type World = { readonly rows: readonly (OrderRow | undefined)[]; readonly references: ReferenceBook };

/**
 * A change of stored orders: an update, or a cancellation.
 * Effects: locks the orders until commit. An order is saved once, with a history row for each change of it. What changes nothing writes nothing.
 * Source: contract §3.1 rules 2, 5, 6.
 */
export const changeOfOrders = <Item extends Command, Name extends string>(
  decide: Decide<Item, Name>,
  restDays: number,
): Change<Item, World, Decided, Refused<Name>> => ({
  keysOf: orderRow,
  load: async (tx, commands, hold) => {
    const wanted = commands.flatMap(({ given }) => given?.reference ?? []);
    const [rows, references] = await Promise.all([ORDERS.lock(tx, commands, hold), openReferenceBook(tx, wanted)]);
    return { rows, references };
  },
  decide: ({ rows, references }, command, { now, index }) => {
    const reference = command.given?.reference;
    const holder = reference === undefined ? undefined : references.holder(reference);
    return decide(rows[index]?.after, command, { now, holder, restDays });
  },
  note: ({ rows, references }, { outcome: { order } }, { index }) => {
    const row = rows[index] as OrderRow;
    references.note(row.after, order);
    row.after = order;
  },
  save: (tx, { rows, references }, changes) => {
    const changed = changedRows(rows);
    ORDERS.save(tx, changed);
    insertEvents(
      tx,
      changes.map(({ outcome }) => outcome.event),
    );
    references.save(tx, changed);
  },
});
