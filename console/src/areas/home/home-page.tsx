import { useEffect, type ReactElement } from 'react';
import { Page } from '../../design/page/page.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { Loading } from '../../design/page/load.tsx';
import { goTo } from '../../shell/navigation.ts';
import { Attention } from './attention.tsx';
import { Find } from './find.tsx';
import { LastPaid } from './last-paid.tsx';
import { Today, Trend } from './today.tsx';
import { HOME } from './words.ts';
import styles from './home.module.css';

/** The first screen. A merchant's people look for a customer, operations for what is stuck, finance for what adds up. */
export function HomePage(): ReactElement {
  const words = useWords(HOME);
  const { merchant } = useMe();
  const may = useMay();
  const isOfMerchant = merchant !== null;
  // Who sees money and no notices works in the ledger. Its first page answers what came in and out.
  const isOfFinance = !isOfMerchant && may('ledger:read') && !may('notices:read');
  useEffect(() => {
    if (isOfFinance) void goTo('/ledger', { replaces: true });
  }, [isOfFinance]);
  if (isOfFinance) return <Loading />;
  return (
    <Page title={isOfMerchant ? words.clerk : words.title}>
      {isOfMerchant && may('orders:read') && <Find />}
      {may('figures:read') && <Today />}
      {!isOfMerchant && <Attention />}
      <div className={styles.both}>
        {may('figures:read') && <Trend />}
        {may('orders:read') && <LastPaid />}
      </div>
    </Page>
  );
}
