import { useState, type ReactElement } from 'react';
import { useReadAll } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { dayIn } from '../../design/values/days.ts';
import { minorOf } from '../../design/values/money.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { formatPercent } from '../../design/values/typed.ts';
import { Badge, Day } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useNow, useZoneOf } from '../../shell/me.tsx';
import { useRateText } from './breakdown.tsx';
import { AddRuleAct, EndRuleAct } from './rule-acts.tsx';
import { TERMS } from './terms-words.ts';
import type { Rule, TermsProps } from './terms.ts';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

/** What is taken from the settlements of a merchant, from today on: its own rules, and those of all merchants. */
export function Rules({ merchant, currencies, mayWrite }: TermsProps): ReactElement {
  const words = useWords(TERMS);
  const today = dayIn(useNow(), useZoneOf()(merchant));
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={words.rules}
      isBare
      acts={
        mayWrite && (
          <Button isSmall onClick={() => setAdding(true)}>
            {words.addRule}
          </Button>
        )
      }
    >
      <Load of={useReadAll('listSettlementRules', { query: { merchant } })} lines={3}>
        {({ items }) => {
          const rules = items.filter(({ currency, until }) => currencies.includes(currency) && (until === null || until >= today));
          return rules.length === 0 ? (
            <p className="quiet">{words.noRules}</p>
          ) : (
            <>
              <p className={styles.hint}>{words.rulesHint}</p>
              <RuleTable rules={rules} today={today} mayWrite={mayWrite} hasMany={currencies.length > 1} />
            </>
          );
        }}
      </Load>
      {isAdding && <AddRuleAct {...{ merchant, currencies, today }} onClose={() => setAdding(false)} />}
    </Section>
  );
}

type TableProps = {
  readonly rules: readonly Rule[];
  readonly today: string;
  readonly mayWrite: boolean;
  /** The merchant has several currencies. */
  readonly hasMany: boolean;
};

function RuleTable({ rules, today, mayWrite, hasMany }: TableProps): ReactElement {
  const words = useWords(TERMS);
  const { kinds } = useWords(SETTLEMENTS);
  const language = useLanguage();
  const [ending, setEnding] = useState<Rule>();
  return (
    <>
      <Table
        name={words.rules}
        columns={[
          { title: words.name },
          { title: words.how },
          { title: words.tax, isNumber: true },
          { title: words.whose },
          { title: words.since },
          { title: words.until },
          ...(mayWrite ? [{ title: words.actions }] : []),
        ]}
        rows={rules.map((rule) => ({
          id: rule.rule,
          cells: [
            <span key="name">
              {kinds[rule.kind]}
              <span className={styles.note}>
                {rule.name}
                {hasMany && ` · ${rule.currency}`}
              </span>
            </span>,
            <How key="how" of={rule} />,
            Number(rule.taxPercent) === 0 ? '—' : formatPercent(rule.taxPercent, language),
            <Whose key="whose" of={rule} among={rules} today={today} />,
            <Day key="since" on={rule.since} />,
            rule.until === null ? words.inForce : <Day key="until" on={rule.until} />,
            ...(mayWrite
              ? [
                  <Button key="end" isSmall aria-label={`${words.endRule}: ${rule.name}`} onClick={() => setEnding(rule)}>
                    {words.endRule}
                  </Button>,
                ]
              : []),
          ],
        }))}
      />
      {ending && <EndRuleAct rule={ending} today={today} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function How({ of: rule }: { readonly of: Rule }): ReactElement {
  const words = useWords(TERMS);
  const rateText = useRateText();
  const fixed = { amount: rule.fixed, currency: rule.currency };
  return <>{Number(rule.percent) === 0 && minorOf(fixed) === 0n ? words.exempt : rateText({ ...rule, fixed })}</>;
}

/** For whom it holds. A general rule may be replaced by the merchant's own of the same name. */
function Whose({ of: rule, among, today }: { readonly of: Rule; readonly among: readonly Rule[]; readonly today: string }): ReactElement {
  const words = useWords(TERMS);
  const isReplaced =
    rule.merchant === null &&
    among.some(
      ({ merchant, name, currency, since }) => merchant !== null && name === rule.name && currency === rule.currency && since <= today,
    );
  return (
    <span className={styles.lines}>
      {rule.merchant === null ? words.all : words.own} {isReplaced && <Badge>{words.replaced}</Badge>}
    </span>
  );
}
