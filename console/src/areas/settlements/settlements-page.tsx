import { useState, type ReactElement } from 'react';
import { listSettlements } from '../../api/generated/rules/settlements.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { Amount, Day } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { SelectedAct } from '../../list/selected-act.tsx';
import { useChoice } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay, useMe } from '../../shell/me.tsx';
import { Approve } from './approve.tsx';
import { MakeFile } from './bank-file.tsx';
import { RunAct } from './run-act.tsx';
import { SettlementState, type Settlement } from './settlement-state.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

/** What is left to do comes first: operators come for that. A merchant's people see all of theirs. */
const TABS = ['open', 'approval', 'bank', 'all'] as const;
const STATES = { open: 'draft,approved,sent', approval: 'draft', bank: 'approved,sent' } as const;

/** The settlements that the user may see. */
export function SettlementsPage(): ReactElement {
  const words = useWords(SETTLEMENTS);
  const { merchant } = useMe();
  const mayWrite = useMay()('settlements:write');
  const [isRunning, setRunning] = useState(false);
  const [tab, choose] = useChoice('tab', TABS, ['cursor', 'state']);
  return (
    <Page
      title={words.title}
      acts={
        merchant === null ? (
          <>
            <ButtonLink to="/bank-files">{words.bank.files}</ButtonLink>
            {mayWrite && (
              <Button kind="main" icon="plus" onClick={() => setRunning(true)}>
                {words.acts.run}
              </Button>
            )}
          </>
        ) : (
          <ButtonLink to={`/settlements/${merchant}`}>{words.terms}</ButtonLink>
        )
      }
    >
      <p className={styles.hint}>{merchant !== null ? words.forMerchant : mayWrite ? words.decide : words.othersDecide}</p>
      {merchant === null ? (
        <Tabs tabs={TABS.map((name) => ({ name, title: words.tabs[name] }))} chosen={tab} onChoose={choose}>
          <Settlements key={tab} tab={tab} />
        </Tabs>
      ) : (
        <Settlements tab="all" />
      )}
      {isRunning && <RunAct onClose={() => setRunning(false)} />}
    </Page>
  );
}

function Settlements({ tab }: { readonly tab: (typeof TABS)[number] }): ReactElement {
  const words = useWords(SETTLEMENTS);
  const mayWrite = useMay()('settlements:write');
  const state = tab === 'all' ? undefined : STATES[tab];
  const always = state && { state };
  return (
    <List
      operation="listSettlements"
      rules={listSettlements}
      {...(always && { always })}
      columns={useColumns()}
      keyOf={({ merchant, settlement }) => `${merchant}/${settlement}`}
      pageOf={({ merchant, settlement }) => `/settlements/${merchant}/${settlement}`}
      choices={{ state: words.states }}
      live="settlement"
      acts={
        mayWrite
          ? (chosen, clear) => (
              <>
                <SelectedAct name={words.acts.approve} onDone={clear}>
                  {(onClose) => <Approve settlements={chosen} onClose={onClose} />}
                </SelectedAct>
                <SelectedAct name={words.bank.make} onDone={clear}>
                  {(onClose) => <MakeFile settlements={chosen} onClose={onClose} />}
                </SelectedAct>
              </>
            )
          : undefined
      }
      beside={(filter) => <Export list="settlements" filter={{ ...filter, ...always }} />}
      empty={<Notice icon="check" title={tab === 'all' ? words.none : words.empty} />}
    />
  );
}

function useColumns(): readonly Column<Settlement>[] {
  const words = useWords(SETTLEMENTS);
  const isService = useIsService();
  return [
    { id: 'settlement', title: words.settlement, cell: ({ settlement }) => words.number(settlement) },
    {
      id: 'merchant',
      title: words.merchant,
      onPhone: 'below',
      cell: ({ merchant }) => <Link to={`/settlements/${merchant}`}>{merchant}</Link>,
      isExtra: !isService,
    },
    { id: 'state', title: words.state, onPhone: 'mark', cell: (settlement) => <SettlementState of={settlement} /> },
    { id: 'day', title: words.day, onPhone: 'when', cell: ({ settledOn }) => <Day on={settledOn} /> },
    { id: 'entries', title: words.entries, cell: ({ entries }) => entries, isNumber: true },
    { id: 'gross', title: words.gross, cell: ({ gross }) => <Amount of={gross} />, isNumber: true },
    { id: 'net', title: words.netPaid, onPhone: 'aside', cell: ({ net }) => <Amount of={net} />, isNumber: true },
    { id: 'reference', title: words.reference, cell: ({ bankReference }) => bankReference ?? '—' },
    { id: 'due', title: words.due, cell: ({ dueOn }) => <Day on={dueOn} />, isExtra: true },
  ];
}
