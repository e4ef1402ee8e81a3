import type { ReactElement } from 'react';
import { addressOf, type ItemOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { OrderState } from '../../design/values/states.tsx';
import { Table } from '../../design/page/table.tsx';
import { Instant } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { ORDER } from './order-words.ts';
import { PAYER } from './payer-words.ts';
import type { OrderProps } from './whole-order.ts';
import { ORDERS } from './words.ts';
import styles from './payer-page.module.css';

type PageView = ItemOf<'listPageViews'>;

/** What the payer saw: the checkout page of any version, and the log of the pages that were served. */
export function PayerPage({ order }: OrderProps): ReactElement {
  const [search, set] = useAddress();
  const version = Math.min(Math.max(1, Number(search['version']) || order.version), order.version);
  const view = /^\d{1,15}$/.test(search['view'] ?? '') ? Number(search['view']) : undefined;
  const show = (shown: number): void =>
    set({ version: shown === order.version ? undefined : String(shown), view: undefined }, { isNew: false });
  const path = { merchant: order.merchant, order: order.order };
  return (
    <div className={styles.payer}>
      <div>
        <Versions {...{ order, version, view }} onVersion={show} />
        <Frame address={addressOf('showOrderPage', path, view === undefined ? { version } : { view })} />
      </div>
      <Served order={order} shown={view} onView={(one) => set({ version: String(one.version), view: String(one.id) }, { isNew: false })} />
    </div>
  );
}

type VersionsProps = OrderProps & {
  readonly version: number;
  readonly view: number | undefined;
  readonly onVersion: (version: number) => void;
};

/** Chooses a version: by a slider, or one by one. */
function Versions({ order, version, view, onVersion }: VersionsProps): ReactElement {
  const words = useWords(PAYER);
  const { events } = useWords(ORDER);
  const zone = useZoneOf()(order.merchant);
  const event = order.history.find((one) => one.version === version);
  return (
    <div className={styles.versions}>
      <IconButton name={words.before} icon="left" disabled={version <= 1} onClick={() => onVersion(version - 1)} />
      <label className={styles.slider}>
        <span className="unseen">{words.version}</span>
        <input
          type="range"
          min={1}
          max={order.version}
          value={version}
          disabled={order.version === 1}
          aria-valuetext={`${words.version} ${version}`}
          onChange={({ target }) => onVersion(Number(target.value))}
        />
      </label>
      <IconButton name={words.after} icon="right" disabled={version >= order.version} onClick={() => onVersion(version + 1)} />
      <p className={styles.which} role="status">
        <b>
          {words.version} {version}
        </b>{' '}
        {view === undefined ? event && wordFor(events, event.event) : words.asServed}
        {view === undefined && event && (
          <span className="quiet">
            {' '}
            · <Instant at={event.at} zone={zone} isLong />
          </span>
        )}
      </p>
    </div>
  );
}

/** The page runs no script here, and its links lead nowhere. */
const Frame = ({ address }: { readonly address: string }): ReactElement => (
  <iframe key={address} className={styles.frame} src={address} sandbox="" title={useWords(PAYER).title} />
);

type ServedProps = OrderProps & { readonly shown: number | undefined; readonly onView: (view: PageView) => void };

/** Which pages were served when. Nothing says to whom. */
function Served({ order, shown, onView }: ServedProps): ReactElement {
  const words = useWords(PAYER);
  const { state } = useWords(ORDERS);
  const zone = useZoneOf()(order.merchant);
  const query = useRead('listPageViews', { path: { merchant: order.merchant, order: order.order } });
  return (
    <Section title={words.served} isBare>
      <p className={styles.hint}>{words.servedHint}</p>
      <Load of={query}>
        {({ body: { items } }) =>
          items.length === 0 ? (
            <p className="quiet">{words.never}</p>
          ) : (
            <Table
              name={words.served}
              columns={[
                { title: words.lastAt },
                { title: words.version, isNumber: true },
                { title: state },
                { title: words.device },
                { title: words.page },
              ]}
              rows={items.map((one) => ({
                id: String(one.id),
                cells: [
                  <Instant key="at" at={one.lastAt} zone={zone} />,
                  `v${one.version}`,
                  <OrderState key="state" state={one.state} />,
                  <span key="device">
                    {words.devices[one.device]} · {one.language}
                    {one.loads > 1 && <span className="quiet"> × {one.loads}</span>}
                  </span>,
                  <Button key="show" isSmall aria-pressed={one.id === shown} onClick={() => onView(one)}>
                    {words.show}
                  </Button>,
                ],
              }))}
            />
          )
        }
      </Load>
    </Section>
  );
}
