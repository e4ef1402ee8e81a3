import { useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useRead } from '../api/queries.ts';
import { Button } from '../design/button.tsx';
import { Menu } from '../design/over/menu.tsx';
import { parseSearch, printSearch, useAddress } from '../shell/address.ts';
import { useWords } from '../shell/language.ts';
import { VIEWS } from './view-words.ts';

const SaveView = lazy(async () => ({ default: (await import('./view-forms.tsx')).SaveView }));
const DeleteView = lazy(async () => ({ default: (await import('./view-forms.tsx')).DeleteView }));

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
      <Suspense>
        {asks === 'save' && <SaveView address={present} onClose={() => setAsks(undefined)} />}
        {asks === 'delete' && here !== undefined && <DeleteView id={here.id} name={here.name} onClose={() => setAsks(undefined)} />}
      </Suspense>
    </>
  );
}
