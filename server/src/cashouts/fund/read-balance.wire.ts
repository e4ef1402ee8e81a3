import { Type, type TSchema } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { amountNumber, formatAmount } from '../../kit/money.ts';
import { readMerchantBalances, type MerchantBalance } from '../../ledger/index.ts';
import { operation, type Dialect } from '../../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from '../answers.wire.ts';
import { KEY_FIELDS } from '../cashout-fields.wire.ts';
import { CHECKSUM_INVALID, MERCHANT_INVALID, PARAMETER_INVALID } from '../cashout-refusals.wire.ts';
import type { CashoutShapes } from '../dialect/cashout-shapes.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly shapes: CashoutShapes };

export const readBalanceOperation = operation({
  name: 'readBalance',
  route: 'GET /cashout/v1/operation/available/:merchant',
  tag: 'Cashouts',
  summary: 'Read the balance',
  description: 'Answers what the funds of a merchant hold, by currency.',
  section: '§4.3',
  example: 'read-balance/usual',
  envelope: cashoutEnvelope,
  path: { merchant: KEY_FIELDS.merchant },
  from: 'query',
  fields: { checksum: KEY_FIELDS.checksum },
  caller: 'merchant',
  effect: 'reads',
  proof: ['merchant'],
  refusals: { merchant_invalid: MERCHANT_INVALID, parameter_invalid: PARAMETER_INVALID, checksum_invalid: CHECKSUM_INVALID },
  run: ({ values: { merchant } }, { db }: Deps) => readMerchantBalances(db, merchant),
  answer: (balances, { caller }, { clock, shapes }) =>
    cashoutAnswer(FORMS[shapes.dialect.cashoutAnswers].render(caller.currencies, balances, clock.now())),
  data: ({ cashoutAnswers }) => FORMS[cashoutAnswers].schema,
});

type Form = {
  readonly render: (currencies: readonly string[], balances: readonly MerchantBalance[], now: Temporal.Instant) => object;
  readonly schema: TSchema;
};

const FORMS: Readonly<Record<Dialect['cashoutAnswers'], Form>> = {
  contract: {
    render: (currencies, balances) => ({ balances: renderBalances(currencies, balances) }),
    schema: Type.Object({
      balances: Type.Array(
        Type.Object({
          currency: Type.String({ description: 'Each currency of the merchant.', examples: ['COP'] }),
          balance: Type.String({ description: 'What new cashouts can be registered with.', examples: ['955000.0'] }),
          reserved: Type.String({ description: 'Kept aside for cashouts that wait to be collected.', examples: ['45000.0'] }),
        }),
      ),
    }),
  },
  family: {
    render: ([currency = ''], balances, now) => ({
      available: amountNumber(balances.find((balance) => balance.currency === currency)?.availableMinor ?? 0n, currency),
      updatedIn: now.toString({ smallestUnit: 'millisecond' }),
    }),
    schema: Type.Object({
      available: Type.Number({ description: 'What the fund of the merchant’s first currency holds.', examples: [955000] }),
      updatedIn: Type.String({ description: 'The instant at which it held that, in UTC.', examples: ['2026-11-21T15:00:00.000Z'] }),
    }),
  },
};

/** One for each currency of the merchant, also where there is nothing; all texts. */
function renderBalances(currencies: readonly string[], balances: readonly MerchantBalance[]): readonly object[] {
  const held = new Map(balances.map((balance) => [balance.currency, balance]));
  return [...new Set([...currencies, ...held.keys()])].map((currency) => ({
    currency,
    balance: formatAmount(held.get(currency)?.availableMinor ?? 0n, currency),
    reserved: formatAmount(held.get(currency)?.reservedMinor ?? 0n, currency),
  }));
}
