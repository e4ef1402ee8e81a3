import { useState, type ReactElement } from 'react';
import type { CallInput } from '../../api/client.ts';
import { setFees } from '../../api/generated/rules/ledger.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { AmountField, PercentField } from '../../design/form/number-field.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { formatPercent } from '../../design/values/typed.ts';
import { Amount, Instant } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { useCurrencies } from './money-acts.tsx';
import { LEDGER } from './words.ts';

type OfMerchant = { readonly merchant: string };

/** What the service takes, now and before. */
export function Fees({ merchant, mayWrite }: OfMerchant & { readonly mayWrite: boolean }): ReactElement {
  const words = useWords(LEDGER);
  const language = useLanguage();
  const zone = useZoneOf()(merchant);
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={words.fees}
      isBare
      acts={
        mayWrite && (
          <Button kind="quiet" isSmall onClick={() => setOpen(true)}>
            {words.feesSet}
          </Button>
        )
      }
    >
      <Load of={useRead('readFees', { path: { merchant } })} lines={2}>
        {({ body: { fees } }) =>
          fees.length === 0 ? (
            <p className="quiet">{words.feesNone}</p>
          ) : (
            <Table
              name={words.fees}
              columns={[
                { title: words.operation },
                { title: words.percent, isNumber: true },
                { title: words.fixed, isNumber: true },
                { title: words.taxPercent, isNumber: true },
                { title: words.since },
                { title: words.until },
              ]}
              rows={fees.map((fee) => ({
                id: `${fee.operation} ${fee.fixed.currency} ${fee.since}`,
                cells: [
                  words.operations[fee.operation],
                  formatPercent(fee.percent, language),
                  <Amount key="fixed" of={fee.fixed} />,
                  formatPercent(fee.taxPercent, language),
                  <Instant key="since" at={fee.since} zone={zone} />,
                  fee.until === null ? words.inForce : <Instant key="until" at={fee.until} zone={zone} />,
                ],
              }))}
            />
          )
        }
      </Load>
      {isOpen && <FeesAct merchant={merchant} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function FeesAct({ merchant, onClose }: OfMerchant & { readonly onClose: () => void }): ReactElement {
  const words = useWords(LEDGER);
  const currencies = useCurrencies(merchant);
  const write = useWrite('setFees', { changes: ['readFees'], onDone: useSaved(onClose) });
  const initial = { operation: 'order', percent: '', 'fixed/amount': '0', 'fixed/currency': '', taxPercent: '0' };
  const required = ['operation', 'percent', 'fixed/amount', 'taxPercent'] as const;
  const { values, field, isReady } = useForm(initial, { rule: setFees.body, required, problem: write.error });
  const { operation, percent, 'fixed/amount': amount, 'fixed/currency': chosen, taxPercent } = values;
  const currency = chosen || currencies[0] || '';
  const known = useRead('readFees', { path: { merchant } }).data?.body.fees;
  const before = known?.find((fee) => fee.until === null && fee.operation === operation && fee.fixed.currency === currency);
  const body = { operation, percent, taxPercent, fixed: { amount, currency } } as CallInput<'setFees'>['body'];
  return (
    <Act
      title={words.feesSet}
      onClose={onClose}
      what={words.feesWhat}
      undo={words.feesUndo}
      button={words.feesSet}
      write={write}
      onAct={() => isReady() && write.mutate({ path: { merchant }, body })}
    >
      <Field label={words.operation} choices={words.operations} {...field('operation')} />
      <PercentField label={words.percent} {...field('percent')} before={before?.percent} />
      <AmountField label={words.fixed} {...field('fixed/amount')} currency={currency} before={before?.fixed.amount} />
      <Select
        label={words.currency}
        value={currency}
        onValue={field('fixed/currency').onValue}
        options={currencies.map((one) => ({ value: one, text: one }))}
      />
      <PercentField label={words.taxPercent} {...field('taxPercent')} before={before?.taxPercent} />
    </Act>
  );
}
