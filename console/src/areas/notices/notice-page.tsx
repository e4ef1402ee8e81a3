import { useEffect, useState, type ReactElement } from 'react';
import { SubjectLink } from '../../about/entry-links.tsx';
import { SentState } from '../../about/sent.tsx';
import { ABOUT } from '../../about/words.ts';
import { queryClient, useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Amount, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useMay, useZoneOf } from '../../shell/me.tsx';
import { Attempts } from './attempts.tsx';
import { Body } from './body.tsx';
import { SendOne } from './send-again.tsx';
import type { NoticeProps, WholeNotice } from './whole-notice.ts';
import { Why } from './why.tsx';
import { NOTICES } from './words.ts';

/** One notice: whether it arrived, why not, what was sent and what came back. */
export function NoticePage(): ReactElement {
  const { notice } = usePath<'notice'>();
  return <Load of={useRead('readNotice', { path: { notice } })}>{({ body }) => <Shown notice={body} />}</Load>;
}

function Shown({ notice }: NoticeProps): ReactElement {
  const words = useWords(NOTICES);
  const { statuses } = useWords(ABOUT);
  const maySend = useMay()('notices:send');
  const [isOpen, setOpen] = useState(false);
  useUntilSent(notice);
  return (
    <Page
      title={`${words.kinds[notice.kind]} ${notice.subject}: ${wordFor(statuses, notice.status)}`}
      mark={<SentState of="notice" state={notice.state} problem={notice.problem} />}
      above={{ name: words.title, to: '/notices' }}
      acts={
        maySend && (
          <Button kind="main" onClick={() => setOpen(true)}>
            {notice.state === 'waiting' ? words.now : words.again}
          </Button>
        )
      }
    >
      <Why notice={notice} />
      <Columns>
        <div>
          <Attempts notice={notice} />
          <Body notice={notice} />
        </div>
        <Terms notice={notice} />
      </Columns>
      {isOpen && <SendOne notice={notice} onClose={() => setOpen(false)} />}
    </Page>
  );
}

/** Reads the notice again while it waits: its next attempt may end at any time. */
function useUntilSent({ state }: WholeNotice): void {
  const isWaiting = state === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void queryClient.invalidateQueries({ queryKey: ['readNotice'] }), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
}
const LOOK_AGAIN_MS = 2_000;

function Terms({ notice }: NoticeProps): ReactElement {
  const words = useWords(NOTICES);
  const about = useWords(ABOUT);
  const may = useMay();
  const { merchant, kind, subject } = notice;
  const zone = useZoneOf()(merchant);
  const instant = (at: string | null): ReactElement => <Instant at={at} zone={zone} isLong />;
  return (
    <Section title={words.terms}>
      <Facts
        of={[
          [
            words.kinds[kind],
            <Copyable key="subject" text={subject} isCode={false}>
              <SubjectLink kind={kind} merchant={merchant} id={subject} />
            </Copyable>,
          ],
          [words.merchant, may('merchants:read') ? <Link to={`/merchants/${merchant}`}>{merchant}</Link> : merchant],
          [about.amount, <Amount key="amount" of={notice.amount} />],
          [words.id, <Copyable key="id" text={notice.id} />],
          [about.tries, notice.attempts],
          [words.written, instant(notice.writtenAt)],
          [words.attempted, instant(notice.attemptedAt)],
          ...(notice.state === 'waiting' ? ([[words.due, instant(notice.dueAt)]] as const) : []),
          ...(notice.state === 'waiting' ? ([[words.givesUp, instant(notice.giveUpAt)]] as const) : []),
          [words.delivered, instant(notice.deliveredAt)],
        ]}
      />
    </Section>
  );
}
