import { lazy, Suspense, useState, type ReactElement } from 'react';
import { Checkbox, Field } from '../../design/form/field.tsx';
import type { Form } from '../../design/form/use-form.ts';
import { useCountries, useCountryName } from '../../design/values/countries.tsx';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMerchants } from '../../shell/me.tsx';
import { CASHOUT } from './cashout-words.ts';
import { CASHOUTS } from './words.ts';

const CellphoneHint = lazy(async () => ({ default: (await import('./cellphone-hint.tsx')).CellphoneHint }));

/** Whether the one-time password goes by SMS. Only the merchant may see a password, so of the service's side it always does. */
export const useBySms = () => useState(useIsService());

/** What a form of a cashout sends of its optional fields: those that are filled in. */
export const givenOf = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

type CollectorProps = {
  readonly merchant: string;
  readonly of: Pick<Form<'document' | 'cellphone'>, 'values' | 'field'>;
  readonly isBySms: boolean;
  readonly setBySms: (isBySms: boolean) => void;
};

/** Who collects a cashout, and where the one-time password goes. */
export function CollectorFields({ merchant, of: { values, field }, isBySms, setBySms }: CollectorProps): ReactElement {
  const words = useWords(CASHOUTS);
  const { fields } = useWords(CASHOUT);
  const isService = useIsService();
  const hasLetters = useMerchants().some((one) => one.merchant === merchant && one.letterDocuments);
  const cellphoneHint = isBySms && <DialledHint merchant={merchant} cellphone={values.cellphone} />;
  return (
    <>
      <Field label={fields.document} {...field('document')} inputMode={hasLetters ? 'text' : 'numeric'} />
      {isService ? <p className="quiet">{words.smsOnly}</p> : <Checkbox label={words.bySms} isOn={isBySms} onSwitch={setBySms} />}
      <Field label={fields.cellphone} {...field('cellphone')} inputMode="tel" hint={cellphoneHint} />
    </>
  );
}

/** How the number will be dialled, by the country of its merchant. Nothing, where the user may not see the merchant. */
function DialledHint({ merchant, cellphone }: { readonly merchant: string; readonly cellphone: string }): ReactElement | null {
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
