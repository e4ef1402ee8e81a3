import type { ReactElement } from 'react';
import type { OperationName } from '../../api/client.ts';
import { placeHold, releaseHold } from '../../api/generated/rules/settlements.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Amount } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { HoldReason } from './hold-reason.tsx';
import { TERMS } from './terms-words.ts';
import type { Hold } from './terms.ts';

const CHANGES: readonly OperationName[] = ['listHolds', 'showNextSettlement', 'readBalances', 'readFunds', 'listEntries'];

type HoldProps = { readonly merchant: string; readonly currencies: readonly string[]; readonly onClose: () => void };

/** Holds back what a merchant has collected. */
export function HoldAct({ merchant, currencies, onClose }: HoldProps): ReactElement {
  const words = useWords(TERMS);
  const balances = useRead('readBalances', { query: { merchant, account: 'collected' } }).data?.body.balances ?? [];
  const write = useWrite('placeHold', { changes: CHANGES, onDone: useDone(onClose) });
  const initial = { 'amount/amount': '', 'amount/currency': currencies[0] ?? '', releaseOn: '' };
  const { values, field, isReady } = useForm(initial, { rule: placeHold.body, required: ['amount/amount'], problem: write.error });
  const { 'amount/amount': amount, 'amount/currency': currency, releaseOn } = values;
  const send = (reason: string): void => {
    if (isReady())
      write.mutate({ path: { merchant }, body: { amount: { amount, currency }, reason, ...(releaseOn !== '' && { releaseOn }) } });
  };
  return (
    <Act
      title={words.hold}
      onClose={onClose}
      what={
        <>
          <p>{words.holdWhat}</p>
          {balances.map(({ balance }) => (
            <p key={balance.currency}>
              {words.collectedNow}: <Amount of={balance} />
            </p>
          ))}
        </>
      }
      undo={words.holdUndo}
      button={words.hold}
      isBad
      reason={{ rule: ruleAt(placeHold.body, '/reason'), isRequired: true }}
      write={write}
      onAct={send}
    >
      <AmountField label={words.amount} {...field('amount/amount')} currency={currency} />
      {currencies.length > 1 && (
        <Select label={words.currency} {...field('amount/currency')} options={currencies.map((one) => ({ value: one, text: one }))} />
      )}
      <Field label={words.releaseOn} hint={words.releaseOnHint} {...field('releaseOn')} />
    </Act>
  );
}

/** Gives a merchant what was held back. */
export function ReleaseAct({ hold, onClose }: { readonly hold: Hold; readonly onClose: () => void }): ReactElement {
  const words = useWords(TERMS);
  const write = useWrite('releaseHold', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.releaseTitle}
      onClose={onClose}
      what={
        <>
          <p>
            <Amount of={hold.amount} /> · <HoldReason of={hold} />
          </p>
          <p>{words.releaseWhat}</p>
        </>
      }
      undo={words.releaseUndo}
      button={words.release}
      reason={{ rule: ruleAt(releaseHold.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ path: { merchant: hold.merchant, hold: hold.hold }, body: { reason } })}
    />
  );
}
