import type { ReactElement } from 'react';
import type { Answer, OperationName } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { Dialog } from '../../design/over/dialog.tsx';
import { sumByCurrency } from '../../design/values/money.ts';
import { Amount } from '../../design/values/values.tsx';
import { Outcomes } from '../../list/selected-act.tsx';
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
      write={write}
      isOff={drafts.length === 0}
      onAct={() => write.mutate({ body: { settlements: drafts.map(({ settlement }) => settlement) } })}
    />
  );
}

function Results({ of: results }: { readonly of: Answer<'approveSettlements'>['body']['results'] }): ReactElement {
  const { acts: words, one } = useWords(SETTLEMENTS);
  const refused = results.filter(({ problem }) => problem !== null);
  const count = results.length - refused.length;
  return (
    <Outcomes
      done={count > 0 && words.done(count)}
      title={words.refused(refused.length)}
      refused={refused.map(({ settlement, merchant, problem }) => ({
        id: settlement,
        name: merchant === null ? one(settlement) : `${one(settlement)} · ${merchant}`,
        why: problem !== null && words.problems[problem],
      }))}
    />
  );
}
