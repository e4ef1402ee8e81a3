import type { ReactElement } from 'react';
import { REFUSALS } from '../../about/refusals.ts';
import type { ItemOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Chart } from '../../design/chart/chart.tsx';
import { countPoint } from '../../design/chart/series.ts';
import { addDays, startOfDay } from '../../design/values/days.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import type { Span } from './figures.ts';
import { FIGURES } from './words.ts';

type RefusedProps = { readonly span: Span; readonly merchant: string | undefined; readonly zone: string };
const MOST = 200;

/** Why payments were refused. They are few, so they are read and counted here. */
export function RefusedByReason({ span: { from, to }, merchant, zone }: RefusedProps): ReactElement {
  const words = useWords(FIGURES);
  const [start, end] = [startOfDay(from, zone), startOfDay(addDays(to, 1), zone)];
  const since = new Date(start).toISOString();
  const query = useRead('listRefusedPayments', { query: { since, limit: MOST, ...(merchant && { merchant }) } }, { keepsPrevious: true });
  return (
    <Load of={query} lines={2}>
      {({ body: { items, next } }) => (
        <Reasons
          items={items.filter(({ firstAt }) => Date.parse(firstAt) >= start && Date.parse(firstAt) < end)}
          hint={next === null ? words.refusedHint : words.refusedNewest}
        />
      )}
    </Load>
  );
}

function Reasons({ items, hint }: { readonly items: readonly ItemOf<'listRefusedPayments'>[]; readonly hint: string }): ReactElement {
  const words = useWords(FIGURES);
  const refusals = useWords(REFUSALS);
  const language = useLanguage();
  if (items.length === 0)
    return (
      <Section title={words.refused}>
        <p className="quiet">{words.noRefused}</p>
      </Section>
    );
  const reasons = [...Map.groupBy(items, ({ refusal }) => refusal)].sort(([, one], [, other]) => other.length - one.length);
  return (
    <Chart
      id="refused"
      title={words.refused}
      hint={hint}
      over={words.reason}
      labels={reasons.map(([reason]) => wordFor(refusals, reason))}
      keys={reasons.map(([reason]) => reason)}
      series={[{ name: words.count, look: 'front', points: reasons.map(([, own]) => countPoint(own.length, language)) }]}
    />
  );
}
