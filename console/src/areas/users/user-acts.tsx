import type { ReactElement } from 'react';
import { changeUser } from '../../api/generated/rules/users.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { ShownLink } from './shown-link.tsx';
import { isBound, needed, UserFields } from './user-fields.tsx';
import type { WholeUser } from './user.ts';
import { USERS } from './words.ts';

type ActProps = { readonly user: WholeUser; readonly etag: string | undefined; readonly onClose: () => void };

/** Only what differs is sent. */
export function ChangeUser({ user, etag, onClose }: ActProps): ReactElement {
  const words = useWords(USERS);
  const write = useWrite('changeUser', { changes: ['readUser', 'listUsers'], onDone: useDone(onClose) });
  const initial = { name: user.name, role: user.role as string, merchant: user.merchant ?? '', language: user.language as string };
  const form = useForm(initial, { rule: changeUser.body, required: needed, problem: write.error });
  const send = (): void => {
    if (!form.isReady()) return;
    const now = { ...form.values, merchant: isBound(form.values.role) ? form.values.merchant : null };
    const body = Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== user[name as keyof typeof now]));
    write.mutate({ path: { user: user.id }, body, ...(etag === undefined ? {} : { ifMatch: etag }) });
  };
  return (
    <Act
      title={`${words.edit}: ${user.email}`}
      onClose={onClose}
      what={words.editWhat}
      undo={words.editUndo}
      button={words.edit}
      write={write}
      onAct={send}
    >
      <UserFields of={form} />
    </Act>
  );
}

/** Disables a user, or enables one again. */
export function SwitchUser({ user, etag, onClose }: ActProps): ReactElement {
  const words = useWords(USERS);
  const isActive = user.state === 'active';
  const write = useWrite('changeUser', { changes: ['readUser', 'listUsers'], onDone: useDone(onClose) });
  return (
    <Act
      title={`${isActive ? words.disable : words.enable}: ${user.email}`}
      onClose={onClose}
      what={isActive ? words.disableWhat : words.enableWhat}
      undo={isActive ? words.disableUndo : words.enableUndo}
      button={isActive ? words.disable : words.enable}
      isBad={isActive}
      write={write}
      onAct={() =>
        write.mutate({
          path: { user: user.id },
          body: { state: isActive ? 'disabled' : 'active' },
          ...(etag === undefined ? {} : { ifMatch: etag }),
        })
      }
    />
  );
}

export function ResetUser({ user, etag, onClose }: ActProps): ReactElement {
  const words = useWords(USERS);
  const write = useWrite('resetUser', { changes: ['readUser', 'listUsers'] });
  if (write.data !== undefined) return <ShownLink link={write.data.body.link} endsAt={write.data.body.linkEndsAt} onClose={onClose} />;
  return (
    <Act
      title={`${words.reset}: ${user.email}`}
      onClose={onClose}
      what={words.resetWhat}
      undo={words.resetUndo}
      button={words.reset}
      isBad
      write={write}
      onAct={() => write.mutate({ path: { user: user.id }, ...(etag === undefined ? {} : { ifMatch: etag }) })}
    />
  );
}

export function SignOutUser({ user, onClose }: ActProps): ReactElement {
  const words = useWords(USERS);
  const write = useWrite('signOutUser', { changes: ['readUser'], onDone: useDone(onClose) });
  return (
    <Act
      title={`${words.signOut}: ${user.email}`}
      onClose={onClose}
      what={words.signOutWhat}
      undo={words.signOutUndo}
      button={words.signOut}
      write={write}
      onAct={() => write.mutate({ path: { user: user.id } })}
    />
  );
}
