import { useState, type ReactElement } from 'react';
import type { CallInput } from '../../api/client.ts';
import { setBankFileLayout } from '../../api/generated/rules/settlements.ts';
import { useRead, useReadAll, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, useCheck } from '../../design/form/field.tsx';
import { TextFileField } from '../../design/form/file-input.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { LAYOUTS } from './layout-words.ts';
import { WideText } from './wide-text.tsx';

type Definition = CallInput<'setBankFileLayout'>['body'];

/** What the service judges: anything that is an object. */
function definitionOf(text: string): Definition | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Definition) : undefined;
  } catch {
    return undefined;
  }
}

/** Sets a layout from a file. What a bank file would look like is shown before it is kept, or each fault with its place. */
export function LayoutAct({ layout: given, onClose }: { readonly layout?: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(LAYOUTS);
  const check = useCheck();
  const [name, setName] = useState(given ?? '');
  const [text, setText] = useState('');
  const [hasTried, setTried] = useState(false);
  const rule = ruleAt(setBankFileLayout.path, '/layout');
  const fault = check(rule, name, true);
  const body = definitionOf(text);
  // The trial keeps nothing: any name does.
  const path = { layout: given ?? 'trial' };
  const trial = useRead(
    'setBankFileLayout',
    { path, query: { try: true }, body: body as Definition },
    { isOn: body !== undefined, isAlwaysNew: true },
  );
  const write = useWrite('setBankFileLayout', { changes: ['listBankFileLayouts', 'readBankFileLayout'], onDone: useSaved(onClose) });
  const others = useReadAll('listBankFileLayouts', {}, { isOn: given === undefined }).data?.items ?? [];
  const isRefused = trial.error !== null;
  const act = (): void => {
    setTried(true);
    if (isRefused) return void trial.refetch();
    if (fault === undefined && body !== undefined) write.mutate({ path: { layout: name }, body });
  };
  return (
    <Act
      title={given === undefined ? words.add : `${words.change} · ${given}`}
      onClose={onClose}
      what={words.what}
      undo={words.undo}
      button={words.save}
      write={{ isPending: trial.isFetching || write.isPending, error: write.error ?? trial.error }}
      isOff={body === undefined}
      onAct={act}
    >
      {given === undefined && (
        <Field
          label={words.name}
          hint={others.some(({ layout }) => layout === name) ? words.replaces : words.nameHint}
          value={name}
          onValue={setName}
          rule={rule}
          isRequired
          fault={hasTried ? fault : undefined}
        />
      )}
      <TextFileField
        label={words.file}
        hint={words.fileHint}
        value={text}
        onText={setText}
        accept=".json,application/json"
        fault={text !== '' && body === undefined ? words.notJson : undefined}
      />
      <div role="status">
        {trial.data && (
          <>
            <h3>{words.trial}</h3>
            <WideText name={words.trial} text={trial.data.body.sample} />
          </>
        )}
      </div>
    </Act>
  );
}
