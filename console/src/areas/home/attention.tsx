import type { ReactElement, ReactNode } from 'react';
import { REFUSALS } from '../../about/refusals.ts';
import { useRead } from '../../api/queries.ts';
import { Icon } from '../../design/icons.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Amount, Badge, Day, Instant } from '../../design/values/values.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useMay, useMerchants, useZoneOf } from '../../shell/me.tsx';
import { HOME } from './words.ts';
import styles from './home.module.css';

/** How many of a kind are counted, and how many of them are shown. */
const COUNTED = 100;
const SHOWN = 3;

/** What is stuck and what failed, kind by kind: what somebody must look at. Lists that hold personal data are not read for this. */
export function Attention(): ReactElement {
  const words = useWords(HOME);
  const may = useMay();
  return (
    <Section title={words.attention} isBare>
      <div className={styles.kinds}>
        {may('orders:read') && <OpenRefunds />}
        {may('settlements:write') && <Drafts />}
        {may('orders:read') && <RefusedPayments />}
        {may('notices:read') && <Endpoints />}
        {may('notices:read') && <GivenUpNotices />}
        {may('messages:read') && <GivenUpMessages />}
        {may('merchants:read') && <StoppedMerchants />}
      </div>
    </Section>
  );
}

type Row = { readonly id: string; readonly to: LinkTo; readonly name: string; readonly note: ReactNode; readonly mark?: ReactNode };
type KindProps = {
  readonly title: string;
  /** What is said where there is none. */
  readonly calm: string;
  readonly all: LinkTo;
  readonly rows: readonly Row[];
  readonly isMore: boolean;
};

/** One kind: how many, and the newest of them. Where all is in order a few words say so, below the others. */
function Kind({ title, calm, all, rows, isMore }: KindProps): ReactElement {
  const words = useWords(HOME);
  const count = `${rows.length}${isMore ? '+' : ''}`;
  if (rows.length === 0)
    return (
      <p className={styles.calm}>
        <Icon name="check" size={16} /> {calm}
      </p>
    );
  return (
    <div className={styles.kind}>
      <h3 className={styles.kindHead}>
        {title} <Badge tone="warn">{count}</Badge>
      </h3>
      <ul className={styles.rows}>
        {rows.slice(0, SHOWN).map(({ id, to, name, note, mark }) => (
          <li key={id}>
            <Link to={to}>{name}</Link>
            {mark}
            <span className={styles.note}>{note}</span>
          </li>
        ))}
      </ul>
      <Link to={all} className={styles.all} aria-label={`${words.all}: ${title}`}>
        {words.all}
      </Link>
    </div>
  );
}

/** All of them wait for the operator: to be approved, or until somebody has paid. */
function OpenRefunds(): ReactElement {
  const words = useWords(HOME);
  const zoneOf = useZoneOf();
  return (
    <Load of={useRead('listRefunds', { query: { state: ['requested', 'approved'], limit: COUNTED } })} lines={2}>
      {({ body: { items, next: more } }) => (
        <Kind
          title={words.refunds}
          calm={words.calm.refunds}
          all="/refunds"
          isMore={more !== null}
          rows={items.map(({ merchant, refund, order, amount, next, requestedAt }) => ({
            id: `${merchant} ${refund}`,
            to: `/orders/${merchant}/${encodeURIComponent(order)}`,
            name: `${merchant} · ${order}`,
            mark: <Amount of={amount} />,
            note: (
              <>
                {next !== null && words.refundNext[next]} · <Instant at={requestedAt} zone={zoneOf(merchant)} />
              </>
            ),
          }))}
        />
      )}
    </Load>
  );
}

/** Settlements that wait for who may approve them. */
function Drafts(): ReactElement {
  const words = useWords(HOME);
  return (
    <Load of={useRead('listSettlements', { query: { state: ['draft'], limit: COUNTED } })} lines={2}>
      {({ body: { items, next } }) => (
        <Kind
          title={words.settlements}
          calm={words.calm.settlements}
          all="/settlements?tab=approval"
          isMore={next !== null}
          rows={items.map(({ merchant, settlement, net, settledOn }) => ({
            id: `${merchant} ${settlement}`,
            to: `/settlements/${merchant}/${settlement}`,
            name: `${merchant} · ${settlement}`,
            mark: <Amount of={net} />,
            note: <Day on={settledOn} />,
          }))}
        />
      )}
    </Load>
  );
}

