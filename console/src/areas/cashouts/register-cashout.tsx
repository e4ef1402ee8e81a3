import { lazy, Suspense, useState, type ReactElement } from 'react';
import { registerCashout } from '../../api/generated/rules/cashouts.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Checkbox, Field } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { useCountries, useCountryName } from '../../design/values/countries.tsx';
import { useGoOn } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay, useMe, useMerchants } from '../../shell/me.tsx';
import { CHANGES } from './cashout-acts.tsx';
import { CASHOUT } from './cashout-words.ts';
import { ShownPassword } from './shown-password.tsx';
import { CASHOUTS } from './words.ts';
import styles from './cashouts.module.css';

const CellphoneHint = lazy(async () => ({ default: (await import('./cellphone-hint.tsx')).CellphoneHint }));

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
  const isService = useIsService();
  const maySee = useMay()('merchants:read');
  const merchants = useMerchants();
  const goOn = useGoOn();
  const { fields } = useWords(CASHOUT);
  const [isBySms, setBySms] = useState(isService);
  const write = useWrite('registerCashout', { changes: CHANGES, onDone: ({ body }) => body.oneTimePassword === undefined && show() });
  const { values, field, isReady } = useForm(
    { ...EMPTY, merchant: first },
    { rule: registerCashout.body, required: isBySms ? [...NEEDED, 'cellphone'] : NEEDED, problem: write.error },
  );
  const { merchant, operation, 'amount/amount': amount, 'amount/currency': currency, document, ...rest } = values;
  const show = (): void => goOn(`/cashouts/${merchant}/${operation}`);
  const password = write.data?.body.oneTimePassword;
  if (password !== undefined) return <ShownPassword password={password} onClose={show} />;
  const send = (): void => {
    if (!isReady()) return;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
    write.mutate({ body: { merchant, operation, amount: { amount, currency }, document, sms: isBySms, ...given } });
  };
  const hasLetters = merchants.some((one) => one.merchant === merchant && one.letterDocuments);
  const known = merchants.map((one) => one.merchant);
  const currencies = merchants.find((one) => one.merchant === merchant)?.currencies ?? [];
  const listed = currency === '' || currencies.includes(currency) ? currencies : [currency, ...currencies];
  const cellphoneHint = <DialledHint merchant={merchant} cellphone={values.cellphone} />;
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
        <Field label={fields.document} {...field('document')} inputMode={hasLetters ? 'text' : 'numeric'} />
        {isService ? <p className="quiet">{words.smsOnly}</p> : <Checkbox label={words.bySms} isOn={isBySms} onSwitch={setBySms} />}
        <Field label={fields.cellphone} {...field('cellphone')} inputMode="tel" hint={isBySms && cellphoneHint} />
        <AmountField label={fields.transactionCost} {...field('transactionCost')} currency={currency} />
        <Field label={fields.expiresOn} {...field('expiresOn')} hint={words.expiresHint} />
        <Field label={fields.description} {...field('description')} />
      </div>
    </Act>
  );
}

/** How the number will be dialled, by the country of its merchant. Nothing, where the user may not see the merchant. */
export function DialledHint({ merchant, cellphone }: { readonly merchant: string; readonly cellphone: string }): ReactElement | null {
  const country = useMerchants().find((one) => one.merchant === merchant)?.country;
  const region = useCountries().find((one) => one.country === country)?.region;
  const nameOf = useCountryName();
  if (country === undefined || region === undefined) return null;
  return (
    <Suspense fallback="…">
      <CellphoneHint text={cellphone} region={region} country={nameOf(country)} />
    </Suspense>
  );
}
