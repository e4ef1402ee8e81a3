import { useState, type ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { listUsers } from '../../api/generated/rules/users.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { Badge, Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import { SHELL } from '../../shell/words.ts';
import { InviteUser } from './invite-user.tsx';
import { USER_TONES } from './user.ts';
import { USERS } from './words.ts';

type User = ItemOf<'listUsers'>;

/** The users that this one may see. */
export function UsersPage(): ReactElement {
  const words = useWords(USERS);
  const { roles } = useWords(SHELL);
  const mayWrite = useMay()('users:write');
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={words.title}
      acts={
        mayWrite && (
          <Button kind="main" icon="plus" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <List
        operation="listUsers"
        rules={listUsers}
        columns={useColumns()}
        keyOf={({ id }) => id}
        pageOf={({ id }) => `/users/${id}`}
        choices={{ role: roles, state: words.states }}
      />
      {isInviting && <InviteUser onClose={() => setInviting(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<User>[] {
  const words = useWords(USERS);
  const { roles } = useWords(SHELL);
  const isService = useIsService();
  return [
    { id: 'email', title: words.email, cell: ({ email }) => email },
    { id: 'name', title: words.name, cell: ({ name }) => name },
    { id: 'role', title: words.role, cell: ({ role }) => roles[role] },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant ?? words.service, isExtra: !isService },
    { id: 'state', title: words.state, cell: ({ state }) => <Badge tone={USER_TONES[state]}>{words.states[state]}</Badge> },
    { id: 'updated', title: words.updated, cell: ({ updatedAt }) => <Instant at={updatedAt} />, isExtra: true },
    { id: 'created', title: words.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  ];
}
