import type { ReactElement } from 'react';
import { registerRefundCashout } from '../../api/generated/rules/refunds.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field } from '../../design/form/field.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { Load } from '../../design/page/load.tsx';
import { Amount, Copyable } from '../../design/values/values.tsx';
import { useGoOn } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { CHANGES } from './cashout-acts.tsx';
import { CASHOUT } from './cashout-words.ts';
import { CollectorFields, givenOf, useBySms } from './collector-fields.tsx';
import { ShownPassword } from './shown-password.tsx';
import { CASHOUTS } from './words.ts';
import styles from './cashouts.module.css';

const EMPTY = { operation: '', document: '', cellphone: '', expiresOn: '', description: '' };
const NEEDED = ['operation', 'document'] as const;

type Props = { readonly merchant: string; readonly refund: string; readonly onClose: () => void };

/** Registers a cashout with which the payer collects a refund. */
export function RegisterForRefund({ merchant, refund, onClose }: Props): ReactElement {
  const words = useWords(CASHOUTS);
  const { fields } = useWords(CASHOUT);
  const goOn = useGoOn();
  const [isBySms, setBySms] = useBySms();
  const write = useWrite('registerRefundCashout', {
    changes: [...CHANGES, 'listRefunds', 'readOrder'],
    onDone: ({ body }) => body.oneTimePassword === undefined && show(),
  });
  const form = useForm(EMPTY, {
    rule: registerRefundCashout.body,
    required: isBySms ? [...NEEDED, 'cellphone'] : NEEDED,
    problem: write.error,
  });
  const { values, field, isReady } = form;
  const { operation, document, ...rest } = values;
  const show = (): void => goOn(`/cashouts/${merchant}/${operation}`);
  const password = write.data?.body.oneTimePassword;
  if (password !== undefined) return <ShownPassword password={password} onClose={show} />;
  const send = (): void => {
    if (!isReady()) return;
    write.mutate({ path: { merchant, refund }, body: { operation, document, sms: isBySms, ...givenOf(rest) } });
  };
  return (
    <Act
      title={words.registerForRefund}
      onClose={onClose}
      what={
        <>
          <Of merchant={merchant} refund={refund} />
          <p>{words.registerForRefundWhat}</p>
        </>
      }
      undo={words.registerForRefundUndo}
      button={words.register}
      write={write}
      onAct={send}
    >
      <div className={styles['form']}>
        <Field label={fields.operation} {...field('operation')} />
        <CollectorFields merchant={merchant} of={form} isBySms={isBySms} setBySms={setBySms} />
        <Field label={fields.expiresOn} {...field('expiresOn')} hint={words.expiresHint} />
        <Field label={fields.description} {...field('description')} />
      </div>
    </Act>
  );
}

/** How much it is, and of which order. */
function Of({ merchant, refund }: Pick<Props, 'merchant' | 'refund'>): ReactElement {
  return (
    <Load of={useRead('readRefund', { path: { merchant, refund } })} lines={1}>
      {({ body: { amount, order } }) => (
        <p>
          <Amount of={amount} /> · <Copyable text={order} isCode={false} />
        </p>
      )}
    </Load>
  );
}
