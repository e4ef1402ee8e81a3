import { useEffect, useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { search as searchRules } from '../../api/generated/rules/search.ts';
import { useRead } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { ButtonLink } from '../../design/button.tsx';
import { FieldFrame } from '../../design/form/field.tsx';
import { Failed, Notice } from '../../design/page/load.tsx';
import { CashoutState, OrderState } from '../../design/values/states.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import { HOME } from './words.ts';
import styles from './home.module.css';

const PAUSE_MS = 200;
/** A shorter text is found only where it is all of an id. */
const SHORTEST = 2;

/** One field that finds orders and cashouts by what a customer says. What is sought is in the address. */
export function Find(): ReactElement {
  const words = useWords(HOME);
  const [{ q = '' }, set] = useAddress();
  const [text, setText] = useState(q);
  useEffect(() => {
    const timer = setTimeout(() => text.trim() !== q && set({ q: text.trim() }, { isNew: false }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, q, set]);
  const isOn = q.length >= SHORTEST;
  const found = useRead('search', { query: { text: q } }, { isOn, keepsPrevious: true });
  const count = found.data ? found.data.body.orders.length + found.data.body.cashouts.length : 0;
  const isSearching = found.isFetching || text.trim() !== q;
  return (
    <search className={styles.find}>
      <FieldFrame label={words.find} value={text} hint={words.findHint}>
        {(ids) => (
          <input
            {...ids}
            type="search"
            className={styles.field}
            placeholder={words.findPlace}
            autoComplete="off"
            spellCheck={false}
            maxLength={ruleAt(searchRules.query, 'text')?.maxLength}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </FieldFrame>
      <p role="status" className={styles.status}>
        {isOn && (isSearching ? words.searching : count > 0 && `${words.found(count)}${found.data?.body.isMore ? ` · ${words.more}` : ''}`)}
      </p>
      {isOn && found.error !== null && <Failed problem={found.error} retry={() => void found.refetch()} />}
      {isOn && found.data !== undefined && <Hits found={found.data.body} isSearching={isSearching} />}
    </search>
  );
}

type Found = Answer<'search'>['body'];

function Hits({ found: { orders, cashouts }, isSearching }: { readonly found: Found; readonly isSearching: boolean }): ReactElement {
  const words = useWords(HOME);
  if (orders.length + cashouts.length === 0)
    return isSearching ? (
      <></>
    ) : (
      <Notice icon="search" title={words.nothing}>
        <p>{words.nothingHint}</p>
      </Notice>
    );
  return (
    <ul className={styles.hits}>
      {orders.map((hit) => (
        <OrderHit key={`${hit.merchant}/${hit.order}`} hit={hit} />
      ))}
      {cashouts.map((hit) => (
        <CashoutHit key={`${hit.merchant}/${hit.cashout}`} hit={hit} />
      ))}
    </ul>
  );
}

function OrderHit({ hit }: { readonly hit: Found['orders'][number] }): ReactElement {
  const words = useWords(HOME);
  const may = useMay();
  const isService = useIsService();
  const zone = useZoneOf()(hit.merchant);
  const page: LinkTo = `/orders/${hit.merchant}/${encodeURIComponent(hit.order)}`;
  return (
    <li className={styles.hit}>
      <div className={styles.state}>
        <OrderState state={hit.state} />
        <span className={styles.amount}>
          <Amount of={hit.amount} />
        </span>
      </div>
      <div className={styles.facts}>
        <Link to={page}>
          {words.order} {hit.order}
        </Link>
        {isService && <span>{hit.merchant}</span>}
        <span>{hit.email}</span>
        <span>
          {words.reference} <span className="amount">{hit.reference}</span>
        </span>
        <Instant at={hit.createdAt} zone={zone} />
      </div>
      {hit.state === 'pending' && may('orders:write') && <ButtonLink to={`${page}/edit`}>{words.change}</ButtonLink>}
    </li>
  );
}

function CashoutHit({ hit }: { readonly hit: Found['cashouts'][number] }): ReactElement {
  const words = useWords(HOME);
  const isService = useIsService();
  const zone = useZoneOf()(hit.merchant);
  return (
    <li className={styles.hit}>
      <div className={styles.state}>
        <CashoutState state={hit.state} />
        <span className={styles.amount}>
          <Amount of={hit.amount} />
        </span>
      </div>
      <div className={styles.facts}>
        <Link to={`/cashouts/${hit.merchant}/${encodeURIComponent(hit.cashout)}`}>
          {words.cashout} {hit.cashout}
        </Link>
        {isService && <span>{hit.merchant}</span>}
        <span>{hit.document}</span>
        <span>{hit.cellphone}</span>
        <Instant at={hit.createdAt} zone={zone} />
      </div>
    </li>
  );
}
