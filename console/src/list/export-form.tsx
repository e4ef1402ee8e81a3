import { useState, type ReactElement } from 'react';
import { exportList } from '../api/generated/rules/exports.ts';
import type { Operations } from '../api/generated/operations.ts';
import { useWrite } from '../api/queries.ts';
import { ruleAt } from '../api/rules.ts';
import { Act } from '../design/form/act.tsx';
import { ButtonLink } from '../design/button.tsx';
import { Dialog } from '../design/over/dialog.tsx';
import { Field } from '../design/form/field.tsx';
import type { Search } from '../shell/address.ts';
import { useLanguage, useWords } from '../shell/language.ts';
import { exportFilter } from './export-filter.ts';
import { useSaidFilter } from './said-filter.ts';
import { LIST } from './words.ts';

type Body = Operations['exportList']['body'];
type FormProps = { readonly list: Body['list']; readonly filter: Search; readonly onClose: () => void };

/** Asks for the format of an export, and says where its file will be. */
export function ExportForm({ list, filter, onClose }: FormProps): ReactElement {
  const words = useWords(LIST);
  const language = useLanguage();
  const [format, setFormat] = useState<string>(`csv-${language}`);
  const write = useWrite('exportList', { changes: ['listExports'] });
  const body = { list, format, ...exportFilter(list, filter) } as Body;
  const shown = useSaidFilter()(list, filter);
  if (write.isSuccess)
    return (
      <Dialog title={words.export} onClose={onClose}>
        <p>{words.exporting}</p>
        <ButtonLink kind="main" to="/exports">
          {words.toExports}
        </ButtonLink>
      </Dialog>
    );
  return (
    <Act
      title={words.export}
      onClose={onClose}
      what={shown.length === 0 ? words.exportsAll : `${words.exportsFilter} ${shown.join(' · ')}`}
      button={words.export}
      write={write}
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
  );
}
