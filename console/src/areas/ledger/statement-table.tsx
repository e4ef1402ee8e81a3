import type { ReactElement } from 'react';
import { ENTRY_KINDS } from '../../api/generated/money-words.ts';
import { useAccountName } from '../../about/accounts.ts';
import { minorOf, moneyOf, type Money } from '../../design/values/money.ts';
import { formatCount } from '../../design/chart/series.ts';
import { Table } from '../../design/page/table.tsx';
import { Amount } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import type { Statement } from './compare.ts';
import { LEDGER } from './words.ts';

type OfCurrency = Statement['currencies'][number];
type Line = OfCurrency['lines'][number];

/** What only went from one of the merchant's accounts to another brought nothing. */
const Moved = ({ of: money }: { readonly of: Money }): ReactElement => (minorOf(money) === 0n ? <>—</> : <Amount of={money} hasSign />);

/** The day as the merchant's books have it. Opening and all nets add up to closing. */
export function StatementTable({ of: own, isOver }: { readonly of: OfCurrency; readonly isOver: boolean }): ReactElement {
  const words = useWords(LEDGER);
  const kinds = useWords(ENTRY_KINDS);
  const language = useLanguage();
  const nameOf = useAccountName();
  const cells = ({ transactions, amount, fees, tax, net }: Line) => [
    formatCount(transactions, language),
    <Moved key="amount" of={amount} />,
    <Moved key="fees" of={moneyOf(minorOf(fees) + minorOf(tax), fees)} />,
    <Moved key="net" of={net} />,
  ];
  return (
    <Table
      name={words.statement(own.currency)}
      columns={[
        { title: words.kind },
        { title: words.transactions, isNumber: true },
        { title: words.amount, isNumber: true },
        { title: words.feesTax, isNumber: true },
        { title: words.net, isNumber: true },
      ]}
      rows={[
        { id: 'opening', look: 'sum', cells: [words.opening, '', '', '', <Amount key="net" of={own.opening} />] },
        ...own.lines.flatMap((line) => [
          { id: line.kind, cells: [kinds[line.kind], ...cells(line)] },
          ...line.parts.map(({ account, transactions, amount }) => ({
            id: `${line.kind} ${account}`,
            look: 'part' as const,
            cells: [nameOf(account), formatCount(transactions, language), <Amount key="amount" of={amount} hasSign />, '', ''],
          })),
        ]),
        { id: 'closing', look: 'sum', cells: [isOver ? words.closing : words.soFar, '', '', '', <Amount key="net" of={own.closing} />] },
      ]}
    />
  );
}
