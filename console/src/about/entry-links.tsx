import type { ReactElement } from 'react';
import { useWords } from '../shell/language.ts';
import { Link, type LinkTo } from '../shell/link.tsx';
import { ABOUT } from './words.ts';

type OfMerchant = { readonly merchant: string };

/** The page of what a transaction is about: `cashout/W-77/paid` is of cashout W-77. */
function pageOf(merchant: string, transaction: string): LinkTo | undefined {
  const [kind, id = ''] = transaction.split('/');
  if (kind === 'hold') return `/settlements/${merchant}?holds=all`;
  return kind === 'order' || kind === 'cashout' || kind === 'settlement' ? `/${kind}s/${merchant}/${encodeURIComponent(id)}` : undefined;
}

/** A transaction of the ledger. It leads to what it is about, where that has a page. */
export function TransactionLink({ merchant, transaction }: OfMerchant & { readonly transaction: string }): ReactElement {
  const to = pageOf(merchant, transaction);
  return to === undefined ? <>{transaction}</> : <Link to={to}>{transaction}</Link>;
}

/** Leads from an entry to the settlement that it is in. */
export function SettlementLink({ merchant, settlement }: OfMerchant & { readonly settlement: string }): ReactElement {
  const words = useWords(ABOUT);
  return <Link to={`/settlements/${merchant}/${settlement}`}>{words.inSettlement(settlement)}</Link>;
}
