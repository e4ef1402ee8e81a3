import type { ReactElement } from 'react';
import { listRefunds } from '../../api/generated/rules/refunds.ts';
import { Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { Amount, Copyable, Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useChoice } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import { RefundActs } from './refund-acts.tsx';
import { Refunder, RefundState } from './refund-state.tsx';
import { REFUNDS } from './refunds-words.ts';
import type { Refund } from './whole-order.ts';
import styles from './orders.module.css';

/** What is left to do comes first: people come for that. */
const TABS = ['open', 'approval', 'payment', 'all'] as const;
const STATES = { open: 'requested,approved', approval: 'requested', payment: 'approved' } as const;

/** The refunds of all orders that the user may see. */
export function RefundsPage(): ReactElement {
  const words = useWords(REFUNDS);
  const may = useMay();
  const isService = useIsService();
  const [tab, choose] = useChoice('tab', TABS, ['cursor', 'state']);
  const whoDecides = may('payments:write') ? words.decide : words.othersDecide;
  const whoAsks = may('refunds:write') ? words.askFor : words.othersAsk;
  return (
    <Page title={words.title}>
      <p className={styles.hint}>{isService ? whoDecides : whoAsks}</p>
      <Tabs tabs={TABS.map((name) => ({ name, title: words.tabs[name] }))} chosen={tab} onChoose={choose}>
        <List
          key={tab}
          operation="listRefunds"
          rules={listRefunds}
          {...(tab !== 'all' && { always: { state: STATES[tab] } })}
          columns={useColumns()}
          keyOf={({ merchant, refund }) => `${merchant}/${refund}`}
          pageOf={({ merchant, order }) => `/orders/${merchant}/${order}`}
          choices={{ state: words.states }}
          live="order"
          empty={<Notice icon="check" title={tab === 'all' ? words.none : words.empty} />}
        />
      </Tabs>
    </Page>
  );
}

function useColumns(): readonly Column<Refund>[] {
  const words = useWords(REFUNDS);
  const may = useMay();
  const mayAct = may('payments:write') || may('refunds:write');
  const isService = useIsService();
  const zoneOf = useZoneOf();
  return [
    { id: 'order', title: words.order, cell: ({ order }) => <span className={styles.id}>{order}</span> },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'requested', title: words.requested, cell: ({ requestedAt, merchant }) => <Instant at={requestedAt} zone={zoneOf(merchant)} /> },
    { id: 'amount', title: words.amount, cell: ({ amount }) => <Amount of={amount} />, isNumber: true },
    { id: 'state', title: words.state, cell: (refund) => <RefundState of={refund} /> },
    { id: 'refundedBy', title: words.refundedBy, cell: (refund) => <Refunder of={refund} /> },
    { id: 'reason', title: words.reason, cell: ({ reason }) => reason },
    { id: 'refund', title: words.refund, cell: ({ refund }) => <Copyable text={refund} />, isExtra: true },
    { id: 'payment', title: words.payment, cell: ({ payment }) => payment, isNumber: true, isExtra: true },
    { id: 'ended', title: words.ended, cell: ({ endedAt, merchant }) => <Instant at={endedAt} zone={zoneOf(merchant)} />, isExtra: true },
    ...(mayAct ? [{ id: 'acts', title: words.acts.title, cell: (refund: Refund) => <RefundActs refund={refund} /> }] : []),
  ];
}
