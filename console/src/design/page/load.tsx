import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { isPassing, type Problem } from '../../api/problem.ts';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import { goToSignIn } from '../../shell/sign-in.ts';
import { Button } from '../button.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { useProblem } from '../form/use-problem.ts';
import { DESIGN } from '../words.ts';
import { PlaceTitle } from './page.tsx';
import styles from './load.module.css';

const SLOW_MS = 3_000;

/** True once something has been waited for longer than usual. */
function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}

/** Grey lines where content will be. After three seconds a text says that it takes longer. */
export function Loading({ lines = 4 }: { readonly lines?: number }): ReactElement {
  const words = useWords(DESIGN);
  const isSlow = useIsSlow(true);
  return (
    <div className={styles.loading} aria-busy="true">
      <p role="status" className={isSlow ? styles.slow : 'unseen'}>
        {isSlow ? words.slow : words.loading}
      </p>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}

/** A place with nothing in it: what it means, and what to do. */
export const Notice = ({
  icon,
  title,
  children,
  isUrgent = false,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly isUrgent?: boolean;
}): ReactElement => (
  <div className={styles.notice} role={isUrgent ? 'alert' : undefined}>
    <Icon name={icon} size={28} />
    <PlaceTitle>{title}</PlaceTitle>
    {children}
  </div>
);

/** Whom to ask for a permission: only these can give another role. */
export function ForbiddenHint(): ReactElement {
  const { merchant, service, ofService } = useWords(DESIGN).forbiddenHints;
  const may = useMay();
  const isService = useIsService();
  return <>{isService ? service : may('users:write') ? ofService : merchant}</>;
}

/** A problem in the place of what could not be shown. */
export function Failed({ problem, retry }: { readonly problem: Problem; readonly retry?: () => void }): ReactElement {
  const words = useWords(DESIGN);
  const { text, faults } = useProblem(problem);
  if (problem.status === 401) goToSignIn();
  if (problem.problem === 'permission_missing')
    return (
      <Notice icon="alert" title={words.forbidden}>
        <p>
          <ForbiddenHint />
        </p>
      </Notice>
    );
  if (problem.status === 404)
    return (
      <Notice icon="search" title={words.gone}>
        <p>{words.goneHint}</p>
      </Notice>
    );
  return (
    <Notice icon="alert" title={text} isUrgent>
      {faults.map(({ place, text: fault }) => (
        <p key={place}>{fault}</p>
      ))}
      {problem.requestId !== undefined && problem.status >= 500 && (
        <p className="small quiet">
          <code>{problem.requestId}</code>
        </p>
      )}
      {retry && (
        <Button icon="clock" onClick={retry}>
          {words.retry}
        </Button>
      )}
    </Notice>
  );
}

/** Says that what is shown could not be read again, or not of all cells. */
function Stale({ missing, retry }: { readonly missing?: string | undefined; readonly retry: () => void }): ReactElement {
  const words = useWords(DESIGN);
  return (
    <p className={styles.stale} role="status">
      <Icon name="alert" size={16} /> {missing === undefined ? words.stale : words.missing(missing)}
      <Button kind="quiet" isSmall onClick={retry}>
        {words.retry}
      </Button>
    </p>
  );
}

type Loaded<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;

/** Shows what was read, in each of its states: loading, slow, failed, forbidden, gone, stale, and there. */
export function Load<Data extends { readonly missing?: string | undefined }>({
  of: query,
  lines,
  children,
}: {
  readonly of: Loaded<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}): ReactElement {
  const retry = (): void => void query.refetch();
  const { data, error } = query;
  if (data === undefined) return error === null ? <Loading {...(lines && { lines })} /> : <Failed problem={error} retry={retry} />;
  // What is gone, or may not be seen any more, is not shown from memory.
  if (error !== null && !isPassing(error) && error.status < 500 && error.status > 0) return <Failed problem={error} retry={retry} />;
  return (
    <>
      {error !== null && <Stale retry={retry} />}
      {data.missing !== undefined && <Stale missing={data.missing} retry={retry} />}
      {children(data)}
    </>
  );
}
