import type { ReactElement } from 'react';
import { FundCharts } from '../../about/fund-charts.tsx';
import { useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { useWords } from '../../shell/language.ts';
import type { Span } from './figures.ts';
import { FIGURES } from './words.ts';

/** What a merchant had over time. A fund is of one merchant. */
export function Funds({ span, merchant }: { readonly span: Span; readonly merchant: string | undefined }): ReactElement {
  const words = useWords(FIGURES);
  if (merchant === undefined)
    return (
      <Section title={words.fund}>
        <p className="quiet">{words.fundWhose}</p>
      </Section>
    );
  return <OfMerchant {...{ span, merchant }} />;
}

function OfMerchant({ span: { from, to }, merchant }: { readonly span: Span; readonly merchant: string }): ReactElement {
  const words = useWords(FIGURES);
  const query = useRead('readFunds', { path: { merchant }, query: { from, to } }, { keepsPrevious: true });
  return <Load of={query}>{({ body }) => <FundCharts {...body} title={words.fund} hint={words.fundHint} />}</Load>;
}
