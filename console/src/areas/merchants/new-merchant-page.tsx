import { useState, type FormEvent, type ReactElement } from 'react';
import { createMerchant } from '../../api/generated/rules/merchants.ts';
import { useWrite } from '../../api/queries.ts';
import { Refused } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Checks } from '../../design/form/checks.tsx';
import { useCountries, useCountryChoices } from '../../design/values/countries.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { FormCard } from '../../design/form/form-card.tsx';
import { KeepSecrets } from '../../design/form/keep-secrets.tsx';
import { Page } from '../../design/page/page.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { goTo } from '../../shell/navigation.ts';
import { MERCHANTS } from './words.ts';

const EMPTY = { merchant: '', name: '', country: '', language: '', noticeUrl: '' };

/** Makes a merchant, and shows its secrets once. */
export function NewMerchantPage(): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('createMerchant', { changes: ['listMerchants', 'readMe'] });
  const form = useForm(EMPTY, { rule: createMerchant.body, required: ['merchant', 'country'], problem: write.error });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const countries = useCountries();
  const choices = useCountryChoices();
  const { values, field } = form;
  const { country: _country, ...texts } = values;
  const currencies = countries.find(({ country }) => country === values.country)?.currencies ?? [];
  const wanted = currencies.filter((one) => chosen.includes(one));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!form.isReady() || write.isPending) return;
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
    const body = { ...given, merchant: values.merchant, country: values.country, ...(wanted.length > 0 && { currencies: wanted }) };
    write.mutate({ body });
  };
  const made = write.data?.body;
  return (
    <Page title={words.new} above={{ name: words.title, to: '/merchants' }}>
      <FormCard onSubmit={send} saved={write.data}>
        <p className="quiet">{words.newHint}</p>
        <Field label={words.id} hint={words.idHint} autoFocus {...field('merchant')} />
        <Field label={words.name} {...field('name')} />
        <Select label={words.country} options={[{ value: '', text: '' }, ...choices]} {...field('country')} />
        {currencies.length > 1 && (
          <Checks
            label={words.currencies}
            hint={words.currenciesHint}
            options={currencies.map((one) => ({ value: one, text: one }))}
            chosen={wanted}
            onChoose={setChosen}
          />
        )}
        <Field label={words.language} choices={words.languages} {...field('language')} />
        <Field label={words.noticeUrl} placeholder="https://" {...field('noticeUrl')} />
        {write.error && <Refused problem={write.error} />}
        <Button type="submit" kind="main" isBusy={write.isPending}>
          {words.new}
        </Button>
      </FormCard>
      {made && (
        <KeepSecrets
          title={words.madeTitle(made.merchant)}
          secrets={[
            [words.fixedHash, made.fixedHash],
            [words.noticeHash, made.noticeHash],
          ]}
          onKept={() => void goTo(`/merchants/${encodeURIComponent(made.merchant)}`)}
        >
          <p>{words.madeHint}</p>
        </KeepSecrets>
      )}
    </Page>
  );
}
