import type { ReactElement } from 'react';
import { EntriesAbout } from '../../about/entries.tsx';
import { MessagesAbout, NoticesAbout } from '../../about/sent.tsx';
import { useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page } from '../../design/page/page.tsx';
import { CashoutState } from '../../design/values/states.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { useChoice, usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { CashoutActs } from './cashout-acts.tsx';
import { CashoutHistory } from './cashout-history.tsx';
import { CashoutSummary, Collection, Password, Terms } from './cashout-parts.tsx';
import { CASHOUT } from './cashout-words.ts';
import type { CashoutProps } from './whole-cashout.ts';

const TABS = ['summary', 'history', 'sent'] as const;

/** All that there is about a cashout. */
export function CashoutPage(): ReactElement {
  const { merchant, operation } = usePath<'merchant' | 'operation'>();
  return <Load of={useRead('readCashout', { path: { merchant, operation } })}>{({ body }) => <Shown cashout={body} />}</Load>;
}

function Shown({ cashout }: CashoutProps): ReactElement {
  const words = useWords(CASHOUT);
  const [tab, choose] = useChoice('tab', TABS);
  const { merchant, operation, notices, messages, entries, history } = cashout;
  const zone = useZoneOf()(merchant);
  const counts: Partial<Record<(typeof TABS)[number], number>> = {
    history: history.length,
    sent: (notices?.length ?? 0) + (messages?.length ?? 0),
  };
  const tabs = TABS.filter((name) => name !== 'sent' || notices !== null || messages !== null);
  return (
    <Page
      title={operation}
      mark={<CashoutState state={cashout.state} />}
      above={{ name: words.above, to: '/cashouts' }}
      acts={<CashoutActs cashout={cashout} />}
    >
      <CashoutSummary cashout={cashout} />
      <Tabs
        tabs={tabs.map((name) => ({ name, title: words.tabs[name], ...(counts[name] !== undefined && { count: counts[name] }) }))}
        chosen={tab}
        onChoose={choose}
      >
        {tab === 'summary' && (
          <Columns>
            <div>
              <Collection cashout={cashout} />
              <EntriesAbout of={entries} merchant={merchant} zone={zone} />
            </div>
            <div>
              <Password cashout={cashout} />
              <Terms cashout={cashout} />
            </div>
          </Columns>
        )}
        {tab === 'history' && <CashoutHistory cashout={cashout} />}
        {tab === 'sent' && (
          <>
            <NoticesAbout of={notices} zone={zone} />
            <MessagesAbout of={messages} zone={zone} all={`/messages?merchant=${merchant}&subject=${operation}`} />
          </>
        )}
      </Tabs>
    </Page>
  );
}
