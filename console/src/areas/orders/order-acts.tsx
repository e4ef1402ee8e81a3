import { useState, type ReactElement } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { CopyButton } from '../../design/values/values.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import type { OrderProps, WholeOrder } from './whole-order.ts';
import { ORDER } from './order-words.ts';

type EndProps = { readonly order: WholeOrder; readonly etag: string | undefined; readonly onClose: () => void };
const CHANGES = ['readOrder', 'listOrders'] as const;

/** What can be done with an order: only while it is pending, and only what the user may. */
export function OrderActs({ order, etag }: OrderProps & { readonly etag: string | undefined }): ReactElement | null {
  const { acts: words } = useWords(ORDER);
  const may = useMay();
  const { isSandbox, merchant: own } = useMe();
  const [asks, setAsks] = useState<'cancel' | 'expire' | 'pay'>();
  const close = (): void => setAsks(undefined);
  if (order.state !== 'pending') return null;
  const plays = isSandbox && may('sandbox:use');
  return (
    <>
      <CopyButton text={order.checkoutUrl}>{words.copyLink}</CopyButton>
      {plays && own === null && <Button onClick={() => setAsks('pay')}>{words.pay}</Button>}
      {plays && <Button onClick={() => setAsks('expire')}>{words.expire}</Button>}
      {may('orders:write') && (
        <>
          <Button onClick={() => setAsks('cancel')}>{words.cancel}</Button>
          <ButtonLink kind="main" to={`/orders/${order.merchant}/${order.order}/edit`}>
            {words.edit}
          </ButtonLink>
        </>
      )}
      {asks === 'cancel' && <Cancel {...{ order, etag }} onClose={close} />}
      {asks === 'expire' && <Expire {...{ order, etag }} onClose={close} />}
      {asks === 'pay' && <Pay {...{ order, etag }} onClose={close} />}
    </>
  );
}

const targetOf = ({ merchant, order }: WholeOrder, etag: string | undefined) => ({
  path: { merchant, order },
  ...(etag !== undefined && { ifMatch: etag }),
});

function Cancel({ order, etag, onClose }: EndProps): ReactElement {
  const { acts: words } = useWords(ORDER);
  const write = useWrite('cancelOrder', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={`${words.cancel} ${order.order}`}
      onClose={onClose}
      what={words.cancelWhat}
      undo={words.cancelUndo}
      button={words.cancel}
      isBad
      write={write}
      onAct={() => write.mutate(targetOf(order, etag))}
    />
  );
}

function Expire({ order, etag, onClose }: EndProps): ReactElement {
  const { acts: words } = useWords(ORDER);
  const write = useWrite('expireOrder', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.expire}
      onClose={onClose}
      what={words.expireWhat}
      undo={words.expireUndo}
      button={words.expire}
      isBad
      write={write}
      onAct={() => write.mutate(targetOf(order, etag))}
    />
  );
}

function Pay({ order, onClose }: EndProps): ReactElement {
  const { acts: words } = useWords(ORDER);
  const write = useWrite('simulatePayment', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.pay}
      onClose={onClose}
      what={words.payWhat}
      undo={words.payUndo}
      button={words.pay}
      write={write}
      onAct={() => write.mutate({ body: { reference: order.reference } })}
    />
  );
}
