import type { ReactElement } from 'react';
import { listMerchants } from '../../api/generated/rules/merchants.ts';
import { Page, Section } from '../../design/page/page.tsx';
import { List } from '../../list/list.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { Accounts } from './accounts-page.tsx';
import { InAndOut, Yesterday } from './overview.tsx';
import { LEDGER } from './words.ts';
import { zoneName } from '../../design/values/spoken.ts';

/** Whose ledger. Who is of one merchant sees that one at once. */
export function LedgerPage(): ReactElement {
  const { merchant } = useMe();
  return merchant === null ? <Merchants /> : <Accounts merchant={merchant} />;
}

/** Each row reads a day, so a page has few of them. */
const FEW = { limit: '20' };

/** The first screen of finance: what came in, what went out, does it add up. */
function Merchants(): ReactElement {
  const words = useWords(LEDGER);
  const language = useLanguage();
  const may = useMay();
  return (
    <Page title={words.title}>
      {may('figures:read') && <InAndOut />}
      <Section title={words.merchants} isBare>
        <List
          operation="listMerchants"
          rules={listMerchants}
          columns={[
            { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant },
            { id: 'name', title: words.name, cell: ({ name }) => name },
            { id: 'currencies', title: words.currencies, cell: ({ currencies }) => currencies.join(', ') },
            {
              id: 'yesterday',
              title: words.yesterday,
              cell: ({ merchant, timeZone }) => <Yesterday merchant={merchant} zone={timeZone} />,
            },
            { id: 'zone', title: words.zone, cell: ({ timeZone }) => zoneName(timeZone, language), isExtra: true },
          ]}
          keyOf={({ merchant }) => merchant}
          pageOf={({ merchant }) => `/ledger/${merchant}`}
          always={FEW}
        />
      </Section>
    </Page>
  );
}
