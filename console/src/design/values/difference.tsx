import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../../shell/language.ts';
import { DESIGN } from '../words.ts';
import styles from './history.module.css';

/** A field with what it was and what it is. Absent: there was nothing, or is nothing. */
export type Change = { readonly field: string; readonly name: string; readonly from?: ReactNode; readonly to?: ReactNode };

/** What differs, field by field: what was is struck through, with what is beside it. */
export const Difference = ({ of: changes }: { readonly of: readonly Change[] }): ReactElement => (
  <dl className={styles.changes}>
    {changes.map(({ field, name, from, to }) => (
      <div key={field} className={styles.change}>
        <dt>{name}</dt>
        <dd>
          {from !== undefined && <del>{from}</del>}
          <ins>{to ?? <Nothing />}</ins>
        </dd>
      </div>
    ))}
  </dl>
);

const Nothing = (): ReactElement => <>{useWords(DESIGN).empty}</>;
