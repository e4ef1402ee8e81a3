import type { ReactElement } from 'react';
import { changeCashoutLimits } from '../../api/generated/rules/cashouts.ts';
import type { Answer } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { ChangeRow } from '../../design/page/rows.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Amount, Facts } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { useSettingsUndo } from './settings-undo.ts';
import { MERCHANTS } from './words.ts';

type Limits = Answer<'readCashoutLimits'>['body']['limits'][number];

const NO_LIMITS = { least: null, most: null, perDocumentAndDay: null };

/** How much a cashout may be, and how many a person may have a day, by currency. */
export function CashoutLimits({
  merchant,
  currencies,
}: {
  readonly merchant: string;
  readonly currencies: readonly string[];
}): ReactElement {
  const words = useWords(MERCHANTS);
  const canWrite = useMay()('merchants:write');
  const [{ currency: open }, set] = useAddress();
  const query = useRead('readCashoutLimits', { path: { merchant } });
  return (
    <Section title={words.cashoutLimits}>
      <Load of={query} lines={2}>
        {({ body }) => {
          const all = currencies.map((currency) => body.limits.find((one) => one.currency === currency) ?? { ...NO_LIMITS, currency });
          const chosen = all.find(({ currency }) => currency === open);
          return (
            <>
              <Facts
                of={all.map((limits) => [
                  limits.currency,
                  <ChangeRow
                    key={limits.currency}
                    label={`${words.change}: ${words.limitsOf(limits.currency)}`}
                    onChange={canWrite ? () => set({ currency: limits.currency }) : undefined}
                  >
                    <LimitsLine of={limits} />
                  </ChangeRow>,
                ])}
              />
              {chosen && canWrite && <ChangeLimits merchant={merchant} of={chosen} onClose={() => set({ currency: undefined })} />}
            </>
          );
        }}
      </Load>
    </Section>
  );
}

function LimitsLine({ of: { currency, least, most, perDocumentAndDay } }: { readonly of: Limits }): ReactElement {
  const words = useWords(MERCHANTS);
  if (least === null && most === null && perDocumentAndDay === null) return <span className="quiet">{words.noLimit}</span>;
  return (
    <>
      {least !== null && (
        <div>
          {words.least}: <Amount of={{ amount: least, currency }} />
        </div>
      )}
      {most !== null && (
        <div>
          {words.most}: <Amount of={{ amount: most, currency }} />
        </div>
      )}
      {perDocumentAndDay !== null && (
        <div>
          {words.perDay}: {perDocumentAndDay}
        </div>
      )}
    </>
  );
}

const orNull = (text: string): string | null => (text === '' ? null : text);

type ChangeProps = { readonly merchant: string; readonly of: Limits; readonly onClose: () => void };

function ChangeLimits({ merchant, of: { currency, least, most, perDocumentAndDay: perDay }, onClose }: ChangeProps): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('changeCashoutLimits', { changes: ['readCashoutLimits'], onDone: useSaved(onClose) });
  const initial = { least: least ?? '', most: most ?? '', perDocumentAndDay: perDay === null ? '' : String(perDay) };
  const { values, field, isReady } = useForm(initial, { rule: changeCashoutLimits.body, problem: write.error });
  const send = (): void => {
    if (!isReady()) return;
    const { perDocumentAndDay: count } = values;
    const body = { least: orNull(values.least), most: orNull(values.most), perDocumentAndDay: count === '' ? null : Number(count) };
    write.mutate({ path: { merchant, currency }, body });
  };
  return (
    <Act
      title={words.limitsOf(currency)}
      onClose={onClose}
      what={words.cashoutLimitsWhat}
      undo={useSettingsUndo()}
      button={words.save}
      write={write}
      onAct={send}
    >
      <AmountField label={words.least} {...field('least')} currency={currency} before={least} />
      <AmountField label={words.most} {...field('most')} currency={currency} before={most} />
      <Field label={words.perDay} {...field('perDocumentAndDay')} />
    </Act>
  );
}
