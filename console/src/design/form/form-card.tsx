import type { FormEvent, ReactElement, ReactNode } from 'react';
import { Form } from './form.tsx';
import styles from './form-card.module.css';

/** A form that is a page of its own. */
export const FormCard = ({
  onSubmit,
  saved,
  children,
}: {
  /** What came of its write. */
  readonly saved?: unknown;
  readonly onSubmit: (event: FormEvent) => void;
  readonly children: ReactNode;
}): ReactElement => (
  <Form className={styles.form} onSubmit={onSubmit} saved={saved}>
    {children}
  </Form>
);
