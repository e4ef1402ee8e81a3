import { useState, type ReactElement } from 'react';
import { OWN_ACCOUNTS, useAccountName } from '../../about/accounts.ts';
import { FundCharts } from '../../about/fund-charts.tsx';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { dayIn } from '../../design/values/days.ts';
import { Load, Notice } from '../../design/page/load.tsx';
import { sumByCurrency, type Money } from '../../design/values/money.ts';
import { Page, Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Tiles } from '../../design/page/tiles.tsx';
import { Amount } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay, useNow, useZoneOf } from '../../shell/me.tsx';
import { Fees } from './fees.tsx';
import { FundRules } from './fund-rules.tsx';
import { AdjustAct, ToFundAct, TopUpAct } from './money-acts.tsx';
import { LEDGER } from './words.ts';
import styles from './ledger.module.css';

/** What a merchant has, and what is owed to others. */
export function AccountsPage(): ReactElement {
  return <Accounts merchant={usePath<'merchant'>().merchant} />;
}

type OfMerchant = { readonly merchant: string };

export function Accounts({ merchant }: OfMerchant): ReactElement {
  const words = useWords(LEDGER);
  const isService = useIsService();
  const mayWrite = useMay()('ledger:write') && isService;
  const mayMove = useMay()('funds:write');
  const [act, setAct] = useState<'topUp' | 'toFund' | 'adjust'>();
  const today = dayIn(useNow(), useZoneOf()(merchant));
  const close = (): void => setAct(undefined);
  return (
    <Page
      title={words.of(merchant)}
      {...(isService && { above: { name: words.title, to: '/ledger' as const } })}
      acts={
        <>
          <ButtonLink to={`/ledger/${merchant}/entries`}>{words.entries}</ButtonLink>
          <ButtonLink to={`/ledger/${merchant}/days/${today}`}>{words.today}</ButtonLink>
          <ButtonLink to={`/settlements/${merchant}`}>{words.settlements}</ButtonLink>
          {mayWrite && <Button onClick={() => setAct('adjust')}>{words.adjust}</Button>}
          {mayMove && <Button onClick={() => setAct('toFund')}>{words.toFund}</Button>}
          {mayWrite && (
            <Button kind="main" icon="plus" onClick={() => setAct('topUp')}>
              {words.topUp}
            </Button>
          )}
        </>
      }
    >
      <Load of={useRead('readBalances', { query: { merchant } })}>{({ body }) => <Balances {...{ merchant }} {...body} />}</Load>
      <FundRules merchant={merchant} mayWrite={mayMove} />
      <Fees merchant={merchant} mayWrite={mayWrite} />
      {act === 'topUp' && <TopUpAct {...{ merchant }} onClose={close} />}
      {act === 'toFund' && <ToFundAct {...{ merchant }} onClose={close} />}
      {act === 'adjust' && <AdjustAct {...{ merchant }} onClose={close} />}
    </Page>
  );
}

const isOwn = (account: string): boolean => (OWN_ACCOUNTS as readonly string[]).includes(account);

function Balances({ merchant, balances }: OfMerchant & Answer<'readBalances'>['body']): ReactElement {
  const words = useWords(LEDGER);
  const nameOf = useAccountName();
  const funds = useRead('readFunds', { path: { merchant } }, { isOn: balances.length > 0 });
  if (balances.length === 0)
    return (
      <Notice icon="ledger" title={words.noMoney}>
        <p>{words.noMoneyHint}</p>
      </Notice>
    );
  const own = Map.groupBy(
    balances.filter(({ account }) => isOwn(account)),
    ({ balance }) => balance.currency,
  );
  const others = balances.filter(({ account }) => !isOwn(account));
  return (
    <>
      {[...own].map(([currency, held]) => (
        <Section key={currency} title={own.size === 1 ? words.own : `${words.own} · ${currency}`} isBare>
          <Tiles
            of={[
              ...OWN_ACCOUNTS.flatMap((account) => {
                const balance = held.find((one) => one.account === account)?.balance;
                const to = `/ledger/${merchant}/entries?account=${account}&currency=${currency}` as const;
                return balance ? [{ name: nameOf(account), value: <Amount of={balance} />, to }] : [];
              }),
              { name: words.total, value: <Amount of={sumByCurrency(held.map(({ balance }) => balance))[0] as Money} /> },
            ]}
          />
        </Section>
      ))}
      <Load of={funds}>{({ body }) => <FundCharts {...body} title={words.fund} hint={words.fundHint} />}</Load>
      <Section title={words.others} isBare>
        <Table
          name={words.others}
          columns={[{ title: words.account }, { title: words.balance, isNumber: true }]}
          rows={others.map(({ account, balance }) => ({
            id: `${account} ${balance.currency}`,
            cells: [
              <Link key="account" to={`/ledger/${merchant}/entries?account=${account}&currency=${balance.currency}`}>
                {nameOf(account)}
              </Link>,
              <Amount key="balance" of={balance} />,
            ],
          }))}
        />
        <p className={styles.hint}>{words.othersHint}</p>
      </Section>
    </>
  );
}
