import { useState, type ReactElement } from 'react';
import { saveView } from '../api/generated/rules/you.ts';
import { useWrite } from '../api/queries.ts';
import { ruleAt } from '../api/rules.ts';
import { Act } from '../design/act.tsx';
import { Field, useCheck } from '../design/field.tsx';
import { useWords } from '../shell/language.ts';
import { VIEWS } from './view-words.ts';

/** Asks for the name of a view. */
export function SaveView({ address, onClose }: { readonly address: string; readonly onClose: () => void }): ReactElement {
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
    <Act title={words.save} onClose={onClose} what={words.what} button={words.keep} write={write} onAct={act}>
      <Field label={words.name} value={name} onValue={setName} rule={rule} isRequired fault={hasTried ? fault : undefined} />
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
