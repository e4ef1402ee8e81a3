import type { ReactElement } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { stateOf, type Merchant } from './state.tsx';
import { MERCHANTS } from './words.ts';

export const SWITCHES = ['freeze', 'thaw', 'disable', 'enable'] as const;
type Switch = (typeof SWITCHES)[number];

const OPERATIONS = {
  freeze: 'freezeMerchant',
  thaw: 'thawMerchant',
  disable: 'disableMerchant',
  enable: 'enableMerchant',
} as const;

/** What may be done with a merchant in its state. */
const switchesOf = (merchant: Merchant): readonly Switch[] => {
  const state = stateOf(merchant);
  if (state === 'disabled') return ['enable'];
  return state === 'frozen' ? ['thaw', 'disable'] : ['freeze', 'disable'];
};

/** The buttons that stop a merchant and let it go on. */
export function SwitchButtons({
  of: merchant,
  onChoose,
}: {
  readonly of: Merchant;
  readonly onChoose: (act: Switch) => void;
}): ReactElement {
  const words = useWords(MERCHANTS);
  return (
    <>
      {switchesOf(merchant).map((act) => (
        <Button key={act} onClick={() => onChoose(act)}>
          {words.acts[act]}
        </Button>
      ))}
    </>
  );
}

/** Asks before a merchant is stopped or goes on. */
export function SwitchAct({
  act,
  merchant,
  onClose,
}: {
  readonly act: Switch;
  readonly merchant: string;
  readonly onClose: () => void;
}): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite(OPERATIONS[act], { changes: ['readMerchant', 'listMerchants'], onDone: useDone(onClose, words.done[act]) });
  return (
    <Act
      title={`${words.acts[act]}: ${merchant}`}
      onClose={onClose}
      what={words.what[act]}
      undo={words.undo[act]}
      button={words.acts[act]}
      isBad={act === 'freeze' || act === 'disable'}
      write={write}
      onAct={() => write.mutate({ path: { merchant } })}
    />
  );
}
