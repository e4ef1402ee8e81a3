import type { ReactElement } from 'react';
import { useMayRegister } from '../../about/may-register.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Section } from '../../design/page/page.tsx';
import { Copyable, Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay, useNow, useZoneOf } from '../../shell/me.tsx';
import { minorOf } from '../../design/values/money.ts';
import { hasLeft, type OrderProps, type Payment } from './whole-order.ts';
import { REFUND } from './refund-words.ts';
import { REFUNDS } from './refunds-words.ts';
import styles from './orders.module.css';

/** How long a network may take its payment back. Source: contract §3.9. */
export const REVERSIBLE_MS = 50_000;

/** What can be done to give the money of the last payment back, and who does it. Nothing is shown where no money can go back. */
export function Refund({ order }: OrderProps): ReactElement | null {
  const words = useWords(REFUND);
  const payment = order.paymentList.findLast(hasLeft);
  if (payment === undefined) return null;
  return (
    <Section title={words.title}>
      <div className={styles.stack}>
        <p>{words.intro}</p>
        <ByRefund order={order} payment={payment} />
        {payment.source.startsWith('network:') && minorOf(payment.refunded) === 0n && <ByNetwork order={order} payment={payment} />}
        <ByCashout />
      </div>
    </Section>
  );
}

type WayProps = OrderProps & { readonly payment: Payment };

function ByRefund({ order, payment }: WayProps): ReactElement {
  const words = useWords(REFUND);
  const { refundTitle } = useWords(REFUNDS).acts;
  const may = useMay();
  const isService = useIsService();
  const mayAsk = may('refunds:write');
  return (
    <div>
      <h3>{refundTitle}</h3>
      <p>{mayAsk ? (may('payments:write') ? words.record : words.ask) : isService ? words.askStaff : words.askMerchant}</p>
      {!mayAsk && (
        <p>
          <Copyable text={words.payment(order.order, order.reference, payment.transaction)} isCode={false} />
        </p>
      )}
    </div>
  );
}

function ByNetwork({ order, payment }: WayProps): ReactElement {
  const words = useWords(REFUND);
  const zone = useZoneOf()(order.merchant);
  const until = Date.parse(payment.paidAt) + REVERSIBLE_MS;
  const isOpen = useNow() < until;
  return (
    <div>
      <h3>{words.byNetwork}</h3>
      <p>
        {isOpen ? words.open : words.over} {isOpen && <Instant at={new Date(until).toISOString()} zone={zone} isLong />}
      </p>
    </div>
  );
}

function ByCashout(): ReactElement {
  const words = useWords(REFUND);
  const may = useMayRegister();
  return (
    <div>
      <h3>{words.byCashout}</h3>
      <p>{words.cashout}</p>
      {may ? (
        <ButtonLink isSmall to="/cashouts?open=register">
          {words.register}
        </ButtonLink>
      ) : (
        <p className="quiet">{words.othersRegister}</p>
      )}
    </div>
  );
}
