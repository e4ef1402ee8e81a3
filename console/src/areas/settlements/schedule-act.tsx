import type { ReactElement } from 'react';
import type { CallInput } from '../../api/client.ts';
import { setSettlementSchedule } from '../../api/generated/rules/settlements.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { AmountField, PercentField } from '../../design/form/number-field.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { TERMS } from './terms-words.ts';
import type { Schedule } from './terms.ts';

type Body = CallInput<'setSettlementSchedule'>['body'];
type Account = NonNullable<Body['account']>;

type Props = {
  readonly merchant: string;
  readonly currency: string;
  readonly of: Schedule | undefined;
  readonly onClose: () => void;
};

/** A schedule as the texts of a form. */
const textsOf = (of: Schedule | undefined) => ({
  period: of?.period ?? 'daily',
  weekday: of?.weekday ?? 'friday',
  monthDay: String(of?.monthDay ?? 1),
  delayDays: String(of?.delayDays ?? 1),
  calendar: of?.calendar ?? '',
  minimum: of?.minimum ?? '0',
  reservePercent: of?.reservePercent ?? '0',
  reserveDays: String(of?.reserveDays ?? 0),
  'account/bankName': of?.account.bankName ?? '',
  'account/bankCode': of?.account.bankCode ?? '',
  'account/type': of?.account.type ?? 'savings',
  'account/number': of?.account.number ?? '',
  'account/holderName': of?.account.holderName ?? '',
  'account/holderDocumentType': of?.account.holderDocumentType ?? '',
  'account/holderDocument': of?.account.holderDocument ?? '',
});
type Texts = Record<keyof ReturnType<typeof textsOf>, string>;
type Name = keyof Texts;

const bodyOf = (values: Texts): Body => ({
  period: values.period as Schedule['period'],
  ...(values.period === 'weekly' && { weekday: values.weekday as NonNullable<Schedule['weekday']> }),
  ...(values.period === 'monthly' && { monthDay: Number(values.monthDay) }),
  delayDays: Number(values.delayDays),
  calendar: values.calendar,
  minimum: values.minimum,
  reservePercent: values.reservePercent,
  reserveDays: Number(values.reserveDays),
  account: Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (name.startsWith('account/') ? [[name.slice(8), value]] : [])),
  ) as Account,
});

/** Sets when a merchant is paid in a currency, and to which account. */
export function ScheduleAct({ merchant, currency, of, onClose }: Props): ReactElement {
  const words = useWords(TERMS);
  const write = useWrite('setSettlementSchedule', { changes: ['listSettlementSchedules'], onDone: useSaved(onClose) });
  const initial: Texts = textsOf(of);
  const { values, field, isReady } = useForm<Name>(initial, {
    rule: setSettlementSchedule.body,
    required: Object.keys(initial) as Name[],
    problem: write.error,
  });
  const calendars = useRead('listCalendars', {}).data?.body.items ?? [];
  const names = [...new Set([...(values.calendar === '' ? [''] : [values.calendar]), ...calendars.map(({ calendar }) => calendar)])];
  return (
    <Act
      title={words.scheduleOf(currency)}
      onClose={onClose}
      what={words.scheduleWhat}
      undo={words.scheduleUndo}
      button={words.save}
      write={write}
      onAct={() => isReady() && write.mutate({ path: { merchant, currency }, body: bodyOf(values) })}
    >
      <Field label={words.period} choices={words.periods} {...field('period')} />
      {values.period === 'weekly' && <Field label={words.weekday} choices={words.weekdays} {...field('weekday')} />}
      {values.period === 'monthly' && <Field label={words.monthDay} {...field('monthDay')} />}
      <Field label={words.delay} hint={words.delayHint} {...field('delayDays')} />
      <Select label={words.calendar} {...field('calendar')} options={names.map((one) => ({ value: one, text: one }))} />
      <AmountField label={words.minimum} hint={words.minimumHint} {...field('minimum')} currency={currency} before={of?.minimum} />
      <PercentField label={words.reservePercent} {...field('reservePercent')} before={of?.reservePercent} />
      <Field label={words.reserveDays} {...field('reserveDays')} />
      <h3>{words.account}</h3>
      <Field label={words.bankName} {...field('account/bankName')} />
      <Field label={words.bankCode} {...field('account/bankCode')} />
      <Field label={words.type} choices={words.types} {...field('account/type')} />
      <Field label={words.number} hint={words.numberHint} inputMode="numeric" {...field('account/number')} />
      <Field label={words.holderName} {...field('account/holderName')} />
      <Field label={words.holderDocumentType} hint={words.holderDocumentTypeHint} {...field('account/holderDocumentType')} />
      <Field label={words.holderDocument} {...field('account/holderDocument')} />
    </Act>
  );
}
