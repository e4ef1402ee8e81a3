import type { ReactElement } from 'react';
import { useRead, useReadAll } from '../../api/queries.ts';
import { dayIn } from '../../design/values/days.ts';
import { Field, Select } from '../../design/form/field.tsx';
import { Load, Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { formatInstant } from '../../design/values/instants.ts';
import { zoneName } from '../../design/values/spoken.ts';
import { useAddress } from '../../shell/address.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMay, useMe, useMerchants, useNow, useZoneOf } from '../../shell/me.tsx';
import { Charts } from './charts.tsx';
import { RANGES, spanOf, type Span } from './figures.ts';
import { FIGURES } from './words.ts';
import styles from './figures.module.css';

/** What happened over some days. All that is chosen is in the address. */
export function FiguresPage(): ReactElement {
  const words = useWords(FIGURES);
  const [search] = useAddress();
  const me = useMe();
  const merchant = me.merchant ?? search['merchant'];
  const zone = useZoneOf()(merchant ?? null);
  const span = spanOf(search, dayIn(useNow(), zone));
  return (
    <Page title={words.title}>
      <Choices span={span} />
      {span.isRight ? <Shown {...{ span, merchant }} /> : <p role="alert">{words.tooLong}</p>}
    </Page>
  );
}

function Shown({ span, merchant }: { readonly span: Span; readonly merchant: string | undefined }): ReactElement {
  const words = useWords(FIGURES);
  const language = useLanguage();
  const [{ network }] = useAddress();
  const { from, to, by } = span;
  const query = { from, to, by, ...(merchant && { merchant }), ...(network && { network }) };
  return (
    <Load of={useRead('readFigures', { query }, { keepsPrevious: true })} lines={10}>
      {({ body: { timeZone, completeTo, items } }) => (
        <>
          <p className={styles.zone}>
            {words.zone(zoneName(timeZone, language))}
            {completeTo !== null &&
              ` · ${words.completeTo(formatInstant(completeTo, timeZone, language, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }))}`}
          </p>
          {items.length === 0 ? (
            <Notice icon="figures" title={words.none}>
              <p>{words.noneHint}</p>
            </Notice>
          ) : (
            <Charts {...{ span, items, merchant }} zone={timeZone} isOfNetwork={network !== undefined} />
          )}
        </>
      )}
    </Load>
  );
}

/** Which days, and whose. */
function Choices({ span: { range, from, to } }: { readonly span: Span }): ReactElement {
  const words = useWords(FIGURES);
  const [search, set] = useAddress();
  const { merchant } = useMe();
  const merchants = useMerchants();
  const may = useMay();
  const networks = useReadAll('listNetworks', {}, { isOn: may('networks:read') && merchant === null }).data?.items ?? [];
  return (
    <div role="group" aria-label={words.range} className={styles.choices}>
      <Select
        label={words.range}
        value={range}
        onValue={(value) => set(value === 'custom' ? { range: value, from, to } : { range: value, from: undefined, to: undefined })}
        options={RANGES.map((one) => ({ value: one, text: words.ranges[one] }))}
      />
      {range === 'custom' && (
        <>
          <Field label={words.from} type="date" value={from} onValue={(value) => set({ from: value })} isRequired />
          <Field label={words.to} type="date" value={to} onValue={(value) => set({ to: value })} isRequired />
        </>
      )}
      {merchant === null && (
        <Select
          label={words.merchant}
          value={search['merchant'] ?? ''}
          onValue={(value) => set({ merchant: value })}
          options={[{ value: '', text: words.allMerchants }, ...merchants.map((one) => ({ value: one.merchant, text: one.name }))]}
        />
      )}
      {networks.length > 0 && (
        <Select
          label={words.network}
          value={search['network'] ?? ''}
          onValue={(value) => set({ network: value })}
          options={[{ value: '', text: words.allNetworks }, ...networks.map(({ netname }) => ({ value: netname, text: netname }))]}
        />
      )}
    </div>
  );
}
