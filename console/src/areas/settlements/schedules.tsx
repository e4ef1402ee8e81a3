import { useState, type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Callout } from '../../design/page/callout.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { formatPercent } from '../../design/values/typed.ts';
import { Amount, Day, Facts } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useLanguage, useWords, wordFor } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { Account } from './account.tsx';
import { ScheduleAct } from './schedule-act.tsx';
import { TERMS } from './terms-words.ts';
import type { Schedule, TermsProps } from './terms.ts';
import { SETTLEMENTS } from './words.ts';

/** When a merchant is paid, and to which account: one part for each currency. */
export function Schedules({ merchant, currencies, mayWrite }: TermsProps): ReactElement {
  const words = useWords(TERMS);
  const { change } = useWords(DESIGN);
  const [open, setOpen] = useState<string>();
  return (
    <Load of={useRead('listSettlementSchedules', { query: { merchant } })} lines={4}>
      {({ body: { items } }) => {
        const all = [...new Set([...currencies, ...items.map(({ currency }) => currency)])];
        const scheduleOf = (currency: string): Schedule | undefined => items.find((one) => one.currency === currency);
        return (
          <>
            {all.map((currency) => {
              const schedule = scheduleOf(currency);
              const title = all.length === 1 ? words.schedule : words.scheduleOf(currency);
              const name = schedule === undefined ? words.set : change;
              return (
                <Section
                  key={currency}
                  title={title}
                  acts={
                    mayWrite && (
                      <Button isSmall aria-label={`${name}: ${title}`} onClick={() => setOpen(currency)}>
                        {name}
                      </Button>
                    )
                  }
                >
                  {schedule === undefined ? <p className="quiet">{words.noSchedule}</p> : <Shown schedule={schedule} />}
                </Section>
              );
            })}
            {open !== undefined && (
              <ScheduleAct merchant={merchant} currency={open} of={scheduleOf(open)} onClose={() => setOpen(undefined)} />
            )}
          </>
        );
      }}
    </Load>
  );
}

function Shown({ schedule: of }: { readonly schedule: Schedule }): ReactElement {
  const words = useWords(TERMS);
  const language = useLanguage();
  const { period, weekday, monthDay, currency, account, reserveDays, reservePercent } = of;
  const on = weekday === null ? monthDay && words.onMonthDay(monthDay) : words.weekdays[weekday].toLowerCase();
  const when: readonly (readonly [string, ReactNode])[] = [
    [words.period, [words.periods[period], ...(on ? [on] : [])].join(', ')],
    ...(of.nextDue === null ? [] : [[words.nextDue, <Day key="next" on={of.nextDue} />] as const]),
    [words.delay, words.delayDays(of.delayDays)],
    [words.account, <Account key="account" of={account} />],
    [words.minimum, <Amount key="minimum" of={{ amount: of.minimum, currency }} />],
    [words.reserve, reserveDays === 0 ? words.noReserve : words.reserveText(formatPercent(reservePercent, language), reserveDays)],
    [words.calendar, of.calendar],
    ...(of.lastRun === null ? [] : [[words.lastRun, <LastRun key="last" schedule={of} />] as const]),
  ];
  return (
    <>
      {of.problem !== null && <Callout tone="warn">{words.problems[of.problem]}</Callout>}
      <Facts of={when} />
    </>
  );
}

function LastRun({ schedule: { merchant, lastRun } }: { readonly schedule: Schedule }): ReactElement | null {
  const words = useWords(TERMS);
  const { one } = useWords(SETTLEMENTS);
  if (lastRun === null) return null;
  return (
    <>
      <Day on={lastRun.due} /> · {wordFor(words.outcomes, lastRun.outcome)}
      {lastRun.settlement !== null && (
        <>
          {': '}
          <Link to={`/settlements/${merchant}/${lastRun.settlement}`}>{one(lastRun.settlement)}</Link>
        </>
      )}
    </>
  );
}
