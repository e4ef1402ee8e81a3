import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { Badge, type Tone } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { MERCHANTS } from './words.ts';

export type Merchant = ItemOf<'listMerchants'>;
type State = 'active' | 'frozen' | 'disabled';

const TONES: Readonly<Record<State, Tone>> = { active: 'good', frozen: 'warn', disabled: 'bad' };

/** Who is disabled is answered like an unknown one, so that it is frozen too changes nothing. */
export const stateOf = ({ disabledAt, frozenAt }: Pick<Merchant, 'disabledAt' | 'frozenAt'>): State =>
  disabledAt !== null ? 'disabled' : frozenAt !== null ? 'frozen' : 'active';

/** The state of a merchant in a word. */
export function StateBadge({ of: merchant }: { readonly of: Pick<Merchant, 'disabledAt' | 'frozenAt'> }): ReactElement {
  const words = useWords(MERCHANTS);
  const state = stateOf(merchant);
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
