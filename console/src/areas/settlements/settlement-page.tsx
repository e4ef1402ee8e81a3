import type { ReactElement, ReactNode } from 'react';
import { ENTRY_KINDS } from '../../api/generated/money-words.ts';
import { TransactionLink } from '../../about/entry-links.tsx';
import { addressOf } from '../../api/client.ts';
import { listSettlementEntries } from '../../api/generated/rules/settlements.ts';
import { useRead } from '../../api/queries.ts';
import { Callout } from '../../design/page/callout.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { LinkList } from '../../design/page/rows.tsx';
import { Summary } from '../../design/values/summary.tsx';
import { Amount, Copyable, Day, Facts, Instant } from '../../design/values/values.tsx';
import { List } from '../../list/list.tsx';
import { usePath } from '../../shell/address.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useZoneOf } from '../../shell/me.tsx';
import { Breakdown } from './breakdown.tsx';
import { SettlementActs } from './settlement-acts.tsx';
import { StateBadge, useNext, type WholeSettlement } from './settlement-state.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type OfOne = { readonly settlement: WholeSettlement };

/** One settlement: what it pays, what was taken off, how far it is, and each entry that it is made of. */
export function SettlementPage(): ReactElement {
  const path = usePath<'merchant' | 'settlement'>();
  return <Load of={useRead('readSettlement', { path })}>{({ body }) => <Shown settlement={body} />}</Load>;
}

function Shown({ settlement }: OfOne): ReactElement {
  const words = useWords(SETTLEMENTS);
  const { merchant, settlement: id, state, net, gross, bankReference } = settlement;
  const language = useLanguage();
  const next = useNext()(state);
  return (
    <Page
      title={words.one(settlement.settlement)}
      mark={<StateBadge state={state} />}
      above={{ name: words.title, to: '/settlements' }}
      acts={<SettlementActs settlement={settlement} />}
    >
      <Summary
        of={[
          {
            name: state === 'draft' || state === 'approved' || state === 'sent' ? words.net : words.netPaid,
            value: <Amount of={net} />,
            isLarge: true,
          },
          { name: words.gross, value: <Amount of={gross} />, isLarge: true },
          { name: words.merchant, value: <Link to={`/settlements/${merchant}`}>{merchant}</Link> },
          ...(bankReference === null ? [] : [{ name: words.reference, value: <Copyable text={bankReference} isCode={false} /> }]),
        ]}
      />
      {next !== undefined && <Callout tone={state === 'returned' ? 'warn' : 'info'}>{next}</Callout>}
      <Columns>
        <div>
          <Section title={words.breakdown} isBare>
            <Breakdown of={settlement} />
          </Section>
          <Contents settlement={settlement} />
        </div>
        <div>
          <Steps settlement={settlement} />
          <Section title={words.related}>
            <LinkList>
              {[
                <Link key="terms" to={`/settlements/${merchant}`}>
                  {words.terms}
                </Link>,
                <Link key="ledger" to={`/ledger/${merchant}`}>
                  {words.ledger}
                </Link>,
                // One that was cancelled is made of nothing.
                ...(state === 'cancelled' ? [] : (['pdf', 'csv'] as const)).map((format) => (
                  <a key={format} href={addressOf('readSettlementStatement', { merchant, settlement: id }, { format, language })} download>
                    {words.statement[format]}
                  </a>
                )),
              ]}
            </LinkList>
          </Section>
        </div>
      </Columns>
    </Page>
  );
}

/** When it came to each of its states, and what the bank said. */
function Steps({ settlement: of }: OfOne): ReactElement {
  const words = useWords(SETTLEMENTS);
  const zone = useZoneOf()(of.merchant);
  const at = (instant: string | null): ReactNode => <Instant at={instant} zone={zone} isLong />;
  const rows: readonly (readonly [name: string, value: ReactNode, isThere: boolean])[] = [
    [words.cutoff, at(of.cutoffAt), true],
    [words.due, <Day key="due" on={of.dueOn} />, of.dueOn !== null],
    [words.made, at(of.madeAt), true],
    [words.states.approved, at(of.approvedAt), of.approvedAt !== null],
    [words.states.sent, at(of.sentAt), of.sentAt !== null],
    [words.file, <Copyable key="file" text={of.file ?? ''} />, of.file !== null],
    [words.states.paid, at(of.paidAt), of.paidAt !== null],
    [words.reference, <Copyable key="reference" text={of.bankReference ?? ''} isCode={false} />, of.bankReference !== null],
    [words.states.returned, at(of.returnedAt), of.returnedAt !== null],
    [words.why, of.problem, of.problem !== null],
    [words.states.cancelled, at(of.cancelledAt), of.cancelledAt !== null],
  ];
  return (
    <Section title={words.steps}>
      <Facts of={rows.filter(([, , isThere]) => isThere).map(([name, value]) => [name, value])} />
    </Section>
  );
}

/** The entries of the ledger that add up to what it settles. */
function Contents({ settlement: { merchant, settlement, state } }: OfOne): ReactElement {
  const words = useWords(SETTLEMENTS);
  const kinds = useWords(ENTRY_KINDS);
  const zone = useZoneOf()(merchant);
  if (state === 'cancelled')
    return (
      <Section title={words.contents}>
        <p className="quiet">{words.contentsFree}</p>
      </Section>
    );
  return (
    <Section title={words.contents} isBare>
      <p className={styles.hint}>{words.contentsHint}</p>
      <List
        operation="listSettlementEntries"
        rules={listSettlementEntries}
        path={{ merchant, settlement }}
        columns={[
          {
            id: 'transaction',
            title: words.transaction,
            cell: ({ transaction }) => <TransactionLink merchant={merchant} transaction={transaction} />,
          },
          { id: 'kind', title: words.kind, onPhone: 'below', cell: ({ kind }) => wordFor(kinds, kind) },
          { id: 'posted', title: words.posted, onPhone: 'when', cell: ({ postedAt }) => <Instant at={postedAt} zone={zone} /> },
          {
            id: 'amount',
            title: words.amount,
            onPhone: 'aside',
            cell: ({ amount }) => <Amount of={amount} hasSign />,
            isNumber: true,
          },
        ]}
        keyOf={({ transaction }) => transaction}
      />
    </Section>
  );
}
