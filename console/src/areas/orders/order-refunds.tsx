import type { ReactElement } from 'react';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { RefundActs, useRefundActs } from './refund-acts.tsx';
import { Refunder, RefundState } from './refund-state.tsx';
import { REFUNDS } from './refunds-words.ts';
import type { OrderProps, Refund } from './whole-order.ts';
import styles from './orders.module.css';

/** The refunds of an order: what goes back to its payer, and what is left to do about each. */
export function Refunds({ order: { refunds, paymentList } }: OrderProps): ReactElement | null {
  const words = useWords(REFUNDS);
  const actsOf = useRefundActs();
  if (refunds.length === 0) return null;
  const hasMany = paymentList.length > 1;
  const hasActs = refunds.some((refund) => actsOf(refund).length > 0);
  return (
    <Section title={words.title} isBare>
      <Table
        name={words.title}
        columns={[
          { title: words.amount },
          { title: words.state },
          { title: words.refundedBy },
          { title: words.reason },
          ...(hasActs ? [{ title: words.acts.title }] : []),
        ]}
        rows={refunds.map((refund) => ({
          id: refund.refund,
          cells: [
            <Head key="amount" of={refund} hasMany={hasMany} />,
            <RefundState key="state" of={refund} />,
            <Refunder key="by" of={refund} />,
            refund.reason,
            ...(hasActs ? [<RefundActs key="acts" refund={refund} />] : []),
          ],
        }))}
      />
    </Section>
  );
}

/** How much, of which payment where there are several, and since when until when. */
function Head({
  of: { merchant, amount, payment, requestedAt, endedAt },
  hasMany,
}: {
  readonly of: Refund;
  readonly hasMany: boolean;
}): ReactElement {
  const words = useWords(REFUNDS);
  const zone = useZoneOf()(merchant);
  return (
    <span>
      <Amount of={amount} />
      {hasMany && (
        <span className={styles.fee}>
          {words.payment} {payment}
        </span>
      )}
      <span className={styles.fee}>
        {words.requested} <Instant at={requestedAt} zone={zone} />
      </span>
      {endedAt !== null && endedAt !== requestedAt && (
        <span className={styles.fee}>
          {words.ended} <Instant at={endedAt} zone={zone} />
        </span>
      )}
    </span>
  );
}
