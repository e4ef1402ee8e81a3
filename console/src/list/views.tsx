import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { saveView } from '../api/generated/rules/you.ts';
import { useRead, useWrite } from '../api/queries.ts';
import { ruleAt } from '../api/rules.ts';
import { Act } from '../design/act.tsx';
import { Button } from '../design/button.tsx';
import { Field, useCheck } from '../design/field.tsx';
import { Menu } from '../design/menu.tsx';
import { parseSearch, printSearch, useAddress } from '../shell/address.ts';
import { useWords } from '../shell/language.ts';
import { VIEWS } from './view-words.ts';

/** The views of this list that the user has saved: each is a filter with its columns. */
export function Views(): ReactElement {
  const words = useWords(VIEWS);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [search] = useAddress();
  const { cursor: _, open: __, ...kept } = search;
  const present = `${path}${printSearch(kept)}`;
  const [asks, setAsks] = useState<'save' | 'delete'>();
  const views = useRead('listViews', {}).data?.body.views.filter(({ address }) => address.split('?')[0] === path) ?? [];
  const here = views.find(({ address }) => address === present);
  const goTo = (address: string): void => void navigate({ to: '.', search: parseSearch(address.split('?')[1] ?? '') });
  return (
    <>
      <Menu
        trigger={
          <Button kind="quiet" isSmall icon="star">
            {here?.name ?? words.views}
          </Button>
        }
        groups={[
          views.map(({ name, address }) => ({ name, isChosen: address === present, onChoose: () => goTo(address) })),
          here === undefined
            ? [{ name: words.save, onChoose: () => setAsks('save') }]
            : [{ name: words.remove, isBad: true, onChoose: () => setAsks('delete') }],
        ].filter((group) => group.length > 0)}
      />
      {asks === 'save' && <Save address={present} onClose={() => setAsks(undefined)} />}
      {asks === 'delete' && here !== undefined && <Delete id={here.id} name={here.name} onClose={() => setAsks(undefined)} />}
    </>
  );
}

function Save({ address, onClose }: { readonly address: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(VIEWS);
  const check = useCheck();
  const [name, setName] = useState('');
  const [hasTried, setTried] = useState(false);
  const write = useWrite('saveView', { changes: ['listViews'], onDone: onClose });
  const rule = ruleAt(saveView.body, '/name');
  const fault = check(rule, name.trim(), true);
  const act = (): void => {
    setTried(true);
    if (fault === undefined) write.mutate({ body: { name: name.trim(), address } });
  };
  return (
    <Act
      title={words.save}
      isOpen
      onClose={onClose}
      what={words.what}
      button={words.keep}
      isBusy={write.isPending}
      problem={write.error}
      onAct={act}
    >
      <Field label={words.name} value={name} onValue={setName} rule={rule} isRequired fault={hasTried ? fault : undefined} />
    </Act>
  );
}

function Delete({ id, name, onClose }: { readonly id: string; readonly name: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(VIEWS);
  const write = useWrite('deleteView', { changes: ['listViews'], onDone: onClose });
  return (
    <Act
      title={words.remove}
      isOpen
      onClose={onClose}
      what={words.removeWhat(name)}
      button={words.remove}
      isBad
      isBusy={write.isPending}
      problem={write.error}
      onAct={() => write.mutate({ path: { view: id } })}
    />
  );
}
