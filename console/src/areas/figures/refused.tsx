import type { ReactElement } from 'react';
import { REFUSALS } from '../../about/refusals.ts';
import { useRead } from '../../api/queries.ts';
import { Chart } from '../../design/chart/chart.tsx';
import { countPoint } from '../../design/chart/series.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { useAddress } from '../../shell/address.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import type { Span } from './figures.ts';
import { FIGURES } from './words.ts';

/** Why payments were refused on some days. */
export function RefusedByReason({
  span: { from, to },
  merchant,
}: {
  readonly span: Span;
  readonly merchant: string | undefined;
}): ReactElement {
  const words = useWords(FIGURES);
  const refusals = useWords(REFUSALS);
  const language = useLanguage();
  const [{ network }] = useAddress();
  const query = { from, to, ...(merchant && { merchant }), ...(network && { network }) };
  return (
    <Load of={useRead('readRefusedFigures', { query }, { keepsPrevious: true })} lines={2}>
      {({ body: { items } }) =>
        items.length === 0 ? (
          <Section title={words.refused}>
            <p className="quiet">{words.noRefused}</p>
          </Section>
        ) : (
          <Chart
            id="refused"
            title={words.refused}
            hint={words.refusedHint}
            over={words.reason}
            labels={items.map(({ refusal }) => wordFor(refusals, refusal))}
            keys={items.map(({ refusal }) => refusal)}
            series={[{ name: words.count, look: 'front', points: items.map(({ count }) => countPoint(count, language)) }]}
          />
        )
      }
    </Load>
  );
}
