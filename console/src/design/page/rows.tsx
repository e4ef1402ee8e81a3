import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../../shell/language.ts';
import { Button } from '../button.tsx';
import { DESIGN } from '../words.ts';
import styles from './rows.module.css';

/** A value with a button that changes it, where the user may. */
export function ChangeRow({
  label,
  onChange,
  children,
}: {
  /** What those who hear the page hear of the button. */
  readonly label: string;
  readonly onChange: (() => void) | undefined;
  readonly children: ReactNode;
}): ReactElement {
  const words = useWords(DESIGN);
  return (
    <span className={styles.row}>
      <span>{children}</span>
      {onChange && (
        <Button isSmall aria-label={label} onClick={onChange}>
          {words.change}
        </Button>
      )}
    </span>
  );
}

/** Links to what belongs to a thing, one below the other. */
export const LinkList = ({ children }: { readonly children: readonly ReactElement[] }): ReactElement => (
  <ul className={styles.links}>
    {children.map((link) => (
      <li key={link.key}>{link}</li>
    ))}
  </ul>
);
