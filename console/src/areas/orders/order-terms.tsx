import type { ReactElement, ReactNode } from 'react';
import { Section } from '../../design/page/page.tsx';
import { Beside, Copyable, Day, Facts, Instant } from '../../design/values/values.tsx';
import { formatPercent } from '../../design/values/typed.ts';
import { DESIGN } from '../../design/words.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useMay, useZoneOf } from '../../shell/me.tsx';
import type { OrderProps } from './whole-order.ts';
import { ORDER } from './order-words.ts';
import { ORDERS } from './words.ts';
import { formatSeconds } from '../../design/values/spoken.ts';

/** What the merchant has set, and when. */
export function OrderTerms({ order }: OrderProps): ReactElement {
  const words = useWords(ORDER);
  const orders = useWords(ORDERS);
  const design = useWords(DESIGN);
  const language = useLanguage();
  const may = useMay();
  const zone = useZoneOf()(order.merchant);
  const { terms } = orders;
  const text = (value: string | number | null): ReactNode => value ?? <span className="quiet">{design.none}</span>;
  const merchant = may('merchants:read') ? <Link to={`/merchants/${order.merchant}`}>{order.merchant}</Link> : order.merchant;
  return (
    <Section title={words.terms}>
      <Facts
        of={[
          [terms.merchant, merchant],
          [terms.serviceOrderId, <Copyable key="id" text={order.serviceOrderId} />],
          [terms.userName, text(order.userName)],
          [terms.userDocument, <Beside key="document" texts={[order.userDocumentType, order.userDocument]} between=" " />],
          [terms.description, text(order.description)],
          [terms.expiresOn, <Day key="on" on={order.expiresOn} />],
          [terms.method, text(order.method)],
          [terms.recurrent, order.recurrent ? design.yes : design.no],
          [terms.language, text(order.language && wordFor(orders.languages, order.language))],
          [terms.vatRate, text(order.vatRate && formatPercent(order.vatRate, language))],
          [terms.redirectTimeoutMs, text(order.redirectTimeoutMs === null ? null : formatSeconds(order.redirectTimeoutMs, language))],
          [
            words.payerLink,
            <Copyable key="link" text={order.checkoutUrl} isCode={false}>
              <a href={order.checkoutUrl} target="_blank" rel="noreferrer">
                {new URL(order.checkoutUrl).host}
              </a>
            </Copyable>,
          ],
          [orders.created, <Instant key="created" at={order.createdAt} zone={zone} isLong />],
          [orders.updated, <Instant key="updated" at={order.updatedAt} zone={zone} isLong />],
        ]}
      />
    </Section>
  );
}
