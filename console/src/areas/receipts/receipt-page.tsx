import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Callout } from '../../design/page/callout.tsx';
import { Load } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { ActorName } from '../../design/values/history.tsx';
import { minorOf } from '../../design/values/money.ts';
import { Summary } from '../../design/values/summary.tsx';
import { Amount, Beside, Facts, Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMerchants, useZoneOf } from '../../shell/me.tsx';
import { RECEIPT } from './words.ts';

type Order = Answer<'readOrder'>['body'];
type Payment = Order['paymentList'][number];

/** The receipt of one payment, for the printer of a back office. */
export function ReceiptPage(): ReactElement {
  const words = useWords(RECEIPT);
  const { print: printed } = useWords(DESIGN);
  const { merchant, order, payment: number } = usePath<'merchant' | 'order' | 'payment'>();
  const read = useRead('readOrder', { path: { merchant, order } });
  return (
    <Page
      title={`${words.title} ${order}`}
      above={{ name: order, to: `/orders/${merchant}/${order}` }}
      acts={<Button onClick={() => print()}>{printed}</Button>}
    >
      <Load of={read}>
        {({ body }) => {
          const payment = body.paymentList.find((one) => String(one.number) === number);
          return payment === undefined ? <p className="quiet">{words.none}</p> : <Receipt order={body} payment={payment} />;
        }}
      </Load>
    </Page>
  );
}

function Receipt({ order, payment }: { readonly order: Order; readonly payment: Payment }): ReactElement {
  const words = useWords(RECEIPT);
  const zone = useZoneOf()(order.merchant);
  const name = useMerchants().find(({ merchant }) => merchant === order.merchant)?.name ?? order.merchant;
  const payer = [order.userName, order.userDocumentType, order.userDocument, order.email];
  return (
    <>
      {payment.givenBackAt !== null && <Callout tone="bad">{words.givenBack}</Callout>}
      <Summary
        of={[
          { name: words.amount, value: <Amount of={payment.amount} />, isLarge: true },
          { name: words.merchant, value: name, isLarge: true },
        ]}
      />
      <Facts
        of={[
          [words.paidAt, <Instant key="at" at={payment.paidAt} zone={zone} isLong />],
          ...(payment.givenBackAt === null
            ? minorOf(payment.refunded) === 0n
              ? []
              : ([[words.refunded, <Amount key="refunded" of={payment.refunded} />]] as const)
            : ([[words.givenBackAt, <Instant key="back" at={payment.givenBackAt} zone={zone} isLong />]] as const)),
          [words.receivedBy, <ActorName key="source" of={payment.source} />],
          [words.transaction, <code key="transaction">{payment.transaction}</code>],
          [words.order, order.order],
          [words.reference, order.reference],
          ...(order.description === null ? [] : ([[words.description, order.description]] as const)),
          [words.payer, <Beside key="payer" texts={payer} />],
        ]}
      />
    </>
  );
}