function RefusedPayments(): ReactElement {
  const words = useWords(HOME);
  const zoneOf = useZoneOf();
  const refusals = useWords(REFUSALS);
  return (
    <Load of={useRead('listRefusedPayments', { query: { resolved: false, limit: COUNTED } })} lines={2}>
      {({ body: { items, next } }) => (
        <Kind
          title={words.refused}
          calm={words.calm.refused}
          all="/refused-payments"
          isMore={next !== null}
          rows={items.map(({ merchant, order, source, transaction, refusal, amount, lastAt }) => ({
            id: `${source} ${transaction}`,
            to: `/orders/${merchant}/${encodeURIComponent(order)}`,
            name: `${merchant} · ${order}`,
            mark: <Amount of={amount} />,
            note: (
              <>
                {wordFor(refusals, refusal)} · <Instant at={lastAt} zone={zoneOf(merchant)} />
              </>
            ),
          }))}
        />
      )}
    </Load>
  );
}

function Endpoints(): ReactElement {
  const words = useWords(HOME);
  const zoneOf = useZoneOf();
  return (
    <Load of={useRead('listNoticeEndpoints', { query: { limit: COUNTED } })} lines={2}>
      {({ body: { items, next } }) => (
        <Kind
          title={words.endpoints}
          calm={words.calm.endpoints}
          all="/notices?state=waiting"
          isMore={next !== null}
          rows={items
            .filter(({ pausedAt, failingSince }) => pausedAt !== null || failingSince !== null)
            .map(({ merchant, waiting, failingSince, pausedAt }) => ({
              id: merchant,
              to: `/notices?merchant=${merchant}&state=waiting`,
              name: merchant,
              mark: <Badge tone="bad">{pausedAt === null ? words.failing : words.paused}</Badge>,
              note: (
                <>
                  {words.waiting(waiting)} · <Instant at={failingSince ?? pausedAt} zone={zoneOf(merchant)} />
                </>
              ),
            }))}
        />
      )}
    </Load>
  );
}

/** A developer saw a test fail: nobody needs to look at it. */
function GivenUpNotices(): ReactElement {
  const words = useWords(HOME);
  const zoneOf = useZoneOf();
  return (
    <Load of={useRead('listNotices', { query: { state: 'given_up', kind: ['order', 'cashout', 'settlement'], limit: COUNTED } })} lines={2}>
      {({ body: { items, next } }) => (
        <Kind
          title={words.notices}
          calm={words.calm.notices}
          all="/notices?state=given_up&kind=order,cashout,settlement"
          isMore={next !== null}
          rows={items.map(({ id, merchant, kind, subject, attemptedAt, writtenAt }) => ({
            id,
            to: `/notices/${id}`,
            name: `${merchant} · ${words.kinds[kind]} ${subject}`,
            note: <Instant at={attemptedAt ?? writtenAt} zone={zoneOf(merchant)} />,
          }))}
        />
      )}
    </Load>
  );
}

function GivenUpMessages(): ReactElement {
  const words = useWords(HOME);
  const zoneOf = useZoneOf();
  return (
    <Load of={useRead('listMessages', { query: { state: 'given_up', limit: COUNTED } })} lines={2}>
      {({ body: { items, next } }) => (
        <Kind
          title={words.messages}
          calm={words.calm.messages}
          all="/messages?state=given_up"
          isMore={next !== null}
          rows={items.map(({ id, merchant, kind, channel, subject, createdAt }) => ({
            id,
            to: `/messages?merchant=${merchant}&subject=${encodeURIComponent(subject)}`,
            name: `${merchant} · ${words.kinds[kind]} ${subject}`,
            mark: <Badge>{words.channels[channel]}</Badge>,
            note: <Instant at={createdAt} zone={zoneOf(merchant)} />,
          }))}
        />
      )}
    </Load>
  );
}

function StoppedMerchants(): ReactElement {
  const words = useWords(HOME);
  const stopped = useMerchants().filter(({ frozenAt, disabledAt }) => frozenAt !== null || disabledAt !== null);
  return (
    <Kind
      title={words.merchants}
      calm={words.calm.merchants}
      all="/merchants"
      isMore={false}
      rows={stopped.map(({ merchant, name, frozenAt, disabledAt, timeZone }) => ({
        id: merchant,
        to: `/merchants/${merchant}`,
        name,
        mark: <Badge tone="warn">{disabledAt === null ? words.frozen : words.disabled}</Badge>,
        note: <Instant at={disabledAt ?? frozenAt} zone={timeZone} />,
      }))}
    />
  );
}
