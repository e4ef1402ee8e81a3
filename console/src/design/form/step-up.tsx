import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useWords } from '../../shell/language.ts';
import { useMe } from '../../shell/me.tsx';
import { Button } from '../button.tsx';
import { DESIGN } from '../words.ts';
import styles from './act.module.css';
import { Field } from './field.tsx';
import { useProblem } from './use-problem.ts';

/** Proves again who the user is, within a form: what was typed there stays. A passkey and the like are used on the page of signing in. */
export function StepUp(): ReactElement {
  const words = useWords(DESIGN).stepUp;
  const [code, setCode] = useState('');
  const [isDone, setDone] = useState(false);
  const write = useWrite('proveAgain', { onDone: () => setDone(true) });
  const { text } = useProblem(write.error);
  const prove = (): void => {
    if (code.trim() !== '') write.mutate({ body: { code: code.trim() } });
  };
  // Within another form: Enter would send that one.
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    prove();
  };
  if (!useMe().hasCodes)
    return (
      <div className={styles.proof}>
        <p className="small quiet">{words.noCodes}</p>
        <OtherTab name={words.inOtherTab} />
      </div>
    );
  if (isDone) return <p role="status">{words.done}</p>;
  return (
    <div className={styles.proof} onKeyDown={press}>
      <Field
        label={words.code}
        hint={words.codeHint}
        value={code}
        onValue={setCode}
        inputMode="text"
        autoComplete="one-time-code"
        fault={write.error === null ? undefined : text}
        isRequired
      />
      <div className={styles.buttons}>
        <OtherTab name={words.otherWay} />
        <Button kind="main" isBusy={write.isPending} onClick={prove}>
          {words.go}
        </Button>
      </div>
    </div>
  );
}

/** The page of signing in has every way to prove it. In this tab what was typed would be lost. */
const OtherTab = ({ name }: { readonly name: string }): ReactElement => (
  <a href="/console/sign-in" target="_blank" rel="noreferrer">
    {name}
  </a>
);
