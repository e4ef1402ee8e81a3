import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { updateOrder } from '../../api/generated/rules/orders.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Refused } from '../../design/form/act.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Difference } from '../../design/values/difference.tsx';
import { Icon } from '../../design/icons.tsx';
import { Load, Notice } from '../../design/page/load.tsx';
import { Page, Section } from '../../design/page/page.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { useGoOn, usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import type { LinkTo } from '../../shell/navigation.ts';
import { useUnsaved } from '../../shell/unsaved.ts';
import { EDIT } from './edit-words.ts';
import { MergeTerms } from './merge-terms.tsx';
import { useChangesOf } from './shown-terms.tsx';
import { requiredOf, TermFields, useFaults } from './term-fields.tsx';
import { differing, patchOf, termsOf, type Terms } from './terms.ts';
import type { WholeOrder } from './whole-order.ts';
import styles from './orders.module.css';

/** A version of an order, as it was read. */
type Version = { readonly order: WholeOrder; readonly etag: string | undefined };

/**
 * Changes a pending order. What differs is shown before it is sent, and no change of somebody else is overwritten.
 * The form opens with what the service has now: one that was left, and is opened again, remembers nothing.
 */
export function EditPage(): ReactElement {
  const { merchant, order } = usePath<'merchant' | 'order'>();
  const read = useRead('readOrder', { path: { merchant, order } }, { isAlwaysNew: true });
  return (
    <Load of={read.isFetchedAfterMount ? read : { ...read, data: undefined }}>
      {({ body, etag }) => <Edit key={`${merchant}/${order}`} now={{ order: body, etag }} />}
    </Load>
  );
}

const pageOf = ({ merchant, order }: WholeOrder): LinkTo => `/orders/${merchant}/${order}`;

/** `now`: the newest version. The form was opened with another one where somebody changed the order meanwhile. */
function Edit({ now }: { readonly now: Version }): ReactElement {
  const words = useWords(EDIT);
  const say = useSay();
  const goOn = useGoOn();
  const [opened] = useState(now);
  const [base, setBase] = useState(opened);
  const [terms, setTerms] = useState(() => termsOf(now.order));
  const { merchant, order } = base.order;
  const client = useQueryClient();
  const [isMerging, setMerging] = useState(false);
  const write = useWrite('updateOrder', {
    changes: ['readOrder', 'listOrders'],
    onDone: () => {
      say(words.saved);
      goOn(pageOf(base.order));
    },
  });
  const isChanged = now.order.version !== base.order.version && !write.isPending && !write.isSuccess;
  useUnsaved(useId(), differing(termsOf(base.order), terms).length > 0 && now.order.state === 'pending' && !write.isSuccess);
  const take = (merged: Terms): void => {
    write.reset();
    setBase(now);
    setTerms(merged);
    setMerging(false);
  };
  const send = (): void => {
    if (isChanged) return setMerging(true);
    const ifMatch = base.etag === undefined ? {} : { ifMatch: base.etag };
    write.mutate(
      { path: { merchant, order }, body: patchOf(termsOf(base.order), terms), ...ifMatch },
      {
        onError: ({ problem }) => {
          if (problem !== 'version_mismatch' && problem !== 'order_not_open') return;
          setMerging(true);
          void client.invalidateQueries({ queryKey: ['readOrder'] });
        },
      },
    );
  };
  return (
    <Page title={words.title(order)} above={{ name: order, to: pageOf(base.order) }}>
      {now.order.state !== 'pending' && !write.isSuccess ? (
        <Notice icon="alert" title={words.notOpen} isUrgent>
          <p>{words.notOpenHint}</p>
          <ButtonLink to={pageOf(base.order)}>{words.back}</ButtonLink>
        </Notice>
      ) : isChanged && isMerging ? (
        <MergeTerms base={base.order} theirs={now.order} mine={terms} onMerged={take} />
      ) : (
        <>
          {isChanged && <Changed onCompare={() => setMerging(true)} />}
          <Form
            isAgain={base.order.version !== opened.order.version}
            base={base.order}
            terms={terms}
            onTerms={setTerms}
            write={write}
            onSend={send}
          />
        </>
      )}
    </Page>
  );
}

/** Says that there is a newer version. It takes nothing from under the fingers of who is writing. */
function Changed({ onCompare }: { readonly onCompare: () => void }): ReactElement {
  const words = useWords(EDIT);
  return (
    <p role="status" className={styles.changed}>
      <Icon name="alert" size={16} /> {words.conflict}
      <Button isSmall onClick={onCompare}>
        {words.compare}
      </Button>
    </p>
  );
}

type FormProps = {
  readonly base: WholeOrder;
  /** After a conflict: the keys begin here. */
  readonly isAgain: boolean;
  readonly terms: Terms;
  readonly onTerms: (terms: Terms) => void;
  readonly write: Pick<ReturnType<typeof useWrite<'updateOrder'>>, 'isPending' | 'error'>;
  readonly onSend: () => void;
};

function Form({ base, isAgain, terms, onTerms, write, onSend }: FormProps): ReactElement {
  const words = useWords(EDIT);
  const [hasTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isAgain) form.current?.focus();
  }, [isAgain]);
  const before = termsOf(base);
  const required = requiredOf(updateOrder.body, before);
  const faultsOf = useFaults(updateOrder.body, required);
  const changes = useChangesOf()(before, terms);
  const isFaulty = faultsOf(terms).size > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isFaulty && changes.length > 0 && !write.isPending) onSend();
  };
  return (
    <form ref={form} tabIndex={-1} className={styles.form} onSubmit={submit} noValidate>
      <div>
        <TermFields
          {...{ terms, before, onTerms, required, hasTried }}
          rules={updateOrder.body}
          merchant={base.merchant}
          problem={write.error}
        />
      </div>
      <div className={styles.beside}>
        <Section title={words.difference}>
          <div className={styles.stack}>
            {changes.length === 0 ? <p className="quiet">{words.nothing}</p> : <Difference of={changes} />}
            {changes.length > 0 && <p className="small quiet">{words.noticeHint}</p>}
            {hasTried && isFaulty && <p role="alert">{words.review}</p>}
            {write.error && <Refused problem={write.error} />}
            <Button type="submit" kind="main" isBusy={write.isPending} disabled={changes.length === 0}>
              {words.send}
            </Button>
          </div>
        </Section>
      </div>
    </form>
  );
}
