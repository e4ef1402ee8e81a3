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

/** What an export takes to hold the very rows that the filter of a list shows. */
export function exportFilter(list: Body['list'], { merchant, ...filter }: Search): Pick<Body, 'merchant' | 'filter'> {
  const renamed = Object.entries(filter).map(([name, value]) => [NAMES[list]?.[name] ?? name, value] as const);
  return { ...(merchant !== undefined && { merchant }), ...(renamed.length > 0 && { filter: Object.fromEntries(renamed) }) };
}
