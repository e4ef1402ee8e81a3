import { useMemo } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useLanguage } from '../../shell/language.ts';

type Country = Answer<'listCountries'>['body']['countries'][number];
const NONE: readonly Country[] = [];

/** The countries in which merchants work. They do not change while the console is open. */
export const useCountries = (): readonly Country[] => useRead('listCountries', {}).data?.body.countries ?? NONE;

/** Names a country of the contract in the language of the user; its code where it is not known. */
export function useCountryName(): (country: string) => string {
  const language = useLanguage();
  const countries = useCountries();
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    const known = new Map(countries.map(({ country, region }) => [country, names.of(region) ?? country]));
    return (country) => known.get(country) ?? country;
  }, [language, countries]);
}

/** The countries to choose from, by name. */
export function useCountryChoices(): readonly { readonly value: string; readonly text: string }[] {
  const nameOf = useCountryName();
  const language = useLanguage();
  return useCountries()
    .map(({ country }) => ({ value: country, text: nameOf(country) }))
    .sort((one, other) => one.text.localeCompare(other.text, language));
}
