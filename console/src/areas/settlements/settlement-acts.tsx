import { useState, type ReactElement, type ReactNode } from 'react';
import { cancelSettlement, paySettlement, returnSettlement } from '../../api/generated/rules/settlements.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Menu } from '../../design/over/menu.tsx';
import { Amount } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { Approve, SETTLEMENT_CHANGES } from './approve.tsx';
import type { Settlement } from './settlement-state.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

const ACTS = {
  draft: ['approve', 'cancel'],
  approved: ['send', 'return'],
  sent: ['pay', 'return'],
  paid: ['return'],
  returned: [],
  cancelled: [],
} as const satisfies Readonly<Record<Settlement['state'], readonly string[]>>;
type Ask = (typeof ACTS)[Settlement['state']][number];

type ActProps = { readonly settlement: Settlement; readonly onClose: () => void };

/** What comes next is a button. What goes back is behind another one. */
export function SettlementActs({ settlement }: { readonly settlement: Settlement }): ReactElement | null {
  const { acts: words } = useWords(SETTLEMENTS);
  const mayWrite = useMay()('settlements:write');
  const [asks, setAsks] = useState<Ask>();
  const names: readonly Ask[] = ACTS[settlement.state];
  const next = names.filter((name) => name !== 'return' && name !== 'cancel');
  const back = names.filter((name) => name === 'return' || name === 'cancel');
  const props = { settlement, onClose: () => setAsks(undefined) };
  if (!mayWrite) return null;
  return (
    <span className={styles.acts}>
      {next.map((name) => (
        <Button key={name} kind="main" onClick={() => setAsks(name)}>
          {words[name]}
        </Button>
      ))}
      {back.length > 0 && (
        <Menu
          trigger={<IconButton name={words.more} icon="more" />}
          groups={[back.map((name) => ({ name: words[name], onChoose: () => setAsks(name), isBad: true }))]}
        />
      )}
      {asks === 'approve' && <Approve settlements={[settlement]} onClose={props.onClose} />}
      {asks === 'cancel' && <Cancel {...props} />}
      {asks === 'send' && <Send {...props} />}
      {asks === 'pay' && <Pay {...props} />}
      {asks === 'return' && <Return {...props} />}
    </span>
  );
}

const pathOf = ({ merchant, settlement }: Settlement) => ({ path: { merchant, settlement } });

/** Which settlement it is, and what happens to it. */
function What({
  settlement: { settlement, merchant, net },
  children,
}: {
  readonly settlement: Settlement;
  readonly children: ReactNode;
}): ReactElement {
  const { one } = useWords(SETTLEMENTS);
  return (
    <>
      <p>
        <Amount of={net} /> · {one(settlement)} · {merchant}
      </p>
      <p>{children}</p>
    </>
  );
}

function Cancel({ settlement, onClose }: ActProps): ReactElement {
  const { acts: words } = useWords(SETTLEMENTS);
  const write = useWrite('cancelSettlement', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.cancelTitle}
      onClose={onClose}
      what={<What settlement={settlement}>{words.cancelWhat}</What>}
      undo={words.cancelUndo}
      button={words.cancel}
      isBad
      reason={{ rule: ruleAt(cancelSettlement.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ ...pathOf(settlement), body: { reason } })}
    />
  );
}

function Send({ settlement, onClose }: ActProps): ReactElement {
  const { acts: words } = useWords(SETTLEMENTS);
  const write = useWrite('sendSettlement', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.sendTitle}
      onClose={onClose}
      what={<What settlement={settlement}>{words.sendWhat}</What>}
      undo={words.sendUndo}
      button={words.send}
      write={write}
      onAct={() => write.mutate(pathOf(settlement))}
    />
  );
}

function Pay({ settlement, onClose }: ActProps): ReactElement {
  const { acts: words, reference } = useWords(SETTLEMENTS);
  const write = useWrite('paySettlement', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  const { values, field, isReady } = useForm(
    { bankReference: '' },
    { rule: paySettlement.body, required: ['bankReference'], problem: write.error },
  );
  return (
    <Act
      title={words.payTitle}
      onClose={onClose}
      what={<What settlement={settlement}>{words.payWhat}</What>}
      undo={words.payUndo}
      button={words.pay}
      write={write}
      onAct={() => isReady() && write.mutate({ ...pathOf(settlement), body: values })}
    >
      <Field label={reference} hint={words.referenceHint} {...field('bankReference')} />
    </Act>
  );
}

function Return({ settlement, onClose }: ActProps): ReactElement {
  const { acts: words } = useWords(SETTLEMENTS);
  const write = useWrite('returnSettlement', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.returnTitle}
      onClose={onClose}
      what={<What settlement={settlement}>{words.returnWhat}</What>}
      undo={words.returnUndo}
      button={words.return}
      isBad
      reason={{ rule: ruleAt(returnSettlement.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ ...pathOf(settlement), body: { reason } })}
    />
  );
}
