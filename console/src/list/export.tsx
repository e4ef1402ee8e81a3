import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { Operations } from '../api/generated/operations.ts';
import { Button } from '../design/button.tsx';
import type { Search } from '../shell/address.ts';
import { useWords } from '../shell/language.ts';
import { useMay } from '../shell/me.tsx';
import { LIST } from './words.ts';

const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));

type ExportProps = { readonly list: Operations['exportList']['body']['list']; readonly filter: Search };

/** Exports a list whole: exactly what its filter says, and not only the page that is shown. */
export function Export({ list, filter }: ExportProps): ReactElement | null {
  const words = useWords(LIST);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may('exports:read')) return null;
  return (
    <>
      <Button kind="quiet" isSmall icon="download" onClick={() => setOpen(true)}>
        {words.export}
      </Button>
      <Suspense>{isOpen && <ExportForm list={list} filter={filter} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
