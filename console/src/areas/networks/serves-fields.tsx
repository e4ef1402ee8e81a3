import type { ReactElement } from 'react';
import { Checks } from '../../design/form/checks.tsx';
import { useCountries, useCountryChoices } from '../../design/values/countries.tsx';
import { useWords } from '../../shell/language.ts';
import { NETWORKS } from './words.ts';

/** Where a network serves. Nothing chosen means everywhere. */
export type Serves = { readonly countries: readonly string[]; readonly currencies: readonly string[] };

export function ServesFields({ of: serves, onServes }: { readonly of: Serves; readonly onServes: (serves: Serves) => void }): ReactElement {
  const words = useWords(NETWORKS);
  const known = useCountries();
  const own = known.filter(({ country }) => serves.countries.includes(country));
  const possible = [...new Set((own.length === 0 ? known : own).flatMap(({ currencies }) => currencies))].sort();
  return (
    <>
      <Checks
        label={words.countries}
        hint={words.countriesHint}
        options={useCountryChoices()}
        chosen={serves.countries}
        onChoose={(countries) => onServes({ ...serves, countries })}
      />
      <Checks
        label={words.currencies}
        hint={words.currenciesHint}
        options={possible.map((one) => ({ value: one, text: one }))}
        chosen={serves.currencies.filter((one) => possible.includes(one))}
        onChoose={(currencies) => onServes({ ...serves, currencies })}
      />
    </>
  );
}

/** As the API takes it. */
export const servesBody = ({ countries, currencies }: Serves) => ({
  countries: countries.length === 0 ? null : countries,
  ...(countries.length === 0 || currencies.length === 0 ? {} : { currencies }),
});
