import type { ReactElement } from 'react';
import type { Permission } from '../api/generated/operations.ts';
import { useWords } from '../shell/language.ts';
import { Link, type LinkTo } from '../shell/link.tsx';
import { useMay } from '../shell/me.tsx';
import { ABOUT } from './words.ts';

type OfMerchant = { readonly merchant: string };

/** What has a page of its own, and who may see it. */
const READ_BY: Readonly<Record<string, Permission>> = { order: 'orders:read', cashout: 'cashouts:read', settlement: 'ledger:read' };

/** Finds the page of an order, a cashout or a settlement. Undefined: it is something else, or the user may not see it. */
function usePageOf(): (kind: string, merchant: string, id: string) => LinkTo | undefined {
  const may = useMay();
  return (kind, merchant, id) => {
    const permission = READ_BY[kind];
    return permission !== undefined && may(permission) ? `/${kind}s/${merchant}/${encodeURIComponent(id)}` : undefined;
  };
}

/** The id of an order, a cashout or a settlement. It leads to its page, and to one of its tabs. */
export function SubjectLink({
  kind,
  merchant,
  id,
  tab,
}: OfMerchant & { readonly kind: string; readonly id: string; readonly tab?: string }): ReactElement {
  const to = usePageOf()(kind, merchant, id);
  return to === undefined ? <>{id}</> : <Link to={tab === undefined ? to : `${to}?tab=${tab}`}>{id}</Link>;
}

/** A transaction of the ledger. `cashout/W-77/paid` leads to cashout W-77. */
export function TransactionLink({ merchant, transaction }: OfMerchant & { readonly transaction: string }): ReactElement {
  const pageOf = usePageOf();
  const [kind = '', id = ''] = transaction.split('/');
  const to = kind === 'hold' ? (`/settlements/${merchant}?holds=all` as const) : pageOf(kind, merchant, id);
  return to === undefined ? <>{transaction}</> : <Link to={to}>{transaction}</Link>;
}

/** Leads from an entry to the settlement that it is in. */
export function SettlementLink({ merchant, settlement }: OfMerchant & { readonly settlement: string }): ReactElement {
  const words = useWords(ABOUT);
  return <Link to={`/settlements/${merchant}/${settlement}`}>{words.inSettlement(settlement)}</Link>;
}
