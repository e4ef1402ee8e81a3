import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatCount } from '../../design/chart/series.ts';
import { addDays, dayIn } from '../../design/values/days.ts';
import { Load } from '../../design/page/load.tsx';
import { minorOf, moneyOf, sumByCurrency, type Money } from '../../design/values/money.ts';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Amount, Badge } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useMay, useNow, useZoneOf } from '../../shell/me.tsx';
import { compareDay, lackingCurrencies, verdictOf } from './compare.ts';
import { LEDGER, VERDICT_TONES } from './words.ts';

type Items = Answer<'readFigures'>['body']['items'];

/** What came in and what went out, today and yesterday, of all merchants. */
export function InAndOut(): ReactElement {
  const words = useWords(LEDGER);
  const today = dayIn(useNow(), useZoneOf()(null));
  const yesterday = addDays(today, -1);
  const query = useRead('readFigures', { query: { from: yesterday, to: today, by: 'day' } });
  return (
    <Section title={words.inAndOut} isBare>
      <Load of={query} lines={3}>
        {({ body: { items, timeZone } }) => {
          const own = Map.groupBy(items, ({ start }) => dayIn(Date.parse(start), timeZone));
          return <InAndOutTable today={own.get(today) ?? []} yesterday={own.get(yesterday) ?? []} />;
        }}
      </Load>
    </Section>
  );
}

const MOVES = [
  ['cameIn', ['order.paid']],
  ['givenBack', ['order.reversed', 'refund.paid']],
  ['wentOut', ['cashout.paid']],
  ['cameBack', ['cashout.payment_reversed']],
] as const;

function InAndOutTable({ today, yesterday }: { readonly today: Items; readonly yesterday: Items }): ReactElement {
  const words = useWords(LEDGER);
  const language = useLanguage();
  const ofZone = useZoneOf()(null) === 'UTC' ? ' (UTC)' : '';
  const zeros = sumByCurrency([...today, ...yesterday].flatMap(({ value }) => (value === null ? [] : [moneyOf(0n, value)])));
  if (zeros.length === 0) return <p className="quiet">{words.noneInAndOut}</p>;
  const cell = (items: Items, events: readonly string[], zero: Money): ReactElement => {
    const own = items.filter(({ event, value }) => events.includes(event) && value?.currency === zero.currency);
    const minor = own.reduce((sum, { value }) => sum + (value ? minorOf(value) : 0n), 0n);
    return (
      <span key={zero.currency}>
        <Amount of={moneyOf(minor, zero)} />{' '}
        <span className="quiet small">
          (
          {formatCount(
            own.reduce((sum, { count }) => sum + count, 0),
            language,
          )}
          )
        </span>
      </span>
    );
  };
  return (
    <Table
      name={words.inAndOut}
      columns={[
        { title: words.kind },
        { title: words.todayIn(ofZone), isNumber: true },
        { title: words.yesterdayIn(ofZone), isNumber: true },
      ]}
      rows={zeros.flatMap((zero) =>
        MOVES.map(([name, events]) => ({
          id: `${name} ${zero.currency}`,
          cells: [
            zeros.length === 1 ? words[name] : `${words[name]} · ${zero.currency}`,
            cell(today, events, zero),
            cell(yesterday, events, zero),
          ],
        })),
      )}
    />
  );
}

/** Whether yesterday of a merchant adds up. It leads to that day. */
export function Yesterday({ merchant, zone }: { readonly merchant: string; readonly zone: string }): ReactElement {
  const words = useWords(LEDGER);
  const may = useMay();
  const now = useNow();
  const day = addDays(dayIn(now, zone), -1);
  const statement = useRead('readStatement', { path: { merchant, day } }).data?.body;
  const figures = useRead('readFigures', { query: { merchant, from: day, to: day, by: 'day' } }, { isOn: may('figures:read') }).data?.body;
  if (statement === undefined || (figures === undefined && may('figures:read'))) return <span className="quiet">…</span>;
  const items = figures?.items ?? [];
  const groups = [
    ...statement.currencies,
    ...lackingCurrencies(statement, items).map((opening) => ({ currency: opening.currency, opening, lines: [] })),
  ];
  const compared = may('figures:read') ? groups.flatMap((own) => compareDay(own, items)) : [];
  const verdict = verdictOf(statement, compared, figures?.completeTo ?? null, now);
  const names = { equal: words.addsUp, counting: words.counting, differ: words.addsUpNot, faults: words.addsUpNot };
  return (
    <Link to={`/ledger/${merchant}/days/${day}`}>
      <Badge tone={VERDICT_TONES[verdict]}>{names[verdict]}</Badge>
    </Link>
  );
}
