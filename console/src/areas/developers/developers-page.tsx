import type { ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Select } from '../../design/form/field.tsx';
import { Load, Notice } from '../../design/page/load.tsx';
import { Columns, Page } from '../../design/page/page.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMe, useMerchants } from '../../shell/me.tsx';
import { Calculator } from './calculator.tsx';
import { RequestLog } from './request-log.tsx';
import { Secrets } from './secrets.tsx';
import { NoticeUrl, ReturnUrl } from './urls.tsx';
import { DEVELOPERS } from './words.ts';
import styles from './calculator.module.css';

/** What a merchant's developers need: secrets, addresses, the checksum step by step, programs to copy, and the last requests. */
export function DevelopersPage(): ReactElement {
  const words = useWords(DEVELOPERS);
  const { merchant: own } = useMe();
  const merchants = useMerchants();
  const [search, set] = useAddress();
  const [only, another] = merchants;
  const merchant = own ?? search['merchant'] ?? (another === undefined ? only?.merchant : undefined);
  return (
    <Page title={words.title}>
      {own === null && (
        <div className={styles.merchant}>
          <Select
            label={words.merchant}
            value={merchant ?? ''}
            onValue={(chosen) => set({ merchant: chosen })}
            options={[{ value: '', text: '' }, ...merchants.map((one) => ({ value: one.merchant, text: `${one.name} · ${one.merchant}` }))]}
          />
        </div>
      )}
      {merchant === undefined ? <Notice icon="merchants" title={words.choose} /> : <Settings merchant={merchant} />}
    </Page>
  );
}

function Settings({ merchant }: { readonly merchant: string }): ReactElement {
  return (
    <Load of={useRead('readMerchant', { path: { merchant } })}>
      {({ body }) => (
        <>
          <Columns>
            <div>
              <Secrets of={body} />
              <NoticeUrl of={body} />
              <ReturnUrl of={body} />
            </div>
            <div>
              <Calculator of={body} />
            </div>
          </Columns>
          <RequestLog of={body} />
        </>
      )}
    </Load>
  );
}
