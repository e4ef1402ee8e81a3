import type { ReactElement, ReactNode } from 'react';
import { History, type RecordedValue } from '../../design/values/history.tsx';
import { STATES } from '../../design/values/states.tsx';
import { Amount, Day, Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import type { CashoutProps } from './whole-cashout.ts';
import { CASHOUT } from './cashout-words.ts';

/** Every version of a cashout: who changed what, when, by which request. */
export function CashoutHistory({ cashout }: CashoutProps): ReactElement {
  const words = useWords(CASHOUT);
  const zone = useZoneOf()(cashout.merchant);
  return (
    <History
      events={cashout.history.toSorted((one, other) => other.version - one.version)}
      names={words.events}
      fields={words.fields}
      show={useShown(zone)}
      zone={zone}
    />
  );
}

/** Shows a value of the history as the rest of the page does. */
function useShown(zone: string): (field: string, value: RecordedValue) => ReactNode {
  const design = useWords(DESIGN);
  const { cashout: states } = useWords(STATES);
  return (field, value) => {
    if (value === null) return design.none;
    if (typeof value === 'object') return <Amount of={value} />;
    if (typeof value === 'boolean') return value ? design.yes : design.no;
    if (field === 'state') return wordFor(states, String(value));
    if (field === 'expiresOn') return <Day on={String(value)} />;
    if (field.endsWith('At') || field.endsWith('Until')) return <Instant at={String(value)} zone={zone} isLong />;
    return String(value);
  };
}
