import type { ReactElement } from 'react';
import { ABOUT } from '../../about/words.ts';
import { listInbox } from '../../api/generated/rules/sandbox.ts';
import { Page } from '../../design/page/page.tsx';
import { Badge, Instant } from '../../design/values/values.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { SANDBOX, stateWord, subjectOf } from './words.ts';

/** What a sandbox has sent, the newest first. */
export function InboxPage(): ReactElement {
  const words = useWords(SANDBOX);
  const about = useWords(ABOUT);
  return (
    <Page title={words.inbox} above={{ name: words.title, to: '/sandbox' }}>
      <List
        operation="listInbox"
        rules={listInbox}
        choices={{ channel: words.channels }}
        keyOf={({ channel, id }) => `${channel}/${id}`}
        pageOf={({ channel, id }) => `/sandbox/inbox/${channel}/${id}`}
        columns={[
          { id: 'subject', title: words.subject, cell: (entry) => subjectOf(entry, words, about) },
          { id: 'channel', title: words.channel, cell: ({ channel }) => words.channels[channel] },
          { id: 'to', title: words.to, cell: ({ to }) => to ?? '—' },
          { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: true },
          { id: 'about', title: words.about, cell: ({ about }) => about },
          {
            id: 'state',
            title: words.state,
            cell: ({ state, problem }) => <Badge tone={problem === null ? 'neutral' : 'bad'}>{stateWord(words.states, state)}</Badge>,
          },
          { id: 'at', title: words.at, cell: ({ at }) => <Instant at={at} /> },
        ]}
      />
    </Page>
  );
}
