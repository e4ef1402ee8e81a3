import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Chart } from '../../design/chart/chart.tsx';
import { moneyPoint, type Series } from '../../design/chart/series.ts';
import { Load } from '../../design/load.tsx';
import { Section } from '../../design/page.tsx';
import { formatInstant } from '../../design/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import type { Span } from './figures.ts';
import { FIGURES } from './words.ts';

type Point = Answer<'readFunds'>['body']['points'][number];
const LOOKS = { available: 'line', reserved: 'line2', collected: 'line3' } as const;

/** What a merchant had over time. A fund is of one merchant. */
export function FundCharts({ span, merchant }: { readonly span: Span; readonly merchant: string | undefined }): ReactElement {
  const words = useWords(FIGURES);
  if (merchant === undefined)
    return (
      <Section title={words.fund('…')}>
        <p className="quiet">{words.fundWhose}</p>
      </Section>
    );
  return <OfMerchant {...{ span, merchant }} />;
}

function OfMerchant({ span: { from, to }, merchant }: { readonly span: Span; readonly merchant: string }): ReactElement {
  const query = useRead('readFunds', { path: { merchant }, query: { from, to } }, { keepsPrevious: true });
  return (
    <Load of={query}>
      {({ body }) => (
        <>
          {[...Map.groupBy(body.points, ({ available }) => available.currency)].map(([currency, points]) => (
            <Fund key={currency} {...{ currency, points }} />
          ))}
        </>
      )}
    </Load>
  );
}

function Fund({ currency, points }: { readonly currency: string; readonly points: readonly Point[] }): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const series = (['available', 'reserved', 'collected'] as const).map((account): Series => ({
    name: words[account],
    look: LOOKS[account],
    points: points.map((point) => moneyPoint(point[account], language)),
  }));
  // The end of a day is the first instant of the next one. So the day is that of the instant before.
  const labels = points.map(({ at }) =>
    formatInstant(new Date(Date.parse(at) - 1).toISOString(), 'UTC', language, { day: 'numeric', month: 'short' }),
  );
  return (
    <Chart
      id={`fund-${currency}`}
      title={words.fund(currency)}
      hint={words.fundHint}
      over={words.over.day}
      labels={labels}
      keys={points.map(({ at }) => at)}
      series={series}
    />
  );
}
