import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { minorOf, moneyOf } from '../../design/values/money.ts';
import { Callout } from '../../design/page/callout.tsx';
import { Section } from '../../design/page/page.tsx';
import { Summary } from '../../design/values/summary.tsx';
import { Amount, Badge, Copyable, Day, Facts, Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay, useNow, useZoneOf } from '../../shell/me.tsx';
import { ResendPassword, UnlockCashout } from './cashout-acts.tsx';
import type { CashoutProps } from './whole-cashout.ts';
import { CASHOUT } from './cashout-words.ts';
import styles from './cashouts.module.css';

/** The state that the service gives an end user: three new passwords at most. */
const MOST_RESENDS = 3;
const MOST_WRONG_TRIES = 5;

export function CashoutSummary({ cashout }: CashoutProps): ReactElement {
  const { fields } = useWords(CASHOUT);
  const document = (
    <Copyable text={cashout.document} isCode={false}>
      <span className="amount">{cashout.document}</span>
    </Copyable>
  );
  return (
    <Summary
      of={[
        { name: fields.amount, value: <Amount of={cashout.amount} />, isLarge: true },
        { name: fields.document, value: document, isLarge: true },
        { name: fields.cellphone, value: cashout.cellphone === '' ? '—' : <Copyable text={cashout.cellphone} isCode={false} /> },
        { name: fields.expiresOn, value: <Day on={cashout.expiresOn} /> },
      ]}
    />
  );
}

/** The payment at a counter, and whether it was given back. */
export function Collection({ cashout: { payment, merchant } }: CashoutProps): ReactElement {
  const words = useWords(CASHOUT);
  const may = useMay();
  const isService = useIsService();
  const zone = useZoneOf()(merchant);
  if (payment === null)
    return (
      <Section title={words.collection}>
        <p className="quiet">{words.notCollected}</p>
      </Section>
    );
  return (
    <Section
      title={words.collection}
      acts={payment.reversedAt === null ? <Badge tone="good">{words.collected}</Badge> : <Badge tone="bad">{words.reversed}</Badge>}
    >
      <Facts
        of={[
          [
            words.network,
            may('networks:read') && isService ? <Link to={`/networks/${payment.network}`}>{payment.network}</Link> : payment.network,
          ],
          [words.transaction, <Copyable key="transaction" text={payment.transaction} />],
          [words.teller, payment.teller || '—'],
          [words.paidAt, <Instant key="paid" at={payment.paidAt} zone={zone} isLong />],
          ...(payment.reversedAt === null
            ? []
            : ([[words.reversedAt, <Instant key="reversed" at={payment.reversedAt} zone={zone} isLong />]] as const)),
        ]}
      />
      {payment.reversedAt === null && <p className="small quiet">{words.paidOut}</p>}
    </Section>
  );
}

/** Whether an instant is still to come. What asks is shown again when it has come. */
function useIsAhead(instant: string | null): boolean {
  const [, setOver] = useState<string>();
  const leftMs = Date.parse(instant ?? '') - useNow();
  const isAhead = leftMs > 0;
  useEffect(() => {
    if (!isAhead || instant === null) return;
    const timer = setTimeout(() => setOver(instant), leftMs);
    return () => clearTimeout(timer);
  }, [instant, isAhead]);
  return isAhead;
}

/** The one-time password, which nobody is shown: how it went out, wrong tries, and who holds the cashout. */
export function Password({ cashout }: CashoutProps): ReactElement {
  const words = useWords(CASHOUT);
  const may = useMay();
  const isService = useIsService();
  const zone = useZoneOf()(cashout.merchant);
  const [asks, setAsks] = useState<'resend' | 'unlock'>();
  const close = (): void => setAsks(undefined);
  const isPending = cashout.state === 'pending';
  // Without SMS the answer shows the password, which only the merchant may see.
  const mayResend = isPending && may('notices:send') && (cashout.sms || !isService);
  const isHeld = useIsAhead(cashout.lockedUntil);
  const held = isHeld ? (
    <>
      {cashout.lockedBy} · {words.until} <Instant at={cashout.lockedUntil} zone={zone} isLong />
    </>
  ) : (
    words.nobody
  );
  return (
    <Section
      title={words.password}
      acts={
        <span className={styles['acts']}>
          {mayResend && (
            <Button isSmall disabled={cashout.otpResends >= MOST_RESENDS} onClick={() => setAsks('resend')}>
              {words.acts.resend}
            </Button>
          )}
          {isHeld && isService && may('cashouts:write') && (
            <Button isSmall onClick={() => setAsks('unlock')}>
              {words.acts.unlock}
            </Button>
          )}
        </span>
      }
    >
      {isPending && cashout.otpWrongTries >= MOST_WRONG_TRIES && (
        <Callout tone="warn">{mayResend ? words.dead : words.deadOfMerchant}</Callout>
      )}
      <Facts
        of={[
          [words.sentBy, cashout.sms ? words.bySms : words.byMerchant],
          [words.wrongTries, cashout.otpWrongTries],
          [words.resends, words.resendsOf(cashout.otpResends, MOST_RESENDS)],
          ...(isPending ? [[words.heldBy, held] as const] : []),
        ]}
      />
      {asks === 'resend' && <ResendPassword cashout={cashout} onClose={close} />}
      {asks === 'unlock' && <UnlockCashout cashout={cashout} onClose={close} />}
    </Section>
  );
}

/** What the merchant has set, what it costs, and when. */
export function Terms({ cashout }: CashoutProps): ReactElement {
  const words = useWords(CASHOUT);
  const { none } = useWords(DESIGN);
  const { fields } = words;
  const may = useMay();
  const { merchant, fee, tax } = cashout;
  const zone = useZoneOf()(merchant);
  const amount = (of: typeof fee): ReactNode => (minorOf(of) === 0n ? none : <Amount of={of} />);
  return (
    <Section title={words.terms}>
      <Facts
        of={[
          [fields.merchant, may('merchants:read') ? <Link to={`/merchants/${merchant}`}>{merchant}</Link> : merchant],
          [fields.cashoutId, <Copyable key="id" text={cashout.cashoutId} />],
          [fields.description, cashout.description || none],
          [fields.transactionCost, amount(cashout.transactionCost)],
          [fields.fee, amount(moneyOf(minorOf(fee) + minorOf(tax), fee))],
          [fields.reserved, amount(cashout.reserved)],
          ...(cashout.refund === null ? [] : ([[fields.refund, <Copyable key="refund" text={cashout.refund} />]] as const)),
          [fields.createdAt, <Instant key="created" at={cashout.createdAt} zone={zone} isLong />],
          [fields.updatedAt, <Instant key="updated" at={cashout.updatedAt} zone={zone} isLong />],
        ]}
      />
    </Section>
  );
}
