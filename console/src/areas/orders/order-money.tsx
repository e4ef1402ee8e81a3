import { useState, type ReactElement } from 'react';
import { REFUSALS } from '../../about/refusals.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { ActorName } from '../../design/values/history.tsx';
import { minorOf } from '../../design/values/money.ts';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Amount, Badge, Copyable, Instant, type Tone } from '../../design/values/values.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { useMay, useMe, useNow, useZoneOf } from '../../shell/me.tsx';
import { REVERSIBLE_MS } from './refund.tsx';
import { ResolveRefused, ReversePayment, VoidPayment } from './money-acts.tsx';
import { hasLeft, type OrderProps, type Payment, type WholeOrder } from './whole-order.ts';
import { ORDER } from './order-words.ts';
import { RefundPayment } from './refund-acts.tsx';
import { REFUNDS } from './refunds-words.ts';
import { REFUSED } from './refused-words.ts';
import { ORDERS } from './words.ts';
import styles from './orders.module.css';

/** The network of every sandbox. */
const SANDBOX = 'network:sandbox';
const PAYMENT_TONES: Readonly<Record<string, Tone>> = { paid: 'good', reversed: 'bad', voided: 'bad' };

/** What was paid, and what was given back. */
export function Payments({ order }: OrderProps): ReactElement {
  const words = useWords(ORDER);
  const { terms, state } = useWords(ORDERS);
  const { refunded } = useWords(REFUNDS);
  const zone = useZoneOf()(order.merchant);
  if (order.paymentList.length === 0)
    return (
      <Section title={words.payments}>
        <p className="quiet">{words.noPayments}</p>
      </Section>
    );
  return (
    <Section title={words.payments} isBare>
      <Table
        name={words.payments}
        columns={[
          { title: words.paidAt },
          { title: words.source },
          { title: state },
          { title: terms.amount, isNumber: true },
          { title: words.acts.title },
        ]}
        rows={order.paymentList.map((payment) => ({
          id: String(payment.number),
          cells: [
            <Instant key="at" at={payment.paidAt} zone={zone} />,
            <span key="source" className={styles.transaction}>
              <ActorName of={payment.source} /> <Copyable text={payment.transaction} />
            </span>,
            <Badge key="state" tone={PAYMENT_TONES[payment.state] ?? 'neutral'}>
              {words.paymentStates[payment.state]}
            </Badge>,
            <span key="amount">
              <Amount of={payment.amount} />
              {minorOf(payment.fee) > 0n && (
                <span className={styles.fee}>
                  {words.fee} <Amount of={payment.fee} />
                </span>
              )}
              {minorOf(payment.refunded) > 0n && (
                <span className={styles.fee}>
                  {refunded} <Amount of={payment.refunded} />
                </span>
              )}
            </span>,
            <PaymentActs key="acts" order={order} payment={payment} />,
          ],
        }))}
      />
    </Section>
  );
}

/** What takes a payment back: a refund, the operator's word, or in a sandbox its network. */
function PaymentActs({ order, payment }: OrderProps & { readonly payment: Payment }): ReactElement {
  const { acts: words } = useWords(ORDER);
  const { refund } = useWords(REFUNDS).acts;
  const may = useMay();
  const { isSandbox, merchant: own } = useMe();
  const [asks, setAsks] = useState<'refund' | 'void' | 'reverse'>();
  const close = (): void => setAsks(undefined);
  const now = useNow();
  const isLeft = hasLeft(payment);
  const isRefundOpen = order.refunds.some((one) => one.payment === payment.number && one.next !== null);
  const isEarly = now < Date.parse(payment.paidAt) + REVERSIBLE_MS;
  const mayReverse =
    payment.state === 'paid' &&
    minorOf(payment.refunded) === 0n &&
    isEarly &&
    isSandbox &&
    own === null &&
    may('sandbox:use') &&
    payment.source === SANDBOX;
  return (
    <span className={styles.acts}>
      <ButtonLink isSmall to={`/receipts/${order.merchant}/${order.order}/${payment.number}`}>
        {words.receipt}
      </ButtonLink>
      {mayReverse && (
        <Button isSmall onClick={() => setAsks('reverse')}>
          {words.reverse}
        </Button>
      )}
      {isLeft && may('refunds:write') && (
        <Button isSmall onClick={() => setAsks('refund')}>
          {refund}
        </Button>
      )}
      {isLeft && !isRefundOpen && may('payments:write') && (
        <Button isSmall onClick={() => setAsks('void')}>
          {words.void}
        </Button>
      )}
      {asks === 'reverse' && <ReversePayment transaction={payment.transaction} onClose={close} />}
      {asks === 'refund' && <RefundPayment order={order} payment={payment} onClose={close} />}
      {asks === 'void' && <VoidPayment order={order} payment={payment} onClose={close} />}
    </span>
  );
}

/** Payments that the order refused. Those that nobody has looked at come with what resolves them. */
export function RefusedPayments({ order }: OrderProps): ReactElement | null {
  const words = useWords(ORDER);
  const refusals = useWords(REFUSALS);
  const { terms, state } = useWords(ORDERS);
  const { open, resolve, othersResolve } = useWords(REFUSED);
  const zone = useZoneOf()(order.merchant);
  const mayResolve = useMay()('payments:write');
  const [resolved, setResolved] = useState<string>();
  if (order.refusedPayments.length === 0) return null;
  return (
    <Section title={words.refused} isBare>
      <p className={styles.hint}>
        {words.refusedHint} {mayResolve ? resolve : othersResolve}
      </p>
      <Table
        name={words.refused}
        columns={[
          { title: words.at },
          { title: words.source },
          { title: words.problem },
          { title: terms.amount, isNumber: true },
          { title: words.tries, isNumber: true },
          { title: state },
        ]}
        rows={order.refusedPayments.map((one) => ({
          id: `${one.source} ${one.transaction}`,
          cells: [
            <Instant key="at" at={one.lastAt} zone={zone} />,
            <span key="source">
              <ActorName of={one.source} /> <Copyable text={one.transaction} />
            </span>,
            wordFor(refusals, one.refusal),
            <Amount key="amount" of={one.amount} />,
            one.tries,
            one.resolvedAt !== null ? (
              <Resolved key="state" of={one} />
            ) : mayResolve ? (
              <Button key="resolve" isSmall onClick={() => setResolved(one.transaction)}>
                {words.acts.resolve}
              </Button>
            ) : (
              <Badge key="state" tone="warn">
                {open}
              </Badge>
            ),
          ],
        }))}
      />
      {resolved !== undefined && (
        <ResolveRefused merchant={order.merchant} order={order.order} transaction={resolved} onClose={() => setResolved(undefined)} />
      )}
    </Section>
  );
}

const Resolved = ({ of: one }: { readonly of: WholeOrder['refusedPayments'][number] }): ReactElement => (
  <span>
    <Badge tone="good">{useWords(ORDER).acts.resolved}</Badge> {one.note !== null && <span className="small quiet">{one.note}</span>}
  </span>
);
