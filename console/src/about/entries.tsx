import type { ReactElement } from 'react';
import type { Operations } from '../api/generated/operations.ts';
import { ButtonLink } from '../design/button.tsx';
import { Section } from '../design/page/page.tsx';
import { Table } from '../design/page/table.tsx';
import { Amount, Instant } from '../design/values/values.tsx';
import { useWords, wordFor } from '../shell/language.ts';
import { useAccountName } from './accounts.ts';
import { ENTRY_KINDS } from '../api/generated/money-words.ts';
import { SettlementLink } from './entry-links.tsx';
import { ABOUT } from './words.ts';

type EntriesProps = {
  /** Null: the user may not see them. */
  readonly of: Operations['readOrder']['answer']['entries'];
  readonly merchant: string;
  readonly zone: string;
};

/** What an order or a cashout moved in the ledger. */
export function EntriesAbout({ of: entries, merchant, zone }: EntriesProps): ReactElement | null {
  const words = useWords(ABOUT);
  const kinds = useWords(ENTRY_KINDS);
  const nameOf = useAccountName();
  if (entries === null) return null;
  const [first] = entries;
  if (first === undefined)
    return (
      <Section title={words.entries}>
        <p className="quiet">{words.noEntries}</p>
      </Section>
    );
  return (
    <Section
      title={words.entries}
      isBare
      acts={
        <ButtonLink kind="quiet" isSmall to={`/ledger/${merchant}/entries?transaction=${first.transaction}`}>
          {words.allEntries}
        </ButtonLink>
      }
    >
      <Table
        name={words.entries}
        columns={[{ title: words.at }, { title: words.kind }, { title: words.account }, { title: words.amount, isNumber: true }]}
        rows={entries.map((entry, place) => ({
          id: String(place),
          cells: [
            <Instant key="at" at={entry.postedAt} zone={zone} />,
            wordFor(kinds, entry.kind),
            entry.settlement === null ? (
              nameOf(entry.account)
            ) : (
              <span key="account">
                {nameOf(entry.account)} · <SettlementLink merchant={merchant} settlement={entry.settlement} />
              </span>
            ),
            <Amount key="amount" of={entry.amount} hasSign />,
          ],
        }))}
      />
    </Section>
  );
}
