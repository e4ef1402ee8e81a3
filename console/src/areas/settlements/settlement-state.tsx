import type { ReactElement } from 'react';
import type { Answer, ItemOf } from '../../api/client.ts';
import { Badge, type Tone } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

export type Settlement = ItemOf<'listSettlements'>;
export type WholeSettlement = Answer<'readSettlement'>['body'];

type State = Settlement['state'];

const TONES: Readonly<Record<State, Tone>> = {
  draft: 'warn',
  approved: 'info',
  sent: 'info',
  paid: 'good',
  returned: 'bad',
  cancelled: 'neutral',
};

export const StateBadge = ({ state }: { readonly state: State }): ReactElement => (
  <Badge tone={TONES[state]}>{useWords(SETTLEMENTS).states[state]}</Badge>
);

/** Who has to do what next; of one that has ended without a payment, where its money is. */
export function useNext(): (state: State) => string | undefined {
  const { next, ended } = useWords(SETTLEMENTS);
  const texts: Readonly<Partial<Record<State, string>>> = { ...next, ...ended };
  return (state) => texts[state];
}

/** The state of a settlement, and of one under way who has to do what next. */
export function SettlementState({ of: { state, problem } }: { readonly of: Settlement }): ReactElement {
  const { next } = useWords(SETTLEMENTS);
  return (
    <span className={styles.lines}>
      <StateBadge state={state} />
      {state in next && <span className={styles.note}>{next[state as keyof typeof next]}</span>}
      {problem !== null && <span className={styles.note}>{problem}</span>}
    </span>
  );
}
