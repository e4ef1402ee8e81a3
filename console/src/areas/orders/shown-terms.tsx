import type { ReactNode } from 'react';
import type { Change } from '../../design/values/difference.tsx';
import { formatAmount } from '../../design/values/money.ts';
import { Day } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { differing, type TermName, type Terms } from './terms.ts';
import { ORDERS } from './words.ts';

/** Shows a term of a form as the page of an order does. Undefined: it is empty. */
export function useShownTerm(): (name: TermName, terms: Terms) => ReactNode {
  const language = useLanguage();
  const design = useWords(DESIGN);
  const { languages } = useWords(ORDERS);
  return (name, terms) => {
    const value = terms[name];
    if (value === '') return undefined;
    if (name === 'amount') return <span className="amount">{formatAmount({ amount: value, currency: terms.currency }, language)}</span>;
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
