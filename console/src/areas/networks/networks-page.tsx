import type { ReactElement } from 'react';
import { listNetworks } from '../../api/generated/rules/networks.ts';
import { ButtonLink } from '../../design/button.tsx';
import { LimitsText } from '../../design/form/limits.tsx';
import { Page } from '../../design/page/page.tsx';
import { Instant } from '../../design/values/values.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { Countries, NetworkState } from './network.tsx';
import { NETWORKS } from './words.ts';

/** The networks that take and pay cash. */
export function NetworksPage(): ReactElement {
  const words = useWords(NETWORKS);
  const may = useMay();
  return (
    <Page
      title={words.title}
      acts={
        may('networks:write') && (
          <ButtonLink kind="main" icon="plus" to="/networks/new">
            {words.new}
          </ButtonLink>
        )
      }
    >
      <List
        operation="listNetworks"
        rules={listNetworks}
        keyOf={({ netname }) => netname}
        pageOf={({ netname }) => `/networks/${encodeURIComponent(netname)}`}
        live="network"
        columns={[
          { id: 'netname', title: words.netname, cell: ({ netname }) => netname },
          { id: 'name', title: words.name, cell: ({ name }) => name },
          { id: 'state', title: words.state, cell: (network) => <NetworkState of={network} /> },
          { id: 'countries', title: words.countries, cell: ({ countries }) => <Countries of={countries} /> },
          { id: 'currencies', title: words.currencies, cell: ({ currencies }) => currencies?.join(', ') ?? words.allCurrencies },
          { id: 'signing', title: words.signing, cell: ({ signing }) => words.signings[signing] },
          { id: 'limits', title: words.limits, cell: ({ limits }) => <LimitsText of={limits} />, isExtra: true },
          { id: 'created', title: words.created, cell: ({ createdAt }) => <Instant at={createdAt} />, isExtra: true },
        ]}
      />
    </Page>
  );
}
