import { useState, type ReactElement } from 'react';
import { SETTING_TITLES } from '../../api/generated/merchant-settings.ts';
import { setNoticeChecksum, setOpenAmounts } from '../../api/generated/rules/merchants.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Section } from '../../design/page/page.tsx';
import { ChangeRow } from '../../design/page/rows.tsx';
import { Amount, Facts } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import type { SettingProps } from './setting-acts.tsx';
import type { Merchant } from './state.tsx';
import { useSettingsUndo } from './settings-undo.ts';
import { MERCHANTS } from './words.ts';

const CHANGES = { changes: ['readMerchant', 'listMerchants'] as const };

/** What clients of earlier services expect: orders without an e-mail address, open amounts, another hash in notices. */
export function OrderTerms({
  of: merchant,
  onEmails,
  onChecksum,
}: {
  readonly of: Merchant;
  readonly onEmails: () => void;
  readonly onChecksum: () => void;
}): ReactElement {
  const words = useWords(MERCHANTS);
  const { emptyEmails: emptyEmailsTitle } = useWords(SETTING_TITLES);
  const canWrite = useMay()('merchants:write');
  const [{ opens }, set] = useAddress();
  const { currencies, openAmounts, emptyEmails, noticeChecksum } = merchant;
  const chosen = currencies.find((currency) => currency === opens);
  const emails = emptyEmails === null ? words.asService : emptyEmails ? words.on : words.off;
  const row = (name: string, value: ReactElement | string, onChange: () => void) =>
    [
      name,
      <ChangeRow key={name} label={`${words.change}: ${name}`} onChange={canWrite ? onChange : undefined}>
        {value}
      </ChangeRow>,
    ] as const;
  return (
    <Section title={words.orderTerms}>
      <Facts
        of={[
          row(emptyEmailsTitle, emails, onEmails),
          row(words.noticeChecksum, words.hashes[noticeChecksum], onChecksum),
          ...currencies.map((currency) =>
            row(words.openAmount(currency), <Open of={openAmounts} in={currency} />, () => set({ opens: currency })),
          ),
        ]}
      />
      {chosen && canWrite && <OpenAmountAct key={chosen} of={merchant} currency={chosen} onClose={() => set({ opens: undefined })} />}
    </Section>
  );
}

function Open({ of: openAmounts, in: currency }: { readonly of: Merchant['openAmounts']; readonly in: string }): ReactElement {
  const words = useWords(MERCHANTS);
  const limits = openAmounts.find((one) => one.currency === currency);
  if (limits === undefined) return <>{words.off}</>;
  return (
    <>
      <Amount of={{ amount: limits.least, currency }} /> – <Amount of={{ amount: limits.most, currency }} />
    </>
  );
}

/** Lets payers choose the amount in one currency, or no more. Other currencies stay as they are. */
function OpenAmountAct({ of: merchant, currency, onClose }: SettingProps & { readonly currency: string }): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('setOpenAmounts', { ...CHANGES, onDone: useSaved(onClose) });
  const limits = merchant.openAmounts.find((one) => one.currency === currency);
  const initial = { least: limits?.least ?? '', most: limits?.most ?? '' };
  const { values, field, isReady } = useForm(initial, {
    rule: ruleAt(setOpenAmounts.body, '/openAmounts')?.items,
    required: ({ least, most }) => (least === '' && most === '' ? [] : ['least', 'most']),
    problem: write.error,
  });
  const send = (): void => {
    if (!isReady()) return;
    const others = merchant.openAmounts.filter((one) => one.currency !== currency);
    const openAmounts = values.least === '' ? others : [...others, { currency, ...values }];
    write.mutate({ path: { merchant: merchant.merchant }, body: { openAmounts } });
  };
  return (
    <Act
      title={words.openAmount(currency)}
      onClose={onClose}
      what={words.openAmountWhat}
      undo={useSettingsUndo()}
      button={words.save}
      write={write}
      onAct={send}
    >
      <AmountField label={words.least} {...field('least')} currency={currency} before={limits?.least} />
      <AmountField label={words.most} {...field('most')} currency={currency} before={limits?.most} />
    </Act>
  );
}

/** Sets the hash of the checksum in notices of orders. */
export function NoticeChecksumAct({ of: { merchant, noticeChecksum }, onClose }: SettingProps): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('setNoticeChecksum', { ...CHANGES, onDone: useSaved(onClose) });
  const [chosen, choose] = useState<string>(noticeChecksum);
  return (
    <Act
      title={words.noticeChecksum}
      onClose={onClose}
      what={words.noticeChecksumWhat}
      undo={useSettingsUndo()}
      button={words.save}
      write={write}
      onAct={() => write.mutate({ path: { merchant }, body: { noticeChecksum: chosen as Merchant['noticeChecksum'] } })}
    >
      <Field
        label={words.noticeChecksum}
        value={chosen}
        onValue={choose}
        rule={ruleAt(setNoticeChecksum.body, '/noticeChecksum')}
        choices={words.hashes}
        isRequired
      />
    </Act>
  );
}
