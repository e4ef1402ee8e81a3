import type { ReactElement } from 'react';
import { isDayRule, ruleOfValue, type Rule } from '../api/rules.ts';
import { shownTyped } from '../design/values/typed.ts';
import { Day } from '../design/values/values.tsx';
import { DESIGN } from '../design/words.ts';
import { useLanguage, useWords, wordFor } from '../shell/language.ts';
import { LIST } from './words.ts';

/** The words of choices, by parameter: `{ state: { pending: 'Pendiente' } }`. */
export type ChoiceWords = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type ChipProps = {
  readonly name: string;
  readonly value: string;
  readonly rule: Rule;
  readonly choices: ChoiceWords;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** `others`: what has to be set beside it. */
  readonly onChange: (value: string | undefined, others?: Readonly<Record<string, string>>) => void;
};

/** Whether a filter is an amount, in the currency that another one names. */
export const isAmount = (name: string): boolean => name === 'amountFrom' || name === 'amountTo';

/** What a filter is about, and its value. */
export function ChipValue({ name, value, rule, choices }: ChipProps): ReactElement {
  const words = useWords(LIST);
  return (
    <>
      {wordFor(words.parameters, name)}
      {value !== '' && (
        <b>
          <ShownValue {...{ name, value, rule, choices }} />
        </b>
      )}
    </>
  );
}

function ShownValue({ name, value, rule, choices }: Pick<ChipProps, 'name' | 'value' | 'rule' | 'choices'>): ReactElement {
  const words = useWords(DESIGN);
  const language = useLanguage();
  if (isAmount(name)) return <span className="amount">{shownTyped(value, language)}</span>;
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
