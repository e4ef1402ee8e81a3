import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Load } from '../../design/load.tsx';
import { Section } from '../../design/page.tsx';
import { Amount } from '../../design/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useChanges } from '../../shell/live.tsx';
import { SANDBOX } from './words.ts';
import styles from './sandbox.module.css';

const SHOWN = 10;

/** What expired since an instant. Expiry is the work of a job, so its events say when to read again. */
export function Expired({ since }: { readonly since: string }): ReactElement {
  const words = useWords(SANDBOX);
  const client = useQueryClient();
  const [orderChanges, cashoutChanges] = [useChanges('order').count, useChanges('cashout').count];
  useEffect(() => void client.invalidateQueries({ queryKey: ['listOrders'] }), [client, orderChanges]);
  useEffect(() => void client.invalidateQueries({ queryKey: ['listCashoutsByFilter'] }), [client, cashoutChanges]);
  const query = { state: ['expired'] as const, updatedFrom: since, limit: SHOWN };
  const orders = useRead('listOrders', { query }, { keepsPrevious: true });
  const cashouts = useRead('listCashoutsByFilter', { query }, { keepsPrevious: true });
  const filter = `state=expired&updatedFrom=${encodeURIComponent(since)}`;
  return (
    <Section title={words.expired}>
      <Load of={orders} lines={2}>
        {({ body: { items, next } }) => (
          <Found
            title={words.expiredOrders(countOf(items, next))}
            all={`/orders?${filter}`}
            button={words.seeAll}
            rows={items.map(({ merchant, order, amount }) => ({
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
            title={words.expiredCashouts(countOf(items, next))}
            all={`/cashouts?${filter}`}
            button={words.seeAllCashouts}
            rows={items.map(({ merchant, cashout, amount }) => ({
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

const countOf = (items: readonly unknown[], next: string | null): string => `${items.length}${next === null ? '' : '+'}`;

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
        <h3 role="status">{title}</h3>
        {rows.length > 0 && (
          <ButtonLink kind="quiet" isSmall to={all}>
            {button}
          </ButtonLink>
        )}
      </header>
      {rows.length === 0 && <p className="quiet">{words.nothingExpired}</p>}
      <ul>
        {rows.map(({ to, name, merchant, amount }) => (
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
