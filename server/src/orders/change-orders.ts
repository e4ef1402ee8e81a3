import type { Change, Engine } from '../kit/changes/engine.ts';
import { changedRows } from '../kit/changes/table.ts';
import { writeNotices } from '../notices/index.ts';
import { mindClaim, openReferenceBook, type Claim, type ReferenceBook } from './references/open-references.ts';
import { insertEvents, ORDERS, type OrderRow } from './order-rows.ts';
import type { DecidedOrder, Order, OrderKey, ReferenceHolder, Refused, ReplayGuard, SignedTerms, GivenTerms } from './order.ts';
import { openIdStarts, type IdStarts } from './payments/id-starts.ts';
import type { ReferenceClaims } from './references/reference-claims.ts';
import { hasTerms, openFormerTerms, type FormerTerms } from './replays/former-terms.ts';
import { noticeOfUpdate } from './update-notices/notice-of-update.ts';

/** What an operation that changes orders works with. */
export type Orders = { readonly engine: Engine };
/**
 * `restDays`: how long a reference rests after its order before another merchant may take it. `allowanceDays`: days beyond thirty on which
 * an order may expire.
 */
export type OrdersAndReferences = Orders & {
  readonly restDays: number;
  readonly allowanceDays: number;
  /** Undefined: the service has one database. */
  readonly claims: ReferenceClaims | undefined;
};

/** Of a command that names neither a reference nor a day. */
const NO_TERMS = { restDays: 0, allowanceDays: 0, claims: undefined };

/** Names the row of an order, for the engine. */
export const orderRow = (key: OrderKey): readonly string[] => [ORDERS.rowName(key)];

type Command = OrderKey & {
  readonly given?: GivenTerms;
  readonly replayGuard?: ReplayGuard;
  readonly isReported?: boolean;
  /** On the reference that it gives. */
  readonly claim?: Claim | undefined;
};
type GuardedCommand = OrderKey & { readonly given: SignedTerms };
type Decide<Item, Name extends string> = (
  order: Order | undefined,
  command: Item,
  situation: {
    readonly now: Temporal.Instant;
    readonly holder: ReferenceHolder | undefined;
    readonly restDays: number;
    readonly allowanceDays: number;
    readonly isRepeated: boolean;
    readonly isAmbiguous: boolean;
  },
) => DecidedOrder | Refused<Name>;
type World = {
  readonly rows: readonly (OrderRow | undefined)[];
  readonly references: ReferenceBook;
  readonly formers: FormerTerms;
  readonly starts: IdStarts;
};

/**
 * A change of stored orders: an update, or a cancellation. Its terms count where a command names a reference or a day.
 * Effects: locks the orders until commit. An order is saved once, with a history row for each change of it. What changes nothing writes nothing.
 * Source: contract §3.1 rules 2, 5, 6; §7.1.
 */
export const changeOfOrders = <Item extends Command, Name extends string>(
  decide: Decide<Item, Name>,
  { restDays, allowanceDays, claims }: Omit<OrdersAndReferences, 'engine'> = NO_TERMS,
): Change<Item, World, DecidedOrder, Refused<Name>> => ({
  keysOf: orderRow,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const wanted = commands.flatMap(({ given }) => given?.reference ?? []);
    const [rows, references, formers, starts] = await Promise.all([
      ORDERS.lock(tx, commands, hold),
      openReferenceBook(tx, wanted, claims?.stock !== undefined),
      openFormerTerms(tx, commands.filter(mayRepeat)),
      openIdStarts(tx, commands.filter(mayRecur).map(asRecurrent)),
    ]);
    return { rows, references, formers, starts };
  },
  decide: ({ rows, references, formers, starts }, command, { now, index }) => {
    const reference = command.given?.reference;
    const holder = reference === undefined ? undefined : references.holder(reference, command.claim);
    const order = rows[index]?.after;
    const isRepeated = order !== undefined && mayRepeat(command) && (hasTerms(order, command.given) || formers.has(command));
    const isAmbiguous = mayRecur(command) && starts.isAmbiguous(asRecurrent(command));
    const decided = decide(order, command, { now, holder, restDays, allowanceDays, isRepeated, isAmbiguous });
    return mindClaim(decided, holder, command.claim);
  },
  note: ({ rows, references, formers, starts }, { command: { replayGuard = 'off' }, outcome: { order } }, { index }) => {
    const row = rows[index] as OrderRow;
    references.note(row.after, order);
    if (replayGuard !== 'off') formers.note(row.after, order);
    if (order.recurrent && !row.after.recurrent) starts.note(row.after, order);
    row.after = order;
  },
  save: (tx, { rows, references, formers, starts }, changes) => {
    const changed = changedRows(rows);
    ORDERS.save(tx, changed);
    insertEvents(
      tx,
      changes.map(({ outcome }) => outcome.event),
    );
    writeNotices(
      tx,
      changes.flatMap(({ command, outcome }) => (command.isReported === true ? [noticeOfUpdate(outcome)] : [])),
    );
    references.save(tx, changed);
    formers.save(tx);
    starts.save(tx);
  },
});

/** The guard refuses only what a merchant sends, with the signed terms. */
const mayRepeat = <Item extends Command>(command: Item): command is Item & GuardedCommand => command.replayGuard === 'refuse';

const mayRecur = ({ given }: Command): boolean => given?.recurrent === true;
const asRecurrent = ({ merchantId, orderId }: Command) => ({ merchantId, orderId, isNew: false, isRecurrent: true });
