import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { Rules } from '../api/rules.ts';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Menu } from '../design/over/menu.tsx';
import type { Search, SetSearch } from '../shell/address.ts';
import { useWords, wordFor } from '../shell/language.ts';
import { useIsService } from '../shell/me.tsx';
import { ChipValue, type ChipProps, type ChoiceWords } from './chip-value.tsx';
import { Days, useChosenPreset } from './days.tsx';
import { spansOf } from './day-presets.ts';
import { filterNames } from './filter.ts';
import { LIST } from './words.ts';
import styles from './filters.module.css';

const OpenChip = lazy(async () => ({ default: (await import('./open-chip.tsx')).OpenChip }));

type FiltersProps = {
  readonly rules: Rules;
  readonly filter: Search;
  readonly set: SetSearch;
  readonly choices: ChoiceWords;
  /** The states are chosen above, where one state is the filter. */
  readonly hasTabs: boolean;
};

/** The filters of a list as chips, and what adds one. They are in the address, so that they stay. */
export function Filters({ rules, filter, set, choices, hasTabs }: FiltersProps): ReactElement {
  const words = useWords(LIST);
  const isService = useIsService();
  const [opened, setOpened] = useState<string>();
  const names = filterNames(rules).filter((name) => name !== 'merchant' || isService);
  const change = (name: string, value: string | undefined, others?: Readonly<Record<string, string>>): void => {
    setOpened(undefined);
    set({ ...others, [name]: value, cursor: undefined });
  };
  const spans = spansOf(rules);
  const chosenOf = useChosenPreset(filter);
  const ofPresets = new Set<string>(spans.flatMap((span) => (chosenOf(span) === undefined ? [] : span.slice(0, 2))));
  /** What is chosen in one place is not said in a chip too. */
  const isSaid = (name: string): boolean => ofPresets.has(name) || (name === 'state' && hasTabs && filter[name]?.includes(',') === false);
  const shown = names.filter((name) => name === opened || (filter[name] !== undefined && !isSaid(name)));
  const rest = names.filter((name) => !shown.includes(name));
  const removeAll = (): void => set(Object.fromEntries([...names, 'cursor'].map((name) => [name, undefined])));
  return (
    <div role="group" aria-label={words.filters} className={styles.filters}>
      {spans.map((span) => (
        <Days key={span[0]} {...{ span, filter }} isNamed={spans.length > 1} set={(changes) => set({ ...changes, cursor: undefined })} />
      ))}
      {shown.map((name) => (
        <Chip
          key={name}
          {...{ name, choices }}
          value={filter[name] ?? ''}
          rule={rules.query?.properties?.[name] ?? {}}
          isOpen={opened === name}
          onOpen={(isOpen) => setOpened(isOpen ? name : undefined)}
          onChange={(value, others) => change(name, value, others)}
        />
      ))}
      {rest.length > 0 && (
        <Menu
          trigger={
            <Button kind="quiet" isSmall icon="plus" data-key="/">
              {words.addFilter}
            </Button>
          }
          groups={[rest.map((name) => ({ name: wordFor(words.parameters, name), onChoose: () => setOpened(name) }))]}
        />
      )}
      {Object.keys(filter).length > 1 && (
        <Button kind="quiet" isSmall onClick={removeAll}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

/** One filter: what it is about and its value. It opens to be changed. The box that opens is loaded then. */
function Chip(props: ChipProps): ReactElement {
  const { name, value, isOpen, onOpen, onChange } = props;
  const words = useWords(LIST);
  const title = wordFor(words.parameters, name);
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  const closed = (
    <button type="button" className={styles.value} aria-haspopup="dialog" onClick={() => onOpen(true)}>
      <ChipValue {...props} />
    </button>
  );
  return (
    <span className={styles.chip}>
      {wasOpened ? (
        <Suspense fallback={closed}>
          <OpenChip {...props} />
        </Suspense>
      ) : (
        closed
      )}
      {value !== '' && (
        <button type="button" className={styles.remove} aria-label={`${words.remove}: ${title}`} onClick={() => onChange(undefined)}>
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  );
}
