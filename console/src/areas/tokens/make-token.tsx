import { useState, type ReactElement } from 'react';
import type { Permission } from '../../api/generated/operations.ts';
import { createToken } from '../../api/generated/rules/tokens.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/act.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Checkbox, faultAt, Field, useCheck } from '../../design/field.tsx';
import { Copyable, Facts, Instant } from '../../design/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { useMe } from '../../shell/me.tsx';
import { TOKENS } from './words.ts';
import styles from './make-token.module.css';

const USUAL_DAYS = '90';

/** Makes an access token, and shows it once. It has no permission that its maker lacks. */
export function MakeToken({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(TOKENS);
  const { merchant: own, permissions: mine } = useMe();
  const check = useCheck();
  const [form, setForm] = useState({ name: '', merchant: own ?? '', days: USUAL_DAYS });
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const [hasTried, setTried] = useState(false);
  const write = useWrite('createToken', { changes: ['listTokens'] });
  const { body } = createToken;
  const faults = {
    name: check(ruleAt(body, '/name'), form.name, true),
    days: check(ruleAt(body, '/days'), form.days, true),
    merchant: check(ruleAt(body, '/merchant'), form.merchant),
  };
  if (write.data !== undefined) return <MadeToken {...write.data.body} onClose={onClose} />;
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onValue: (value: string) => setForm({ ...form, [name]: value }),
    rule: ruleAt(body, `/${name}`),
    fault: faultAt(write.error?.errors, `/${name}`) ?? (hasTried ? faults[name] : undefined),
  });
  const send = (): void => {
    setTried(true);
    if (Object.values(faults).some((fault) => fault !== undefined) || chosen.length === 0) return;
    const bound = form.merchant === '' ? {} : { merchant: form.merchant };
    write.mutate({ body: { name: form.name, permissions: chosen, days: Number(form.days), ...bound } });
  };
  return (
    <Act title={words.make} onClose={onClose} what={words.makeWhat} undo={words.makeUndo} button={words.make} write={write} onAct={send}>
      <Field label={words.name} isRequired {...field('name')} />
      {own === null && <Field label={words.merchant} {...field('merchant')} />}
      <Field label={words.days} isRequired {...field('days')} />
      <Permissions of={mine} chosen={chosen} onChoose={setChosen} isMissing={hasTried && chosen.length === 0} />
    </Act>
  );
}

function Permissions({
  of: all,
  chosen,
  onChoose,
  isMissing,
}: {
  readonly of: readonly Permission[];
  readonly chosen: readonly Permission[];
  readonly onChoose: (chosen: readonly Permission[]) => void;
  readonly isMissing: boolean;
}): ReactElement {
  const words = useWords(TOKENS);
  const nameOf = (permission: Permission): string => {
    const [resource = '', verb = ''] = permission.split(':');
    return `${words.resources[resource as keyof typeof words.resources]}: ${words.verbs[verb as keyof typeof words.verbs]}`;
  };
  return (
    <fieldset>
      <legend className={styles.legend}>{words.permissions}</legend>
      {isMissing && (
        <p role="alert" className={styles.missing}>
          {words.choose}
        </p>
      )}
      <div className={styles.permissions}>
        {all.map((permission) => (
          <Checkbox
            key={permission}
            label={nameOf(permission)}
            isOn={chosen.includes(permission)}
            onSwitch={(isOn) => onChoose(isOn ? [...chosen, permission] : chosen.filter((one) => one !== permission))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function MadeToken({
  token,
  endsAt,
  onClose,
}: {
  readonly token?: string | undefined;
  readonly endsAt: string;
  readonly onClose: () => void;
}): ReactElement {
  const words = useWords(TOKENS);
  const design = useWords(DESIGN);
  return (
    <Dialog title={words.made} onClose={onClose}>
      {token !== undefined && <p>{words.madeHint}</p>}
      <Facts
        of={[
          ...(token === undefined ? [] : ([[words.token, <Copyable key="token" text={token} />]] as const)),
          [words.ends, <Instant key="ends" at={endsAt} isLong />],
        ]}
      />
      <Button kind="main" onClick={onClose}>
        {design.close}
      </Button>
    </Dialog>
  );
}
