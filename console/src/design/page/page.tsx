import { createContext, use, useEffect, type ReactElement, type ReactNode } from 'react';
import { Link, type LinkTo } from '../../shell/link.tsx';
import { Icon } from '../icons.tsx';
import { join } from '../join.ts';
import styles from './page.module.css';

const InPage = createContext(false);

/** The title of the window. */
function useWindowTitle(title: string, isOn = true): void {
  useEffect(() => {
    if (isOn) document.title = `${title} – Caudal`;
  }, [title, isOn]);
}

/** A title in the place of what could not be shown. It is that of the page where there is no other. */
export function PlaceTitle({ children }: { readonly children: string }): ReactElement {
  const isInPage = use(InPage);
  useWindowTitle(children, !isInPage);
  return isInPage ? <h2>{children}</h2> : <h1>{children}</h1>;
}

type PageProps = {
  readonly title: string;
  /** Beside the title: a state. */
  readonly mark?: ReactNode;
  /** The page above: its name and address. */
  readonly above?: { readonly name: string; readonly to: LinkTo };
  readonly acts?: ReactNode;
  readonly children: ReactNode;
};

/** A page: its title, what can be done, and its content. The title is that of the window too. */
export function Page({ title, mark, above, acts, children }: PageProps): ReactElement {
  useWindowTitle(title);
  return (
    <InPage value>
      <header className={styles.head}>
        {above && (
          <Link to={above.to} className={styles.above}>
            <Icon name="left" size={14} />
            {above.name}
          </Link>
        )}
        <div className={styles.titles}>
          <h1 className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {mark}
        </div>
        {acts && <div className={styles.acts}>{acts}</div>}
      </header>
      {children}
    </InPage>
  );
}

/** A part of a page with a title of its own. */
export const Section = ({
  title,
  acts,
  children,
  isBare = false,
}: {
  readonly title: string;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
  readonly isBare?: boolean;
}): ReactElement => (
  <section className={styles.section}>
    <header className={styles.sectionHead}>
      <h2>{title}</h2>
      {acts}
    </header>
    <div className={join(!isBare && styles.card)}>{children}</div>
  </section>
);

/** Parts beside each other where there is room: the wider part first. */
export const Columns = ({ children }: { readonly children: ReactNode }): ReactElement => <div className={styles.columns}>{children}</div>;
