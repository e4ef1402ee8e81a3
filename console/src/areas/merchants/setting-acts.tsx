import { useState, type ReactElement } from 'react';
import { setMerchantLimits, setMerchantSigning, updateMerchant } from '../../api/generated/rules/merchants.ts';
import { ON_OFF, SETTING_TITLES, SETTING_WHATS } from '../../api/generated/merchant-settings.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Checks } from '../../design/form/checks.tsx';
import { useCountries } from '../../design/values/countries.tsx';
import { Field } from '../../design/form/field.tsx';
import { KeepSecrets } from '../../design/form/keep-secrets.tsx';
import { LimitsAct } from '../../design/form/limits.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import type { Merchant } from './state.tsx';
import { useSettingsUndo } from './settings-undo.ts';
import { MERCHANTS } from './words.ts';

export type SettingProps = { readonly of: Merchant; readonly onClose: () => void };

const CHANGES = { changes: ['readMerchant', 'listMerchants'] as const };

/** Name, language, currencies and contact. Only what was changed is sent. */
export function DetailsAct({ of: merchant, onClose }: SettingProps): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('updateMerchant', { ...CHANGES, onDone: useSaved(onClose) });
  const { name, language, contact, country } = merchant;
  const initial = { name, language: language as string, contact: contact ?? '' };
  const form = useForm(initial, { rule: updateMerchant.body, required: ['name', 'language'], problem: write.error });
  const [currencies, setCurrencies] = useState(merchant.currencies);
  const possible = useCountries().find((one) => one.country === country)?.currencies ?? merchant.currencies;
  const send = (): void => {
    const { values } = form;
    if (!form.isReady() || currencies.length === 0) return;
    const body = {
      ...(values.name !== name && { name: values.name }),
      ...(values.language !== language && { language: values.language as Merchant['language'] }),
      ...(values.contact !== (contact ?? '') && { contact: values.contact === '' ? null : values.contact }),
      ...(currencies.join() !== merchant.currencies.join() && { currencies }),
    };
    if (Object.keys(body).length === 0) onClose();
    else write.mutate({ path: { merchant: merchant.merchant }, body });
  };
  return (
    <Act
      title={words.settings}
      onClose={onClose}
      what={words.settingsWhat}
      undo={useSettingsUndo()}
      button={words.save}
      write={write}
      onAct={send}
    >
      <Field label={words.name} {...form.field('name')} />
      <Field label={words.language} choices={words.languages} {...form.field('language')} />
      <Checks
        label={words.currencies}
        options={possible.map((one) => ({ value: one, text: one }))}
        chosen={currencies}
        onChoose={setCurrencies}
        fault={currencies.length === 0 ? words.oneCurrency : undefined}
      />
      <Field label={words.contact} hint={words.contactHint} {...form.field('contact')} />
    </Act>
  );
}

export function MerchantLimitsAct({ of: { merchant, limits }, onClose }: SettingProps): ReactElement {
  const write = useWrite('setMerchantLimits', { ...CHANGES, onDone: useSaved(onClose) });
  return (
    <LimitsAct
      now={limits}
      rule={setMerchantLimits.body}
      onClose={onClose}
      onSet={(next) => write.mutate({ path: { merchant }, body: { limits: next } })}
      write={write}
    />
  );
}

/** Whether requests are signed. The first time a secret comes back, which is shown once. */
export function SigningAct({ of: { merchant, signing }, onClose }: SettingProps): ReactElement {
  const words = useWords(MERCHANTS);
  const saved = useSaved(onClose);
  const write = useWrite('setMerchantSigning', {
    ...CHANGES,
    onDone: ({ body }) => {
      if (body.signingSecret === null) saved();
    },
  });
  const [chosen, choose] = useState<string>(signing);
  const secret = write.data?.body.signingSecret;
  if (secret)
    return (
      <KeepSecrets title={words.madeTitle(merchant)} secrets={[[words.signingSecret, secret]]} onKept={saved}>
        <p>{words.madeHint}</p>
      </KeepSecrets>
    );
  return (
    <Act
      title={words.signing}
      onClose={onClose}
      what={words.signingWhat}
      undo={words.signingUndo}
      button={words.save}
      isBad={chosen.startsWith('require')}
      write={write}
      onAct={() => write.mutate({ path: { merchant }, body: { signing: chosen as Merchant['signing'] } })}
    >
      <Field
        label={words.signing}
        value={chosen}
        onValue={choose}
        rule={ruleAt(setMerchantSigning.body, '/signing')}
        choices={words.signings}
        isRequired
      />
    </Act>
  );
}

/** Turns a setting on or off. */
export function OnOffAct({ of: merchant, onClose, setting }: SettingProps & { readonly setting: keyof typeof ON_OFF }): ReactElement {
  const words = useWords(MERCHANTS);
  const [titles, whats] = [useWords(SETTING_TITLES), useWords(SETTING_WHATS)];
  const write = useWrite(ON_OFF[setting], { ...CHANGES, onDone: useSaved(onClose) });
  const isOn = merchant[setting] === true;
  return (
    <Act
      title={titles[setting]}
      onClose={onClose}
      what={whats[setting]}
      undo={words.switchUndo}
      button={isOn ? words.turnOff : words.turnOn}
      write={write}
      onAct={() => write.mutate({ path: { merchant: merchant.merchant }, body: { isOn: !isOn } })}
    />
  );
}
