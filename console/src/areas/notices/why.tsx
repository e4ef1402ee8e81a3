import type { ReactElement } from 'react';
import { causeOf, type Cause } from '../../about/cause.ts';
import { useNoticeProblem } from '../../about/problems.ts';
import { Icon } from '../../design/icons.tsx';
import { Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import type { NoticeProps } from './whole-notice.ts';
import { NOTICES } from './words.ts';
import styles from './notices.module.css';

/** What helps against a problem, where it is done in the console. */
const REMEDIES: Partial<Readonly<Record<Cause, 'url' | 'resume'>>> = {
  name: 'url',
  refused: 'url',
  redirect: 'url',
  missing: 'url',
  unaddressed: 'url',
  handshake: 'url',
  paused: 'resume',
};

/** Why it has not arrived, what helps, and who can do it. */
export function Why({ notice }: NoticeProps): ReactElement | null {
  const words = useWords(NOTICES);
  const problemText = useNoticeProblem();
  const zone = useZoneOf()(notice.merchant);
  const maySend = useMay()('notices:send');
  const { state, problem, dueAt } = notice;
  if (state === 'delivered' || problem === null) return null;
  const cause = causeOf(problem);
  return (
    <section className={styles['why']} aria-label={words.why}>
      <Icon name="alert" />
      <div>
        <h2>
          {words.why} {problemText(problem)}
        </h2>
        <p>
          {words.causes[cause]} <Remedy for={cause} merchant={notice.merchant} />
        </p>
        <p className="small">
          {state === 'waiting' && dueAt !== null ? (
            <>
              {words.nextTry} <Instant at={dueAt} zone={zone} isLong />
            </>
          ) : maySend ? (
            words.sendAgain
          ) : (
            words.othersSendAgain
          )}
        </p>
      </div>
    </section>
  );
}

/** Says what to do to who may do it, and to all others who does it. */
function Remedy({ for: cause, merchant }: { readonly for: Cause; readonly merchant: string }): ReactElement | null {
  const words = useWords(NOTICES).remedies;
  const may = useMay();
  const isService = useIsService();
  switch (REMEDIES[cause]) {
    case 'url':
      return may('secrets:write') ? <Link to={`/developers?merchant=${merchant}`}>{words.setUrl}</Link> : <>{words.othersSetUrl}</>;
    case 'resume':
      return isService && may('notices:send') ? (
        <Link to={`/notices?merchant=${merchant}&state=waiting`}>{words.resume}</Link>
      ) : (
        <>{words.othersResume}</>
      );
    default:
      return null;
  }
}
