import { Type } from 'typebox';
import { actOf } from '../../kit/changes/act.ts';
import { parseIsoDay } from '../../kit/calendar.ts';
import { byText, latestFirst } from '../../kit/lists/merges.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import {
  cutPage,
  managementOperation,
  mergeFound,
  NO_MERCHANT,
  ROOM_PROBLEMS,
  schemas,
  type ManagementOperation,
} from '../../manage/index.ts';
import { settlementId, writes } from '../settlement-forms.ts';
import type { SettlementDeps } from '../settlements.manage.ts';
import { placeHold, releaseHold, type ChangedHold } from './change-holds.ts';
import { listHolds, type HoldPlace } from './hold-rows.ts';
import type { HeldMoney } from './hold.ts';

const {
  amount,
  day,
  instant,
  merchantId,
  orNull,
  readMoney,
  reason,
  REASON_TAKES,
  sentAmount,
  answerObject,
  showAmount,
  showInstant,
  wrong,
} = schemas;

const holdId = Type.String({ maxLength: 16, pattern: '^[1-9][0-9]{0,15}$', description: 'The number of the hold.', examples: ['7'] });

const holdSchema = answerObject({
  merchant: merchantId,
  hold: holdId,
  amount,
  reason: Type.String({ description: 'Why it is held. Of a reserve: the name of its rule.' }),
  settlement: orNull(Type.String({ ...settlementId, description: 'The settlement that keeps it as a reserve; null: it is held by hand.' })),
  releaseOn: orNull(day),
  heldAt: instant,
  releasedAt: orNull(instant),
});

const showHold = (hold: HeldMoney) => ({
  merchant: hold.merchantId,
  hold: String(hold.holdId),
  amount: showAmount(hold.amountMinor, hold.currency),
  reason: hold.reason,
  settlement: hold.settlementId === null ? null : String(hold.settlementId),
  releaseOn: hold.releaseOn?.toString() ?? null,
  heldAt: hold.heldAt.toString(),
  releasedAt: showInstant(hold.releasedAt),
});

const changed = {
  shows: answerObject({ ...holdSchema.properties, isRepeated: Type.Boolean({ description: 'It was so before: nothing was changed.' }) }),
  answer: ({ hold, isRepeated }: ChangedHold) => ({ body: { ...showHold(hold), isRepeated } }),
};

/** The order of holds of two cells. A merchant is in one of them, so no more of the list's order is needed. */
const newestFirst = (one: HeldMoney, other: HeldMoney): number =>
  latestFirst(one.heldAt, other.heldAt) || byText(other.merchantId, one.merchantId);

export const listHoldsOperation = managementOperation({
  name: 'listHolds',
  route: 'GET /manage/v1/holds',
  tag: 'Settlements',
  summary: 'List what is held back of merchants’ money',
  names: { es: 'Ver el dinero bloqueado', pt: 'Ver o dinheiro bloqueado' },
  description: 'The newest first.',
  permission: 'ledger:read',
  scope: 'merchant',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    released: Type.Optional(Type.Boolean({ description: 'True: only what was released. False: only what is held now.' })),
  }),
  shows: holdSchema,
  run: async ({ query: { released }, merchantId: only, page: { after, limit } }, { db }: SettlementDeps) => ({
    found: await listHolds(db, { merchantId: only, isReleased: released, after: after && placeOf(after), limit: limit + 1 }),
  }),
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) =>
    cutPage(found, limit, showHold, (last) => [last.heldAt.toString(), last.merchantId, String(last.holdId)]),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([heldAt, merchant, hold]: readonly (string | null)[]): HoldPlace => ({
  heldAt: Temporal.Instant.from(heldAt ?? ''),
  merchantId: merchant ?? '',
  holdId: BigInt(hold ?? 0),
});

export const placeHoldOperation = managementOperation({
  ...writes,
  name: 'placeHold',
  route: 'POST /manage/v1/holds/{merchant}',
  summary: 'Hold back what a merchant has collected',
  names: { es: 'Bloquear dinero de un comercio', pt: 'Bloquear dinheiro de um estabelecimento' },
  description:
    'It stays the merchant’s, and no settlement has it until it is released: by hand, or by itself on the day `releaseOn`. ' +
    'Send an `Idempotency-Key`: the same request again holds as much once more.',
  path: Type.Object({ merchant: merchantId }),
  missing: NO_MERCHANT,
  keepsAnswersAs: 'manage-place-hold',
  status: 201,
  body: Type.Object({ amount: sentAmount, reason, releaseOn: Type.Optional(day) }),
  takes: { reason: REASON_TAKES },
  refusals: { currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed, collected_too_small: ROOM_PROBLEMS.collected_too_small },
  ...changed,
  run: async ({ path: { merchant }, body, origin, once }, { acting, clock, runOnce }: SettlementDeps) => {
    const amountMinor = readMoney('/amount', body.amount);
    if (isRefusal(amountMinor)) return amountMinor;
    const releaseOn = body.releaseOn === undefined ? null : parseIsoDay(body.releaseOn);
    if (releaseOn === undefined) return wrong('/releaseOn', 'is not a real date');
    const { reason: why, ...given } = body;
    const db = acting(actOf(origin, { target: { kind: 'merchant', id: merchant, merchantId: merchant }, given, reason: why }));
    const command = { merchantId: merchant, currency: body.amount.currency, amountMinor, reason: why, releaseOn, once };
    const outcome = await placeHold({ db, clock, runOnce }, command);
    if (!isRefusal(outcome)) return outcome;
    const { refusal } = outcome;
    return refusal === 'merchant_unknown' ? refuse('not_found') : refuse(refusal);
  },
});

export const releaseHoldOperation = managementOperation({
  ...writes,
  name: 'releaseHold',
  route: 'POST /manage/v1/holds/{merchant}/{hold}/release',
  summary: 'Give a merchant what was held back',
  names: { es: 'Desbloquear dinero de un comercio', pt: 'Desbloquear dinheiro de um estabelecimento' },
  description: 'The next settlement has it.',
  path: Type.Object({ merchant: merchantId, hold: holdId }),
  missing: ['{merchant} has no hold {hold}.', 1],
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  ...changed,
  run: async ({ path: { merchant, hold }, body: { reason: why }, origin }, { acting, clock }: SettlementDeps) => {
    const db = acting(actOf(origin, { target: { kind: 'hold', id: hold, merchantId: merchant }, reason: why }));
    const outcome = await releaseHold({ db, clock }, { merchantId: merchant, holdId: BigInt(hold) });
    return isRefusal(outcome) ? refuse('not_found') : outcome;
  },
});

/** The operations of the management API on holds. */
export const holdOperations: readonly ManagementOperation<SettlementDeps>[] = [
  listHoldsOperation,
  placeHoldOperation,
  releaseHoldOperation,
];
