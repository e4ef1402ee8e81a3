import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatCount, percentPoint } from '../../design/chart/series.ts';
import { Load } from '../../design/page/load.tsx';
import { sumByCurrency } from '../../design/values/money.ts';
import { Section } from '../../design/page/page.tsx';
import { Tiles } from '../../design/page/tiles.tsx';
import { Amount } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { HOME } from './words.ts';

/** What happened today, so far. */
export function Today(): ReactElement {
  const words = useWords(HOME);
  return (
    <Section title={words.today} isBare>
      <Load of={useRead('readFigures', { query: { by: 'day' } })} lines={2}>
        {({ body }) => <Numbers items={body.items} />}
      </Load>
    </Section>
  );
}

type Items = Answer<'readFigures'>['body']['items'];

function Numbers({ items }: { readonly items: Items }): ReactElement {
  const words = useWords(HOME);
  const language = useLanguage();
  const may = useMay();
  const countOf = (event: string): number => items.filter((one) => one.event === event).reduce((sum, { count }) => sum + count, 0);
  const worthOf = (event: string): ReactElement[] =>
    sumByCurrency(items.flatMap((one) => (one.event === event && one.value !== null ? [one.value] : []))).map((money) => (
      <div key={money.currency}>
        <Amount of={money} />
      </div>
    ));
  const tile = (name: string, event: string) => ({ name, value: formatCount(countOf(event), language), note: worthOf(event) });
  const [created, paid] = [countOf('order.created'), countOf('order.paid')];
  const refused = countOf('payment.refused');
  return (
    <Tiles
      of={[
        tile(words.createdOrders, 'order.created'),
        {
          ...tile(words.paidOrders, 'order.paid'),
          ...(created > 0 && { note: [...worthOf('order.paid'), words.conversion(percentPoint(paid, created, language).text)] }),
          to: '/figures?range=today' as const,
        },
        ...(may('cashouts:read') ? [tile(words.cashoutsRegistered, 'cashout.registered'), tile(words.cashoutsPaid, 'cashout.paid')] : []),
        {
          name: words.refusedToday,
          value: formatCount(refused, language),
          ...(refused > 0 && { tone: 'warn' as const }),
          ...(may('orders:read') && { to: '/refused-payments' as const }),
        },
      ]}
    />
  );
}
