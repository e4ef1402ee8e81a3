import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { listOrders } from '../../api/generated/rules/orders.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { OrderState, STATES } from '../../design/values/states.tsx';
import { Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay, useMe, useZoneOf } from '../../shell/me.tsx';
import { ManyActs } from './many-acts.tsx';
import { OrderAmount } from './shown-terms.tsx';
import { ORDERS } from './words.ts';

type Order = ItemOf<'listOrders'>;

/** All orders that the user may see. */
export function OrdersPage(): ReactElement {
  const words = useWords(ORDERS);
  const { order: states } = useWords(STATES);
  const may = useMay();
  const { isSandbox } = useMe();
  const canAct = may('orders:write') || (isSandbox && may('sandbox:use'));
  return (
    <Page
      title={words.title}
      acts={
        may('orders:write') && (
          <ButtonLink kind="main" icon="plus" to="/orders/new">
            {words.create}
          </ButtonLink>
        )
      }
    >
      <List
        operation="listOrders"
        rules={listOrders}
        columns={useColumns()}
        keyOf={({ merchant, order }) => `${merchant}/${order}`}
        pageOf={({ merchant, order }) => `/orders/${merchant}/${order}`}
        choices={{ state: states }}
        live="order"
        acts={canAct ? (orders, clear) => <ManyActs orders={orders} onDone={clear} /> : undefined}
        beside={(filter) => <Export list="orders" filter={filter} />}
      />
    </Page>
  );
}

function useColumns(): readonly Column<Order>[] {
  const words = useWords(ORDERS);
  const isService = useIsService();
  const zoneOf = useZoneOf();
  return [
    { id: 'order', title: words.order, cell: ({ order }) => order },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'reference', title: words.reference, cell: ({ reference }) => <span className="amount">{reference}</span> },
    { id: 'state', onPhone: 'mark', title: words.state, cell: ({ state }) => <OrderState state={state} /> },
    { id: 'email', onPhone: 'below', title: words.email, cell: ({ email }) => email },
    { id: 'amount', onPhone: 'aside', title: words.amount, cell: ({ amount }) => <OrderAmount of={amount} />, isNumber: true },
    {
      id: 'created',
      onPhone: 'when',
      title: words.created,
      cell: ({ createdAt, merchant }) => <Instant at={createdAt} zone={zoneOf(merchant)} />,
    },
    {
      id: 'updated',
      title: words.updated,
      cell: ({ updatedAt, merchant }) => <Instant at={updatedAt} zone={zoneOf(merchant)} />,
      isExtra: true,
    },
    { id: 'version', title: words.version, cell: ({ version }) => version, isNumber: true, isExtra: true },
    { id: 'serviceOrderId', title: words.serviceOrderId, cell: ({ serviceOrderId }) => serviceOrderId, isExtra: true },
  ];
}
