import { useState, type ReactElement } from 'react';
import { usePermissionName } from '../../about/permissions.ts';
import { createToken } from '../../api/generated/rules/tokens.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Checks } from '../../design/form/checks.tsx';
import { Field } from '../../design/form/field.tsx';
import { KeepSecrets } from '../../design/form/keep-secrets.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useMe } from '../../shell/me.tsx';
import { TOKENS } from './words.ts';

const USUAL_DAYS = '90';

/** Makes an access token, and shows it once. It has no permission that its maker lacks. */
export function MakeToken({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(TOKENS);
  const { merchant: own, permissions: mine } = useMe();
  const write = useWrite('createToken', { changes: ['listTokens'] });
  const initial = { name: '', merchant: own ?? '', days: USUAL_DAYS };
  const { values, field, isReady, hasTried } = useForm(initial, {
    rule: createToken.body,
    required: ['name', 'days'],
    problem: write.error,
  });
  const [chosen, choose] = useState<readonly string[]>([]);
  const nameOf = usePermissionName();
  if (write.data !== undefined) {
    const { token, endsAt } = write.data.body;
    return (
      <KeepSecrets title={words.made} secrets={[[words.token, token]]} onKept={onClose}>
        <p>
          {words.ends} <Instant at={endsAt} isLong />
        </p>
      </KeepSecrets>
    );
  }
  const send = (): void => {
    if (!isReady() || chosen.length === 0) return;
    const { name, merchant, days } = values;
    const permissions = mine.filter((one) => chosen.includes(one));
    write.mutate({ body: { name, permissions, days: Number(days), ...(merchant !== '' && { merchant }) } });
  };
  return (
    <Act title={words.make} onClose={onClose} what={words.makeWhat} undo={words.makeUndo} button={words.make} write={write} onAct={send}>
      <Field label={words.name} {...field('name')} />
      {own === null && <Field label={words.merchant} {...field('merchant')} />}
      <Field label={words.days} {...field('days')} />
      <Checks
        label={words.permissions}
        options={mine.map((value) => ({ value, text: nameOf(value) }))}
        chosen={chosen}
        onChoose={choose}
        fault={hasTried && chosen.length === 0 ? words.choose : undefined}
      />
    </Act>
  );
}
