import type { ReactElement } from 'react';
import { saveView } from '../api/generated/rules/you.ts';
import { useWrite } from '../api/queries.ts';
import { Act } from '../design/form/act.tsx';
import { Field } from '../design/form/field.tsx';
import { useForm } from '../design/form/use-form.ts';
import { useWords } from '../shell/language.ts';
import { VIEWS } from './view-words.ts';

/** Asks for the name of a view. */
export function SaveView({ address, onClose }: { readonly address: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(VIEWS);
  const write = useWrite('saveView', { changes: ['listViews'], onDone: onClose });
  const { values, field, isReady } = useForm({ name: '' }, { rule: saveView.body, required: ['name'], problem: write.error });
  const act = (): void => {
    if (isReady()) write.mutate({ body: { name: values.name.trim(), address } });
  };
  return (
    <Act title={words.save} onClose={onClose} what={words.what} button={words.keep} write={write} onAct={act}>
      <Field label={words.name} {...field('name')} />
    </Act>
  );
}

/** Asks before a view is deleted. */
export function DeleteView({
  id,
  name,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}): ReactElement {
  const words = useWords(VIEWS);
  const write = useWrite('deleteView', { changes: ['listViews'], onDone: onClose });
  return (
    <Act
      title={words.remove}
      onClose={onClose}
      what={words.removeWhat(name)}
      button={words.remove}
      isBad
      write={write}
      onAct={() => write.mutate({ path: { view: id } })}
    />
  );
}
