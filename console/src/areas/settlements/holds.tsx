import { useState, type ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { Amount, Day, Instant } from '../../design/values/values.tsx';
import { useChoice } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { HoldAct, ReleaseAct } from './hold-acts.tsx';
import { HoldReason } from './hold-reason.tsx';
import { TERMS } from './terms-words.ts';
import type { Hold, TermsProps } from './terms.ts';

const TABS = ['now', 'all'] as const;
const MOST_HOLDS = 100;

/** What is held back of a merchant's money, and what was. */
export function Holds({ merchant, currencies, mayWrite }: TermsProps): ReactElement {
  const words = useWords(TERMS);
  const [tab, choose] = useChoice('holds', TABS);
  const [isHolding, setHolding] = useState(false);
  const query = { merchant, limit: MOST_HOLDS, ...(tab === 'now' && { released: false }) };
  return (
    <Section
      title={words.holds}
      isBare
      acts={
        mayWrite && (
          <Button isSmall onClick={() => setHolding(true)}>
            {words.hold}
          </Button>
        )
      }
    >
      <Tabs tabs={TABS.map((name) => ({ name, title: words.tabs[name] }))} chosen={tab} onChoose={choose}>
        <Load of={useRead('listHolds', { query })} lines={3}>
          {({ body: { items, next } }) =>
            items.length === 0 ? (
              <p className="quiet">{tab === 'now' ? words.noHolds : words.noHoldsEver}</p>
            ) : (
              <>
                <HoldTable holds={items} hasEnds={tab === 'all'} mayWrite={mayWrite} />
                {next !== null && <p className="quiet small">{words.moreHolds}</p>}
              </>
            )
          }
        </Load>
      </Tabs>
      {isHolding && <HoldAct merchant={merchant} currencies={currencies} onClose={() => setHolding(false)} />}
    </Section>
  );
}

type TableProps = { readonly holds: readonly Hold[]; readonly hasEnds: boolean; readonly mayWrite: boolean };

function HoldTable({ holds, hasEnds, mayWrite }: TableProps): ReactElement {
  const words = useWords(TERMS);
  const zoneOf = useZoneOf();
  const [releasing, setReleasing] = useState<Hold>();
  return (
    <>
      <Table
        name={words.holds}
        columns={[
          { title: words.reason },
          { title: words.amount, isNumber: true },
          { title: words.heldAt },
          { title: words.releaseOn },
          ...(hasEnds ? [{ title: words.releasedAt }] : []),
          ...(mayWrite ? [{ title: words.actions }] : []),
        ]}
        rows={holds.map((hold) => ({
          id: hold.hold,
          cells: [
            <HoldReason key="reason" of={hold} />,
            <Amount key="amount" of={hold.amount} />,
            <Instant key="held" at={hold.heldAt} zone={zoneOf(hold.merchant)} />,
            hold.releaseOn === null ? words.byHand : <Day key="on" on={hold.releaseOn} />,
            ...(hasEnds ? [<Instant key="released" at={hold.releasedAt} zone={zoneOf(hold.merchant)} />] : []),
            ...(mayWrite
              ? [
                  hold.releasedAt === null ? (
                    <Button key="release" isSmall onClick={() => setReleasing(hold)}>
                      {words.release}
                    </Button>
                  ) : (
                    '—'
                  ),
                ]
              : []),
          ],
        }))}
      />
      {releasing && <ReleaseAct hold={releasing} onClose={() => setReleasing(undefined)} />}
    </>
  );
}
