import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { useCountryName } from '../../design/values/countries.tsx';
import { Badge } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { NETWORKS } from './words.ts';

export type Network = ItemOf<'listNetworks'>;

/** The state of a network in a word. */
export function NetworkState({ of: { disabledAt } }: { readonly of: Pick<Network, 'disabledAt'> }): ReactElement {
  const words = useWords(NETWORKS);
  return disabledAt === null ? <Badge tone="good">{words.states.active}</Badge> : <Badge tone="bad">{words.states.disabled}</Badge>;
}

/** The countries of a network by their names. */
export function Countries({ of: countries }: { readonly of: Network['countries'] }): ReactElement {
  const words = useWords(NETWORKS);
  const countryName = useCountryName();
  return <>{countries === null ? words.everywhere : countries.map(countryName).join(', ')}</>;
}
