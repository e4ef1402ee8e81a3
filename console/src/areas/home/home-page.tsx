import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Page } from '../../design/page/page.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { Attention } from './attention.tsx';
import { Find } from './find.tsx';
import { Today } from './today.tsx';
import { HOME } from './words.ts';

/** The first screen. A merchant's people look for a customer, operations for what is stuck, finance for what adds up. */
export function HomePage(): ReactElement {
  const words = useWords(HOME);
  const { merchant } = useMe();
  const may = useMay();
  const isOfMerchant = merchant !== null;
  // Who sees money and no notices works in the ledger. Its first page answers what came in and out.
  if (!isOfMerchant && may('ledger:read') && !may('notices:read')) return <Navigate to="/ledger" replace />;
  return (
    <Page title={isOfMerchant ? words.clerk : words.title}>
      {may('orders:read') && <Find isLarge={isOfMerchant} />}
      {!isOfMerchant && <Attention />}
      {may('figures:read') && <Today />}
    </Page>
  );
}
