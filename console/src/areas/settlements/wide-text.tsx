import type { ReactElement } from 'react';
import styles from './settlements.module.css';

/** A text whose lines are as they are. It scrolls in a box of its own, by keys too. */
export const WideText = ({ name, text }: { readonly name: string; readonly text: string }): ReactElement => (
  <pre className={styles.text} tabIndex={0} aria-label={name}>
    {text}
  </pre>
);
