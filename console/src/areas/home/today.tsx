import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Chart } from '../../design/chart/chart.tsx';
import { countPoint, formatCount, percentPoint } from '../../design/chart/series.ts';
import { Load } from '../../design/page/load.tsx';
import { formatMoney, sumByCurrency, type Money } from '../../design/values/money.ts';
import { addDays, dayIn, daysOf } from '../../design/values/days.ts';
import { formatInstant } from '../../design/values/instants.ts';
import { zoneName } from '../../design/values/spoken.ts';
import { Section } from '../../design/page/page.tsx';
import { Tiles } from '../../design/page/tiles.tsx';
import { Amount } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMay, useMe, useNow } from '../../shell/me.tsx';
import { HOME } from './words.ts';
import styles from './home.module.css';

const DAYS = 30;
const WEEK = 7;

type Items = Answer<'readFigures'>['body']['items'];

/** The last days in the time zone of the user, and what happened in them. */
function useLastDays() {
  const today = dayIn(useNow(), useMe().timeZone ?? 'UTC');
  const from = addDays(today, 1 - DAYS);
  return { today, days: daysOf(from, today), query: useRead('readFigures', { query: { from, to: today, by: 'day' } }) };
}

/** What happened today, so far, and what may still be paid. */
export function Today(): ReactElement {
  const words = useWords(HOME);
  const language = useLanguage();
  const { today, query } = useLastDays();
  return (
    <Section title={words.today} isBare>
      <Load of={query} lines={2}>
        {({ body: { items, timeZone } }) => (
          <>
            <p className={`quiet small ${styles['day']}`}>
              {formatInstant(`${today}T12:00:00Z`, 'UTC', language, { weekday: 'long', day: 'numeric', month: 'long' })} ·{' '}
              {zoneName(timeZone, language)}
            </p>
            <Numbers items={items.filter(({ start }) => dayIn(Date.parse(start), timeZone) === today)} />
          </>
        )}
      </Load>
    </Section>
  );
}

const amountsOf = (moneys: readonly Money[]): ReactElement[] =>
  moneys.map((money) => (
    <div key={money.currency}>
      <Amount of={money} />
    </div>
  ));

function Numbers({ items }: { readonly items: Items }): ReactElement {
  const words = useWords(HOME);
  const language = useLanguage();
  const may = useMay();
  const seesOrders = may('orders:read');
  const open = useRead('summarizeOrders', { query: { state: ['pending'] } }, { isOn: seesOrders }).data?.body;
  const countOf = (event: string): number => items.filter((one) => one.event === event).reduce((sum, { count }) => sum + count, 0);
  const worthOf = (event: string): ReactElement[] =>
    amountsOf(sumByCurrency(items.flatMap((one) => (one.event === event && one.value !== null ? [one.value] : []))));
  const tile = (name: string, event: string) => ({ name, value: formatCount(countOf(event), language), note: worthOf(event) });
  const [created, paid] = [countOf('order.created'), countOf('order.paid')];
  const refused = countOf('payment.refused');
  return (
    <Tiles
      isLarge
      of={[
        {
          ...tile(words.paidOrders, 'order.paid'),
          ...(created > 0 && { note: [...worthOf('order.paid'), words.conversion(percentPoint(paid, created, language).text)] }),
          to: '/figures?range=today' as const,
        },
        tile(words.createdOrders, 'order.created'),
        ...(seesOrders
          ? [
              {
                name: words.openOrders,
                value: open === undefined ? '…' : `${formatCount(open.count, language)}${open.isWhole ? '' : '+'}`,
                note: open && amountsOf(open.amounts),
                to: '/orders?state=pending' as const,
              },
            ]
          : []),
        ...(may('cashouts:read') ? [tile(words.cashoutsPaid, 'cashout.paid'), tile(words.cashoutsRegistered, 'cashout.registered')] : []),
        {
          name: words.refusedToday,
          value: formatCount(refused, language),
          ...(refused > 0 && { tone: 'warn' as const }),
          ...(seesOrders && { to: '/refused-payments' as const }),
        },
      ]}
    />
  );
}

/** Orders of the last days, drawn: those that were created, and those that were paid. */
export function Trend(): ReactElement {
  const words = useWords(HOME);
  const language = useLanguage();
  const { days, query } = useLastDays();
  const labels = days.map((day) => formatInstant(`${day}T12:00:00Z`, 'UTC', language, { day: 'numeric', month: 'short' }));
  return (
    <Load of={query} lines={6}>
      {({ body: { items, timeZone } }) => {
        const points = (event: string) =>
          days.map((day) =>
            countPoint(
              items.reduce((sum, one) => sum + (one.event === event && dayIn(Date.parse(one.start), timeZone) === day ? one.count : 0), 0),
              language,
            ),
          );
        const worthSince = (first: string | undefined): string =>
          sumByCurrency(
            items.flatMap(({ event, start, value }) =>
              event === 'order.paid' && value !== null && dayIn(Date.parse(start), timeZone) >= (first ?? '') ? [value] : [],
            ),
          )
            .map((money) => formatMoney(money, language))
            .join(', ') || '0';
        return (
          <Chart
            id="trend"
            title={words.trend}
            hint={words.paidWorth(worthSince(days.at(-WEEK)), worthSince(days[0]))}
            over={words.day}
            labels={labels}
            keys={days}
            series={[
              { name: words.createdOrders, look: 'back', points: points('order.created') },
              { name: words.paidOrders, look: 'front', points: points('order.paid') },
            ]}
          />
        );
      }}
    </Load>
  );
}
