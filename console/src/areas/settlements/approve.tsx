import { useState, type ReactElement } from 'react';
import type { Answer, OperationName } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { Dialog } from '../../design/over/dialog.tsx';
import { sumByCurrency } from '../../design/values/money.ts';
import { Amount } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import type { Settlement } from './settlement-state.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

/** What may show anew once a settlement has gone on. */
export const SETTLEMENT_CHANGES: readonly OperationName[] = [
  'readSettlement',
  'listSettlements',
  'listSettlementEntries',
  'showNextSettlement',
  'listHolds',
];

type ApproveProps = { readonly settlements: readonly Settlement[]; readonly onClose: (isDone: boolean) => void };

/** Approves the drafts among some settlements, once their number and their sum were seen. */
export function Approve({ settlements, onClose }: ApproveProps): ReactElement {
  const { acts: words, ...texts } = useWords(SETTLEMENTS);
  const drafts = settlements.filter(({ state }) => state === 'draft');
  const skipped = settlements.length - drafts.length;
  const done = useDone(() => onClose(true));
  const write = useWrite('approveSettlements', {
    changes: SETTLEMENT_CHANGES,
    onDone: ({ body }) => {
      if (body.results.every(({ problem }) => problem === null)) done();
    },
  });
  const title = words.approveTitle(drafts.length);
  if (write.data !== undefined)
    return (
      <Dialog title={title} onClose={() => onClose(true)}>
        <Results of={write.data.body.results} />
      </Dialog>
    );
  return (
    <Act
      title={drafts.length === 0 ? words.approve : title}
      onClose={() => onClose(false)}
      what={
        <div className={styles.stack}>
          {drafts.length === 0 && <p>{words.noDrafts}</p>}
          {sumByCurrency(drafts.map(({ net }) => net)).map((sum) => (
            <p key={sum.currency}>
              {texts.net}: <b>{<Amount of={sum} />}</b>
            </p>
          ))}
          <p>{words.approveWhat}</p>
          {skipped > 0 && <p className="quiet">{words.skipped(skipped)}</p>}
        </div>
      }
      undo={words.approveUndo}
      button={words.approve}
      write={{ isPending: write.isPending || drafts.length === 0, error: write.error }}
      onAct={() => write.mutate({ body: { settlements: drafts.map(({ settlement }) => settlement) } })}
    />
  );
}

/** Approves what is selected in a list. */
export function ApproveSelected({
  settlements,
  onDone,
}: Pick<ApproveProps, 'settlements'> & { readonly onDone: () => void }): ReactElement {
  const { acts: words } = useWords(SETTLEMENTS);
  const [isOpen, setOpen] = useState(false);
  const close = (isDone: boolean): void => {
    setOpen(false);
    if (isDone) onDone();
  };
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        {words.approve}
      </Button>
      {isOpen && <Approve settlements={settlements} onClose={close} />}
    </>
  );
}

function Results({ of: results }: { readonly of: Answer<'approveSettlements'>['body']['results'] }): ReactElement {
  const { acts: words, one } = useWords(SETTLEMENTS);
  const refused = results.filter(({ problem }) => problem !== null);
  const count = results.length - refused.length;
  return (
    <div className={styles.stack} role="status">
      {count > 0 && <p>{words.done(count)}</p>}
      {refused.length > 0 && (
        <>
          <p className={styles.bad}>{words.refused(refused.length)}</p>
          <ul>
            {refused.map(({ settlement, merchant, problem }) => (
              <li key={settlement}>
                <b>
                  {one(settlement)}
                  {merchant !== null && ` · ${merchant}`}
                </b>{' '}
                {problem !== null && words.problems[problem]}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
