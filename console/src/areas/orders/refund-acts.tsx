import { useState, type ReactElement, type ReactNode } from 'react';
import { useMayRegister } from '../../about/may-register.ts';
import type { CallInput, OperationName } from '../../api/client.ts';
import { failRefund, payRefund, requestRefund } from '../../api/generated/rules/refunds.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Button, ButtonLink, IconButton } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Menu } from '../../design/over/menu.tsx';
import { formatMoney } from '../../design/values/money.ts';
import { Amount, Copyable } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import { leftOf, type OrderProps, type Payment, type Refund } from './whole-order.ts';
import { REFUNDS } from './refunds-words.ts';
import styles from './orders.module.css';

type Refunder = Refund['refundedBy'];
/** Who may have paid, where somebody records it. */
type Payer = NonNullable<CallInput<'payRefund'>['body']['refundedBy']>;
const PAYERS: readonly Payer[] = ['network', 'operator', 'merchant'];

/** What may show anew once money of a payment is promised or given back. */
export const REFUND_CHANGES: readonly OperationName[] = ['readOrder', 'listOrders', 'listRefunds'];

/** Promises a payment, or a part of it, to its payer. */
export function RefundPayment({
  order: { merchant, order, recurrent },
  payment,
  onClose,
}: OrderProps & { readonly payment: Payment; readonly onClose: () => void }): ReactElement {
  const { acts: words, refunders, bearers, ...texts } = useWords(REFUNDS);
  const language = useLanguage();
  const isService = useIsService();
  const left = leftOf(payment);
  const { currency } = left;
  const hasLess = left.amount !== payment.amount.amount;
  const write = useWrite('requestRefund', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  const { values, field, isReady } = useForm(
    { 'amount/amount': left.amount, refundedBy: '', takenFrom: 'collected' },
    { rule: requestRefund.body, required: ['amount/amount', 'refundedBy'], problem: write.error },
  );
  return (
    <Act
      title={words.refundTitle}
      onClose={onClose}
      what={
        <>
          <p>
            <Amount of={payment.amount} /> · <Copyable text={payment.transaction} />
          </p>
          <p>
            {hasLess && texts.left(formatMoney(left, language))} {isService ? words.refundApproved : words.refundAsked}
          </p>
        </>
      }
      undo={isService ? words.undoUntilPaid : words.undoUntilApproved}
      button={words.refund}
      reason={{ rule: ruleAt(requestRefund.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) =>
        isReady() &&
        write.mutate({
          path: { merchant, order },
          body: {
            amount: { amount: values['amount/amount'], currency },
            refundedBy: values.refundedBy as Refunder,
            takenFrom: values.takenFrom as Refund['takenFrom'],
            reason,
            ...(recurrent && { payment: payment.number }),
          },
        })
      }
    >
      <AmountField label={texts.amount} {...field('amount/amount')} currency={currency} />
      <Field label={words.refundBy} hint={words.refundByHint} choices={refunders} {...field('refundedBy')} isRequired={false} />
      <Field label={words.refundFrom} choices={bearers} {...field('takenFrom')} isRequired={false} />
    </Act>
  );
}

type Ask = 'approve' | 'give' | 'pay' | 'fail' | 'cancel';

/** What the user may do about a refund. The operator decides about it; the merchant withdraws what nobody has approved. */
export function useRefundActs(): (refund: Refund) => readonly Ask[] {
  const may = useMay();
  const mayRegister = useMayRegister();
  const isService = useIsService();
  return ({ next, refundedBy }) => {
    // While the payer may be collecting it, its cashout decides.
    if (next === null || next === 'collection') return [];
    const decides: readonly Ask[] = next === 'approval' ? ['approve'] : ['pay', 'fail'];
    return [
      ...(mayRegister && next === 'payment' && refundedBy === 'cashout' ? (['give'] as const) : []),
      ...(may('payments:write') ? decides : []),
      ...(may('refunds:write') && (isService || next === 'approval') ? (['cancel'] as const) : []),
    ];
  };
}

/** The act that comes next is a button, and the others are behind another one. */
export function RefundActs({ refund }: { readonly refund: Refund }): ReactElement | null {
  const { acts: words } = useWords(REFUNDS);
  const [asks, setAsks] = useState<Ask>();
  const [first, ...others] = useRefundActs()(refund);
  if (first === undefined) return null;
  const ask = { refund, onClose: () => setAsks(undefined) };
  return (
    <span className={styles.next}>
      {first === 'give' ? (
        <ButtonLink isSmall to={`/cashouts?open=register&for=${refund.merchant}/${encodeURIComponent(refund.refund)}`}>
          {words.give}
        </ButtonLink>
      ) : (
        <Button isSmall onClick={() => setAsks(first)}>
          {words[first]}
        </Button>
      )}
      {others.length > 0 && (
        <Menu
          trigger={<IconButton name={words.more} icon="more" />}
          groups={[others.map((name) => ({ name: words[name], onChoose: () => setAsks(name), isBad: name === 'cancel' }))]}
        />
      )}
      {asks === 'approve' && <Approve {...ask} />}
      {asks === 'pay' && <Pay {...ask} />}
      {asks === 'fail' && <Fail {...ask} />}
      {asks === 'cancel' && <Cancel {...ask} />}
    </span>
  );
}

/** Their names. */
export const payersOf = (refunders: Readonly<Record<Refunder, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(PAYERS.map((payer) => [payer, refunders[payer]]));

type AskProps = { readonly refund: Refund; readonly onClose: () => void };

const pathOf = ({ merchant, refund }: Refund) => ({ path: { merchant, refund } });

/** Which refund it is, and what happens to it. */
const What = ({ refund: { order, amount }, children }: { readonly refund: Refund; readonly children: ReactNode }): ReactElement => (
  <>
    <p>
      <Amount of={amount} /> · <Copyable text={order} isCode={false} />
    </p>
    <p>{children}</p>
  </>
);

function Approve({ refund, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(REFUNDS);
  const write = useWrite('approveRefund', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.approveTitle}
      onClose={onClose}
      what={<What refund={refund}>{words.approveWhat}</What>}
      undo={words.undoUntilPaid}
      button={words.approve}
      write={write}
      onAct={() => write.mutate(pathOf(refund))}
    />
  );
}

function Pay({ refund, onClose }: AskProps): ReactElement {
  const { acts: words, refunders, proof } = useWords(REFUNDS);
  const write = useWrite('payRefund', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  const { values, field, isReady } = useForm(
    { refundedBy: refund.refundedBy === 'cashout' ? '' : refund.refundedBy, proof: '' },
    { rule: payRefund.body, required: ['refundedBy'], problem: write.error },
  );
  const bodyOf = (): CallInput<'payRefund'>['body'] => ({
    refundedBy: values.refundedBy as Payer,
    ...(values.proof !== '' && { proof: values.proof }),
  });
  return (
    <Act
      title={words.payTitle}
      onClose={onClose}
      what={<What refund={refund}>{words.payWhat}</What>}
      undo={words.payUndo}
      button={words.pay}
      write={write}
      onAct={() => isReady() && write.mutate({ ...pathOf(refund), body: bodyOf() })}
    >
      <Field label={words.paidBy} hint={words.refundByHint} choices={payersOf(refunders)} {...field('refundedBy')} />
      <Field label={proof} hint={words.proofHint} {...field('proof')} />
    </Act>
  );
}

function Fail({ refund, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(REFUNDS);
  const write = useWrite('failRefund', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.failTitle}
      onClose={onClose}
      what={<What refund={refund}>{words.failWhat}</What>}
      undo={words.askAgain}
      button={words.fail}
      isBad
      reason={{ rule: ruleAt(failRefund.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ ...pathOf(refund), body: { reason } })}
    />
  );
}

function Cancel({ refund, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(REFUNDS);
  const write = useWrite('cancelRefund', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.cancelTitle}
      onClose={onClose}
      what={<What refund={refund}>{words.cancelWhat}</What>}
      undo={words.askAgain}
      button={words.cancelTitle}
      isBad
      write={write}
      onAct={() => write.mutate(pathOf(refund))}
    />
  );
}
