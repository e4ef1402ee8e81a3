import type { ReactElement } from 'react';
import type { Operations } from '../api/generated/operations.ts';
import { ButtonLink } from '../design/button.tsx';
import { Section } from '../design/page/page.tsx';
import { Table } from '../design/page/table.tsx';
import { Badge, Instant, type Tone } from '../design/values/values.tsx';
import { useWords, wordFor } from '../shell/language.ts';
import { Link, type LinkTo } from '../shell/link.tsx';
import { useMessageProblem, useNoticeAnswer } from './problems.ts';
import { ABOUT } from './words.ts';

type Whole = Operations['readOrder']['answer'];

const TONES: Readonly<Record<string, Tone>> = { delivered: 'good', sent: 'good', given_up: 'bad', waiting: 'info', pending: 'info' };

type SentStateProps = {
  readonly state: string;
  readonly of: 'notice' | 'message';
  /** Why the last attempt failed. What waits after a failure is failing. */
  readonly problem: string | null;
};

/** The state of a notice or of a message. */
export const SentState = ({ state, of, problem }: SentStateProps): ReactElement => {
  const { noticeStates, messageStates, failing } = useWords(ABOUT);
  if (problem !== null && (state === 'waiting' || state === 'pending')) return <Badge tone="warn">{failing}</Badge>;
  return <Badge tone={TONES[state] ?? 'neutral'}>{wordFor(of === 'notice' ? noticeStates : messageStates, state)}</Badge>;
};

/** The notices of one thing, and what the merchant answered. Null: the user may not see it. */
export function NoticesAbout({ of: notices, zone }: { readonly of: Whole['notices']; readonly zone: string }): ReactElement | null {
  const words = useWords(ABOUT);
  const answerOf = useNoticeAnswer();
  if (notices === null) return null;
  if (notices.length === 0)
    return (
      <Section title={words.notices}>
        <p className="quiet">{words.noNotices}</p>
      </Section>
    );
  return (
    <Section title={words.notices} isBare>
      <Table
        name={words.notices}
        columns={[
          { title: words.kind },
          { title: words.state },
          { title: words.tries, isNumber: true },
          { title: words.answer },
          { title: words.at },
        ]}
        rows={notices.map((notice) => ({
          id: notice.id,
          cells: [
            <Link key="status" to={`/notices/${notice.id}`}>
              {wordFor(words.statuses, notice.status)}
            </Link>,
            <SentState key="state" of="notice" state={notice.state} problem={notice.problem} />,
            notice.attempts,
            answerOf(notice),
            <Instant key="at" at={notice.deliveredAt ?? notice.attemptedAt ?? notice.writtenAt} zone={zone} />,
          ],
        }))}
      />
    </Section>
  );
}

/** What the payer or the end user was written. Null: the user may not see it. */
export function MessagesAbout({
  of: messages,
  zone,
  all,
}: {
  readonly of: Whole['messages'];
  readonly zone: string;
  /** The list of them. */
  readonly all: LinkTo;
}): ReactElement | null {
  const words = useWords(ABOUT);
  const problemText = useMessageProblem();
  if (messages === null) return null;
  if (messages.length === 0)
    return (
      <Section title={words.messages}>
        <p className="quiet">{words.noMessages}</p>
      </Section>
    );
  return (
    <Section
      title={words.messages}
      isBare
      acts={
        <ButtonLink kind="quiet" isSmall to={all}>
          {words.allMessages}
        </ButtonLink>
      }
    >
      <Table
        name={words.messages}
        columns={[
          { title: words.kind },
          { title: words.state },
          { title: words.tries, isNumber: true },
          { title: words.problem },
          { title: words.at },
        ]}
        rows={messages.map((message, place) => ({
          id: String(place),
          cells: [
            wordFor(words.messageKinds, message.kind),
            <SentState key="state" of="message" state={message.state} problem={message.problem} />,
            message.attempts,
            message.problem === null ? '—' : problemText(message.problem),
            <Instant key="at" at={message.endedAt ?? message.createdAt} zone={zone} />,
          ],
        }))}
      />
    </Section>
  );
}
