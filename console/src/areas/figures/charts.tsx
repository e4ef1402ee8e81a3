import type { ReactElement } from 'react';
import { Chart } from '../../design/chart/chart.tsx';
import { countPoint, formatCount, moneyPoint, percentPoint, type Series } from '../../design/chart/series.ts';
import { Select } from '../../design/form/field.tsx';
import { percentSign, type Money } from '../../design/values/money.ts';
import { Tiles } from '../../design/page/tiles.tsx';
import { formatInstant } from '../../design/values/instants.ts';
import { Amount } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useLanguage, useWords, type Language } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { currenciesOf, PAY_STEPS, placesOf, stepsOf, sumEvents, type Figure, type Span, type Sums } from './figures.ts';
import { Funds } from './funds.tsx';
import { RefusedByReason } from './refused.tsx';
import { FIGURES } from './words.ts';
import styles from './figures.module.css';

type ChartsProps = {
  readonly span: Span;
  readonly zone: string;
  readonly items: readonly Figure[];
  readonly merchant: string | undefined;
  /** A network has no part in creations, nor in notices. */
  readonly isOfNetwork: boolean;
};

const LABELS: Readonly<Record<Span['by'], Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short' },
  hour: { hour: '2-digit', minute: '2-digit' },
};

const labelsOf = (places: readonly string[], by: Span['by'], zone: string, language: Language): readonly string[] =>
  places.map((place) =>
    by === 'day' ? formatInstant(`${place}T12:00:00Z`, 'UTC', language, LABELS.day) : formatInstant(place, zone, language, LABELS.hour),
  );

const NO_MONEY: Money = { amount: '0.00', currency: '' };

/** All drawings of some days. */
export function Charts({ span, zone, items, merchant, isOfNetwork }: ChartsProps): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const may = useMay();
  const [search, set] = useAddress();
  const currencies = currenciesOf(items);
  const zero = currencies.find(({ currency }) => currency === search['currency']) ?? currencies[0] ?? NO_MONEY;
  const places = placesOf(span, zone);
  const sum = (...events: readonly string[]): Sums => sumEvents(items, events, places, span.by, zone, zero);
  const sums = { created: sum('order.created'), paid: sum('order.paid'), expired: sum('order.expired') };
  const axis = { labels: labelsOf(places, span.by, zone, language), keys: places, over: words.over[span.by] };
  return (
    <>
      {currencies.length > 1 && (
        <div className={styles.choices}>
          <Select
            label={words.currency}
            value={zero.currency}
            onValue={(value) => set({ currency: value }, { isNew: false })}
            options={currencies.map(({ currency }) => ({ value: currency, text: currency }))}
          />
        </div>
      )}
      <Headline {...{ sums, items, isOfNetwork }} />
      <div className={styles.charts}>
        <Orders {...{ sums, axis, isOfNetwork }} />
        {zero !== NO_MONEY && <Value {...{ sums, axis, isOfNetwork }} currency={zero.currency} />}
        {!isOfNetwork && <Conversion {...{ sums, axis }} />}
        <TimeToPay items={items} />
        {may('cashouts:read') && <Cashouts {...{ sum, axis }} />}
        {!isOfNetwork && <Notices {...{ sum, axis }} />}
        {may('ledger:read') && !isOfNetwork && <Funds {...{ span, merchant }} />}
        <RefusedByReason {...{ span, merchant }} />
      </div>
    </>
  );
}

type OrderSums = { readonly created: Sums; readonly paid: Sums; readonly expired: Sums };
type Axis = { readonly labels: readonly string[]; readonly keys: readonly string[]; readonly over: string };
type OfOrders = { readonly sums: OrderSums; readonly axis: Axis; readonly isOfNetwork: boolean };

const worthOf = ({ money }: Sums): ReactElement | undefined => (money.currency === '' ? undefined : <Amount of={money} />);

function Headline({
  sums: { created, paid },
  items,
  isOfNetwork,
}: Omit<OfOrders, 'axis'> & { readonly items: readonly Figure[] }): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const time = useTime();
  const { medianAtMost } = stepsOf(items);
  return (
    <Tiles
      of={[
        ...(isOfNetwork
          ? []
          : [
              { name: words.created, value: formatCount(created.count, language), note: worthOf(created) },
              { name: words.conversion, value: percentPoint(paid.count, created.count, language).text, note: words.conversionHint },
            ]),
        { name: words.paid, value: formatCount(paid.count, language), note: worthOf(paid) },
        ...(medianAtMost === null
          ? []
          : [{ name: words.timeToPay, value: `≤ ${time(medianAtMost)}`, note: words.atMost(time(medianAtMost)) }]),
      ]}
    />
  );
}

