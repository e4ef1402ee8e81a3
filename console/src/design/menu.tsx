import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

type Item = { readonly name: string; readonly onChoose: () => void; readonly isChosen?: boolean; readonly isBad?: boolean };

/** A button that opens a list of acts. `trigger` is the button. */
export const Menu = ({
  trigger,
  label,
  groups,
}: {
  readonly trigger: ReactElement;
  readonly label?: ReactNode;
  readonly groups: readonly (readonly Item[])[];
}): ReactElement => (
  <Base.Root>
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
