import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Amount } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useChanges } from '../../shell/live.tsx';
import { SANDBOX } from './words.ts';
import styles from './sandbox.module.css';

const READ = 200;
const SHOWN = 10;

/** What expired since an instant. Lists know days, so the rows of before are left out here. A job expires, and its events say when to read again. */
export function Expired({ since }: { readonly since: string }): ReactElement {
  const words = useWords(SANDBOX);
  const client = useQueryClient();
  const [orderChanges, cashoutChanges] = [useChanges('order').count, useChanges('cashout').count];
  useEffect(() => void client.invalidateQueries({ queryKey: ['listOrders'] }), [client, orderChanges]);
  useEffect(() => void client.invalidateQueries({ queryKey: ['listCashoutsByFilter'] }), [client, cashoutChanges]);
  const day = since.slice(0, 10);
  const query = { state: ['expired'] as const, updatedFrom: day, limit: READ };
  const orders = useRead('listOrders', { query }, { keepsPrevious: true });
  const cashouts = useRead('listCashoutsByFilter', { query }, { keepsPrevious: true });
  const filter = `state=expired&updatedFrom=${day}`;
  return (
    <Section title={words.expired}>
      <Load of={orders} lines={2}>
        {({ body: { items, next } }) => (
          <Found
            title={words.expiredOrders(countOf(items, next, since))}
            all={`/orders?${filter}`}
            button={words.seeAll}
            rows={newIn(items, since).map(({ merchant, order, amount }) => ({
              to: `/orders/${merchant}/${encodeURIComponent(order)}`,
              name: order,
              merchant,
              amount,
            }))}
          />
        )}
      </Load>
      <Load of={cashouts} lines={2}>
        {({ body: { items, next } }) => (
          <Found
            title={words.expiredCashouts(countOf(items, next, since))}
            all={`/cashouts?${filter}`}
            button={words.seeAllCashouts}
            rows={newIn(items, since).map(({ merchant, cashout, amount }) => ({
              to: `/cashouts/${merchant}/${encodeURIComponent(cashout)}`,
              name: cashout,
              merchant,
              amount,
            }))}
          />
        )}
      </Load>
    </Section>
  );
}

const newIn = <Item extends { readonly updatedAt: string }>(items: readonly Item[], since: string): readonly Item[] =>
  items.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since));
const countOf = (items: readonly { readonly updatedAt: string }[], next: string | null, since: string): string =>
  `${newIn(items, since).length}${next === null ? '' : '+'}`;

type FoundRow = {
  readonly to: LinkTo;
  readonly name: string;
  readonly merchant: string;
  readonly amount: { amount: string; currency: string };
};

function Found({
  title,
  all,
  button,
  rows,
}: {
  readonly title: string;
  readonly all: LinkTo;
  readonly button: string;
  readonly rows: readonly FoundRow[];
}): ReactElement {
  const words = useWords(SANDBOX);
  return (
    <div className={styles.found}>
      <header className={styles.foundHead}>
        <h3>
          <span role="status">{title}</span>
        </h3>
        {rows.length > 0 && (
          <ButtonLink kind="quiet" isSmall to={all}>
            {button}
          </ButtonLink>
        )}
      </header>
      {rows.length === 0 && <p className="quiet">{words.nothingExpired}</p>}
      <ul>
        {rows.slice(0, SHOWN).map(({ to, name, merchant, amount }) => (
          <li key={to} className={styles.row}>
            <Link to={to}>{name}</Link>
            <span className="quiet">{merchant}</span>
            <Amount of={amount} />
          </li>
        ))}
      </ul>
    </div>
  );
}
