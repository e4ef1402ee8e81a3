import type { ReactElement } from 'react';
import type { CallInput } from '../../api/client.ts';
import { inviteUser } from '../../api/generated/rules/users.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useIsService, useMe } from '../../shell/me.tsx';
import { ShownLink } from './shown-link.tsx';
import { isBound, needed, UserFields } from './user-fields.tsx';
import { USERS } from './words.ts';

/** Invites a person. Where the service sends no mail, the link is shown once. */
export function InviteUser({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(USERS);
  const language: string = useLanguage();
  const isService = useIsService();
  const { merchant } = useMe();
  const write = useWrite('inviteUser', { changes: ['listUsers'] });
  const initial = { email: '', name: '', role: isService ? 'support' : 'clerk', merchant: merchant ?? '', language };
  const form = useForm(initial, { rule: inviteUser.body, required: (now) => ['email', ...needed(now)], problem: write.error });
  if (write.data !== undefined) return <ShownLink link={write.data.body.link} endsAt={write.data.body.linkEndsAt} onClose={onClose} />;
  const send = (): void => {
    if (!form.isReady()) return;
    const { merchant: named, ...rest } = form.values;
    write.mutate({ body: { ...rest, ...(isBound(rest.role) && { merchant: named }) } as CallInput<'inviteUser'>['body'] });
  };
  return (
    <Act
      title={words.inviteTitle}
      onClose={onClose}
      what={words.inviteWhat}
      undo={words.inviteUndo}
      button={words.invite}
      write={write}
      onAct={send}
    >
      <Field label={words.email} inputMode="email" {...form.field('email')} />
      <UserFields of={form} />
    </Act>
  );
}
