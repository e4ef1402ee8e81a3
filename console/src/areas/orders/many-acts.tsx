import { useState, type ReactElement } from 'react';
import { call, type ItemOf } from '../../api/client.ts';
import { readAgain, useOnce } from '../../api/queries.ts';
import { Problem } from '../../api/problem.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { MANY } from './many-words.ts';
import styles from './orders.module.css';

type Order = ItemOf<'listOrders'>;
type Name = 'cancelOrder' | 'expireOrder';
type ManyProps = { readonly orders: readonly Order[]; readonly onDone: () => void };

/** What can be done with the orders that are selected. Each is an act of its own, on the version that is shown. */
export function ManyActs({ orders, onDone }: ManyProps): ReactElement {
  const words = useWords(MANY);
  const may = useMay();
  const { isSandbox } = useMe();
  const [asks, setAsks] = useState<Name>();
  const names: readonly Name[] = [
    ...(may('orders:write') ? (['cancelOrder'] as const) : []),
    ...(isSandbox && may('sandbox:use') ? (['expireOrder'] as const) : []),
  ];
  const close = (isDone: boolean): void => {
    setAsks(undefined);
    if (isDone) onDone();
  };
  return (
    <>
      {names.map((name) => (
        <Button key={name} isSmall onClick={() => setAsks(name)}>
          {words[name]}
        </Button>
      ))}
      {asks && <Many name={asks} orders={orders} onClose={close} />}
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
      write={{ isPending: act.isPending || pending.length === 0, error: act.error }}
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
    <div className={styles.stack} role="status">
      <p>{words.done(results.length - refused.length)}</p>
      {refused.length > 0 && (
        <>
          <p className={styles.bad}>{words.refused(refused.length)}</p>
          <ul>
            {refused.map(({ order, problem }) => (
              <li key={`${order.merchant}/${order.order}`}>
                <b>{order.order}</b> <Why problem={problem} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
