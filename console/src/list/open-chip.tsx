import { Popover } from '@base-ui/react/popover';
import { useState, type FormEvent, type ReactElement } from 'react';
import { choicesOf, ruleOfValue, type Rule } from '../api/rules.ts';
import { Button } from '../design/button.tsx';
import { Checkbox, Field, Select, useCheck } from '../design/form/field.tsx';
import { AmountField } from '../design/form/number-field.tsx';
import { DESIGN } from '../design/words.ts';
import { useAddress } from '../shell/address.ts';
import { useWords, wordFor } from '../shell/language.ts';
import { useCurrencies, useMerchants } from '../shell/me.tsx';
import { ChipValue, isAmount, type ChipProps } from './chip-value.tsx';
import { LIST } from './words.ts';
import styles from './filters.module.css';

/** A filter with the box that changes it. */
export function OpenChip(props: ChipProps): ReactElement {
  const { name, isOpen, onOpen } = props;
  const title = wordFor(useWords(LIST).parameters, name);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpen}>
      <Popover.Trigger className={styles.value}>
        <ChipValue {...props} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" className={styles.place}>
          <Popover.Popup className={styles.popup} aria-label={title}>
            <ChipForm {...props} title={title} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
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
  const check = useCheck();
  const [{ currency: chosenCurrency }] = useAddress();
  const [first = ''] = useCurrencies();
  const [otherCurrency, setCurrency] = useState<string>();
  const currency = otherCurrency ?? chosenCurrency ?? first;
  const [draft, setDraft] = useState(value);
  const [hasTried, setTried] = useState(false);
  const fault = check(rule, draft);
  const named = choicesOf(rule);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    // Another currency may have fewer decimals: what is zero is not kept.
    const text = isAmount(name) ? draft.replace(/\.0+$/, '') : draft.trim();
    const others = isAmount(name) && currency !== '' ? { currency } : {};
    if (fault === undefined) onChange(text === '' ? undefined : text, others);
  };
  const several = named !== undefined && ruleOfValue(rule).type === 'array';
  const chosen = new Set(draft.split(',').filter((one) => one !== ''));
  const toggle = (one: string): void =>
    setDraft(named?.filter((other) => (other === one ? !chosen.has(one) : chosen.has(other))).join(',') ?? '');
  const listed = useListed(name, rule);
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
      ) : isAmount(name) ? (
        <AmountAndCurrency
          label={title}
          value={draft}
          onValue={setDraft}
          fault={hasTried ? fault : undefined}
          currency={currency}
          onCurrency={setCurrency}
        />
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

/** What a filter is chosen from, where that is not in its rule. */
function useListed(name: string, rule: Rule): readonly { readonly value: string; readonly text: string }[] | undefined {
  const words = useWords(DESIGN);
  const merchants = useMerchants();
  if (name === 'merchant' && merchants.length > 0)
    return merchants.map(({ merchant, name: shop }) => ({ value: merchant, text: shop === merchant ? merchant : `${shop} (${merchant})` }));
  if (ruleOfValue(rule).type !== 'boolean') return undefined;
  return ['true', 'false'].map((one) => ({ value: one, text: one === 'true' ? words.yes : words.no }));
}

/** An amount means nothing without its currency. */
function AmountAndCurrency({
  currency,
  onCurrency,
  ...amount
}: Pick<Parameters<typeof AmountField>[0], 'label' | 'value' | 'onValue' | 'fault'> & {
  readonly currency: string;
  readonly onCurrency: (currency: string) => void;
}): ReactElement {
  const words = useWords(LIST);
  const currencies = useCurrencies();
  return (
    <>
      <AmountField {...amount} currency={currency} isRequired />
      {currencies.length > 1 && (
        <Select
          label={words.parameters.currency}
          value={currency}
          onValue={onCurrency}
          options={currencies.map((one) => ({ value: one, text: one }))}
        />
      )}
    </>
  );
}
