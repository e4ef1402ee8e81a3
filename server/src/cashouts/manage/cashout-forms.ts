import { Type, type Static } from 'typebox';
import { entriesAbout } from '../../ledger/index.ts';
import { recordedEvent, schemas, showRecorded, type Actor } from '../../manage/index.ts';
import { messagesAbout } from '../../messages/index.ts';
import { noticesAbout } from '../../notices/index.ts';
import { CASHOUT_STATES, type Cashout } from '../cashout.ts';
import type { CounterPayment, WholeCashout } from '../operator/read-whole-cashout.ts';

// How the management API shows cashouts.

const { amount, day, instant, merchantId, oneOf, orNull, answerObject, showAmount, showInstant } = schemas;

export const operationId = Type.String({
  maxLength: 40,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The merchant’s id of it.',
  examples: ['W-77'],
});

export const cashoutSchema = answerObject({
  merchant: merchantId,
  operation: operationId,
  cashoutId: Type.String({ description: 'The service’s own id of it.', examples: ['4711'] }),
  state: oneOf(CASHOUT_STATES, 'As of now.'),
  version: Type.Integer(),
  amount,
  transactionCost: amount,
  fee: amount,
  tax: amount,
  reserved: amount,
  refund: orNull(Type.String({ description: 'The refund that it pays out.', examples: ['R-1001'] })),
  description: Type.String(),
  document: Type.String({ description: 'Of the end user.', examples: ['1020304050'] }),
  sms: Type.Boolean({ description: 'Whether the one-time password goes to the cellphone.' }),
  cellphone: Type.String(),
  expiresOn: day,
  otpWrongTries: Type.Integer({ description: 'Of the password that is valid now.' }),
  otpResends: Type.Integer({ description: 'New passwords since the first.' }),
  lockedBy: orNull(Type.String({ description: 'The network that has found it, while it holds it.' })),
  lockedUntil: orNull(instant),
  createdAt: instant,
  updatedAt: instant,
});

/** A network whose hold is over holds nothing. */
const holdOf = ({ state, lockedBy, lockedUntil }: Cashout) =>
  state === 'pending' ? { lockedBy, lockedUntil: showInstant(lockedUntil) } : { lockedBy: null, lockedUntil: null };

export const showCashout = (cashout: Cashout) => ({
  merchant: cashout.merchantId,
  operation: cashout.operationId,
  cashoutId: cashout.cashoutId.toString(),
  state: cashout.state,
  version: cashout.version,
  amount: showAmount(cashout.amountMinor, cashout.currency),
  transactionCost: showAmount(cashout.transactionCostMinor, cashout.currency),
  fee: showAmount(cashout.feeMinor, cashout.currency),
  tax: showAmount(cashout.taxMinor, cashout.currency),
  reserved: showAmount(cashout.reservedMinor, cashout.currency),
  refund: cashout.refundId,
  description: cashout.description,
  document: cashout.document,
  sms: cashout.sms,
  cellphone: cashout.cellphone,
  expiresOn: cashout.expiresOn.toString(),
  otpWrongTries: cashout.otpWrongTries,
  otpResends: cashout.otpResends,
  ...holdOf(cashout),
  createdAt: cashout.createdAt.toString(),
  updatedAt: cashout.updatedAt.toString(),
});

const eventSchema = recordedEvent('cashout.registered');

const paymentSchema = answerObject({
  network: Type.String({ examples: ['efectivo'] }),
  transaction: Type.String({ examples: ['T-4711'] }),
  teller: Type.String(),
  paidAt: instant,
  reversedAt: orNull(instant),
});

const showPayment = ({ transactionId, paidAt, reversedAt, ...rest }: CounterPayment) => ({
  ...rest,
  transaction: transactionId,
  paidAt: paidAt.toString(),
  reversedAt: showInstant(reversedAt),
});

/** A cashout with all that is stored of it. */
export const wholeCashout = answerObject({
  ...cashoutSchema.properties,
  history: Type.Array(eventSchema),
  payment: orNull(paymentSchema),
  notices: orNull(Type.Array(noticesAbout.schema)),
  messages: orNull(Type.Array(messagesAbout.schema)),
  entries: orNull(Type.Array(entriesAbout.schema)),
});
export type ShownCashout = Static<typeof wholeCashout>;

/** Shows all that is stored of a cashout, as far as its reader may see it. */
export const showWholeCashout = (
  { cashout, history, payment, notices, messages, entries }: WholeCashout,
  reader: Pick<Actor, 'merchantId' | 'permissions'>,
): ShownCashout => ({
  ...showCashout(cashout),
  history: history.map((event) => showRecorded(event, reader)),
  payment: payment === undefined ? null : showPayment(payment),
  notices: reader.permissions.has('notices:read') ? notices.map(noticesAbout.show) : null,
  messages: reader.permissions.has('messages:read') ? messages.map(messagesAbout.show) : null,
  entries: reader.permissions.has('ledger:read') ? entries.map(entriesAbout.show) : null,
});
