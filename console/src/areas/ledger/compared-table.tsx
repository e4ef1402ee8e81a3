import type { ReactElement } from 'react';
import { ENTRY_KINDS } from '../../api/generated/money-words.ts';
import { formatMoney, type Money } from '../../design/values/money.ts';
import { formatCount } from '../../design/chart/series.ts';
import { Table } from '../../design/page/table.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { isOnlyCounted, type Compared, type LedgerKind, type Statement } from './compare.ts';
import { LEDGER } from './words.ts';
import styles from './ledger.module.css';

type ComparedTableProps = { readonly currency: string; readonly compared: readonly Compared[]; readonly statement: Statement };

/** What payments and ledger say, kind by kind. A difference leads to both sides of it. */
export function ComparedTable({ currency, compared, statement: { merchant, day, from, until } }: ComparedTableProps): ReactElement {
  const words = useWords(LEDGER);
  const kinds = useWords(ENTRY_KINDS);
  const language = useLanguage();
  const text = (kind: LedgerKind, { count, amount }: { readonly count: number; readonly amount: Money }, hasSign = false): string => {
    const counted = `${count < 0 ? '−' : hasSign && count > 0 ? '+' : ''}${formatCount(Math.abs(count), language)}`;
    return isOnlyCounted(kind) ? counted : `${counted} · ${formatMoney(amount, language, hasSign)}`;
  };
  const hasImports = compared.some(({ kind, isEqual }) => kind.startsWith('cashout') && !isEqual);
  return (
    <div className={styles.gap}>
      <Table
        name={`${words.compare} · ${currency}`}
        columns={[
          { title: words.kind },
          { title: words.inPayments, isNumber: true },
          { title: words.inLedger, isNumber: true },
          { title: words.difference, isNumber: true },
          { title: words.see },
        ]}
        rows={compared.map(({ kind, payments, ledger, difference, isEqual }) => ({
          id: kind,
          cells: [
            kinds[kind],
            text(kind, payments),
            text(kind, ledger),
            isEqual ? (
              words.equal
            ) : (
              <b key="difference" className={styles.differs}>
                {text(kind, difference, true)}
              </b>
            ),
            <span key="links" className={styles.links}>
              <Link to={`/ledger/${merchant}/entries?from=${from}&until=${until}&currency=${currency}`}>{words.seeEntries}</Link>
              <Link to={paymentsAt(kind, merchant, day, currency)}>{words.seePayments}</Link>
            </span>,
          ],
        }))}
      />
      <p className={styles.hint}>
        {words.compareHint} {hasImports && words.importedHint}
      </p>
    </div>
  );
}

/** The list that a kind of payment is in. What was not paid is found by its last change. */
function paymentsAt(kind: LedgerKind, merchant: string, day: string, currency: string): LinkTo {
  const [subject, what] = [
    kind.startsWith('order') ? 'orders' : 'cashouts',
    kind === 'order_paid' || kind === 'cashout_paid' ? 'paid' : kind === 'cashout_registered' ? 'created' : 'updated',
  ];
  return `/${subject}?merchant=${merchant}&currency=${currency}&${what}From=${day}&${what}To=${day}`;
}
