import { Type } from 'typebox';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { latestFirst, byText } from '../../kit/lists/merges.ts';
import { refuse } from '../../kit/outcome.ts';
import { cutPage, historyActor, managementOperation, mergeFound, schemas, type ManagementOperation } from '../../manage/index.ts';
import { beyondSchema, shownOrderId, refusedSchema, showBeyond, showRefused } from '../manage/order-forms.ts';
import { addBeyond, listRefused, listRefusedBeyond, resolveRefused, type RefusedBeyond, type RefusedPayment } from './refused-payments.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly acting: OpenActing };

const { instant, merchantId, readInstant, reason, REASON_TAKES, answerObject } = schemas;
const tag = 'Orders';

/** The order of payments of two cells. A merchant is in one of them, so no more of the list's order is needed. */
const newestFirst = (one: RefusedPayment, other: RefusedPayment): number =>
  latestFirst(one.lastAt, other.lastAt) || byText(one.merchantId, other.merchantId);

export const listRefusedPayments = managementOperation({
  name: 'listRefusedPayments',
  route: 'GET /manage/v1/refused-payments',
  tag,
  summary: 'List refused payments',
  description: 'Of all orders, the newest first: somebody may hold the money of a payer. Without `resolved` only open ones.',
  permission: 'orders:read',
  scope: 'merchant',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    since: Type.Optional(instant),
    resolved: Type.Optional(Type.Boolean({ description: 'Those that were resolved, too.' })),
  }),
  shows: answerObject({ merchant: merchantId, order: shownOrderId, ...refusedSchema.properties }),
  run: async ({ query: { since, resolved }, merchantId: only, page: { after, limit } }, { db }: Deps) => ({
    found: await listRefused(db, {
      merchantId: only,
      since: readInstant(since),
      isAll: resolved === true,
      after: after && placeOf(after),
      limit: limit + 1,
    }),
  }),
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { actor, page: { limit } }) =>
    cutPage(
      found,
      limit,
      (one) => ({ merchant: one.merchantId, order: one.orderId, ...showRefused(one, actor) }),
      (last) => [last.lastAt.toString(), last.merchantId, last.orderId, last.source, last.transactionId],
    ),
});

export const readRefusedBeyond = managementOperation({
  name: 'readRefusedBeyond',
  route: 'GET /manage/v1/refused-payments/beyond',
  tag,
  summary: 'Read how many more payments were refused',
  description:
    'Of each network 1,000 refused payments a day are kept. What comes beyond is only counted, with the sum of the amounts: the newest hundred days of networks.',
  permission: 'orders:read',
  scope: 'service',
  query: Type.Object({ since: Type.Optional(instant) }),
  shows: answerObject({ days: Type.Array(beyondSchema) }),
  run: async ({ query: { since } }, { db }: Deps) => ({ days: await listRefusedBeyond(db, { since: readInstant(since) }) }),
  cells: { merge: (outcomes) => ({ days: addBeyond(outcomes.flatMap(({ days }) => days)) }) },
  answer: ({ days }, { query: { since } }) => {
    const from = readInstant(since);
    // Once the cells are added up: each has its own last time of a day.
    const isSince = ({ lastAt }: RefusedBeyond): boolean => from === undefined || Temporal.Instant.compare(lastAt, from) >= 0;
    return { body: { days: days.filter(isSince).map(showBeyond) } };
  },
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([lastAt, merchant, order, source, transactionId]: readonly (string | null)[]) => ({
  lastAt: Temporal.Instant.from(lastAt ?? ''),
  merchantId: merchant ?? '',
  orderId: order ?? '',
  source: source ?? '',
  transactionId: transactionId ?? '',
});

const NONE = ['{order} of {merchant} has no such refused payment that is open.', 1] as const;

export const resolveRefusedPayments = managementOperation({
  name: 'resolveRefusedPayments',
  route: 'POST /manage/v1/orders/{merchant}/{order}/resolve',
  tag,
  summary: 'Take refused payments of an order off the list',
  names: { es: 'Dar por resueltos los pagos rechazados de una orden', pt: 'Dar por resolvidos os pagamentos recusados de um pedido' },
  description: 'With a note that says what was done about the money. A later try puts them back.',
  permission: 'payments:write',
  scope: 'service',
  missing: NONE,
  path: Type.Object({ merchant: merchantId, order: shownOrderId }),
  body: Type.Object({
    note: reason,
    transaction: Type.Optional(Type.String({ maxLength: 200, description: 'Only this one.', examples: ['T-4711'] })),
  }),
  takes: { note: REASON_TAKES },
  refusals: {
    refused_payment_not_found: {
      status: 404,
      title: 'No open refused payment',
      meaning: 'The order has no refused payments, or all of them are resolved.',
      words: {
        es: 'La orden ya no tiene ese pago rechazado por resolver',
        en: 'The order has no such refused payment to resolve any more',
        pt: 'O pedido já não tem esse pagamento recusado pendente',
      },
      line: NONE,
    },
  },
  shows: answerObject({ resolved: Type.Array(refusedSchema) }),
  run: ({ path: { merchant, order }, body: { note, transaction }, actor, origin }, { acting, clock }: Deps) =>
    acting(actOf(origin, { target: { kind: 'order', id: order, merchantId: merchant }, reason: note })).transaction(async (tx) => {
      const which = { merchantId: merchant, orderId: order, transactionId: transaction };
      const resolved = await resolveRefused(tx, { ...which, by: historyActor(actor), note }, clock.now());
      return resolved.length === 0 ? refuse('refused_payment_not_found') : { resolved };
    }),
  answer: ({ resolved }, { actor }) => ({ body: { resolved: resolved.map((one) => showRefused(one, actor)) } }),
});

/** The operations of the management API on refused payments. */
export const refusedManagement: readonly ManagementOperation<Deps>[] = [listRefusedPayments, readRefusedBeyond, resolveRefusedPayments];
