import { useState, type ReactElement } from 'react';
import { rotateNetworkSecret, setNetworkLimits, setNetworkSigning } from '../../api/generated/rules/networks.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { LimitsAct } from '../../design/form/limits.tsx';
import { Rotate } from '../../design/form/rotate.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import type { Network } from './network.tsx';
import { servesBody, ServesFields, type Serves } from './serves-fields.tsx';
import { NETWORKS } from './words.ts';

type ActProps = { readonly of: Network; readonly onClose: () => void };

const CHANGES = { changes: ['readNetwork', 'listNetworks'] as const };

/** The words that all settings share. */
function useSetting(title: string, onClose: () => void) {
  const words = useWords(NETWORKS);
  return { title, onClose, what: words.settingWhat, undo: words.settingUndo, button: words.save };
}

export function ServesAct({ of: network, onClose }: ActProps): ReactElement {
  const words = useWords(NETWORKS);
  const setting = useSetting(words.serves, onClose);
  const write = useWrite('setNetworkServes', { ...CHANGES, onDone: useSaved(onClose) });
  const [serves, setServes] = useState<Serves>({ countries: network.countries, currencies: network.currencies ?? [] });
  return (
    <Act {...setting} write={write} onAct={() => write.mutate({ path: { netname: network.netname }, body: servesBody(serves) })}>
      <ServesFields of={serves} onServes={setServes} />
    </Act>
  );
}

export function NetworkSigningAct({ of: network, onClose }: ActProps): ReactElement {
  const words = useWords(NETWORKS);
  const setting = useSetting(words.signing, onClose);
  const write = useWrite('setNetworkSigning', { ...CHANGES, onDone: useSaved(onClose) });
  const [signing, setSigning] = useState<string>(network.signing === 'checksum' ? 'checksum' : 'require');
  return (
    <Act
      {...setting}
      write={write}
      onAct={() => write.mutate({ path: { netname: network.netname }, body: { signing: signing as 'require' | 'checksum' } })}
    >
      <Field
        label={words.signing}
        value={signing}
        onValue={setSigning}
        rule={ruleAt(setNetworkSigning.body, '/signing')}
        choices={words.signings}
        isRequired
      />
    </Act>
  );
}

export function AddressesAct({ of: network, onClose }: ActProps): ReactElement {
  const words = useWords(NETWORKS);
  const setting = useSetting(words.addresses, onClose);
  const write = useWrite('setNetworkAddresses', { ...CHANGES, onDone: useSaved(onClose) });
  const [text, setText] = useState(network.addresses?.join('\n') ?? '');
  const addresses = text.split(/[\s,]+/).filter((one) => one !== '');
  return (
    <Act
      {...setting}
      write={write}
      onAct={() => write.mutate({ path: { netname: network.netname }, body: { addresses: addresses.length === 0 ? null : addresses } })}
    >
      <Field label={words.addresses} hint={words.addressesHint} value={text} onValue={setText} isLong />
    </Act>
  );
}

export function NetworkLimitsAct({ of: { netname, limits }, onClose }: ActProps): ReactElement {
  const write = useWrite('setNetworkLimits', { ...CHANGES, onDone: useSaved(onClose) });
  return (
    <LimitsAct
      now={limits}
      rule={setNetworkLimits.body}
      onClose={onClose}
      onSet={(next) => write.mutate({ path: { netname }, body: { limits: next } })}
      write={write}
    />
  );
}

/** Replaces both secrets. */
export function RotateAct({ of: { netname }, onClose }: ActProps): ReactElement {
  const words = useWords(NETWORKS);
  const write = useWrite('rotateNetworkSecret', CHANGES);
  const made = write.data?.body;
  return (
    <Rotate
      title={`${words.rotate}: ${netname}`}
      what={words.rotateWhat}
      undo={words.rotateUndo}
      button={words.rotate}
      rule={rotateNetworkSecret.body}
      write={write}
      onRotate={(body) => write.mutate({ path: { netname }, body })}
      made={
        made && {
          title: words.made(netname),
          secrets: [
            [words.secret, made.secret],
            [words.signingSecret, made.signingSecret],
          ],
          previousValidUntil: made.previousValidUntil,
        }
      }
      onClose={onClose}
    />
  );
}

export function SwitchAct({ of: { netname, disabledAt }, onClose }: ActProps): ReactElement {
  const words = useWords(NETWORKS);
  const isOn = disabledAt === null;
  const write = useWrite(isOn ? 'disableNetwork' : 'enableNetwork', { ...CHANGES, onDone: useSaved(onClose) });
  return (
    <Act
      title={`${isOn ? words.disable : words.enable}: ${netname}`}
      onClose={onClose}
      what={isOn ? words.disableWhat : words.enableWhat}
      undo={isOn ? words.disableUndo : words.enableUndo}
      button={isOn ? words.disable : words.enable}
      isBad={isOn}
      write={write}
      onAct={() => write.mutate({ path: { netname } })}
    />
  );
}
