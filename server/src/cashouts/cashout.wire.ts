import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Dialect } from '../requests/index.ts';
import { formatIsoDay } from '../kit/calendar.ts';
import { formatAmount } from '../kit/money.ts';
import type { CashoutShapes } from './dialect/cashout-shapes.ts';
import { CASHOUT_STATES, type CashoutState, type ListedCashout, type ListedTexts } from './cashout.ts';

/** The words of contract §4.6. */
export const CASHOUT_STATE_NAMES: Readonly<Record<CashoutState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  nullified: 'ANULADA',
};

const STATES_BY_NAME: ReadonlyMap<string, CashoutState> = new Map(CASHOUT_STATES.map((state) => [CASHOUT_STATE_NAMES[state], state]));

/** The state of a wire name, in any case; undefined where there is none. */
export function findState(name: string): CashoutState | undefined {
  return STATES_BY_NAME.get(name.toUpperCase());
}

/** Renders a cashout as contract §4.1 lists it: all texts, in the given order. */
export function renderItem(cashout: ListedCashout, shapes: CashoutShapes): CashoutItem {
  const { operationId, state, currency, description, document, cellphone, amountMinor, transactionCostMinor, sms, expiresOn, updatedOn } =
    cashout;
  const amounts = [String(amountMinor), String(transactionCostMinor)] as const;
  const days = [formatIsoDay(expiresOn), formatIsoDay(updatedOn)] as const;
  return renderTexts([operationId, state, currency, description, document, cellphone, ...amounts, sms ? 't' : 'f', ...days], shapes);
}

/** Renders a cashout as renderItem does, from the texts of a page. What follows them is not shown. */
export function renderTexts(cashout: readonly [...ListedTexts, ...unknown[]], shapes: CashoutShapes): CashoutItem {
  const [operation, state, currency, description, document, cellphone, amountMinor, transactionCostMinor, sms, expiresOn, updatedOn] =
    cashout;
  return {
    amount: formatAmount(amountMinor, currency),
    transactionCost: formatAmount(transactionCostMinor, currency),
    currency,
    description,
    document,
    sms: sms === 't' ? 'true' : 'false',
    cellphone,
    operation,
    expire: shapes.expire(expiresOn),
    update: shapes.update(updatedOn),
    status: CASHOUT_STATE_NAMES[state],
  };
}

export type CashoutItem = Readonly<
  Record<
    | 'amount'
    | 'transactionCost'
    | 'currency'
    | 'description'
    | 'document'
    | 'sms'
    | 'cellphone'
    | 'operation'
    | 'expire'
    | 'update'
    | 'status',
    string
  >
>;

const END_OF = {
  'last-day': 'The last day on which it can be collected.',
  'day-after': 'The day from which it can no longer be collected.',
} as const;
/** What `expire` means. */
export const describeEnd = ({ cashoutExpire }: Dialect): string => END_OF[cashoutExpire];

const DAYS = { YYYYMMDD: ['20261231', '20261121'], DDMMYYYY: ['31122026', '21112026'] } as const;

/** The item in the OpenAPI document. */
export const itemSchema = (dialect: Dialect, more: Readonly<Record<string, TSchema>> = {}): TSchema => {
  const [expire, update] = DAYS[dialect.listedDateForm];
  return Type.Object({
    amount: Type.String({ description: 'What is paid out.', examples: ['45000.0'] }),
    transactionCost: Type.String({ description: 'What the end user bears.', examples: ['0.0'] }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['COP'] }),
    description: Type.String({ description: 'Shown to the end user.', examples: ['Prize'] }),
    document: Type.String({ description: 'Identification number of the end user.', examples: ['1020304050'] }),
    sms: Type.Unsafe<string>({
      type: 'string',
      enum: ['true', 'false'],
      description: 'Whether the one-time password went to the end user by SMS.',
    }),
    cellphone: Type.String({ description: 'Where the one-time password goes.', examples: ['3001234567'] }),
    operation: Type.String({ description: 'The merchant’s id of the cashout.', examples: ['W-77'] }),
    expire: Type.String({ description: describeEnd(dialect), pattern: '^[0-9]{8}$', examples: [expire] }),
    update: Type.String({
      description: 'The day of its last change, in the merchant’s zone.',
      pattern: '^[0-9]{8}$',
      examples: [update],
    }),
    status: Type.Unsafe<string>({
      type: 'string',
      enum: Object.values(CASHOUT_STATE_NAMES),
      description: 'Pending, paid out, not collected in time, cancelled by the merchant, or nullified by the service.',
    }),
    ...more,
  });
};
