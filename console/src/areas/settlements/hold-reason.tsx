import type { ReactElement } from 'react';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { TERMS } from './terms-words.ts';
import type { Hold } from './terms.ts';
import styles from './settlements.module.css';

/** Why money is held: somebody's reason, or the settlement that keeps it as a reserve. */
export function HoldReason({ of: { merchant, reason, settlement } }: { readonly of: Hold }): ReactElement {
  const words = useWords(TERMS);
  if (settlement === null) return <span className={styles.reason}>{reason}</span>;
  return (
    <span>
      {words.reasonHold} <Link to={`/settlements/${merchant}/${settlement}`}>{settlement}</Link>
    </span>
  );
}