function useCounts(): (name: string, look: Series['look'], { counts }: Sums) => Series {
  const language = useLanguage();
  return (name, look, { counts }) => ({ name, look, points: counts.map((count) => countPoint(count, language)) });
}

function Orders({ sums: { created, paid, expired }, axis, isOfNetwork }: OfOrders): ReactElement {
  const words = useWords(FIGURES);
  const counts = useCounts();
  const others = isOfNetwork ? [] : [counts(words.created, 'back', created)];
  const ends = isOfNetwork ? [] : [counts(words.expired, 'line2', expired)];
  return (
    <Chart
      id="orders"
      title={words.orders}
      hint={words.ordersHint}
      {...axis}
      series={[...others, counts(words.paid, 'front', paid), ...ends]}
    />
  );
}

function Value({ sums: { created, paid }, axis, isOfNetwork, currency }: OfOrders & { readonly currency: string }): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const series = (name: string, look: Series['look'], { moneys }: Sums): Series => ({
    name,
    look,
    points: moneys.map((money) => moneyPoint(money, language)),
  });
  return (
    <Chart
      id="value"
      title={words.value(currency)}
      hint={words.valueHint}
      {...axis}
      series={[...(isOfNetwork ? [] : [series(words.valueCreated, 'back', created)]), series(words.valuePaid, 'front', paid)]}
    />
  );
}

function Conversion({ sums: { created, paid }, axis }: Omit<OfOrders, 'isOfNetwork'>): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const points = created.counts.map((count, place) => percentPoint(paid.counts[place] ?? 0, count, language));
  return (
    <Chart
      id="conversion"
      title={words.conversion}
      hint={words.conversionHint}
      {...axis}
      series={[{ name: words.conversion, look: 'line', points }]}
      axis={(value) => `${value}${percentSign(language)}`}
    />
  );
}

/** Writes how long something took. */
function useTime(): (seconds: number) => string {
  const words = useWords(FIGURES);
  return (seconds) => {
    if (seconds < 3_600) return words.minutes(seconds / 60);
    return seconds < 86_400 ? words.hours(seconds / 3_600) : words.days(seconds / 86_400);
  };
}

function TimeToPay({ items }: { readonly items: readonly Figure[] }): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const time = useTime();
  return (
    <Chart
      id="time-to-pay"
      title={words.timeToPay}
      hint={words.timeToPayHint}
      over={words.step}
      labels={[...PAY_STEPS.map((seconds) => words.upTo(time(seconds))), words.longer]}
      keys={[...PAY_STEPS.map(String), '']}
      series={[{ name: words.paid, look: 'front', points: stepsOf(items).steps.map((count) => countPoint(count, language)) }]}
    />
  );
}

type OfEvents = { readonly sum: (...events: readonly string[]) => Sums; readonly axis: Axis };

function Cashouts({ sum, axis }: OfEvents): ReactElement {
  const words = useWords(FIGURES);
  const counts = useCounts();
  return (
    <Chart
      id="cashouts"
      title={words.cashouts}
      hint={words.cashoutsHint}
      {...axis}
      series={[
        counts(words.registered, 'back', sum('cashout.registered')),
        counts(words.cashoutsPaid, 'front', sum('cashout.paid')),
        counts(words.ended, 'line2', sum('cashout.cancelled', 'cashout.expired', 'cashout.nullified')),
        counts(words.reversed, 'line3', sum('cashout.payment_reversed')),
      ]}
    />
  );
}

function Notices({ sum, axis }: OfEvents): ReactElement {
  const words = useWords(FIGURES);
  const counts = useCounts();
  return (
    <Chart
      id="notices"
      title={words.notices}
      hint={words.noticesHint}
      {...axis}
      series={[counts(words.delivered, 'front', sum('notice.delivered')), counts(words.givenUp, 'line3', sum('notice.given_up'))]}
    />
  );
}
