import type { ReactElement } from 'react';
import { listMerchants } from '../../api/generated/rules/merchants.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { Instant } from '../../design/values/values.tsx';
import { useCountryName } from '../../design/values/countries.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { MerchantView } from './merchant-page.tsx';
import { StateBadge, type Merchant } from './state.tsx';
import { MERCHANTS } from './words.ts';

/** All merchants. Who is bound to one sees that one at once. */
export function MerchantsPage(): ReactElement {
  const own = useMe().merchant;
  return own === null ? <AllMerchants /> : <MerchantView merchant={own} />;
}

function AllMerchants(): ReactElement {
  const words = useWords(MERCHANTS);
  const may = useMay();
  return (
    <Page
      title={words.title}
      acts={
        may('secrets:write') && (
          <ButtonLink kind="main" icon="plus" to="/merchants/new">
            {words.new}
          </ButtonLink>
        )
      }
    >
      <List
        operation="listMerchants"
        rules={listMerchants}
        columns={useColumns()}
        keyOf={({ merchant }) => merchant}
        pageOf={({ merchant }) => `/merchants/${encodeURIComponent(merchant)}`}
        live="merchant"
      />
    </Page>
  );
}

function useColumns(): readonly Column<Merchant>[] {
  const words = useWords(MERCHANTS);
  const countryName = useCountryName();
  return [
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant },
    { id: 'name', title: words.name, cell: ({ name }) => name },
    { id: 'state', title: words.state, cell: (merchant) => <StateBadge of={merchant} /> },
    { id: 'country', title: words.country, cell: ({ country }) => countryName(country) },
    { id: 'currencies', title: words.currencies, cell: ({ currencies }) => currencies.join(', ') },
    { id: 'signing', title: words.signing, cell: ({ signing }) => words.signings[signing] },
    { id: 'language', title: words.language, cell: ({ language }) => words.languages[language], isExtra: true },
    { id: 'contact', title: words.contact, cell: ({ contact }) => contact, isExtra: true },
    { id: 'noticeUrl', title: words.noticeUrl, cell: ({ noticeUrl }) => noticeUrl, isExtra: true },
    { id: 'created', title: words.created, cell: ({ createdAt, timeZone }) => <Instant at={createdAt} zone={timeZone} />, isExtra: true },
  ];
}
