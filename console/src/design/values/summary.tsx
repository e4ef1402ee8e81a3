import type { ReactElement, ReactNode } from 'react';
import styles from './summary.module.css';

type Part = { readonly name: string; readonly value: ReactNode; readonly isLarge?: boolean };

/** What people ask first of one thing: how much, who, until when. */
export const Summary = ({ of: parts }: { readonly of: readonly Part[] }): ReactElement => (
  <dl className={styles.summary}>
    {parts.map(({ name, value, isLarge }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className={isLarge ? styles.large : undefined}>{value}</dd>
      </div>
    ))}
  </dl>
);
