import type { ReactElement } from 'react';
import { EntriesAbout } from '../../about/entries.tsx';
import { MessagesAbout, NoticesAbout } from '../../about/sent.tsx';
import { useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page } from '../../design/page/page.tsx';
import { OrderState } from '../../design/values/states.tsx';
import { Summary } from '../../design/values/summary.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { Copyable, Day } from '../../design/values/values.tsx';
import { useChoice, usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { OrderActs } from './order-acts.tsx';
import { OrderHistory } from './order-history.tsx';
import { Payments, RefusedPayments } from './order-money.tsx';
import { Refunds } from './order-refunds.tsx';
import { OrderTerms } from './order-terms.tsx';
import { ORDER } from './order-words.ts';
import { Refund } from './refund.tsx';
import { PayerPage } from './payer-page.tsx';
import { OrderAmount } from './shown-terms.tsx';
import type { OrderProps } from './whole-order.ts';
import { ORDERS } from './words.ts';

const TABS = ['summary', 'history', 'page', 'sent'] as const;

/** All that there is about an order. */
export function OrderPage(): ReactElement {
  const { merchant, order } = usePath<'merchant' | 'order'>();
  return <Load of={useRead('readOrder', { path: { merchant, order } })}>{({ body, etag }) => <Shown order={body} etag={etag} />}</Load>;
}

function Shown({ order, etag }: OrderProps & { readonly etag: string | undefined }): ReactElement {
  const words = useWords(ORDER);
  const [tab, choose] = useChoice('tab', TABS);
  const zone = useZoneOf()(order.merchant);
  const sent = (order.notices?.length ?? 0) + (order.messages?.length ?? 0);
  const counts: Partial<Record<(typeof TABS)[number], number>> = { history: order.version, sent };
  const tabs = TABS.filter((name) => name !== 'sent' || order.notices !== null || order.messages !== null);
  return (
    <Page
      title={order.order}
      mark={<OrderState state={order.state} />}
      above={{ name: words.above, to: '/orders' }}
      acts={<OrderActs order={order} etag={etag} />}
    >
      <OrderSummary order={order} />
      <Tabs
        tabs={tabs.map((name) => ({ name, title: words.tabs[name], ...(counts[name] !== undefined && { count: counts[name] }) }))}
        chosen={tab}
        onChoose={choose}
      >
        {tab === 'summary' && (
          <Columns>
            <div>
              <Payments order={order} />
              <Refunds order={order} />
              <Refund order={order} />
              <RefusedPayments order={order} />
              <EntriesAbout of={order.entries} merchant={order.merchant} zone={zone} />
            </div>
            <OrderTerms order={order} />
          </Columns>
        )}
        {tab === 'history' && <OrderHistory order={order} />}
        {tab === 'page' && <PayerPage order={order} />}
        {tab === 'sent' && (
          <>
            <NoticesAbout of={order.notices} zone={zone} />
            <MessagesAbout of={order.messages} zone={zone} all={`/messages?merchant=${order.merchant}&subject=${order.order}`} />
          </>
        )}
      </Tabs>
    </Page>
  );
}

function OrderSummary({ order }: OrderProps): ReactElement {
  const words = useWords(ORDER);
  const { terms } = useWords(ORDERS);
  const reference = (
    <Copyable text={order.reference} isCode={false}>
      <span className="amount">{order.reference}</span>
    </Copyable>
  );
  return (
    <Summary
      of={[
        { name: terms.amount, value: <OrderAmount of={order.amount} />, isLarge: true },
        { name: terms.reference, value: reference, isLarge: true },
        { name: terms.email, value: <Copyable text={order.email} isCode={false} /> },
        ...(order.state === 'pending'
          ? [{ name: words.until, value: order.expiresAt === null ? words.never : <Day on={order.expiresOn} /> }]
          : []),
      ]}
    />
  );
}
