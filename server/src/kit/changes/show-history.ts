import type { Cell } from '../command-line.ts';
import { formatAllDecimals } from '../money.ts';
import { recordedMoney, type RecordedValue } from './columns.ts';

// How commands show the history of an order or a cashout.

type ShownEvent = {
  readonly version: number;
  readonly event: string;
  readonly actor: string;
  readonly changedAt: Temporal.Instant;
  readonly requestId: string | null;
  readonly changes: Readonly<Record<string, readonly [from: RecordedValue, to: RecordedValue]>>;
};

export const HISTORY_HEADING = ['VERSION', 'AT', 'EVENT', 'BY', 'CHANGES'] as const;

/** Each changed field has a line of its own. The first version is one line: what it holds is shown elsewhere. */
export function historyRows({ version, event, actor, changedAt, changes }: ShownEvent): Cell[][] {
  const fields = version === 1 ? [] : Object.entries(changes);
  const [first = '', ...others] = fields.map(([name, [from, to]]) => `${name}: ${valueText(name, from)} → ${valueText(name, to)}`);
  return [[version, changedAt, event, actor, first], ...others.map((text): Cell[] => [null, null, null, null, text])];
}

/** The same as JSON. */
export const historyJson = ({ version, event, actor, changedAt, requestId, changes }: ShownEvent): object => ({
  version,
  event,
  by: actor,
  at: changedAt,
  requestId,
  changes: Object.fromEntries(
    Object.entries(changes).map(([name, [from, to]]) => [name, { from: plainValue(name, from), to: plainValue(name, to) }]),
  ),
});

/** The history holds an amount as minor units and currency. */
function valueText(field: string, value: RecordedValue): string {
  if (value === null || value === '') return 'none';
  if (field !== 'amount') return String(value);
  const { amountMinor, currency } = recordedMoney(value);
  return `${formatAllDecimals(amountMinor, currency)} ${currency}`;
}

/** A recorded value as people read it: an amount with all its decimals. */
export const plainValue = (field: string, value: RecordedValue): RecordedValue =>
  field === 'amount' && value !== null ? valueText(field, value) : value;
