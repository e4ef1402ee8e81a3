import { useState, type FormEvent, type ReactElement } from 'react';
import { createOrder } from '../../api/generated/rules/orders.ts';
import type { Operations } from '../../api/generated/operations.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Refused } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field, Select, useCheck } from '../../design/form/field.tsx';
import { Form } from '../../design/form/form.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import { Loading } from '../../design/page/load.tsx';
import { Page, Section } from '../../design/page/page.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { useGoOn } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useFirstMerchant, useMay, useMe, useMerchants } from '../../shell/me.tsx';
import { EDIT } from './edit-words.ts';
import { TermFields, useFaults } from './term-fields.tsx';
import { NO_TERMS, patchOf, type TermName, type Terms } from './terms.ts';
import { ORDERS } from './words.ts';
import styles from './orders.module.css';

const REQUIRED: ReadonlySet<TermName> = new Set<TermName>(['amount', 'currency', 'email']);

/** Creates an order, for a merchant that the user sees. */
export function NewPage(): ReactElement {
  const first = useFirstMerchant();
  return first === undefined ? <Loading /> : <NewOrder first={first} />;
}

function NewOrder({ first }: { readonly first: string }): ReactElement {
  const words = useWords(EDIT);
  const { title } = useWords(ORDERS);
  const { merchant: own } = useMe();
  const [merchant, setMerchant] = useState(first);
  const [order, setOrder] = useState('');
  const [terms, setTerms] = useState<Terms>(NO_TERMS);
  const [hasTried, setTried] = useState(false);
  const check = useCheck();
  const say = useSay();
  const goOn = useGoOn();
  const faultsOf = useFaults(createOrder.body, REQUIRED);
  const write = useWrite('createOrder', {
    changes: ['listOrders'],
    onDone: ({ body }) => {
      say(words.created);
      goOn(`/orders/${body.merchant}/${body.order}`);
    },
  });
  const { faultAt } = useProblem(write.error);
  const keyFault = (name: 'merchant' | 'order', value: string): string | undefined =>
    faultAt(`/${name}`) ?? (hasTried ? check(ruleAt(createOrder.body, `/${name}`), value, true) : undefined);
  const isFaulty =
    faultsOf(terms).size > 0 ||
    [['merchant', merchant] as const, ['order', order] as const].some(([name, value]) =>
      check(ruleAt(createOrder.body, `/${name}`), value, true),
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isFaulty || write.isPending) return;
    write.mutate({ body: { ...patchOf(NO_TERMS, terms), merchant, order } as Operations['createOrder']['body'] });
  };
  return (
    <Page title={words.create} above={{ name: title, to: '/orders' }}>
      <Form className={styles.narrow} onSubmit={submit}>
        <Keys {...{ merchant, order, own }} onMerchant={setMerchant} onOrder={setOrder} faultOf={keyFault} />
        <TermFields
          {...{ terms, hasTried, merchant }}
          onTerms={setTerms}
          rules={createOrder.body}
          required={REQUIRED}
          problem={write.error}
        />
        <div className={styles.stack}>
          {hasTried && isFaulty && <p role="alert">{words.review}</p>}
          {write.error && <Refused problem={write.error} />}
          <div>
            <Button type="submit" kind="main" isBusy={write.isPending}>
              {words.create}
            </Button>
          </div>
        </div>
      </Form>
    </Page>
  );
}

type KeysProps = {
  readonly merchant: string;
  readonly order: string;
  readonly own: string | null;
  readonly onMerchant: (merchant: string) => void;
  readonly onOrder: (order: string) => void;
  readonly faultOf: (name: 'merchant' | 'order', value: string) => string | undefined;
};

/** Whose order it is, and what the merchant calls it. */
function Keys({ merchant, order, own, onMerchant, onOrder, faultOf }: KeysProps): ReactElement {
  const { terms: names } = useWords(ORDERS);
  const maySee = useMay()('merchants:read');
  const merchants = useMerchants();
  const options = merchants.map((one) => ({
    value: one.merchant,
    text: one.name === one.merchant ? one.name : `${one.name} (${one.merchant})`,
  }));
  const fault = faultOf('merchant', merchant);
  return (
    <Section title={names.order}>
      <div className={styles.fields}>
        {own === null &&
          (maySee ? (
            <Select
              label={names.merchant}
              value={merchant}
              onValue={onMerchant}
              fault={fault}
              options={[{ value: '', text: '' }, ...options]}
            />
          ) : (
            <Field
              label={names.merchant}
              value={merchant}
              onValue={onMerchant}
              rule={ruleAt(createOrder.body, '/merchant')}
              isRequired
              fault={fault}
            />
          ))}
        <Field
          label={names.order}
          value={order}
          onValue={onOrder}
          rule={ruleAt(createOrder.body, '/order')}
          isRequired
          fault={faultOf('order', order)}
        />
      </div>
    </Section>
  );
}
