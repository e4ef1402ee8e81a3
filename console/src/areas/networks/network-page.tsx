import type { ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { LimitsText } from '../../design/form/limits.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { ChangeRow } from '../../design/page/rows.tsx';
import { Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { useChoice, usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { AddressesAct, NetworkLimitsAct, NetworkSigningAct, RotateAct, ServesAct, SwitchAct } from './network-acts.tsx';
import { NetworkBrand } from './network-brand.tsx';
import { AllCountries, NetworkState, type Network } from './network.tsx';
import { NETWORKS } from './words.ts';

const ACTS = ['none', 'serves', 'signing', 'addresses', 'limits', 'rotate', 'switch'] as const;
type ActName = (typeof ACTS)[number];

/** One network: where it serves, how its requests are proved, and what can be done. */
export function NetworkPage(): ReactElement {
  const words = useWords(NETWORKS);
  const { netname } = usePath<'netname'>();
  const may = useMay();
  const query = useRead('readNetwork', { path: { netname } });
  const [act, setAct] = useChoice('act', ACTS);
  const network = query.data?.body;
  return (
    <Page
      title={network?.name ?? netname}
      above={{ name: words.title, to: '/networks' }}
      mark={network && <NetworkState of={network} />}
      acts={
        network && (
          <>
            {may('secrets:write') && <Button onClick={() => setAct('rotate')}>{words.rotate}</Button>}
            {may('networks:write') && (
              <Button kind={network.disabledAt === null ? 'bad' : 'plain'} onClick={() => setAct('switch')}>
                {network.disabledAt === null ? words.disable : words.enable}
              </Button>
            )}
          </>
        )
      }
    >
      <Load of={query}>
        {({ body }) => (
          <>
            <Shown of={body} onChange={may('networks:write') ? setAct : undefined} />
            <OpenAct act={act} of={body} onClose={() => setAct('none')} />
          </>
        )}
      </Load>
    </Page>
  );
}

function Shown({ of: network, onChange }: { readonly of: Network; readonly onChange: ((act: ActName) => void) | undefined }): ReactElement {
  const words = useWords(NETWORKS);
  const row = (act: ActName, name: string, value: ReactElement | string) =>
    [
      name,
      <ChangeRow key={act} label={`${words.change}: ${name}`} onChange={onChange && (() => onChange(act))}>
        {value}
      </ChangeRow>,
    ] as const;
  return (
    <Columns>
      <Section title={words.requests}>
        <Facts
          of={[
            row('serves', words.countries, <AllCountries of={network.countries} />),
            [words.currencies, network.currencies?.join(', ') ?? words.allCurrencies],
            row('signing', words.signing, words.signings[network.signing]),
            row('addresses', words.addresses, network.addresses?.join(', ') ?? words.anyAddress),
            row('limits', words.limits, <LimitsText of={network.limits} />),
          ]}
        />
      </Section>
      <div>
        <Section title={words.facts}>
          <Facts
            of={[
              [words.netname, <Copyable key="netname" text={network.netname} />],
              [words.name, network.name],
              [words.created, <Instant key="created" at={network.createdAt} isLong />],
              [words.earlier, <Instant key="earlier" at={network.earlierSecretValidUntil} isLong />],
            ]}
          />
        </Section>
        <NetworkBrand of={network} />
      </div>
    </Columns>
  );
}

function OpenAct({
  act,
  of: network,
  onClose,
}: {
  readonly act: ActName;
  readonly of: Network;
  readonly onClose: () => void;
}): ReactElement | null {
  const props = { of: network, onClose };
  switch (act) {
    case 'none':
      return null;
    case 'serves':
      return <ServesAct {...props} />;
    case 'signing':
      return <NetworkSigningAct {...props} />;
    case 'addresses':
      return <AddressesAct {...props} />;
    case 'limits':
      return <NetworkLimitsAct {...props} />;
    case 'rotate':
      return <RotateAct {...props} />;
    default:
      return <SwitchAct {...props} />;
  }
}
