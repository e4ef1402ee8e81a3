import { Type } from 'typebox';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { formatAllDecimals, parseAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../../manage/index.ts';
import { showMerchant } from '../../merchants/index.ts';
import type { CashoutLimits } from '../cashout-decisions.ts';
import { changeLimits, listLimits, type LimitChange } from './set-limits.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly acting: OpenActing };

const { currency, merchantId, orNull, answerObject, wrong } = schemas;

const bound = orNull(
  Type.String({
    maxLength: 20,
    pattern: '^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$',
    description: 'Of one cashout, in the currency. Null: no bound.',
    examples: ['50000.00'],
  }),
);
const number = orNull(
  Type.Integer({ minimum: 1, maximum: 999_999, description: 'Cashouts of one document on one day. Null: no bound.', examples: [3] }),
);

const tag = 'Cashouts';

type ListedLimits = CashoutLimits & { readonly currency: string };

const showLimits = ({ currency: code, leastMinor, mostMinor, perDocumentAndDay }: ListedLimits) => {
  const text = (minor: bigint | null): string | null => (minor === null ? null : formatAllDecimals(minor, code));
  return { currency: code, least: text(leastMinor), most: text(mostMinor), perDocumentAndDay };
};

const limitsSchema = answerObject({
  merchant: merchantId,
  limits: Type.Array(answerObject({ currency, least: bound, most: bound, perDocumentAndDay: number })),
});
const present = ({ merchant, limits }: { readonly merchant: string; readonly limits: readonly ListedLimits[] }) => ({
  body: { merchant, limits: limits.map(showLimits) },
});

export const readCashoutLimits = managementOperation({
  name: 'readCashoutLimits',
  route: 'GET /manage/v1/merchants/{merchant}/cashout-limits',
  tag,
  summary: 'Show what cashouts a merchant may register',
  description: 'By currency. A currency without limits is left out.',
  permission: 'merchants:read',
  scope: 'merchant',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId }),
  shows: limitsSchema,
  run: async ({ path: { merchant } }, { db, clock }: Deps) => {
    if ((await showMerchant({ db }, merchant, clock.now())) === undefined) return refuse('not_found');
    return { merchant, limits: await listLimits({ db }, merchant) };
  },
  answer: present,
});

export const changeCashoutLimits = managementOperation({
  name: 'changeCashoutLimits',
  route: 'PATCH /manage/v1/merchants/{merchant}/cashout-limits/{currency}',
  tag,
  summary: 'Limit what cashouts a merchant may register',
  names: { es: 'Cambiar los límites de retiros', pt: 'Mudar os limites de saques' },
  description: 'What is absent stays, null takes a bound away. What is registered already stays.',
  permission: 'merchants:write',
  scope: 'service',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId, currency }),
  actsOn: { kind: 'merchant', member: 'merchant' },
  body: Type.Object({ least: Type.Optional(bound), most: Type.Optional(bound), perDocumentAndDay: Type.Optional(number) }),
  refusals: {
    currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
    least_above_most: {
      status: 422,
      title: 'The minimum is above the maximum',
      meaning: 'No amount could satisfy both.',
      words: { es: 'El mínimo es mayor que el máximo', en: 'The least is above the most', pt: 'O mínimo é maior que o máximo' },
    },
  },
  shows: limitsSchema,
  run: async ({ path: { merchant, currency: code }, body: { least, most, perDocumentAndDay }, origin }, { db, clock, acting }: Deps) => {
    const [leastMinor, mostMinor] = [readBound('/least', least, code), readBound('/most', most, code)];
    if (isRefusal(leastMinor)) return leastMinor;
    if (isRefusal(mostMinor)) return mostMinor;
    const change: LimitChange = { leastMinor, mostMinor, perDocumentAndDay };
    const target = { kind: 'merchant', id: merchant, merchantId: merchant };
    const given = { currency: code, least, most, perDocumentAndDay };
    const refused = await changeLimits(
      { db: acting(actOf(origin, { target, given })), clock },
      { merchantId: merchant, currency: code },
      change,
    );
    if (isRefusal(refused)) return refused.refusal === 'merchant_unknown' ? refuse('not_found') : (refused as Refusal<Known>);
    return { merchant, limits: await listLimits({ db }, merchant) };
  },
  answer: present,
});

type Known = 'currency_not_allowed' | 'least_above_most';

function readBound(pointer: string, text: string | null | undefined, code: string) {
  if (text === undefined || text === null) return text;
  return parseAmount(text, code) ?? wrong(pointer, 'must be above zero, with no more decimals than the currency has');
}

/** The operations of the management API on limits of cashouts. */
export const limitManagement: readonly ManagementOperation<Deps>[] = [readCashoutLimits, changeCashoutLimits];
