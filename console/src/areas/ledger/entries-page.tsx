import type { ReactElement } from 'react';
import { ENTRY_KINDS } from '../../api/generated/money-words.ts';
import { SettlementLink, TransactionLink } from '../../about/entry-links.tsx';
import { useAccountName } from '../../about/accounts.ts';
import { listEntries } from '../../api/generated/rules/ledger.ts';
import { Page } from '../../design/page/page.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { LEDGER } from './words.ts';

/** Every movement of a merchant's money. */
export function EntriesPage(): ReactElement {
  const words = useWords(LEDGER);
  const kinds = useWords(ENTRY_KINDS);
  const { merchant } = usePath<'merchant'>();
  const nameOf = useAccountName();
  const zone = useZoneOf()(merchant);
  return (
    <Page title={words.entries} above={{ name: words.of(merchant), to: `/ledger/${merchant}` }}>
      <List
        operation="listEntries"
        rules={listEntries}
        always={{ merchant }}
        columns={[
          {
            id: 'transaction',
            title: words.transaction,
            cell: ({ transaction }) => <TransactionLink merchant={merchant} transaction={transaction} />,
          },
          { id: 'kind', title: words.kind, cell: ({ kind }) => kinds[kind] },
          { id: 'account', title: words.account, cell: ({ account }) => nameOf(account) },
          {
            id: 'settlement',
            title: words.settlement,
            cell: ({ settlement }) => (settlement === null ? '—' : <SettlementLink merchant={merchant} settlement={settlement} />),
          },
          { id: 'amount', title: words.amount, cell: ({ amount }) => <Amount of={amount} hasSign />, isNumber: true },
          { id: 'posted', title: words.posted, cell: ({ postedAt }) => <Instant at={postedAt} zone={zone} /> },
          { id: 'reason', title: words.reason, cell: ({ reason }) => reason || '—' },
        ]}
        keyOf={({ transaction, line }) => `${transaction} ${line}`}
        live="ledger"
        beside={({ until, ...filter }) => <Export list="entries" filter={{ ...filter, ...(until && { to: until }), merchant }} />}
      />
    </Page>
  );
}
