import { useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import styles from './selected-act.module.css';

type SelectedProps = {
  readonly name: string;
  /** The act was carried out: nothing is selected any more. */
  readonly onDone: () => void;
  readonly children: (onClose: (isDone: boolean) => void) => ReactElement;
};

/** A button that opens an act on what is selected in a list. */
export function SelectedAct({ name, onDone, children }: SelectedProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        {name}
      </Button>
      {isOpen &&
        children((isDone) => {
          setOpen(false);
          if (isDone) onDone();
        })}
    </>
  );
}

type OutcomesProps = {
  /** How many were done. */
  readonly done: ReactNode;
  /** How many were refused. */
  readonly title: string;
  readonly refused: readonly { readonly id: string; readonly name: string; readonly why: ReactNode }[];
};

/** What came of an act on several. Each that was refused is named, with the reason. */
export const Outcomes = ({ done, title, refused }: OutcomesProps): ReactElement => (
  <div className={styles.outcomes} role="status">
    {done && <p>{done}</p>}
    {refused.length > 0 && (
      <>
        <p className={styles.bad}>{title}</p>
        <ul>
          {refused.map(({ id, name, why }) => (
            <li key={id}>
              <b>{name}</b> {why}
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
