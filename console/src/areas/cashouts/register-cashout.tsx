import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { registerCashout } from '../../api/generated/rules/cashouts.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/act.tsx';
import { Checkbox, faultAt, Field, useCheck } from '../../design/field.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMe, useMerchants } from '../../shell/me.tsx';
import { CHANGES } from './cashout-acts.tsx';
import { CASHOUT } from './cashout-words.ts';
import { ShownPassword } from './shown-password.tsx';
import { CASHOUTS } from './words.ts';
import styles from './cashouts.module.css';

/** The fields of the form, and where each is in the body. */
const PLACES = {
  merchant: '/merchant',
  operation: '/operation',
  amount: '/amount/amount',
  currency: '/amount/currency',
  document: '/document',
  cellphone: '/cellphone',
  transactionCost: '/transactionCost',
  expiresOn: '/expiresOn',
  description: '/description',
} as const;
type Name = keyof typeof PLACES;
const NEEDED: ReadonlySet<Name> = new Set(['merchant', 'operation', 'amount', 'currency', 'document']);
const EMPTY = Object.fromEntries(Object.keys(PLACES).map((name) => [name, ''])) as Record<Name, string>;

/** Registers a cashout. Without SMS its merchant is shown the password once; nobody else may see one. */
export function RegisterCashout({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(CASHOUTS);
  const { merchant: own } = useMe();
  const isService = useIsService();
  const merchants = useMerchants();
  const navigate = useNavigate();
  const [form, setForm] = useState({ ...EMPTY, merchant: own ?? '' });
  const [isBySms, setBySms] = useState(isService);
  const [hasTried, setTried] = useState(false);
  const fields = useFields(form, setForm, isBySms, hasTried);
  const goTo = (): void => void navigate({ to: `/cashouts/${form.merchant}/${form.operation}` });
  const write = useWrite('registerCashout', { changes: CHANGES, onDone: ({ body }) => body.oneTimePassword === undefined && goTo() });
  const password = write.data?.body.oneTimePassword;
  if (password !== undefined) return <ShownPassword password={password} onClose={goTo} />;
  const send = (): void => {
    setTried(true);
    if (!fields.isWhole) return;
    const { merchant, operation, amount, currency, document, ...rest } = form;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
    write.mutate({ body: { merchant, operation, amount: { amount, currency }, document, sms: isBySms, ...given } });
  };
  const field = (name: Name) => fields.of(name, write.error?.errors);
  const known = merchants.map(({ merchant }) => merchant);
  return (
    <Act
      title={words.register}
      onClose={onClose}
      what={words.registerWhat}
      undo={words.registerUndo}
      button={words.register}
      write={write}
      onAct={send}
    >
      <div className={styles['form']}>
        {own === null && <Field {...field('merchant')} {...(known.length > 0 && { rule: { enum: ['', ...known] } })} />}
        <Field {...field('operation')} />
        <div className={styles['money']}>
          <Field {...field('amount')} inputMode="decimal" />
          <Field {...field('currency')} />
        </div>
        <Field {...field('document')} inputMode="numeric" />
        {isService ? <p className="quiet">{words.smsOnly}</p> : <Checkbox label={words.bySms} isOn={isBySms} onSwitch={setBySms} />}
        <Field {...field('cellphone')} inputMode="tel" />
        <Field {...field('transactionCost')} inputMode="decimal" />
        <Field {...field('expiresOn')} hint={words.expiresHint} />
        <Field {...field('description')} />
      </div>
    </Act>
  );
}

type Form = Record<Name, string>;

/** What each field of the form is given, and whether all are right. */
function useFields(form: Form, setForm: (form: Form) => void, isBySms: boolean, hasTried: boolean) {
  const { fields } = useWords(CASHOUT);
  const check = useCheck();
  const isRequired = (name: Name): boolean => NEEDED.has(name) || (name === 'cellphone' && isBySms);
  const ruleOf = (name: Name) => ruleAt(registerCashout.body, PLACES[name]);
  const faultOf = (name: Name): string | undefined => check(ruleOf(name), form[name], isRequired(name));
  return {
    isWhole: (Object.keys(PLACES) as Name[]).every((name) => faultOf(name) === undefined),
    of: (name: Name, errors: Parameters<typeof faultAt>[0]) => ({
      label: fields[name],
      value: form[name],
      onValue: (value: string) => setForm({ ...form, [name]: value }),
      rule: ruleOf(name),
      isRequired: isRequired(name),
      fault: faultAt(errors, PLACES[name]) ?? (hasTried ? faultOf(name) : undefined),
    }),
  };
}
