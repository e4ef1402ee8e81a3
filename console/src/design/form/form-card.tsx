import type { FormEvent, ReactElement, ReactNode } from 'react';
import styles from './form-card.module.css';

/** A form that is a page of its own. */
export const FormCard = ({
  onSubmit,
  children,
}: {
  readonly onSubmit: (event: FormEvent) => void;
  readonly children: ReactNode;
}): ReactElement => (
  <form className={styles.form} onSubmit={onSubmit} noValidate>
    {children}
  </form>
);
