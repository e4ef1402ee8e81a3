import { useState, type ReactElement } from 'react';
import { ROLE_SIDES } from '../../api/generated/operations.ts';
import { inviteUser } from '../../api/generated/rules/users.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/act.tsx';
import { faultAt, Field, useCheck } from '../../design/field.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useIsService, useMe } from '../../shell/me.tsx';
import { ShownLink } from './shown-link.tsx';
import { isWhole, UserFields, type UserForm } from './user-fields.tsx';
import { USERS } from './words.ts';

/** Invites a person. Where the service sends no mail, the link is shown once. */
export function InviteUser({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(USERS);
  const language = useLanguage();
  const isService = useIsService();
  const { merchant } = useMe();
  const check = useCheck();
  const [email, setEmail] = useState('');
  const [form, setForm] = useState<UserForm>({ name: '', role: isService ? 'support' : 'clerk', merchant: merchant ?? '', language });
  const [hasTried, setTried] = useState(false);
  const write = useWrite('inviteUser', { changes: ['listUsers'] });
  const emailRule = ruleAt(inviteUser.body, '/email');
  const emailFault = check(emailRule, email, true);
  if (write.data !== undefined) return <ShownLink link={write.data.body.link} endsAt={write.data.body.linkEndsAt} onClose={onClose} />;
  return (
    <Act
      title={words.inviteTitle}
      onClose={onClose}
      what={words.inviteWhat}
      undo={words.inviteUndo}
      button={words.invite}
      write={write}
      onAct={() => {
        setTried(true);
        if (emailFault !== undefined || !isWhole(form)) return;
        const bound = ROLE_SIDES[form.role] === 'merchant' ? { merchant: form.merchant } : {};
        write.mutate({ body: { email, name: form.name, role: form.role, language: form.language, ...bound } });
      }}
    >
      <Field
        label={words.email}
        value={email}
        onValue={setEmail}
        rule={emailRule}
        isRequired
        inputMode="email"
        fault={faultAt(write.error?.errors, '/email') ?? (hasTried ? emailFault : undefined)}
      />
      <UserFields form={form} onForm={setForm} rules={inviteUser.body} problem={write.error} hasTried={hasTried} />
    </Act>
  );
}
