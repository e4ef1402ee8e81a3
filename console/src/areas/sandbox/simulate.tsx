import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { simulateCollection, simulatePayment } from '../../api/generated/rules/sandbox.ts';
import type { Problem } from '../../api/problem.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt, type Rule } from '../../api/rules.ts';
import { Refused } from '../../design/act.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { faultAt, Field, useCheck } from '../../design/field.tsx';
import { Section } from '../../design/page.tsx';
import { Amount, Copyable, Facts } from '../../design/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import type { LinkTo } from '../../shell/link.tsx';
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
      fields={[{ name: 'reference', label: words.reference, value: search['reference'] ?? '' }]}
      rules={simulatePayment.body}
      isBusy={pay.isPending}
      problem={pay.error ?? reverse.error}
      onSend={({ reference = '' }) => {
        reverse.reset();
        pay.mutate({ body: { reference } });
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
      fields={[
        { name: 'document', label: words.document, value: '' },
        { name: 'oneTimePassword', label: words.password, value: '' },
      ]}
      rules={simulateCollection.body}
      isBusy={collect.isPending}
      problem={collect.error ?? reverse.error}
      onSend={({ document = '', oneTimePassword = '' }) => {
        reverse.reset();
        collect.mutate({ body: { document, oneTimePassword } });
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

type SimulationProps = {
  readonly title: string;
  readonly hint: string;
  readonly button: string;
  readonly fields: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  readonly rules: Rule | undefined;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly onSend: (values: Readonly<Record<string, string>>) => void;
  readonly children: ReactNode;
};

function Simulation({ title, hint, button, fields, rules, isBusy, problem, onSend, children }: SimulationProps): ReactElement {
  const check = useCheck();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  );
  const [hasTried, setTried] = useState(false);
  const faultOf = (name: string): string | undefined => check(ruleAt(rules, `/${name}`), values[name] ?? '', true);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isBusy && fields.every(({ name }) => faultOf(name) === undefined)) onSend(values);
  };
  return (
    <Section title={title}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p className="small quiet">{hint}</p>
        {fields.map(({ name, label }) => (
          <Field
            key={name}
            label={label}
            value={values[name] ?? ''}
            onValue={(value) => setValues({ ...values, [name]: value })}
            rule={ruleAt(rules, `/${name}`)}
            isRequired
            fault={faultAt(problem?.errors, `/${name}`) ?? (hasTried ? faultOf(name) : undefined)}
          />
        ))}
        {problem && <Refused problem={problem} />}
        <div>
          <Button type="submit" kind="main" isBusy={isBusy}>
            {button}
          </Button>
        </div>
      </form>
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
