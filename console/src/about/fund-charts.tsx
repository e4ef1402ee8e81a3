import type { ReactElement } from 'react';
import type { Answer } from '../api/client.ts';
import { Chart } from '../design/chart/chart.tsx';
import { moneyPoint, type Series } from '../design/chart/series.ts';
import { formatInstant } from '../design/values/instants.ts';
import { zoneName } from '../design/values/spoken.ts';
import { defineWords, useLanguage, useWords } from '../shell/language.ts';
import { OWN_ACCOUNTS } from './accounts.ts';

const WORDS = defineWords({
  es: {
    day: 'Fin del día',
    available: 'Disponible',
    reserved: 'Reservado',
    collected: 'Recaudado',
    held: 'Bloqueado',
    settlements: 'En camino al banco',
  },
  en: {
    day: 'End of the day',
    available: 'Available',
    reserved: 'Reserved',
    collected: 'Collected',
    held: 'Held back',
    settlements: 'On its way to the bank',
  },
  pt: {
    day: 'Fim do dia',
    available: 'Disponível',
    reserved: 'Reservado',
    collected: 'Arrecadado',
    held: 'Bloqueado',
    settlements: 'A caminho do banco',
  },
});

const LOOKS = { available: 'line', reserved: 'line2', collected: 'line3', held: 'line4', settlements: 'line5' } as const;

type Funds = Answer<'readFunds'>['body'];
type FundProps = Funds & { readonly title: string; readonly hint: (zone: string) => string };

/** What a merchant had over time, one drawing for each currency. */
export const FundCharts = ({ points, timeZone, title, hint }: FundProps): ReactElement => (
  <>
    {[...Map.groupBy(points, ({ available }) => available.currency)].map(([currency, own], _, { length }) => (
      <Fund
        key={currency}
        id={`fund-${currency}`}
        points={own}
        {...{ timeZone, hint }}
        title={length === 1 ? title : `${title} · ${currency}`}
      />
    ))}
  </>
);

function Fund({ id, points, timeZone, title, hint }: FundProps & { readonly id: string }): ReactElement {
  const words = useWords(WORDS);
  const language = useLanguage();
  const series = OWN_ACCOUNTS.map((account): Series => ({
    name: words[account],
    look: LOOKS[account],
    points: points.map((point) => moneyPoint(point[account], language)),
  }));
  // The end of a day is the first instant of the next one. So the day is that of the instant before.
  const labels = points.map(({ at }) =>
    formatInstant(new Date(Date.parse(at) - 1).toISOString(), timeZone, language, { day: 'numeric', month: 'short' }),
  );
  return (
    <Chart
      {...{ id, title, labels, series }}
      hint={hint(zoneName(timeZone, language))}
      over={words.day}
      keys={points.map(({ at }) => at)}
    />
  );
}
