import { lazy, Suspense, useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { Rule } from '../../api/rules.ts';
import { useWords } from '../../shell/language.ts';
import { mayClose } from '../../shell/unsaved.ts';
import { goToSignIn } from '../../shell/sign-in.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../over/dialog.tsx';
import { Field, useCheck } from './field.tsx';
import { Form } from './form.tsx';
import { useProblem } from './use-problem.ts';
import { DESIGN } from '../words.ts';
import styles from './act.module.css';

/** How far a write is. */
export type Write = { readonly isPending: boolean; readonly error: Problem | null };

type ActProps = {
  readonly title: string;
  readonly onClose: () => void;
  /** What happens. */
  readonly what: ReactNode;
  /** How to undo it, or that nothing undoes it. */
  readonly undo?: ReactNode;
  readonly button: string;
  readonly isBad?: boolean;
  /** Where the operation takes a reason: its rule. */
  readonly reason?: { readonly rule: Rule | undefined; readonly isRequired: boolean } | undefined;
  /** The fields of the act, beside its reason. */
  readonly children?: ReactNode;
  readonly write: Write;
  /** There is nothing to do, as the act stands. */
  readonly isOff?: boolean;
  readonly onAct: (reason: string) => void;
};

/** Asks before something is done. It says what happens and how to undo it, takes the reason, and shows a refusal. */
export function Act({
  title,
  onClose,
  what,
  undo,
  button,
  isBad = false,
  reason,
  children,
  write: { isPending, error: problem },
  isOff = false,
  onAct,
}: ActProps): ReactElement {
  const words = useWords(DESIGN);
  const check = useCheck();
  const { faultAt } = useProblem(problem);
  const [text, setText] = useState('');
  const [hasTried, setTried] = useState(false);
  const fault = reason && check(reason.rule, text, reason.isRequired);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined && !isPending && !isOff) onAct(text);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className={styles.act} onSubmit={submit}>
        <div>{what}</div>
        {undo && (
          <p className={styles.undo}>
            <b>{words.undo}:</b> {undo}
          </p>
        )}
        {children}
        {reason && (
          <Field
            label={words.reason}
            hint={words.reasonHint}
            value={text}
            onValue={setText}
            rule={reason.rule}
            isRequired={reason.isRequired}
            fault={faultAt('/reason') ?? (hasTried ? fault : undefined)}
          />
        )}
        {problem && <Refused problem={problem} />}
        <div className={styles.buttons}>
          <Button onClick={({ currentTarget }) => mayClose(currentTarget.form) && onClose()}>{words.back}</Button>
          <Button type="submit" kind={isBad ? 'bad' : 'main'} isBusy={isPending || isOff}>
            {button}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const StepUp = lazy(async () => ({ default: (await import('./step-up.tsx')).StepUp }));

/** What a write was refused for. Where the session must be proved again, that is done here. */
export function Refused({ problem }: { readonly problem: Problem }): ReactElement {
  const words = useWords(DESIGN);
  const { text, faults } = useProblem(problem);
  const needsProof = problem.problem === 'step_up_required';
  return (
    <div role="alert" className={styles.refused}>
      <p>{needsProof ? words.stepUp.what : text}</p>
      {needsProof && (
        <Suspense fallback={null}>
          <StepUp key={problem.requestId} />
        </Suspense>
      )}
      {problem.status === 401 && <Button onClick={goToSignIn}>{words.signInAgain}</Button>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ place, name, text: fault }) => (
            <li key={place}>
              {name && <code>{name}</code>} {fault}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
