import type { ReactElement } from 'react';
import { call, type ItemOf } from '../../api/client.ts';
import { readAgain, useOnce } from '../../api/queries.ts';
import { Problem } from '../../api/problem.ts';
import { Act } from '../../design/form/act.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import { Outcomes, SelectedAct } from '../../list/selected-act.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { MANY } from './many-words.ts';

type Order = ItemOf<'listOrders'>;
type Name = 'cancelOrder' | 'expireOrder';
type ManyProps = { readonly orders: readonly Order[]; readonly onDone: () => void };

/** What can be done with the orders that are selected. Each is an act of its own, on the version that is shown. */
export function ManyActs({ orders, onDone }: ManyProps): ReactElement {
  const words = useWords(MANY);
  const may = useMay();
  const { isSandbox } = useMe();
  const names: readonly Name[] = [
    ...(may('orders:write') ? (['cancelOrder'] as const) : []),
    ...(isSandbox && may('sandbox:use') ? (['expireOrder'] as const) : []),
  ];
  return (
    <>
      {names.map((name) => (
        <SelectedAct key={name} name={words[name]} onDone={onDone}>
          {(onClose) => <Many name={name} orders={orders} onClose={onClose} />}
        </SelectedAct>
      ))}
    </>
  );
}

type Result = { readonly order: Order; readonly problem: Problem | undefined };

/** Carries it out one by one. What was refused is named. */
function Many({
  name,
  orders,
  onClose,
}: {
  readonly name: Name;
  readonly orders: readonly Order[];
  readonly onClose: (isDone: boolean) => void;
}): ReactElement {
  const words = useWords(MANY);
  const pending = orders.filter(({ state }) => state === 'pending');
  const skipped = orders.length - pending.length;
  const act = useOnce({
    mutationFn: async () => {
      const done: Result[] = [];
      for (const order of pending) done.push({ order, problem: await carryOut(name, order) });
      await readAgain(['listOrders', 'readOrder']);
      return done;
    },
  });
  if (act.data !== undefined)
    return (
      <Dialog title={words[name]} onClose={() => onClose(true)}>
        <Results of={act.data} />
      </Dialog>
    );
  return (
    <Act
      title={words[name]}
      onClose={() => onClose(false)}
      what={
        <>
          <p>{words.what[name](pending.length)}</p>
          {skipped > 0 && <p className="quiet">{words.skipped(skipped)}</p>}
        </>
      }
      undo={words.undo}
      button={words[name]}
      isBad
      write={act}
      isOff={pending.length === 0}
      onAct={() => act.mutate()}
    />
  );
}

/** The problem, where it was refused. */
async function carryOut(name: Name, { merchant, order, version }: Order): Promise<Problem | undefined> {
  try {
    await call(name, { path: { merchant, order }, ifMatch: `"${version}"` });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const Why = ({ problem }: Pick<Result, 'problem'>): ReactElement => <>{useProblem(problem).text}</>;

function Results({ of: results }: { readonly of: readonly Result[] }): ReactElement {
  const words = useWords(MANY);
  const refused = results.filter(({ problem }) => problem !== undefined);
  return (
    <Outcomes
      done={words.done(results.length - refused.length)}
      title={words.refused(refused.length)}
      refused={refused.map(({ order, problem }) => ({
        id: `${order.merchant}/${order.order}`,
        name: order.order,
        why: <Why problem={problem} />,
      }))}
    />
  );
}
