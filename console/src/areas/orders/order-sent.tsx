import type { ReactElement } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Section } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { Badge, Instant, type Tone } from '../../design/values.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useZoneOf } from '../../shell/me.tsx';
import type { OrderProps } from './whole-order.ts';
import { ORDER } from './order-words.ts';
import { ORDERS } from './words.ts';

const TONES: Readonly<Record<string, Tone>> = { delivered: 'good', sent: 'good', given_up: 'bad', waiting: 'info', pending: 'info' };

/** The notices of the order, and what the merchant answered. */
export function Notices({ order }: OrderProps): ReactElement | null {
  const words = useWords(ORDER);
  const { state } = useWords(ORDERS);
  const zone = useZoneOf()(order.merchant);
  if (order.notices === null) return null;
  if (order.notices.length === 0)
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
          { title: state },
          { title: words.tries, isNumber: true },
          { title: words.answer },
          { title: words.at },
        ]}
        rows={order.notices.map((notice) => ({
          id: notice.id,
          cells: [
            <Link key="status" to={`/notices/${notice.id}`}>
              {notice.status}
            </Link>,
            <Badge key="state" tone={TONES[notice.state] ?? 'neutral'}>
              {wordFor(words.noticeStates, notice.state)}
            </Badge>,
            notice.attempts,
            notice.problem ?? (notice.answerStatus === null ? '—' : `HTTP ${notice.answerStatus}`),
            <Instant key="at" at={notice.deliveredAt ?? notice.attemptedAt ?? notice.writtenAt} zone={zone} />,
          ],
        }))}
      />
    </Section>
  );
}

/** What the payer was written. */
export function Messages({ order }: OrderProps): ReactElement | null {
  const words = useWords(ORDER);
  const { state } = useWords(ORDERS);
  const zone = useZoneOf()(order.merchant);
  if (order.messages === null) return null;
  if (order.messages.length === 0)
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
        <ButtonLink kind="quiet" isSmall to={`/messages?merchant=${order.merchant}&subject=${order.order}`}>
          {words.allMessages}
        </ButtonLink>
      }
    >
      <Table
        name={words.messages}
        columns={[
          { title: words.kind },
          { title: state },
          { title: words.tries, isNumber: true },
          { title: words.problem },
          { title: words.at },
        ]}
        rows={order.messages.map((message, place) => ({
          id: String(place),
          cells: [
            wordFor(words.messageKinds, message.kind),
            <Badge key="state" tone={TONES[message.state] ?? 'neutral'}>
              {wordFor(words.messageStates, message.state)}
            </Badge>,
            message.attempts,
            message.problem ?? '—',
            <Instant key="at" at={message.endedAt ?? message.createdAt} zone={zone} />,
          ],
        }))}
      />
    </Section>
  );
}
