import type { Operations } from '../api/generated/operations.ts';
import { addDays } from '../design/values/days.ts';
import { formatInstant } from '../design/values/instants.ts';
import { STATES } from '../design/values/states.tsx';
import { shownTyped } from '../design/values/typed.ts';
import type { Search } from '../shell/address.ts';
import { useLanguage, useWords, wordFor, type Language } from '../shell/language.ts';
import { isAmount } from './chip-value.tsx';
import { nameInList } from './export-filter.ts';
import { LIST } from './words.ts';

type ListName = Operations['exportList']['body']['list'];

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A day, or the instant between two days that stands for one of them. Any other text stays. */
function saidDay(name: string, value: string, language: Language): string {
  const [, day = '', midnight] = /^(\d{4}-\d{2}-\d{2})(T00:00:00Z)?$/.exec(value) ?? [];
  if (day === '') return value;
  const shown = midnight !== undefined && /(?:^to|To)$/.test(name) ? addDays(day, -1) : day;
  return formatInstant(`${shown}T12:00:00Z`, 'UTC', language, DAY);
}

/** Says a filter in words, as the list of it or its export has it: `Creado desde: 1 de oct de 2026`. */
export function useSaidFilter(): (list: string, filter: Search) => readonly string[] {
  const { parameters } = useWords(LIST);
  const states = useWords(STATES);
  const language = useLanguage();
  return (list, filter) =>
    Object.entries(filter)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        const words = { orders: states.order, cashouts: states.cashout }[list] ?? {};
        const said = isAmount(name)
          ? shownTyped(value, language)
          : name === 'state'
            ? wordFor(words, value)
            : saidDay(name, value, language);
        return `${wordFor(parameters, nameInList(list as ListName, name))}: ${said}`;
      });
}
