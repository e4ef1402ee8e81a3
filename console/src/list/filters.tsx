import { Popover } from '@base-ui/react/popover';
import { useState, type FormEvent, type ReactElement } from 'react';
import { choicesOf, isDayRule, ruleOfValue, type Rule, type Rules } from '../api/rules.ts';
import { Button } from '../design/button.tsx';
import { Checkbox, Field, Select, useCheck } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { Menu } from '../design/menu.tsx';
import { Day } from '../design/values.tsx';
import { DESIGN } from '../design/words.ts';
import type { Search, SetSearch } from '../shell/address.ts';
import { useWords, wordFor } from '../shell/language.ts';
import { useIsService, useMerchants } from '../shell/me.tsx';
import { filterNames } from './filter.ts';
import { LIST } from './words.ts';
import styles from './filters.module.css';

/** The words of choices, by parameter: `{ state: { pending: 'Pendiente' } }`. */
export type ChoiceWords = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type FiltersProps = { readonly rules: Rules; readonly filter: Search; readonly set: SetSearch; readonly choices: ChoiceWords };

/** The filters of a list as chips, and what adds one. They are in the address, so that they stay. */
export function Filters({ rules, filter, set, choices }: FiltersProps): ReactElement {
  const words = useWords(LIST);
  const isService = useIsService();
  const [opened, setOpened] = useState<string>();
  const names = filterNames(rules).filter((name) => name !== 'merchant' || isService);
  const change = (name: string, value: string | undefined): void => {
    setOpened(undefined);
    set({ [name]: value, cursor: undefined });
  };
  const shown = names.filter((name) => filter[name] !== undefined || name === opened);
  const rest = names.filter((name) => !shown.includes(name));
  const removeAll = (): void => set(Object.fromEntries([...names, 'cursor'].map((name) => [name, undefined])));
  return (
    <div role="group" aria-label={words.filters} className={styles.filters}>
      {shown.map((name) => (
        <Chip
          key={name}
          {...{ name, choices }}
          value={filter[name] ?? ''}
          rule={rules.query?.properties?.[name] ?? {}}
          isOpen={opened === name}
          onOpen={(isOpen) => setOpened(isOpen ? name : undefined)}
          onChange={(value) => change(name, value)}
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

type ChipProps = {
  readonly name: string;
  readonly value: string;
  readonly rule: Rule;
  readonly choices: ChoiceWords;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (value: string | undefined) => void;
};

/** One filter: what it is about and its value. It opens to be changed. */
function Chip({ name, value, rule, choices, isOpen, onOpen, onChange }: ChipProps): ReactElement {
  const words = useWords(LIST);
  const title = wordFor(words.parameters, name);
  return (
    <span className={styles.chip}>
      <Popover.Root open={isOpen} onOpenChange={onOpen}>
        <Popover.Trigger className={styles.value}>
          {title}
          {value !== '' && (
            <b>
              <ShownValue {...{ name, value, rule, choices }} />
            </b>
          )}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="start" className={styles.place}>
            <Popover.Popup className={styles.popup} aria-label={title}>
              <ChipForm {...{ name, title, value, rule, choices, onChange }} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {value !== '' && (
        <button type="button" className={styles.remove} aria-label={`${words.remove}: ${title}`} onClick={() => onChange(undefined)}>
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  );
}

function ShownValue({ name, value, rule, choices }: Pick<ChipProps, 'name' | 'value' | 'rule' | 'choices'>): ReactElement {
  const words = useWords(DESIGN);
  if (isDayRule(ruleOfValue(rule))) return <Day on={value} />;
  if (ruleOfValue(rule).type === 'boolean') return <>{value === 'true' ? words.yes : words.no}</>;
  const texts = choices[name];
  return (
    <>
      {texts === undefined
        ? value
        : value
            .split(',')
            .map((one) => wordFor(texts, one))
            .join(', ')}
    </>
  );
}

function ChipForm({
  name,
  title,
  value,
  rule,
  choices,
  onChange,
}: Omit<ChipProps, 'isOpen' | 'onOpen'> & { readonly title: string }): ReactElement {
  const words = useWords(LIST);
  const yesNo = useWords(DESIGN);
  const merchants = useMerchants();
  const check = useCheck();
  const [draft, setDraft] = useState(value);
  const [hasTried, setTried] = useState(false);
  const fault = check(rule, draft);
  const named = choicesOf(rule);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined) onChange(draft.trim() === '' ? undefined : draft.trim());
  };
  const several = named !== undefined && ruleOfValue(rule).type === 'array';
  const chosen = new Set(draft.split(',').filter((one) => one !== ''));
  const toggle = (one: string): void =>
    setDraft(named?.filter((other) => (other === one ? !chosen.has(one) : chosen.has(other))).join(',') ?? '');
  const listed =
    name === 'merchant' && merchants.length > 0
      ? merchants.map(({ merchant, name: shop }) => ({ value: merchant, text: shop === merchant ? merchant : `${shop} (${merchant})` }))
      : ruleOfValue(rule).type === 'boolean'
        ? ['true', 'false'].map((one) => ({ value: one, text: one === 'true' ? yesNo.yes : yesNo.no }))
        : undefined;
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {several ? (
        <fieldset className={styles.choices}>
          <legend>{title}</legend>
          {named.map((one) => (
            <Checkbox key={one} label={wordFor(choices[name] ?? {}, one)} isOn={chosen.has(one)} onSwitch={() => toggle(one)} />
          ))}
        </fieldset>
      ) : listed !== undefined ? (
        <Select label={title} value={draft} onValue={setDraft} options={[{ value: '', text: '' }, ...listed]} />
      ) : (
        <Field
          label={title}
          value={draft}
          onValue={setDraft}
          rule={rule}
          choices={choices[name] ?? {}}
          isRequired
          fault={hasTried ? fault : undefined}
        />
      )}
      <Button type="submit" kind="main" isSmall>
        {words.apply}
      </Button>
    </form>
  );
}
