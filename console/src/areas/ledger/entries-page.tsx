import type { ReactElement } from 'react';
import { useAccountName } from '../../about/accounts.ts';
import { listEntries } from '../../api/generated/rules/ledger.ts';
import { Page } from '../../design/page/page.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { useZoneOf } from '../../shell/me.tsx';
import { LEDGER } from './words.ts';

/** The page of what a transaction is about: `cashout/W-77/paid` is of cashout W-77. */
function subjectOf(merchant: string, transaction: string): LinkTo | undefined {
  const [kind, id = ''] = transaction.split('/');
  return kind === 'order' || kind === 'cashout' ? `/${kind}s/${merchant}/${encodeURIComponent(id)}` : undefined;
}

/** Every movement of a merchant's money. */
export function EntriesPage(): ReactElement {
  const words = useWords(LEDGER);
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
            cell: ({ transaction }) => {
              const to = subjectOf(merchant, transaction);
              return to === undefined ? transaction : <Link to={to}>{transaction}</Link>;
            },
          },
          { id: 'kind', title: words.kind, cell: ({ kind }) => words.kinds[kind] },
          { id: 'account', title: words.account, cell: ({ account }) => nameOf(account) },
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
