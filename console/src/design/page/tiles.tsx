import type { ReactElement, ReactNode } from 'react';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { join } from '../join.ts';
import type { Tone } from '../values/values.tsx';
import styles from './tiles.module.css';

type Tile = {
  readonly name: string;
  readonly value: ReactNode;
  /** Below the value: what it is made of, or compared with. */
  readonly note?: ReactNode;
  readonly to?: LinkTo | undefined;
  readonly tone?: Tone;
};

/** A few numbers that answer a question at a glance. Each may lead to what it is made of. */
export const Tiles = ({ of: tiles, isLarge = false }: { readonly of: readonly Tile[]; readonly isLarge?: boolean }): ReactElement => (
  <ul className={join(styles.tiles, isLarge && styles.large)}>
    {tiles.map(({ name, value, note, to, tone = 'neutral' }) => (
      <li key={name} className={join(styles.tile, styles[tone])}>
        <span className={styles.name}>{to === undefined ? name : <Link to={to}>{name}</Link>}</span>
        <span className={styles.value}>{value}</span>
        {note && <span className={styles.note}>{note}</span>}
      </li>
    ))}
  </ul>
);
