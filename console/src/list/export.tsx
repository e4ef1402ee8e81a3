import { useState, type ReactElement } from 'react';
import { exportList } from '../api/generated/rules/exports.ts';
import type { Operations } from '../api/generated/operations.ts';
import { useWrite } from '../api/queries.ts';
import { ruleAt } from '../api/rules.ts';
import { Act } from '../design/act.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/field.tsx';
import type { Search } from '../shell/address.ts';
import { useWords, wordFor } from '../shell/language.ts';
import { useMay, useMe } from '../shell/me.tsx';
import { exportFilter } from './export-filter.ts';
import { LIST } from './words.ts';

type Body = Operations['exportList']['body'];

/** Exports a list whole: exactly what its filter says, and not only the page that is shown. */
export function Export({ list, filter }: { readonly list: Body['list']; readonly filter: Search }): ReactElement | null {
  const words = useWords(LIST);
  const may = useMay();
  const { merchant } = useMe();
  const [isOpen, setOpen] = useState(false);
  const [format, setFormat] = useState<string>('csv-safe');
  const write = useWrite('exportList', { changes: ['listExports'] });
  if (!may('exports:read')) return null;
  const close = (): void => {
    setOpen(false);
    write.reset();
  };
  const body = { list, format, ...exportFilter(list, filter, merchant) } as Body;
  const shown = Object.entries(filter).map(([name, value]) => `${wordFor(words.parameters, name)}: ${value}`);
  return (
    <>
      <Button kind="quiet" isSmall icon="download" onClick={() => setOpen(true)}>
        {words.export}
      </Button>
      {write.isSuccess ? (
        <Dialog title={words.export} isOpen={isOpen} onClose={close}>
          <p>{words.exporting}</p>
          <ButtonLink kind="main" to="/exports">
            {words.toExports}
          </ButtonLink>
        </Dialog>
      ) : (
        <Act
          title={words.export}
          isOpen={isOpen}
          onClose={close}
          what={shown.length === 0 ? words.exportsAll : `${words.exportsFilter} ${shown.join(' · ')}`}
          button={words.export}
          isBusy={write.isPending}
          problem={write.error}
          onAct={() => write.mutate({ body })}
        >
          <Field
            label={words.format}
            value={format}
            onValue={setFormat}
            rule={ruleAt(exportList.body, '/format')}
            choices={words.formats}
            isRequired
          />
        </Act>
      )}
    </>
  );
}
