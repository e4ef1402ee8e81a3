import { useState, type ReactElement } from 'react';
import { useNoticeProblem } from '../../about/problems.ts';
import type { ItemOf } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { Badge, Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay, useZoneOf } from '../../shell/me.tsx';
import { NOTICES } from './words.ts';

type Endpoint = ItemOf<'listNoticeEndpoints'>;
const CHANGES = ['listNoticeEndpoints', 'listNotices', 'readNotice'] as const;

/** The receivers of merchants that fail, are paused, or have notices waiting. Nothing where all is well. */
export function Endpoints(): ReactElement | null {
  const words = useWords(NOTICES);
  const problemText = useNoticeProblem();
  const zoneOf = useZoneOf();
  const mayStop = useMay()('notices:send') && useIsService();
  const { data } = useRead('listNoticeEndpoints', { query: {} });
  const [asked, setAsked] = useState<Endpoint>();
  const troubled = data?.body.items.filter(
    ({ waiting, failingSince, pausedAt }) => waiting > 0 || failingSince !== null || pausedAt !== null,
  );
  if (troubled === undefined || troubled.length === 0) return null;
  return (
    <Section title={words.endpoints} isBare>
      <Table
        name={words.endpoints}
        columns={[
          { title: words.merchant },
          { title: words.endpointState },
          { title: words.waiting, isNumber: true },
          { title: words.oldest },
          { title: words.problem },
          ...(mayStop ? [{ title: '' }] : []),
        ]}
        rows={troubled.map((one) => ({
          id: one.merchant,
          cells: [
            one.merchant,
            <EndpointState key="state" of={one} />,
            one.waiting,
            <Instant key="oldest" at={one.oldestAt} zone={zoneOf(one.merchant)} />,
            one.problem === null ? '—' : problemText(one.problem),
            ...(mayStop
              ? [
                  <Button key="act" isSmall onClick={() => setAsked(one)}>
                    {one.pausedAt === null ? words.pause : words.resume}
                  </Button>,
                ]
              : []),
          ],
        }))}
      />
      {asked && <SwitchEndpoint of={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

function EndpointState({ of: { pausedAt, pausedBy, failingSince } }: { readonly of: Endpoint }): ReactElement {
  const words = useWords(NOTICES);
  if (pausedAt !== null) return <Badge tone="bad">{pausedBy === 'operator' ? words.pausedByOperator : words.pausedByService}</Badge>;
  return failingSince === null ? <Badge tone="info">{words.takes}</Badge> : <Badge tone="warn">{words.fails}</Badge>;
}

function SwitchEndpoint({ of: { merchant, pausedAt }, onClose }: { readonly of: Endpoint; readonly onClose: () => void }): ReactElement {
  const words = useWords(NOTICES);
  const isPaused = pausedAt !== null;
  const write = useWrite(isPaused ? 'resumeNoticeEndpoint' : 'pauseNoticeEndpoint', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={`${isPaused ? words.resume : words.pause}: ${merchant}`}
      onClose={onClose}
      what={isPaused ? words.resumeWhat : words.pauseWhat}
      undo={isPaused ? words.resumeUndo : words.pauseUndo}
      button={isPaused ? words.resume : words.pause}
      write={write}
      onAct={() => write.mutate({ path: { merchant } })}
    />
  );
}
