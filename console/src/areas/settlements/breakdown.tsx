import type { ReactElement, ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCount } from '../../design/chart/series.ts';
import { Table } from '../../design/page/table.tsx';
import { formatMoney, minorOf, moneyOf, type Money } from '../../design/values/money.ts';
import { formatPercent } from '../../design/values/typed.ts';
import { Amount, Day } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type Sums = Pick<Answer<'showNextSettlement'>['body'], 'entries' | 'gross' | 'net' | 'lines'>;
type Line = Sums['lines'][number];

/** What a rule takes, before it is known of how much. */
type Rate = Pick<Line, 'percent' | 'base' | 'source'> & { readonly fixed: Money };

/** Says how much a rule takes, and of what: `2 % of the payments by cashpoint plus $ 1,000`. */
export function useRateText(): (rate: Rate) => string {
  const words = useWords(SETTLEMENTS);
  const language = useLanguage();
  return ({ percent, base, source, fixed }) => {
    const rate = [formatPercent(percent, language), words.bases[base], ...(source === null ? [] : [words.source(source)])].join(' ');
    if (minorOf(fixed) === 0n) return rate;
    const amount = formatMoney(fixed, language);
    return Number(percent) === 0 ? words.fixedAlone(amount) : `${rate} ${words.fixed(amount)}`;
  };
}

const amount = (of: Money): ReactNode => <Amount key="amount" of={of} />;
const taken = (money: Money): Money => moneyOf(-minorOf(money), money);

/** What was collected, what each rule takes off, and what is left to pay out. */
export function Breakdown({ of: { entries, gross, net, lines } }: { readonly of: Sums }): ReactElement {
  const words = useWords(SETTLEMENTS);
  const language = useLanguage();
  return (
    <Table
      name={words.breakdown}
      columns={[{ title: words.what }, { title: words.how }, { title: words.amount, isNumber: true }]}
      rows={[
        { id: 'gross', cells: [words.collected(formatCount(entries, language)), '', amount(gross)] },
        ...lines.flatMap((line, place) => [
          { id: `line ${place}`, cells: [<Name key="name" of={line} />, <How key="how" of={line} />, amount(taken(line.amount))] },
          ...(minorOf(line.tax) === 0n
            ? []
            : [
                {
                  id: `tax ${place}`,
                  look: 'part' as const,
                  cells: [words.taxOfFee, formatPercent(line.taxPercent, language), amount(taken(line.tax))],
                },
              ]),
        ]),
        { id: 'net', look: 'sum', cells: [words.netPaid, '', amount(net)] },
      ]}
    />
  );
}

function Name({ of: { kind, name } }: { readonly of: Line }): ReactElement {
  const words = useWords(SETTLEMENTS);
  return (
    <span>
      {words.kinds[kind]}
      {kind !== 'reserve' && <span className={styles.note}>{name}</span>}
    </span>
  );
}

function How({ of: line }: { readonly of: Line }): ReactElement {
  const words = useWords(SETTLEMENTS);
  const rateText = useRateText();
  return (
    <span>
      {rateText(line)}
      {Number(line.percent) > 0 && (
        <span className={styles.note}>
          <Amount of={line.of} />
        </span>
      )}
      {line.releaseOn !== null && (
        <span className={styles.note}>
          {words.releaseOn} <Day on={line.releaseOn} />
        </span>
      )}
    </span>
  );
}
