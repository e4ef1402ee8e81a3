import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import type { MenuProps } from './menu-props.ts';
import styles from './menu.module.css';

/** A menu that somebody has opened. It stays, so that the focus comes back to its button. */
export const OpenMenu = ({ trigger, label, groups }: MenuProps): ReactElement => (
  <Base.Root defaultOpen>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} align="end" className={styles.place}>
        <Base.Popup className={styles.menu}>
          {label && <div className={styles.label}>{label}</div>}
          {groups.map((items, group) => (
            <div key={group} role="group" className={styles.group}>
              {items.map(({ name, onChoose, isChosen, isBad }) => (
                <Base.Item key={name} className={isBad ? styles.bad : styles.item} onClick={onChoose}>
                  <span aria-hidden="true" className={styles.tick}>
                    {isChosen && '✓'}
                  </span>
                  {name}
                </Base.Item>
              ))}
            </div>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
