import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useRead } from '../api/queries.ts';
import { Button } from '../design/button.tsx';
import { Menu } from '../design/over/menu.tsx';
import { printSearch, useAddress, usePathWithin } from '../shell/address.ts';
import { useWords } from '../shell/language.ts';
import { goTo, type LinkTo } from '../shell/navigation.ts';
import { VIEWS } from './view-words.ts';

const SaveView = lazy(async () => ({ default: (await import('./view-forms.tsx')).SaveView }));
const DeleteView = lazy(async () => ({ default: (await import('./view-forms.tsx')).DeleteView }));

/** The views of this list that the user has saved: each is a filter with its columns. */
export function Views(): ReactElement {
  const words = useWords(VIEWS);
  const path = usePathWithin();
  const [search] = useAddress();
  const { cursor: _, open: __, ...kept } = search;
  const present = `${path}${printSearch(kept)}`;
  const [asks, setAsks] = useState<'save' | 'delete'>();
  const views = useRead('listViews', {}).data?.body.views.filter(({ address }) => address.split('?')[0] === path) ?? [];
  const here = views.find(({ address }) => address === present);
  return (
    <>
      <Menu
        trigger={
          <Button kind="quiet" isSmall icon="star">
            {here?.name ?? words.views}
          </Button>
        }
        groups={[
          views.map(({ name, address }) => ({ name, isChosen: address === present, onChoose: () => void goTo(address as LinkTo) })),
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
