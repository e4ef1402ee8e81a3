import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { join } from '../join.ts';
import styles from './callout.module.css';

/** What must be known before all else on a page. */
export const Callout = ({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warn' | 'bad';
  readonly children: ReactNode;
}): ReactElement => (
  <div className={join(styles.callout, styles[tone])}>
    <Icon name={tone === 'info' ? 'info' : 'alert'} />
    <div>{children}</div>
  </div>
);
