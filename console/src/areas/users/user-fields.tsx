import type { ReactElement } from 'react';
import { ROLE_SIDES, type Role } from '../../api/generated/operations.ts';
import { Field, Select } from '../../design/form/field.tsx';
import type { Form } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { useFirstMerchant, useIsService, useMerchants } from '../../shell/me.tsx';
import { SHELL } from '../../shell/words.ts';
import { USERS } from './words.ts';

type Name = 'name' | 'role' | 'merchant' | 'language';

/** Whether a role works for one merchant. */
export const isBound = (role: string): boolean => ROLE_SIDES[role as Role] === 'merchant';

/** What a form of a user needs. */
export const needed = ({ role }: { readonly role: string }): readonly Name[] => [
  'name',
  'role',
  'language',
  ...(isBound(role) ? (['merchant'] as const) : []),
];

/** The name, role, merchant and language of a user. A merchant's administrator gives only roles of his merchant. */
export function UserFields({ of: { values, field } }: { readonly of: Pick<Form<Name>, 'values' | 'field'> }): ReactElement {
  const words = useWords(USERS);
  const { roles } = useWords(SHELL);
  const isService = useIsService();
  const merchants = useMerchants();
  const first = useFirstMerchant() ?? '';
  const given = (Object.keys(ROLE_SIDES) as Role[]).filter((role) => isService || isBound(role));
  return (
    <>
      <Field label={words.name} {...field('name')} />
      <Select
        label={words.role}
        hint={words.roleHints[values.role as Role]}
        value={values.role}
        onValue={(role) => {
          field('role').onValue(role);
          field('merchant').onValue(isBound(role) ? values.merchant || first : '');
        }}
        options={given.map((role) => ({
          value: role,
          text: `${roles[role]}${isService && isBound(role) ? ` · ${words.merchant}` : ''}`,
        }))}
      />
      {isBound(values.role) && isService && <Field label={words.merchant} list="merchants-known" {...field('merchant')} />}
      <datalist id="merchants-known">
        {merchants.map(({ merchant }) => (
          <option key={merchant} value={merchant} />
        ))}
      </datalist>
      <Field label={words.language} choices={words.languages} {...field('language')} />
    </>
  );
}
