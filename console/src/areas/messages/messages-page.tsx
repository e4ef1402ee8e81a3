import type { ReactElement } from 'react';
import { SubjectLink } from '../../about/entry-links.tsx';
import { useMessageProblem } from '../../about/problems.ts';
import { SentState } from '../../about/sent.tsx';
import { ABOUT } from '../../about/words.ts';
import type { ItemOf } from '../../api/client.ts';
import { listMessages } from '../../api/generated/rules/messages.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay, useMe, useZoneOf } from '../../shell/me.tsx';
import { SendMessages } from './send-messages.tsx';
import { MESSAGES } from './words.ts';

type Message = ItemOf<'listMessages'>;

/** What payers and end users were written, and whether it went out. */
export function MessagesPage(): ReactElement {
  const words = useWords(MESSAGES);
  const { messageStates } = useWords(ABOUT);
  const maySend = useMay()('notices:send');
  return (
    <Page
      title={words.title}
      acts={
        <ButtonLink kind="quiet" to="/messages?state=given_up">
          {words.failed}
        </ButtonLink>
      }
    >
      <p className="quiet">{words.hint}</p>
      <List
        operation="listMessages"
        rules={listMessages}
        columns={useColumns()}
        keyOf={({ id }) => id}
        choices={{ state: messageStates }}
        acts={maySend ? (messages, clear) => <SendMessages messages={messages} onDone={clear} /> : undefined}
      />
    </Page>
  );
}

/** A password belongs to a cashout, and all else to an order. */
const kindOf = ({ kind }: Message): 'cashout' | 'order' => (kind === 'one_time_password' ? 'cashout' : 'order');

function useColumns(): readonly Column<Message>[] {
  const words = useWords(MESSAGES);
  const about = useWords(ABOUT);
  const problemText = useMessageProblem();
  const { isSandbox } = useMe();
  const mayOpen = useMay()('sandbox:use') && useIsService() && isSandbox;
  const isService = useIsService();
  const zoneOf = useZoneOf();
  return [
    {
      id: 'subject',
      title: words.subject,
      cell: (one) => <SubjectLink kind={kindOf(one)} merchant={one.merchant} id={one.subject} tab="sent" />,
    },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'kind', onPhone: 'aside', title: about.kind, cell: ({ kind }) => about.messageKinds[kind] },
    { id: 'channel', title: words.channel, cell: ({ channel }) => words.channels[channel] },
    { id: 'state', onPhone: 'mark', title: about.state, cell: ({ state, problem }) => <SentState of="message" {...{ state, problem }} /> },
    { id: 'problem', onPhone: 'below', title: about.problem, cell: ({ problem }) => (problem === null ? '—' : problemText(problem)) },
    { id: 'attempts', title: about.tries, cell: ({ attempts }) => attempts, isNumber: true },
    {
      id: 'created',
      onPhone: 'when',
      title: words.created,
      cell: ({ createdAt, merchant }) => <Instant at={createdAt} zone={zoneOf(merchant)} />,
    },
    { id: 'ended', title: words.ended, cell: ({ endedAt, merchant }) => <Instant at={endedAt} zone={zoneOf(merchant)} />, isExtra: true },
    { id: 'id', title: words.id, cell: ({ id }) => <code>{id}</code>, isExtra: true },
    ...(mayOpen
      ? [
          {
            id: 'open',
            title: words.text,
            cell: ({ channel, id }: Message) => <Link to={`/sandbox/inbox/${channel}/${id}`}>{words.open}</Link>,
          },
        ]
      : []),
  ];
}
