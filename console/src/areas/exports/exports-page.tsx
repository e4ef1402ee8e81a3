import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { addressOf, type ItemOf } from '../../api/client.ts';
import { listExports } from '../../api/generated/rules/exports.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Badge, Instant, type Tone } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useSaidFilter } from '../../list/said-filter.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { EXPORTS } from './words.ts';

type Export = ItemOf<'listExports'>;

const TONES: Readonly<Record<Export['state'], Tone>> = { waiting: 'neutral', writing: 'info', done: 'good', failed: 'bad' };
const LOOK_AGAIN_MS = 2_000;

/** The lists that the user exported, and their files. */
export function ExportsPage(): ReactElement {
  const words = useWords(EXPORTS);
  const [removed, setRemoved] = useState<Export>();
  const [isChecking, setChecking] = useState(false);
  useUntilDone();
  return (
    <Page title={words.title} acts={<Button onClick={() => setChecking(true)}>{words.check}</Button>}>
      <p className="quiet">{words.hint}</p>
      <List
        operation="listExports"
        rules={listExports}
        columns={useColumns(setRemoved)}
        keyOf={(one) => one.export}
        empty={
          <Notice icon="download" title={words.empty}>
            <p>{words.emptyHint}</p>
          </Notice>
        }
      />
      {isChecking && <CheckDialog onClose={() => setChecking(false)} />}
      {removed && <Remove of={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  );
}

/** Reads the list again while a file is being made. */
function useUntilDone(): void {
  const client = useQueryClient();
  const { data } = useRead('listExports', { query: {} });
  const isMaking = data?.body.items.some(({ state }) => state === 'waiting' || state === 'writing') ?? false;
  useEffect(() => {
    if (!isMaking) return;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ['listExports'] }), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isMaking]);
}

function Remove({ of: { export: id }, onClose }: { readonly of: Export; readonly onClose: () => void }): ReactElement {
  const words = useWords(EXPORTS);
  const write = useWrite('deleteExport', { changes: ['listExports'], onDone: onClose });
  return (
    <Act
      title={words.remove}
      onClose={onClose}
      what={words.removeWhat}
      undo={words.removeUndo}
      button={words.remove}
      isBad
      write={write}
      onAct={() => write.mutate({ path: { export: id } })}
    />
  );
}

function useColumns(remove: (one: Export) => void): readonly Column<Export>[] {
  const words = useWords(EXPORTS);
  const zoneOf = useZoneOf();
  const saidFilter = useSaidFilter();
  return [
    { id: 'list', title: words.list, cell: ({ list }) => wordFor(words.lists, list) },
    {
      id: 'filter',
      title: words.filter,
      cell: ({ list, merchant, filter }) => [merchant, ...saidFilter(list, filter)].filter(Boolean).join(' · '),
    },
    { id: 'made', title: words.made, cell: ({ madeAt, merchant }) => <Instant at={madeAt} zone={zoneOf(merchant)} /> },
    {
      id: 'state',
      title: words.state,
      cell: ({ state, failure }) => (
        <Badge tone={TONES[state]}>{failure === null ? words.states[state] : wordFor(words.failures, failure)}</Badge>
      ),
    },
    {
      id: 'rows',
      title: words.rows,
      cell: ({ rowsWritten, rowsTotal, state }) =>
        state === 'writing' && rowsTotal !== null ? `${rowsWritten} / ${rowsTotal}` : rowsWritten,
      isNumber: true,
    },
    {
      id: 'file',
      title: words.download,
      cell: (one) => (
        <>
          {one.state === 'done' && (
            <a href={addressOf('downloadExport', { export: one.export })} download>
              {words.download}
            </a>
          )}{' '}
          <Button kind="quiet" isSmall onClick={() => remove(one)}>
            {words.remove}
          </Button>
        </>
      ),
    },
  ];
}
