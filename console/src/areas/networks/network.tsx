import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { useCountries, useCountryName } from '../../design/values/countries.tsx';
import { Badge } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { NETWORKS } from './words.ts';
import styles from './networks.module.css';

export type Network = ItemOf<'listNetworks'>;

/** The state of a network in a word. */
export function NetworkState({ of: { disabledAt } }: { readonly of: Pick<Network, 'disabledAt'> }): ReactElement {
  const words = useWords(NETWORKS);
  return disabledAt === null ? <Badge tone="good">{words.states.active}</Badge> : <Badge tone="bad">{words.states.disabled}</Badge>;
}

/** More names than these are cut: all countries would fill the screen of a phone. */
const MOST_NAMES = 4;
const FIRST_NAMES = 3;

type CountriesProps = { readonly of: Network['countries'] };

/** The names of countries in their order: those that are shown, and the rest. */
function useNames(countries: readonly string[]): readonly [shown: readonly string[], rest: readonly string[]] {
  const language = useLanguage();
  const names = countries.map(useCountryName()).sort((one, other) => one.localeCompare(other, language));
  const shown = names.length > MOST_NAMES ? FIRST_NAMES : MOST_NAMES;
  return [names.slice(0, shown), names.slice(shown)];
}

/** The countries of a network by their names, on one or two lines. */
export function Countries({ of: countries }: CountriesProps): ReactElement {
  const words = useWords(NETWORKS);
  const [shown, rest] = useNames(countries);
  const text = shown.join(', ');
  const isEverywhere = countries.length === useCountries().length;
  return <>{isEverywhere ? words.everywhere : rest.length === 0 ? text : words.more(text, rest.length)}</>;
}

/** The same, with the rest of many names a press away. */
export function AllCountries({ of: countries }: CountriesProps): ReactElement {
  const [, rest] = useNames(countries);
  if (rest.length === 0 || countries.length === useCountries().length) return <Countries of={countries} />;
  return (
    <details className={styles.countries}>
      <summary>
        <Countries of={countries} />
      </summary>
      <div>{rest.join(', ')}</div>
    </details>
  );
}
