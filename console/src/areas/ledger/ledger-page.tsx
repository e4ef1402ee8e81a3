import type { ReactElement } from 'react';
import { listMerchants } from '../../api/generated/rules/merchants.ts';
import { Page } from '../../design/page.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useMe } from '../../shell/me.tsx';
import { Accounts } from './accounts-page.tsx';
import { LEDGER } from './words.ts';

/** Whose ledger. Who is of one merchant sees that one at once. */
export function LedgerPage(): ReactElement {
  const { merchant } = useMe();
  return merchant === null ? <Merchants /> : <Accounts merchant={merchant} />;
}

function Merchants(): ReactElement {
  const words = useWords(LEDGER);
  return (
    <Page title={words.title}>
      <List
        operation="listMerchants"
        rules={listMerchants}
        columns={[
          { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant },
          { id: 'name', title: words.name, cell: ({ name }) => name },
          { id: 'currencies', title: words.currencies, cell: ({ currencies }) => currencies.join(', ') },
          { id: 'zone', title: words.zone, cell: ({ timeZone }) => timeZone },
        ]}
        keyOf={({ merchant }) => merchant}
        pageOf={({ merchant }) => `/ledger/${merchant}`}
      />
    </Page>
  );
}
