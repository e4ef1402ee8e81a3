import { useState, type ReactElement } from 'react';
import { REFUSALS } from '../../about/refusals.ts';
import type { ItemOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { listRefusedPayments } from '../../api/generated/rules/orders.ts';
import { Button } from '../../design/button.tsx';
import { ActorName } from '../../design/values/history.tsx';
import { Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Amount, Badge, Copyable, Day, Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import { ResolveRefused } from './money-acts.tsx';
import { ORDER } from './order-words.ts';
import { REFUSED } from './refused-words.ts';

type Refused = ItemOf<'listRefusedPayments'>;

/** Refused payments of all orders, until somebody has looked at them. */
export function RefusedPage(): ReactElement {
  const words = useWords(REFUSED);
  const mayResolve = useMay()('payments:write');
  const [resolved, setResolved] = useState<Refused>();
  return (
    <Page title={words.title}>
      <p className="quiet">
        {words.hint} {mayResolve ? words.resolve : words.othersResolve}
      </p>
      <Beyond />
      <List
        operation="listRefusedPayments"
        rules={listRefusedPayments}
        columns={useColumns(setResolved)}
        keyOf={({ merchant, order, source, transaction }) => `${merchant}/${order}/${source}/${transaction}`}
        pageOf={({ merchant, order }) => `/orders/${merchant}/${order}`}
        live="order"
        empty={
          <Notice icon="check" title={words.empty}>
            <p>{words.emptyHint}</p>
          </Notice>
        }
      />
      {resolved && <ResolveRefused {...resolved} onClose={() => setResolved(undefined)} />}
    </Page>
  );
}

/** What networks were refused beyond what the list keeps of them. */
function Beyond(): ReactElement | null {
  const words = useWords(REFUSED);
  const days = useRead('readRefusedBeyond', {}, { isOn: useIsService() }).data?.body.days ?? [];
  if (days.length === 0) return null;
  return (
    <Notice icon="alert" title={words.beyond}>
      <p>{words.beyondHint}</p>
      <ul>
        {days.map(({ source, day, tries, amount }) => (
          <li key={`${source} ${day} ${amount.currency}`}>
            <ActorName of={source} /> · <Day on={day} /> · {words.payments(tries)} · <Amount of={amount} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function useColumns(onResolve: (one: Refused) => void): readonly Column<Refused>[] {
  const words = useWords(REFUSED);
  const refusals = useWords(REFUSALS);
  const { acts } = useWords(ORDER);
  const isService = useIsService();
  const mayResolve = useMay()('payments:write');
  const zoneOf = useZoneOf();
  const stateOf = (one: Refused): ReactElement => {
    if (one.resolvedAt !== null) return <Badge tone="good">{words.resolved}</Badge>;
    if (!mayResolve) return <Badge tone="warn">{words.open}</Badge>;
    return (
      <Button isSmall onClick={() => onResolve(one)}>
        {acts.resolve}
      </Button>
    );
  };
  return [
    { id: 'order', title: words.order, cell: ({ order }) => order },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'lastAt', title: words.lastAt, cell: ({ lastAt, merchant }) => <Instant at={lastAt} zone={zoneOf(merchant)} /> },
    { id: 'source', title: words.source, cell: ({ source }) => <ActorName of={source} /> },
    { id: 'transaction', title: words.transaction, cell: ({ transaction }) => <Copyable text={transaction} /> },
    { id: 'refusal', title: words.refusal, cell: ({ refusal }) => wordFor(refusals, refusal) },
    { id: 'amount', title: words.amount, cell: ({ amount }) => <Amount of={amount} />, isNumber: true },
    { id: 'tries', title: words.tries, cell: ({ tries }) => tries, isNumber: true },
    {
      id: 'firstAt',
      title: words.firstAt,
      cell: ({ firstAt, merchant }) => <Instant at={firstAt} zone={zoneOf(merchant)} />,
      isExtra: true,
    },
    { id: 'note', title: words.note, cell: ({ note }) => note ?? '—', isExtra: true },
    { id: 'state', title: words.state, cell: stateOf },
  ];
}
