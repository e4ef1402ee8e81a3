import type { FormEvent, ReactElement, ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { simulateCollection, simulatePayment } from '../../api/generated/rules/sandbox.ts';
import { useWrite } from '../../api/queries.ts';
import type { Rule } from '../../api/rules.ts';
import { Refused, type Write } from '../../design/form/act.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Field } from '../../design/form/field.tsx';
import { Form } from '../../design/form/form.tsx';
import { Section } from '../../design/page/page.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { Amount, Copyable, Facts } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import type { LinkTo } from '../../shell/navigation.ts';
import { SANDBOX } from './words.ts';
import styles from './sandbox.module.css';

/** Pays an order, as if in cash at a network. `?reference=` fills the form. */
export function Pay(): ReactElement {
  const words = useWords(SANDBOX);
  const [search] = useAddress();
  const pay = useWrite('simulatePayment', { changes: ['readOrder', 'listOrders'] });
  const reverse = useWrite('reverseSimulatedPayment', { changes: ['readOrder', 'listOrders'] });
  const paid = pay.data?.body;
  return (
    <Simulation
      title={words.pay}
      hint={words.payHint}
      button={words.payButton}
      labels={{ reference: words.reference }}
      initial={{ reference: search['reference'] ?? '' }}
      rules={simulatePayment.body}
      write={{ isPending: pay.isPending, error: pay.error ?? reverse.error }}
      saved={pay.data}
      onSend={(body) => {
        reverse.reset();
        pay.mutate({ body });
      }}
    >
      {paid && (
        <Simulated
          of={paid}
          page={`/orders/${paid.merchant}/${encodeURIComponent(paid.order)}`}
          isReversed={reverse.isSuccess}
          isBusy={reverse.isPending}
          onReverse={() => reverse.mutate({ path: { transaction: paid.transaction } })}
        />
      )}
    </Simulation>
  );
}

/** Collects a cashout, as if its end user showed the one-time password. */
export function Collect(): ReactElement {
  const words = useWords(SANDBOX);
  const collect = useWrite('simulateCollection', { changes: ['readCashout', 'listCashoutsByFilter'] });
  const reverse = useWrite('reverseSimulatedCollection', { changes: ['readCashout', 'listCashoutsByFilter'] });
  const collected = collect.data?.body;
  return (
    <Simulation
      title={words.collect}
      hint={words.collectHint}
      button={words.collectButton}
      labels={{ document: words.document, oneTimePassword: words.password }}
      initial={{ document: '', oneTimePassword: '' }}
      rules={simulateCollection.body}
      write={{ isPending: collect.isPending, error: collect.error ?? reverse.error }}
      saved={collect.data}
      onSend={(body) => {
        reverse.reset();
        collect.mutate({ body });
      }}
    >
      {collected && (
        <Simulated
          of={collected}
          page={`/cashouts/${collected.merchant}/${encodeURIComponent(collected.operation)}`}
          isReversed={reverse.isSuccess}
          isBusy={reverse.isPending}
          onReverse={() => reverse.mutate({ path: { transaction: collected.transaction } })}
        />
      )}
    </Simulation>
  );
}

type SimulationProps<Name extends string> = {
  readonly title: string;
  readonly hint: string;
  readonly button: string;
  readonly labels: Readonly<Record<Name, string>>;
  readonly initial: Readonly<Record<Name, string>>;
  readonly rules: Rule | undefined;
  readonly write: Write;
  /** What came of its last write. */
  readonly saved: unknown;
  readonly onSend: (values: Readonly<Record<Name, string>>) => void;
  readonly children: ReactNode;
};

function Simulation<Name extends string>(props: SimulationProps<Name>): ReactElement {
  const { title, hint, button, labels, initial, rules, write, saved, onSend, children } = props;
  const names = Object.keys(labels) as Name[];
  const { values, field, isReady } = useForm(initial, { rule: rules, required: names, problem: write.error });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady() && !write.isPending) onSend(values);
  };
  return (
    <Section title={title}>
      <Form className={styles.form} onSubmit={submit} saved={saved}>
        <p className="small quiet">{hint}</p>
        {names.map((name) => (
          <Field key={name} label={labels[name]} {...field(name)} />
        ))}
        {write.error && <Refused problem={write.error} />}
        <div>
          <Button type="submit" kind="main" isBusy={write.isPending}>
            {button}
          </Button>
        </div>
      </Form>
      <div role="status">{children}</div>
    </Section>
  );
}

function Simulated({
  of: { transaction, amount },
  page,
  isReversed,
  isBusy,
  onReverse,
}: {
  readonly of: Pick<Answer<'simulatePayment'>['body'], 'transaction' | 'amount'>;
  readonly page: LinkTo;
  readonly isReversed: boolean;
  readonly isBusy: boolean;
  readonly onReverse: () => void;
}): ReactElement {
  const words = useWords(SANDBOX);
  return (
    <div className={styles.found}>
      <Facts
        of={[
          [isReversed ? words.reversed : words.done, <Amount key="amount" of={amount} />],
          [words.transaction, <Copyable key="transaction" text={transaction} />],
        ]}
      />
      <div className={styles.steps}>
        <ButtonLink to={page}>{words.open}</ButtonLink>
        {!isReversed && (
          <Button isBusy={isBusy} onClick={onReverse}>
            {words.reverse}
          </Button>
        )}
      </div>
    </div>
  );
}
