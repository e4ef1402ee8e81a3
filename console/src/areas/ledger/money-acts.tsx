import { useState, type ReactElement, type ReactNode } from 'react';
import { useAccountName } from '../../about/accounts.ts';
import { adjustAccount, moveToFund, topUp } from '../../api/generated/rules/ledger.ts';
import type { OperationName } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import type { Money } from '../../design/values/money.ts';
import { Amount } from '../../design/values/values.tsx';
import { useClose, useDone } from '../../design/form/use-done.ts';
import { useForm, type Form } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { LEDGER } from './words.ts';

type ActProps = { readonly merchant: string; readonly onClose: () => void };

/** What a movement changes that may be shown. */
const MOVED: readonly OperationName[] = ['readBalances', 'readFunds', 'listEntries', 'readStatement'];

/** The currencies of a merchant, and those that it has money in. */
export function useCurrencies(merchant: string): readonly string[] {
  const own = useRead('readMerchant', { path: { merchant } }).data?.body.currencies ?? [];
  const held = useRead('readBalances', { query: { merchant } }).data?.body.balances ?? [];
  return [...new Set([...own, ...held.map(({ balance }) => balance.currency)])];
}

const NO_MONEY = { 'amount/amount': '', 'amount/currency': '' };
type Amounts = keyof typeof NO_MONEY;

/** The first currency, until another is chosen. */
const moneyOf = (values: Readonly<Record<Amounts, string>>, currencies: readonly string[]): Money => ({
  amount: values['amount/amount'],
  currency: values['amount/currency'] || currencies[0] || '',
});

/** An amount and its currency. */
function MoneyFields({
  currencies,
  of: { values, field },
  hint,
  isSigned = false,
}: {
  readonly currencies: readonly string[];
  readonly of: Pick<Form<Amounts>, 'values' | 'field'>;
  readonly hint?: ReactNode;
  /** Below zero too. */
  readonly isSigned?: boolean;
}): ReactElement {
  const words = useWords(LEDGER);
  return (
    <>
      <AmountField
        label={words.amount}
        hint={hint}
        {...field('amount/amount')}
        currency={moneyOf(values, currencies).currency}
        isSigned={isSigned}
      />
      <Select
        label={words.currency}
        {...field('amount/currency')}
        value={moneyOf(values, currencies).currency}
        options={currencies.map((one) => ({ value: one, text: one }))}
      />
    </>
  );
}

/** Adds money that the merchant has sent. */
export function TopUpAct({ merchant, onClose }: ActProps): ReactElement {
  const words = useWords(LEDGER);
  const close = useClose(onClose);
  const nameOf = useAccountName();
  const currencies = useCurrencies(merchant);
  const balances = useRead('readBalances', { query: { merchant } }).data?.body.balances ?? [];
  const held = balances.filter(({ account }) => account === 'available');
  const write = useWrite('topUp', {
    changes: MOVED,
    onDone: ({ body }) => close(body.isRepeated ? words.topUpRepeated : words.topUpDone),
  });
  const initial = { ...NO_MONEY, reference: '' };
  const form = useForm(initial, { rule: topUp.body, required: ['amount/amount', 'reference'], problem: write.error });
  const act = (): void => {
    if (form.isReady())
      write.mutate({ path: { merchant }, body: { amount: moneyOf(form.values, currencies), reference: form.values.reference } });
  };
  return (
    <Act
      title={`${words.topUp} · ${merchant}`}
      onClose={onClose}
      what={
        <>
          <p>{words.topUpWhat}</p>
          {held.map(({ balance }) => (
            <p key={balance.currency}>
              {nameOf('available')}: <Amount of={balance} />
            </p>
          ))}
        </>
      }
      undo={words.topUpUndo}
      button={words.topUp}
      write={write}
      onAct={act}
    >
      <MoneyFields currencies={currencies} of={form} />
      <Field label={words.reference} hint={words.referenceHint} {...form.field('reference')} />
    </Act>
  );
}

/** Moves what was collected to the fund. Each opening is one move, however often it is sent. */
export function ToFundAct({ merchant, onClose }: ActProps): ReactElement {
  const words = useWords(LEDGER);
  const nameOf = useAccountName();
  const currencies = useCurrencies(merchant);
  const [reference] = useState(() => crypto.randomUUID());
  const balances = useRead('readBalances', { query: { merchant } }).data?.body.balances ?? [];
  const write = useWrite('moveToFund', { changes: MOVED, onDone: useDone(onClose, words.toFundDone) });
  const form = useForm(NO_MONEY, { rule: moveToFund.body, required: ['amount/amount'], problem: write.error });
  const act = (): void => {
    if (form.isReady()) write.mutate({ path: { merchant }, body: { amount: moneyOf(form.values, currencies), reference } });
  };
  return (
    <Act
      title={`${words.toFund} · ${merchant}`}
      onClose={onClose}
      what={
        <>
          <p>{words.toFundWhat}</p>
          {balances
            .filter(({ account }) => account === 'collected' || account === 'available')
            .map(({ account, balance }) => (
              <p key={`${account} ${balance.currency}`}>
                {nameOf(account)}: <Amount of={balance} />
              </p>
            ))}
        </>
      }
      undo={words.toFundUndo}
      button={words.toFund}
      write={write}
      onAct={act}
    >
      <MoneyFields currencies={currencies} of={form} />
    </Act>
  );
}

/** Corrects an account by hand. */
export function AdjustAct({ merchant, onClose }: ActProps): ReactElement {
  const words = useWords(LEDGER);
  const nameOf = useAccountName();
  const currencies = useCurrencies(merchant);
  const balances = useRead('readBalances', { query: { merchant } }).data?.body.balances ?? [];
  const write = useWrite('adjustAccount', { changes: MOVED, onDone: useDone(onClose, words.adjustDone) });
  const accounts = new Set(['available', 'collected', ...balances.map((one) => one.account).filter((one) => one.startsWith('network:'))]);
  const initial = { account: 'available', ...NO_MONEY };
  const form = useForm(initial, { rule: adjustAccount.body, required: ['account', 'amount/amount'], problem: write.error });
  const act = (reason: string): void => {
    if (form.isReady())
      write.mutate({ path: { merchant }, body: { account: form.values.account, amount: moneyOf(form.values, currencies), reason } });
  };
  return (
    <Act
      title={`${words.adjust} · ${merchant}`}
      onClose={onClose}
      what={words.adjustWhat}
      undo={words.adjustUndo}
      button={words.adjust}
      isBad
      reason={{ rule: ruleAt(adjustAccount.body, '/reason'), isRequired: true }}
      write={write}
      onAct={act}
    >
      <Select label={words.account} {...form.field('account')} options={[...accounts].map((one) => ({ value: one, text: nameOf(one) }))} />
      <MoneyFields isSigned currencies={currencies} of={form} hint={words.signedHint} />
    </Act>
  );
}
