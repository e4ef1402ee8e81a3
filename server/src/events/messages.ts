import type { ChangeEvent, ChangeKind, ManyChanges } from './change.ts';
import { hasSeen, parsePosition, printPosition, type EventPosition } from './position.ts';
import type { Place, Portion } from './read-changes.ts';

/** What a listener may know. */
export type Audience = {
  /** Undefined: of all merchants, and of none. */
  readonly merchantId: string | undefined;
  readonly kinds: ReadonlySet<ChangeKind>;
};

/** More groups than that become one for each kind. */
const MOST_GROUPS = 100;

/** Prints the id of an event: a client sends the last one when it comes again. */
const printPlace = ({ position, cluster }: Place): string => `${cluster}/${printPosition(position)}`;

/** Reads the id of an event. Refuses (undefined): any other text. */
export function parsePlace(text: string): Place | undefined {
  const [, cluster = '', position = ''] = /^([0-9]{1,20})\/([0-9:,]{1,4000})$/.exec(text) ?? [];
  const parsed = parsePosition(position);
  return parsed === undefined ? undefined : { position: parsed, cluster };
}

/** An event without data moves the id that a client sends when it comes again. The client sees nothing. */
export const heartbeat = (place: Place): string => `id: ${printPlace(place)}\n\n`;

/** `ready`: changes follow from here on. `reset`: some were missed, so what is shown must be read again. */
export const signal = (event: 'ready' | 'reset', place: Place): string => `event: ${event}\nid: ${printPlace(place)}\ndata: {}\n\n`;

/**
 * Renders what an audience hears of a portion, as one event: a client has all of it or nothing.
 * Shape: a portion, where it ends, and the position of the listener, who has seen what is before it. Undefined: nothing is for it.
 */
export function render(portion: Portion, place: Place, audience: Audience, seen: EventPosition): string | undefined {
  const isFor = ({ kind, merchantId }: Pick<ChangeEvent, 'kind' | 'merchantId'>): boolean =>
    audience.kinds.has(kind) && (audience.merchantId === undefined || merchantId === audience.merchantId);
  const changes = portion.changes.filter((change) => isFor(change) && !hasSeen(seen, change.writtenIn));
  const many = grouped(portion.many.filter(isFor));
  if (changes.length === 0 && many.length === 0) return undefined;
  const data = {
    changes: changes.map(({ kind, merchantId: merchant, id, version, event, state }) => ({ kind, merchant, id, version, event, state })),
    many: many.map(({ kind, merchantId: merchant, count }) => ({ kind, merchant, count })),
  };
  return `event: changes\nid: ${printPlace(place)}\ndata: ${JSON.stringify(data)}\n\n`;
}

function grouped(many: readonly ManyChanges[]): readonly ManyChanges[] {
  if (many.length <= MOST_GROUPS) return many;
  const byKind = Map.groupBy(many, ({ kind }) => kind);
  return [...byKind].map(([kind, groups]) => ({ kind, merchantId: null, count: groups.reduce((sum, { count }) => sum + count, 0) }));
}
