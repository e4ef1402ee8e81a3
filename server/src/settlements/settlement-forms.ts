import { Type } from 'typebox';
import { schemas } from '../manage/index.ts';
import { formatPercent } from '../kit/written/percent.ts';
import { SETTLEMENT_STATES, type Settlement } from './settlement-columns.ts';
import { LINE_BASES, LINE_KINDS } from './terms/choices.ts';
import type { SettlementLine } from './terms/deductions.ts';

// How the management API takes and shows settlements.

const { amount, currency, day, instant, merchantId, oneOf, orNull, answerObject, showAmount, showInstant } = schemas;

/** Whoever decides about payouts is of the service's own side. */
export const writes = { tag: 'Settlements', permission: 'settlements:write', scope: 'service', stepUp: true } as const;

export const settlementId = Type.String({
  maxLength: 16,
  pattern: '^[1-9][0-9]{0,15}$',
  description: 'The number of the settlement.',
  examples: ['12'],
});

/** The line of a command for a settlement that is not there. */
export const NO_SETTLEMENT = ['{merchant} has no settlement {settlement}.', 1] as const;

export const settlementState = oneOf(SETTLEMENT_STATES, 'Returned and cancelled ones have ended.');

export const settlementSchema = answerObject({
  merchant: merchantId,
  settlement: settlementId,
  state: settlementState,
  entries: Type.Integer({ description: 'How many entries of the ledger it is made of.' }),
  gross: amount,
  net: Type.Object(amount.properties, { description: 'What the merchant gets.' }),
  settledOn: day,
  dueOn: orNull(day),
  cutoffAt: instant,
  madeAt: instant,
  approvedAt: orNull(instant),
  sentAt: orNull(instant),
  file: orNull(Type.String({ description: 'The bank file that it was sent in.' })),
  paidAt: orNull(instant),
  bankReference: orNull(Type.String()),
  returnedAt: orNull(instant),
  problem: orNull(Type.String({ description: 'Why it was returned: by the bank, or before the bank was told.' })),
  cancelledAt: orNull(instant),
});

export const showSettlement = (one: Settlement) => ({
  merchant: one.merchantId,
  settlement: String(one.settlementId),
  state: one.state,
  entries: one.entries,
  gross: showAmount(one.grossMinor, one.currency),
  net: showAmount(one.netMinor, one.currency),
  settledOn: one.settledOn.toString(),
  dueOn: one.dueOn?.toString() ?? null,
  cutoffAt: one.cutoffAt.toString(),
  madeAt: one.madeAt.toString(),
  approvedAt: showInstant(one.approvedAt),
  sentAt: showInstant(one.sentAt),
  file: one.fileId,
  paidAt: showInstant(one.paidAt),
  bankReference: one.bankReference,
  returnedAt: showInstant(one.returnedAt),
  problem: one.problem,
  cancelledAt: showInstant(one.cancelledAt),
});

const percent = Type.String({ description: 'In percent.', examples: ['1.5'] });

export const lineSchema = answerObject({
  kind: oneOf(LINE_KINDS, 'What is taken off.'),
  name: Type.String(),
  base: oneOf(LINE_BASES, 'What the rate is taken of. What was taken of the payout comes back with a payout that is returned.'),
  source: orNull(Type.String({ description: 'Only of payments that this network or method took; null: of all.' })),
  of: amount,
  percent,
  fixed: amount,
  taxPercent: percent,
  amount,
  tax: amount,
  releaseOn: orNull(Type.String({ format: 'date', description: 'Of a reserve: the day on which it is the merchant’s again.' })),
});

export const showLine = (line: SettlementLine, code: string) => ({
  kind: line.kind,
  name: line.name,
  base: line.base,
  source: line.source,
  of: showAmount(line.baseMinor, code),
  percent: formatPercent(line.ratePpm),
  fixed: showAmount(line.fixedMinor, code),
  taxPercent: formatPercent(line.taxPpm),
  amount: showAmount(line.amountMinor, code),
  tax: showAmount(line.taxMinor, code),
  releaseOn: line.releaseOn?.toString() ?? null,
});

/** What a run is asked for. */
export const runMembers = {
  currency,
  until: Type.Optional(
    Type.String({ ...day, description: 'The last day whose entries it takes, in the merchant’s zone. Yesterday where absent.' }),
  ),
};
