import type { Operations } from '../api/generated/operations.ts';
import type { Search } from '../shell/address.ts';

type Body = Operations['exportList']['body'];

/** What a filter of a list is called in its export, where that differs. */
const NAMES: Readonly<Partial<Record<Body['list'], Readonly<Record<string, string>>>>> = {
  orders: { createdFrom: 'from', createdTo: 'to' },
  cashouts: { updatedFrom: 'from', updatedTo: 'to' },
  notices: { writtenFrom: 'from', writtenTo: 'to' },
  entries: { until: 'to' },
  acts: { since: 'from', until: 'to' },
};

/** What a filter of an export is called in its list. */
export const nameInList = (list: Body['list'], name: string): string =>
  Object.entries(NAMES[list] ?? {}).find(([, own]) => own === name)?.[0] ?? name;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A list of several merchants shows days of UTC. An export takes an instant for these: a day that ends something ends with its last instant. */
function instantOf(name: string, day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (/^to$|To$/.test(name)) at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().replace('.000Z', 'Z');
}

/** What an export takes to hold the very rows that the filter of a list shows. */
export function exportFilter(
  list: Body['list'],
  { merchant, ...filter }: Search,
  boundTo: string | null,
): Pick<Body, 'merchant' | 'filter'> {
  const isOfOne = (merchant ?? boundTo) !== null;
  const renamed = Object.entries(filter).map(([name, value]) => {
    const own = NAMES[list]?.[name] ?? name;
    return [own, !isOfOne && DAY.test(value) ? instantOf(own, value) : value] as const;
  });
  return { ...(merchant !== undefined && { merchant }), ...(renamed.length > 0 && { filter: Object.fromEntries(renamed) }) };
}
