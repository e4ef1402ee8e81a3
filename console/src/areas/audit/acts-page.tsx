import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { OPERATION_NAMES } from '../../api/generated/operation-names.ts';
import { RARE_PROBLEMS } from '../../api/generated/rare-problems.ts';
import { listActs } from '../../api/generated/rules/audit.ts';
import { PROBLEMS } from '../../design/form/problem-words.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { Badge, Instant } from '../../design/values/values.tsx';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { useAddress } from '../../shell/address.ts';
import { textOf, useWords } from '../../shell/language.ts';
import { AUDIT } from './words.ts';

/** Who did what, the newest first. */
export function ActsPage(): ReactElement {
  const words = useWords(AUDIT);
  return (
    <Page title={words.title}>
      <List
        operation="listActs"
        rules={listActs}
        keyOf={({ id }) => id}
        pageOf={({ id }) => `/audit/${id}`}
        choices={{ only: words.only }}
        beside={(filter) => (
          <>
            {filter['only'] === undefined && <OnlyChanges />}
            <Export list="acts" filter={filter} />
          </>
        )}
        columns={[
          { id: 'at', title: words.at, cell: ({ at }) => <Instant at={at} /> },
          { id: 'actor', onPhone: 'aside', title: words.actor, cell: ({ actor }) => actor.name || words.kinds[actor.kind] },
          { id: 'operation', onPhone: 'below', title: words.operation, cell: ({ operation }) => <OperationName of={operation} /> },
          { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant ?? '—' },
          { id: 'target', title: words.target, cell: ({ target }) => <Target of={target} /> },
          { id: 'outcome', onPhone: 'mark', title: words.outcome, cell: (act) => <Outcome of={act} /> },
          { id: 'source', title: words.source, cell: ({ source }) => source, isExtra: true },
          { id: 'place', title: words.place, cell: ({ place }) => place ?? words.notLinked, isExtra: true, isNumber: true },
        ]}
      />
      <p className="small quiet">
        {words.proof.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
      </p>
    </Page>
  );
}

/** Leaves out who looked at what: most acts of a busy day. */
function OnlyChanges(): ReactElement {
  const words = useWords(AUDIT);
  const [, set] = useAddress();
  return (
    <Button kind="quiet" isSmall onClick={() => set({ only: 'changes', cursor: undefined })}>
      {words.onlyChanges}
    </Button>
  );
}

/** What an operation is called. Undefined: it is a command, as somebody typed it. */
export const useOperationName = (operation: string): string | undefined => textOf(useWords(OPERATION_NAMES), operation);

function OperationName({ of: operation }: { readonly of: string }): ReactElement {
  return <>{useOperationName(operation) ?? <code>{operation}</code>}</>;
}

/** What became of an act: done, or why it was refused. */
export function Outcome({ of: { outcome } }: { readonly of: Pick<ItemOf<'listActs'>, 'outcome'> }): ReactElement {
  const words = useWords(AUDIT);
  const [common, rare] = [useWords(PROBLEMS), useWords(RARE_PROBLEMS)];
  if (outcome === 'done') return <Badge tone="good">{words.outcomes.done}</Badge>;
  const refusal = outcome.replace(/^refused:/, '');
  const said = textOf(common, refusal) ?? textOf(rare, refusal);
  return (
    <span>
      <Badge tone="warn">{words.outcomes.refused}</Badge> <span className="small">{said ?? <code>{refusal}</code>}</span>
    </span>
  );
}

/** On what it was done: what kind of thing, and its id. */
export function Target({ of: target }: { readonly of: string | null }): ReactElement {
  const { targets } = useWords(AUDIT);
  if (target === null) return <>—</>;
  const [kind = '', ...id] = target.split(' ');
  return <>{[textOf(targets, kind) ?? kind, ...id].join(' ')}</>;
}
