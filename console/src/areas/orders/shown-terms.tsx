import type { ReactElement, ReactNode } from 'react';
import type { Change } from '../../design/values/difference.tsx';
import type { Money } from '../../design/values/money.ts';
import { formatPercent, inFull, plainOf, shownTyped } from '../../design/values/typed.ts';
import { formatSeconds } from '../../design/values/spoken.ts';
import { Amount, Day } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { differing, type TermName, type Terms } from './terms.ts';
import { ORDERS } from './words.ts';

const ZERO = /^0(?:\.0+)?$/;

/** The amount of an order. An order of zero leaves it to its payer. */
export function OrderAmount({ of: money }: { readonly of: Money }): ReactElement {
  const { openAmount } = useWords(ORDERS);
  return ZERO.test(money.amount) ? <span className="quiet">{openAmount}</span> : <Amount of={money} />;
}

/** Shows a term of a form as the page of an order does. Undefined: it is empty. */
export function useShownTerm(): (name: TermName, terms: Terms) => ReactNode {
  const language = useLanguage();
  const design = useWords(DESIGN);
  const { languages } = useWords(ORDERS);
  return (name, terms) => {
    const value = terms[name];
    if (value === '') return undefined;
    if (name === 'amount') {
      const amount = plainOf(value);
      const isClear = /^\d+(?:\.\d+)?$/.test(amount);
      return isClear ? <Amount of={inFull({ amount, currency: terms.currency })} /> : shownTyped(value, language);
    }
    if (name === 'vatRate') return formatPercent(value, language);
    if (name === 'redirectTimeoutMs') return formatSeconds(Number(value), language);
    if (name === 'expiresOn') return <Day on={value} />;
    if (name === 'recurrent') return value === 'true' ? design.yes : design.no;
    return name === 'language' ? wordFor(languages, value) : value;
  };
}

/** What differs between two states of a form, in words. */
export function useChangesOf(): (before: Terms, after: Terms) => readonly Change[] {
  const { terms: names } = useWords(ORDERS);
  const show = useShownTerm();
  return (before, after) =>
    differing(before, after).map((name) => ({ field: name, name: names[name], from: show(name, before), to: show(name, after) }));
}
