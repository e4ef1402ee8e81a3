import type { ReactElement } from 'react';
import { ROLE_SIDES, type Role } from '../../api/generated/operations.ts';
import type { Problem } from '../../api/problem.ts';
import { ruleAt, type Rule } from '../../api/rules.ts';
import { faultAt, Field, Select, useCheck } from '../../design/field.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMe, useMerchants } from '../../shell/me.tsx';
import { SHELL } from '../../shell/words.ts';
import { USERS } from './words.ts';

/** What a form of a user holds, as texts. */
export type UserForm = { readonly name: string; readonly role: Role; readonly merchant: string; readonly language: 'es' | 'en' | 'pt' };

/** The name, role, merchant and language of a user. A merchant's administrator gives only roles of his merchant. */
export function UserFields({
  form,
  onForm,
  rules,
  problem,
  hasTried,
}: {
  readonly form: UserForm;
  readonly onForm: (form: UserForm) => void;
  readonly rules: Rule | undefined;
  readonly problem: Problem | null;
  readonly hasTried: boolean;
}): ReactElement {
  const words = useWords(USERS);
  const { roles } = useWords(SHELL);
  const check = useCheck();
  const isService = useIsService();
  const { merchant: own } = useMe();
  const merchants = useMerchants();
  const isBound = ROLE_SIDES[form.role] === 'merchant';
  const given = (Object.keys(ROLE_SIDES) as Role[]).filter((role) => isService || ROLE_SIDES[role] === 'merchant');
  const nameRule = ruleAt(rules, '/name');
  return (
    <>
      <Field
        label={words.name}
        value={form.name}
        onValue={(name) => onForm({ ...form, name })}
        rule={nameRule}
        isRequired
        fault={faultAt(problem?.errors, '/name') ?? (hasTried ? check(nameRule, form.name, true) : undefined)}
      />
      <Select
        label={words.role}
        value={form.role}
        onValue={(role) =>
          onForm({ ...form, role: role as Role, merchant: ROLE_SIDES[role as Role] === 'merchant' ? (own ?? form.merchant) : '' })
        }
        options={given.map((role) => ({
          value: role,
          text: `${roles[role]}${isService && ROLE_SIDES[role] === 'merchant' ? ` · ${words.merchant}` : ''}`,
        }))}
      />
      {isBound && isService && (
        <Field
          label={words.merchant}
          value={form.merchant}
          onValue={(merchant) => onForm({ ...form, merchant })}
          rule={ruleAt(rules, '/merchant')}
          isRequired
          list="merchants-known"
          fault={faultAt(problem?.errors, '/merchant') ?? (hasTried ? check(ruleAt(rules, '/merchant'), form.merchant, true) : undefined)}
        />
      )}
      <datalist id="merchants-known">
        {merchants.map(({ merchant }) => (
          <option key={merchant} value={merchant} />
        ))}
      </datalist>
      <Field
        label={words.language}
        value={form.language}
        onValue={(language) => onForm({ ...form, language: language as UserForm['language'] })}
        rule={ruleAt(rules, '/language')}
        isRequired
        choices={words.languages}
      />
    </>
  );
}

/** Whether a form can be sent. */
export const isWhole = (form: UserForm): boolean =>
  form.name.trim() !== '' && (ROLE_SIDES[form.role] === 'service' || form.merchant !== '');
