import { useState, type ReactElement } from 'react';
import { resolveRefusedPayments, voidOrder } from '../../api/generated/rules/orders.ts';
import type { CallInput } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Checkbox, Field } from '../../design/form/field.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Amount, Copyable } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { leftOf, type OrderProps, type Payment } from './whole-order.ts';
import { ORDER } from './order-words.ts';
import { REFUND_CHANGES, payersOf } from './refund-acts.tsx';
import { REFUNDS } from './refunds-words.ts';

type Refunder = CallInput<'voidOrder'>['body']['refundedBy'];

/** Records that the money of a payment went back. */
export function VoidPayment({
  order: { merchant, order, recurrent },
  payment,
  onClose,
}: OrderProps & { readonly payment: Payment; readonly onClose: () => void }): ReactElement {
  const { acts: words } = useWords(ORDER);
  const { refunders, acts } = useWords(REFUNDS);
  const [isClaim, setClaim] = useState(false);
  const write = useWrite('voidOrder', { changes: REFUND_CHANGES, onDone: useDone(onClose) });
  const { values, field, isReady } = useForm({ refundedBy: '' }, { rule: voidOrder.body, required: ['refundedBy'], problem: write.error });
  return (
    <Act
      title={words.voidTitle}
      onClose={onClose}
      what={
        <>
          <p>
            <Amount of={leftOf(payment)} /> · <Copyable text={payment.transaction} />
          </p>
          <p>{words.voidWhat}</p>
        </>
      }
      undo={words.voidUndo}
      button={words.void}
      isBad
      reason={{ rule: ruleAt(voidOrder.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) =>
        isReady() &&
        write.mutate({
          path: { merchant, order },
          body: { reason, isClaim, refundedBy: values.refundedBy as Refunder, ...(recurrent && { payment: payment.number }) },
        })
      }
    >
      <Field label={words.refundedBy} hint={acts.refundByHint} choices={payersOf(refunders)} {...field('refundedBy')} isRequired={false} />
      <Checkbox label={words.isClaim} isOn={isClaim} onSwitch={setClaim} />
    </Act>
  );
}

/** Plays the network of the sandbox, which takes its payment back. */
export function ReversePayment({ transaction, onClose }: { readonly transaction: string; readonly onClose: () => void }): ReactElement {
  const { acts: words } = useWords(ORDER);
  const write = useWrite('reverseSimulatedPayment', { changes: ['readOrder', 'listOrders'], onDone: useDone(onClose) });
  return (
    <Act
      title={words.reverseTitle}
      onClose={onClose}
      what={words.reverseWhat}
      undo={words.voidUndo}
      button={words.reverse}
      isBad
      write={write}
      onAct={() => write.mutate({ path: { transaction } })}
    />
  );
}

/** Takes refused payments off the list, with what was done about the money. */
export function ResolveRefused({
  merchant,
  order,
  transaction,
  onClose,
}: {
  readonly merchant: string;
  readonly order: string;
  readonly transaction: string;
  readonly onClose: () => void;
}): ReactElement {
  const { acts: words } = useWords(ORDER);
  const write = useWrite('resolveRefusedPayments', { changes: ['readOrder', 'listRefusedPayments'], onDone: useDone(onClose) });
  const { values, field, isReady } = useForm({ note: '' }, { rule: resolveRefusedPayments.body, required: ['note'], problem: write.error });
  return (
    <Act
      title={words.resolveTitle}
      onClose={onClose}
      what={
        <>
          <p>
            <Copyable text={transaction} />
          </p>
          <p>{words.resolveWhat}</p>
        </>
      }
      undo={words.resolveUndo}
      button={words.resolve}
      write={write}
      onAct={() => isReady() && write.mutate({ path: { merchant, order }, body: { ...values, transaction } })}
    >
      <Field label={words.note} isLong {...field('note')} />
    </Act>
  );
}
