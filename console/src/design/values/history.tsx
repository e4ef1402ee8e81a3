import type { ReactElement, ReactNode } from 'react';
import type { Operations } from '../../api/generated/operations.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { Difference } from './difference.tsx';
import { Copyable, Instant } from './values.tsx';
import { DESIGN } from '../words.ts';
import styles from './history.module.css';

/** One change of an order or a cashout, as its history has it. */
export type HistoryEvent = Operations['readOrder']['answer']['history'][number];
export type RecordedValue = HistoryEvent['changes'][string]['to'];
type Names = Readonly<Record<string, unknown>>;

type HistoryProps = {
  /** The newest first. */
  readonly events: readonly HistoryEvent[];
  /** The words of the events, as `order.paid`. */
  readonly names: Names;
  /** The words of the fields. */
  readonly fields: Names;
  readonly show: (field: string, value: RecordedValue) => ReactNode;
  readonly zone: string;
  /** What leads from an event to what belongs to it. */
  readonly beside?: (event: HistoryEvent) => ReactNode;
};

/** What became of one thing: each version with who, when, by which request, and what differs. */
export const History = ({ events, names, fields, show, zone, beside }: HistoryProps): ReactElement => (
  <ol className={styles.history}>
    {events.map((event) => (
      <li key={event.version} className={styles.event}>
        <div className={styles.head}>
          <h2>
            {wordFor(names, event.event)} <span className={styles.version}>v{event.version}</span>
          </h2>
          <Instant at={event.at} zone={zone} isLong />
        </div>
        <p className={styles.who}>
          <ActorName of={event.actor} />
          {event.requestId !== null && <Copyable text={event.requestId} />}
          {beside?.(event)}
        </p>
        <Changes {...{ event, fields, show }} />
      </li>
    ))}
  </ol>
);

/** Who did it: a kind, and a name where it has one. */
export function ActorName({ of: actor }: { readonly of: string }): ReactElement {
  const { actors } = useWords(DESIGN);
  const end = actor.indexOf(':');
  if (end < 0) return <>{wordFor(actors, actor)}</>;
  return (
    <span>
      {wordFor(actors, actor.slice(0, end))}{' '}
      <b>
        <bdi>{actor.slice(end + 1)}</bdi>
      </b>
    </span>
  );
}

/** The first version has every field, from nothing. It is closed at first. */
function Changes({ event, fields, show }: Pick<HistoryProps, 'fields' | 'show'> & { readonly event: HistoryEvent }): ReactElement | null {
  const words = useWords(DESIGN);
  const changes = Object.entries(event.changes).map(([field, { from, to }]) => ({
    field,
    name: wordFor(fields, field),
    ...(from !== null && { from: show(field, from) }),
    ...(to !== null && { to: show(field, to) }),
  }));
  if (changes.length === 0) return null;
  if (event.version > 1) return <Difference of={changes} />;
  return (
    <details className={styles.first}>
      <summary>{words.firstValues(changes.length)}</summary>
      <Difference of={changes} />
    </details>
  );
}
