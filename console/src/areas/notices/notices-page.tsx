import { useState, type ReactElement } from 'react';
import { useNoticeAnswer } from '../../about/problems.ts';
import { SentState } from '../../about/sent.tsx';
import { ABOUT } from '../../about/words.ts';
import type { ItemOf } from '../../api/client.ts';
import { listNotices } from '../../api/generated/rules/notices.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { Amount, Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import { Endpoints } from './endpoints.tsx';
import { SendSelected, SendSince } from './send-again.tsx';
import { NOTICES } from './words.ts';

type Notice = ItemOf<'listNotices'>;

/** All notices to merchants, and the endpoints that do not take theirs. */
export function NoticesPage(): ReactElement {
  const words = useWords(NOTICES);
  const { noticeStates } = useWords(ABOUT);
  const maySend = useMay()('notices:send');
  const [isOpen, setOpen] = useState(false);
  return (
    <Page title={words.title} acts={maySend && <Button onClick={() => setOpen(true)}>{words.since}</Button>}>
      <Endpoints />
      <List
        operation="listNotices"
        rules={listNotices}
        columns={useColumns()}
        keyOf={({ id }) => id}
        pageOf={({ id }) => `/notices/${id}`}
        choices={{ state: noticeStates, kind: words.kinds }}
        live="notice"
        acts={maySend ? (items, clear) => <SendSelected notices={items} onDone={clear} /> : undefined}
        beside={(filter) => <Export list="notices" filter={filter} />}
      />
      {isOpen && <SendSince onClose={() => setOpen(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Notice>[] {
  const words = useWords(NOTICES);
  const about = useWords(ABOUT);
  const answerOf = useNoticeAnswer();
  const isService = useIsService();
  const zoneOf = useZoneOf();
  const instant = (at: string | null, merchant: string): ReactElement => <Instant at={at} zone={zoneOf(merchant)} />;
  return [
    { id: 'subject', title: words.about, cell: ({ kind, subject }) => `${words.kinds[kind]} ${subject}` },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'status', onPhone: 'aside', title: words.tells, cell: ({ status }) => wordFor(about.statuses, status) },
    { id: 'state', onPhone: 'mark', title: about.state, cell: ({ state, problem }) => <SentState of="notice" {...{ state, problem }} /> },
    {
      id: 'problem',
      onPhone: 'below',
      title: words.lastAnswer,
      cell: answerOf,
    },
    { id: 'attempts', title: about.tries, cell: ({ attempts }) => attempts, isNumber: true },
    { id: 'amount', title: about.amount, cell: ({ amount }) => <Amount of={amount} />, isNumber: true, isExtra: true },
    { id: 'written', onPhone: 'when', title: words.written, cell: ({ writtenAt, merchant }) => instant(writtenAt, merchant) },
    { id: 'attempted', title: words.attempted, cell: ({ attemptedAt, merchant }) => instant(attemptedAt, merchant), isExtra: true },
    { id: 'due', title: words.due, cell: ({ dueAt, merchant }) => instant(dueAt, merchant), isExtra: true },
    { id: 'id', title: words.id, cell: ({ id }) => <code>{id}</code>, isExtra: true },
  ];
}
