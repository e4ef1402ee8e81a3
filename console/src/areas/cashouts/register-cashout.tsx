import type { ReactElement } from 'react';
import { registerCashout } from '../../api/generated/rules/cashouts.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { useGoOn } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe, useMerchants } from '../../shell/me.tsx';
import { CHANGES } from './cashout-acts.tsx';
import { CASHOUT } from './cashout-words.ts';
import { CollectorFields, givenOf, useBySms } from './collector-fields.tsx';
import { ShownPassword } from './shown-password.tsx';
import { CASHOUTS } from './words.ts';
import styles from './cashouts.module.css';

const EMPTY = {
  operation: '',
  'amount/amount': '',
  'amount/currency': '',
  document: '',
  cellphone: '',
  transactionCost: '',
  expiresOn: '',
  description: '',
};
const NEEDED = ['merchant', 'operation', 'amount/amount', 'amount/currency', 'document'] as const;

/** Registers a cashout. Without SMS its merchant is shown the password once; nobody else may see one. */
export function RegisterCashout({ first, onClose }: { readonly first: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(CASHOUTS);
  const { merchant: own } = useMe();
  const maySee = useMay()('merchants:read');
  const merchants = useMerchants();
  const goOn = useGoOn();
  const { fields } = useWords(CASHOUT);
  const [isBySms, setBySms] = useBySms();
  const write = useWrite('registerCashout', { changes: CHANGES, onDone: ({ body }) => body.oneTimePassword === undefined && show() });
  const form = useForm(
    { ...EMPTY, merchant: first },
    { rule: registerCashout.body, required: isBySms ? [...NEEDED, 'cellphone'] : NEEDED, problem: write.error },
  );
  const { values, field, isReady } = form;
  const { merchant, operation, 'amount/amount': amount, 'amount/currency': currency, document, ...rest } = values;
  const show = (): void => goOn(`/cashouts/${merchant}/${operation}`);
  const password = write.data?.body.oneTimePassword;
  if (password !== undefined) return <ShownPassword password={password} onClose={show} />;
  const send = (): void => {
    if (!isReady()) return;
    write.mutate({ body: { merchant, operation, amount: { amount, currency }, document, sms: isBySms, ...givenOf(rest) } });
  };
  const known = merchants.map((one) => one.merchant);
  const currencies = merchants.find((one) => one.merchant === merchant)?.currencies ?? [];
  const listed = currency === '' || currencies.includes(currency) ? currencies : [currency, ...currencies];
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
        {own === null && <Field label={fields.merchant} {...field('merchant')} {...(maySee && { rule: { enum: ['', ...known] } })} />}
        <Field label={fields.operation} {...field('operation')} />
        <div className={styles['money']}>
          <AmountField label={fields.amount} {...field('amount/amount')} currency={currency} />
          <Field label={fields.currency} {...field('amount/currency')} {...(listed.length > 0 && { rule: { enum: ['', ...listed] } })} />
        </div>
        <CollectorFields merchant={merchant} of={form} isBySms={isBySms} setBySms={setBySms} />
        <AmountField label={fields.transactionCost} {...field('transactionCost')} currency={currency} />
        <Field label={fields.expiresOn} {...field('expiresOn')} hint={words.expiresHint} />
        <Field label={fields.description} {...field('description')} />
      </div>
    </Act>
  );
}
