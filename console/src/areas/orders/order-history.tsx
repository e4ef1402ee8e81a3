import type { ReactElement, ReactNode } from 'react';
import { History, type HistoryEvent, type RecordedValue } from '../../design/values/history.tsx';
import { STATES } from '../../design/values/states.tsx';
import { Amount, Day, Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { formatSeconds } from '../../design/values/spoken.ts';
import { formatPercent } from '../../design/values/typed.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useMay, useZoneOf } from '../../shell/me.tsx';
import type { OrderProps } from './whole-order.ts';
import { ORDER } from './order-words.ts';
import { REFUNDS } from './refunds-words.ts';
import { ORDERS } from './words.ts';

/** Actors whose acts the audit log has. */
const AUDITED = /^(?:merchant|user|token|command):/;
const SECOND_MS = 1_000;

/** Every version of an order: who changed what, when, by which request. */
export function OrderHistory({ order }: OrderProps): ReactElement {
  const words = useWords(ORDER);
  const { terms } = useWords(ORDERS);
  const may = useMay();
  const zone = useZoneOf()(order.merchant);
  return (
    <History
      events={order.history.toSorted((one, other) => other.version - one.version)}
      names={words.events}
      fields={{ ...terms, ...words.fields }}
      show={useShown(zone)}
      zone={zone}
      beside={(event) =>
        may('audit:read') && AUDITED.test(event.actor) ? <Link to={auditOf(order.merchant, event)}>{words.audit}</Link> : undefined
      }
    />
  );
}

/** The acts of the second in which it was done. */
function auditOf(merchant: string, { at }: HistoryEvent): LinkTo {
  const away = (ms: number): string => new Date(new Date(at).getTime() + ms).toISOString();
  return `/audit?merchant=${merchant}&since=${away(-SECOND_MS)}&until=${away(SECOND_MS)}`;
}

/** Shows a value of the history as the rest of the page does. */
function useShown(zone: string): (field: string, value: RecordedValue) => ReactNode {
  const language = useLanguage();
  const design = useWords(DESIGN);
  const { languages } = useWords(ORDERS);
  const { order: states } = useWords(STATES);
  const { states: refundStates } = useWords(REFUNDS);
  return (field, value) => {
    if (value === null) return design.none;
    if (typeof value === 'object') return <Amount of={value} />;
    if (typeof value === 'boolean') return value ? design.yes : design.no;
    if (field === 'vatRate') return formatPercent(String(value), language);
    if (field === 'redirectTimeoutMs') return formatSeconds(Number(value), language);
    if (field === 'expiresOn') return <Day on={String(value)} />;
    if (field === 'expiresAt') return <Instant at={String(value)} zone={zone} isLong />;
    if (field === 'state') return wordFor(states, String(value));
    if (field === 'refundState') return wordFor(refundStates, String(value));
    if (field === 'language') return wordFor(languages, String(value));
    return String(value);
  };
}
