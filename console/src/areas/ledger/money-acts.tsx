import { useState, type ReactElement, type ReactNode } from 'react';
import { adjustAccount, topUp } from '../../api/generated/rules/ledger.ts';
import type { OperationName } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt, type Rule } from '../../api/rules.ts';
import { Act } from '../../design/act.tsx';
import { faultAt, Field, Select, useCheck } from '../../design/field.tsx';
import { useSay } from '../../design/toast.tsx';
import { useDone } from '../../design/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { LEDGER, useAccountName } from './words.ts';

type ActProps = { readonly merchant: string; readonly onClose: () => void };

/** What a movement changes that may be shown. */
const MOVED: readonly OperationName[] = ['readBalances', 'readFunds', 'listEntries', 'readStatement'];

/** The currencies of a merchant, and those that it has money in. */
export function useCurrencies(merchant: string): readonly string[] {
  const own = useRead('readMerchant', { path: { merchant } }).data?.body.currencies ?? [];
  const held = useRead('readBalances', { path: { merchant } }).data?.body.balances ?? [];
  return [...new Set([...own, ...held.map(({ balance }) => balance.currency)])];
}

/** An amount and its currency. */
function MoneyFields({
  merchant,
  amount,
  currency,
  onAmount,
  onCurrency,
  hint,
  fault,
  rule,
}: {
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly onAmount: (amount: string) => void;
  readonly onCurrency: (currency: string) => void;
  readonly hint?: ReactNode;
  readonly fault: string | undefined;
  readonly rule: Rule | undefined;
}): ReactElement {
  const words = useWords(LEDGER);
  const options = useCurrencies(merchant).map((one) => ({ value: one, text: one }));
  return (
    <>
      <Field label={words.amount} inputMode="decimal" value={amount} onValue={onAmount} {...{ hint, fault, rule }} isRequired />
      <Select label={words.currency} value={currency} onValue={onCurrency} options={options} />
    </>
  );
}

const amountFault = (problem: Problem | null): string | undefined =>
  faultAt(problem?.errors, '/amount') ?? faultAt(problem?.errors, '/amount/amount');

/** Adds money that the merchant has sent. */
export function TopUpAct({ merchant, onClose }: ActProps): ReactElement {
  const words = useWords(LEDGER);
  const say = useSay();
  const check = useCheck();
  const [amount, setAmount] = useState('');
  const [chosen, setCurrency] = useState('');
  const [reference, setReference] = useState('');
  const [hasTried, setTried] = useState(false);
  const currency = chosen || useCurrencies(merchant)[0] || '';
  const write = useWrite('topUp', {
    changes: MOVED,
    onDone: ({ body }) => {
      say(body.isRepeated ? words.topUpRepeated : words.topUpDone);
      onClose();
    },
  });
  const rules = { amount: ruleAt(topUp.body, '/amount/amount'), reference: ruleAt(topUp.body, '/reference') };
  const faults = { amount: check(rules.amount, amount, true), reference: check(rules.reference, reference, true) };
  const act = (): void => {
    setTried(true);
    if (faults.amount === undefined && faults.reference === undefined)
      write.mutate({ path: { merchant }, body: { amount: { amount, currency }, reference } });
  };
  return (
    <Act title={words.topUp} onClose={onClose} what={words.topUpWhat} undo={words.topUpUndo} button={words.topUp} write={write} onAct={act}>
      <MoneyFields
        {...{ merchant, amount, currency }}
        onAmount={setAmount}
        onCurrency={setCurrency}
        rule={rules.amount}
        fault={amountFault(write.error) ?? (hasTried ? faults.amount : undefined)}
      />
      <Field
        label={words.reference}
        value={reference}
        onValue={setReference}
        rule={rules.reference}
        fault={faultAt(write.error?.errors, '/reference') ?? (hasTried ? faults.reference : undefined)}
        isRequired
      />
    </Act>
  );
}

/** Corrects an account by hand. */
export function AdjustAct({ merchant, onClose }: ActProps): ReactElement {
  const words = useWords(LEDGER);
  const check = useCheck();
  const nameOf = useAccountName();
  const [account, setAccount] = useState('available');
  const [amount, setAmount] = useState('');
  const [chosen, setCurrency] = useState('');
  const [hasTried, setTried] = useState(false);
  const currency = chosen || useCurrencies(merchant)[0] || '';
  const balances = useRead('readBalances', { path: { merchant } }).data?.body.balances ?? [];
  const write = useWrite('adjustAccount', { changes: MOVED, onDone: useDone(onClose, words.adjustDone) });
  const accounts = new Set(['available', 'collected', ...balances.map((one) => one.account).filter((one) => one.startsWith('network:'))]);
  const rule = ruleAt(adjustAccount.body, '/amount/amount');
  const fault = check(rule, amount, true);
  const act = (reason: string): void => {
    setTried(true);
    if (fault === undefined) write.mutate({ path: { merchant }, body: { account, amount: { amount, currency }, reason } });
  };
  return (
    <Act
      title={words.adjust}
      onClose={onClose}
      what={words.adjustWhat}
      undo={words.adjustUndo}
      button={words.adjust}
      isBad
      reason={{ rule: ruleAt(adjustAccount.body, '/reason'), isRequired: true }}
      write={write}
      onAct={act}
    >
      <Select
        label={words.account}
        value={account}
        onValue={setAccount}
        options={[...accounts].map((one) => ({ value: one, text: nameOf(one) }))}
        fault={faultAt(write.error?.errors, '/account')}
      />
      <MoneyFields
        {...{ merchant, amount, currency, rule }}
        onAmount={setAmount}
        onCurrency={setCurrency}
        hint={words.signedHint}
        fault={amountFault(write.error) ?? (hasTried ? fault : undefined)}
      />
    </Act>
  );
}
