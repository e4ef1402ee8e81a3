import type { ReactElement } from 'react';
import { Badge, Copyable, type Tone } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { REFUNDS } from './refunds-words.ts';
import type { Refund } from './whole-order.ts';
import styles from './orders.module.css';

const TONES: Readonly<Record<Refund['state'], Tone>> = {
  requested: 'warn',
  approved: 'info',
  paid: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

/** The state of a refund: of an open one also who has to do what next, and of one that was not paid why. */
export function RefundState({ of: { state, next, refundedBy, problem } }: { readonly of: Refund }): ReactElement {
  const words = useWords(REFUNDS);
  const toDo = { approval: words.approval, payment: words.toPay[refundedBy], collection: words.toCollect };
  return (
    <span className={styles.lines}>
      <Badge tone={TONES[state]}>{words.states[state]}</Badge>
      {next !== null && <span className={styles.fee}>{toDo[next]}</span>}
      {problem !== null && <span className={styles.fee}>{problem}</span>}
    </span>
  );
}

/** Who is to pay a refund, or has, what proves it, and what bears it, where that is not what was collected. */
export function Refunder({ of: { merchant, refundedBy, takenFrom, cashout, proof } }: { readonly of: Refund }): ReactElement {
  const words = useWords(REFUNDS);
  return (
    <span className={styles.lines}>
      {words.refunders[refundedBy]}
      {cashout !== null && (
        <span className={styles.fee}>
          {words.cashout} <Link to={`/cashouts/${merchant}/${cashout}`}>{cashout}</Link>
        </span>
      )}
      {takenFrom !== 'collected' && (
        <span className={styles.fee}>
          {words.takenFrom}: {words.bearers[takenFrom]}
        </span>
      )}
      {proof !== null && (
        <span className={styles.fee}>
          {words.proof} <Copyable text={proof} isCode={false} />
        </span>
      )}
    </span>
  );
}
