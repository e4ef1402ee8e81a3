import type { ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useZoneOf } from '../../shell/me.tsx';
import { HOME } from './words.ts';
import styles from './home.module.css';

/** The orders that were paid last. */
export function LastPaid(): ReactElement {
  const words = useWords(HOME);
  const isService = useIsService();
  const zoneOf = useZoneOf();
  return (
    <Section title={words.lastPaid} acts={<Link to="/orders?state=approved">{words.all}</Link>}>
      <Load of={useRead('readLastPaid', {})} lines={5}>
        {({ body: { orders } }) =>
          orders.length === 0 ? (
            <p className="quiet">{words.nonePaid}</p>
          ) : (
            <ul className={styles.rows}>
              {orders.map(({ merchant, order, amount, paidAt }) => (
                <li key={`${merchant}/${order}`}>
                  <Link to={`/orders/${merchant}/${encodeURIComponent(order)}`}>{order}</Link>
                  <Amount of={amount} />
                  <span className={styles.note}>
                    {isService && `${merchant} · `}
                    <Instant at={paidAt} zone={zoneOf(merchant)} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </Section>
  );
}
