import { useState, type ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { listTokens } from '../../api/generated/rules/tokens.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { Instant } from '../../design/values/values.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService } from '../../shell/me.tsx';
import { MakeToken } from './make-token.tsx';
import { TOKENS } from './words.ts';

type Token = ItemOf<'listTokens'>;

/** The access tokens of programs. */
export function TokensPage(): ReactElement {
  const words = useWords(TOKENS);
  const isService = useIsService();
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<Token>();
  return (
    <Page
      title={words.title}
      acts={
        <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
          {words.make}
        </Button>
      }
    >
      <List
        operation="listTokens"
        rules={listTokens}
        keyOf={({ id }) => id}
        columns={[
          { id: 'name', title: words.name, cell: ({ name }) => name },
          { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant ?? words.service, isExtra: !isService },
          {
            id: 'permissions',
            title: words.permissions,
            cell: ({ permissions }) => <span title={permissions.join(', ')}>{words.of(permissions.length)}</span>,
          },
          { id: 'madeBy', title: words.madeBy, cell: ({ madeBy }) => madeBy ?? '—', isExtra: true },
          { id: 'created', title: words.created, cell: ({ createdAt }) => <Instant at={createdAt} />, isExtra: true },
          { id: 'ends', title: words.ends, cell: ({ endsAt }) => <Instant at={endsAt} /> },
          {
            id: 'lastUsed',
            title: words.lastUsed,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Instant at={lastUsedAt} />),
          },
          {
            id: 'end',
            title: words.acts,
            cell: (token) => (
              <Button kind="quiet" isSmall onClick={() => setEnding(token)} aria-label={`${words.end}: ${token.name}`}>
                {words.end}
              </Button>
            ),
          },
        ]}
      />
      {isMaking && <MakeToken onClose={() => setMaking(false)} />}
      {ending && <EndToken token={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

function EndToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }): ReactElement {
  const words = useWords(TOKENS);
  const write = useWrite('endToken', { changes: ['listTokens'], onDone: useDone(onClose, words.ended) });
  return (
    <Act
      title={`${words.end}: ${token.name}`}
      onClose={onClose}
      what={words.endWhat}
      undo={words.endUndo}
      button={words.end}
      isBad
      write={write}
      onAct={() => write.mutate({ path: { token: token.id } })}
    />
  );
}
