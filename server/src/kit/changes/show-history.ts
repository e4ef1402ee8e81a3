import { moneyText, type Cell, type ShownMoney } from '../command-line.ts';
import { formatAllDecimals } from '../money.ts';
import { isRecordedMoney, recordedMoney, type RecordedValue } from './columns.ts';

// How commands show the history of an order or a cashout.

/** As the management API shows it. */
type ShownValue = string | number | boolean | ShownMoney | null;
type ShownEvent = {
  readonly version: number;
  readonly event: string;
  readonly actor: string;
  readonly at: string;
  readonly changes: Readonly<Record<string, { readonly from: ShownValue; readonly to: ShownValue }>>;
};

export const HISTORY_HEADING = ['VERSION', 'AT', 'EVENT', 'BY', 'CHANGES'] as const;

/** Each changed field has a line of its own. The first version is one line: what it holds is shown elsewhere. */
export function historyRows({ version, event, actor, at, changes }: ShownEvent): Cell[][] {
  const fields = version === 1 ? [] : Object.entries(changes);
  const [first = '', ...others] = fields.map(([name, { from, to }]) => `${name}: ${shownText(from)} → ${shownText(to)}`);
  return [[version, Temporal.Instant.from(at), event, actor, first], ...others.map((text): Cell[] => [null, null, null, null, text])];
}

function shownText(value: ShownValue): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? moneyText(value) : String(value);
}

/** A recorded value as people read it: an amount with all its decimals. The history holds it as minor units and currency. */
export function plainValue(field: string, value: RecordedValue): RecordedValue {
  if (!isRecordedMoney(field) || value === null) return value;
  const { amountMinor, currency } = recordedMoney(value);
  return `${formatAllDecimals(amountMinor, currency)} ${currency}`;
}
