import type { ReactElement } from 'react';
import type { Problem } from '../../api/problem.ts';
import { choicesOf, type Rule } from '../../api/rules.ts';
import { Checkbox, Field, Select, useCheck } from '../../design/form/field.tsx';
import { AmountField, PercentField, SecondsField } from '../../design/form/number-field.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import { Section } from '../../design/page/page.tsx';
import { useWords } from '../../shell/language.ts';
import { useMerchants } from '../../shell/me.tsx';
import { EDIT } from './edit-words.ts';
import { mayBeEmpty, placesOf, ruleOfTerm, TERM_GROUPS, TERM_NAMES, type TermName, type Terms } from './terms.ts';
import { ORDERS } from './words.ts';
import styles from './orders.module.css';

type TermFieldsProps = {
  readonly terms: Terms;
  /** What the order has now: a change of its amount to more than ten times asks first. */
  readonly before?: Terms;
  readonly onTerms: (terms: Terms) => void;
  /** The rules of the body that is sent. */
  readonly rules: Rule | undefined;
  /** Terms without which nothing is sent. The others may stay empty. */
  readonly required: ReadonlySet<TermName>;
  readonly merchant: string;
  readonly problem: Problem | null;
  readonly hasTried: boolean;
};

/** Says which rule each term breaks. */
export function useFaults(rules: Rule | undefined, required: ReadonlySet<TermName>): (terms: Terms) => ReadonlyMap<TermName, string> {
  const check = useCheck();
  return (terms) => {
    const faults = TERM_NAMES.map((name) => [name, check(ruleOfTerm(rules, name), terms[name], required.has(name))] as const);
    return new Map(faults.filter((one): one is readonly [TermName, string] => one[1] !== undefined));
  };
}

/** Terms that an order has and that a change cannot empty. */
export const requiredOf = (rules: Rule | undefined, terms: Terms): ReadonlySet<TermName> =>
  new Set(TERM_NAMES.filter((name) => terms[name] !== '' && !mayBeEmpty(rules, name)));

/** The fields of the terms of an order, in their groups. */
export function TermFields({ terms, before, onTerms, rules, required, merchant, problem, hasTried }: TermFieldsProps): ReactElement {
  const words = useWords(EDIT);
  const faultsOf = useFaults(rules, required);
  const faults = faultsOf(terms);
  const { faultAt } = useProblem(problem);
  const faultOf = (name: TermName): string | undefined =>
    placesOf(name)
      .map(faultAt)
      .find((one) => one !== undefined) ?? (hasTried ? faults.get(name) : undefined);
  const set = (name: TermName, value: string): void => onTerms({ ...terms, [name]: value });
  return (
    <>
      {(Object.keys(TERM_GROUPS) as (keyof typeof TERM_GROUPS)[]).map((group) => (
        <Section key={group} title={words.groups[group]}>
          <div className={styles.fields}>
            {TERM_GROUPS[group].map((name) => (
              <TermField
                key={name}
                {...{ name, terms, merchant }}
                before={before?.[name]}
                rule={ruleOfTerm(rules, name)}
                isRequired={required.has(name)}
                fault={faultOf(name)}
                onValue={(value) => set(name, value)}
              />
            ))}
          </div>
        </Section>
      ))}
    </>
  );
}

type TermFieldProps = Pick<TermFieldsProps, 'terms' | 'merchant'> & {
  readonly name: TermName;
  readonly before: string | undefined;
  readonly rule: Rule | undefined;
  readonly isRequired: boolean;
  readonly fault: string | undefined;
  readonly onValue: (value: string) => void;
};

function TermField({ name, terms, before, merchant, rule, isRequired, fault, onValue }: TermFieldProps): ReactElement {
  const { terms: names, languages } = useWords(ORDERS);
  const currencies = useMerchants().find((one) => one.merchant === merchant)?.currencies;
  const value = terms[name];
  const common = { label: names[name], value, onValue, fault };
  if (name === 'recurrent') return <Checkbox label={names.recurrent} isOn={value === 'true'} onSwitch={(isOn) => onValue(String(isOn))} />;
  if (name === 'currency' && currencies !== undefined && choicesOf(rule) === undefined) {
    const listed = currencies.includes(value) || value === '' ? currencies : [value, ...currencies];
    return (
      <Select {...common} options={['', ...listed].filter((one) => one !== '' || value === '').map((one) => ({ value: one, text: one }))} />
    );
  }
  if (name === 'amount') return <AmountField {...common} {...{ before, isRequired }} currency={terms.currency} />;
  if (name === 'vatRate') return <PercentField {...common} {...{ before, isRequired }} />;
  if (name === 'redirectTimeoutMs') return <SecondsField {...common} isRequired={isRequired} />;
  return <Field {...common} rule={rule} isRequired={isRequired} choices={languages} isLong={name === 'description'} />;
}
