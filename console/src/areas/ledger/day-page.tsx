import { useEffect, type ReactElement } from 'react';
import { useAccountName } from '../../about/accounts.ts';
import { addressOf, type Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { addDays, dayIn, isDay } from '../../design/values/days.ts';
import { Field } from '../../design/form/field.tsx';
import { Load } from '../../design/page/load.tsx';
import { Page, Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { formatInstant } from '../../design/values/instants.ts';
import { Amount, Badge } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { usePath } from '../../shell/address.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMay, useNow, useZoneOf } from '../../shell/me.tsx';
import { goTo } from '../../shell/navigation.ts';
import { compareDay, lackingCurrencies, verdictOf, type Statement, type Verdict } from './compare.ts';
import { ComparedTable } from './compared-table.tsx';
import { StatementTable } from './statement-table.tsx';
import { LEDGER, VERDICT_TONES } from './words.ts';
import styles from './ledger.module.css';

/** A merchant's money on one day: the statement, and whether it agrees with the payments. */
export function DayPage(): ReactElement {
  const words = useWords(LEDGER);
  const { merchant, day: asked } = usePath<'merchant' | 'day'>();
  const today = dayIn(useNow(), useZoneOf()(merchant));
  const day = isDay(asked) ? asked : today;
  const language = useLanguage();
  const written = formatInstant(`${day}T12:00:00Z`, 'UTC', language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return (
    <Page title={written} above={{ name: words.of(merchant), to: `/ledger/${merchant}` }} acts={<DayActs {...{ merchant, day, today }} />}>
      <Load of={useRead('readStatement', { path: { merchant, day } })} lines={10}>
        {({ body }) => <OfDay statement={body} />}
      </Load>
    </Page>
  );
}

type DayActsProps = { readonly merchant: string; readonly day: string; readonly today: string };

function DayActs({ merchant, day, today }: DayActsProps): ReactElement {
  const words = useWords(LEDGER);
  const design = useWords(DESIGN);
  const go = (to: string): void => void (isDay(to) && goTo(`/ledger/${merchant}/days/${to}`));
  return (
    <div className={styles.acts}>
      <Button icon="left" onClick={() => go(addDays(day, -1))}>
        {words.previous}
      </Button>
      <Field label={words.day} isHidden type="date" max={today} value={day} onValue={go} />
      <Button aria-disabled={day >= today || undefined} onClick={() => day < today && go(addDays(day, 1))}>
        {words.next}
      </Button>
      <Button onClick={() => print()}>{design.print}</Button>
    </div>
  );
}

function OfDay({ statement }: { readonly statement: Statement }): ReactElement {
  const words = useWords(LEDGER);
  const may = useMay();
  const nameOf = useAccountName();
  const isOver = useNow() >= Date.parse(statement.until);
  return (
    <>
      {may('figures:read') ? (
        <Comparison statement={statement} />
      ) : (
        <Verdicts of={statement.addsUp ? 'equal' : 'faults'} faults={statement} />
      )}
      {statement.currencies.length === 0 && <p className="quiet">{words.noMoves}</p>}
      {statement.currencies.map((own) => (
        <Section
          key={own.currency}
          title={words.statement(own.currency)}
          acts={<Files {...{ merchant: statement.merchant, day: statement.day, currency: own.currency }} />}
          isBare
        >
          {own.lines.length === 0 ? <p className="quiet">{words.noMovesIn(own.currency)}</p> : <StatementTable of={own} isOver={isOver} />}
        </Section>
      ))}
      {statement.currencies.map(({ currency, start, end }) => (
        <Section key={currency} title={`${words.balancesThen} · ${currency}`} isBare>
          <Table
            name={`${words.balancesThen} · ${currency}`}
            columns={[
              { title: words.account },
              { title: words.atStart, isNumber: true },
              { title: isOver ? words.atEnd : words.soFar, isNumber: true },
            ]}
            rows={end.map(({ account, balance }) => {
              const before = start.find((one) => one.account === account)?.balance;
              return {
                id: account,
                cells: [nameOf(account), before && <Amount key="start" of={before} />, <Amount key="end" of={balance} />],
              };
            })}
          />
          <p className={styles.hint}>{words.othersHint}</p>
        </Section>
      ))}
    </>
  );
}

type FilesProps = { readonly merchant: string; readonly day: string; readonly currency: string };

/** The statement as a file to keep: of the day, and of its month. */
function Files({ merchant, day, currency }: FilesProps): ReactElement {
  const words = useWords(LEDGER);
  const language = useLanguage();
  const periods = [
    [day, words.ofDay],
    [day.slice(0, 7), words.ofMonth],
  ] as const;
  return (
    <nav className={styles.links} aria-label={`${words.statementFiles} · ${currency}`}>
      {periods.flatMap(([period, names]) =>
        (['pdf', 'csv'] as const).map((format) => (
          <a
            key={`${period} ${format}`}
            href={addressOf('readStatementFile', { merchant, period }, { currency, format, language })}
            download
          >
            {names[format]}
          </a>
        )),
      )}
    </nav>
  );
}

/** Counts the payments of the same day, and lays them beside the ledger. */
function Comparison({ statement }: { readonly statement: Statement }): ReactElement {
  const words = useWords(LEDGER);
  const { merchant, day } = statement;
  const figures = useRead('readFigures', { query: { merchant, from: day, to: day, by: 'day' } });
  // Figures lag by seconds. They are read again until they have the whole day.
  const isBehind = figures.data !== undefined && !hasAll(figures.data.body, statement);
  const { refetch } = figures;
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setInterval(() => void refetch(), BEHIND_MS);
    return () => clearInterval(timer);
  }, [isBehind, refetch]);
  return (
    <Section title={words.compare} isBare>
      <Load of={figures} lines={3}>
        {({ body }) => <Compared statement={statement} figures={body} />}
      </Load>
    </Section>
  );
}
const BEHIND_MS = 5_000;

type Figures = Answer<'readFigures'>['body'];

const hasAll = ({ completeTo }: Figures, { until }: Statement): boolean =>
  completeTo !== null && Date.parse(completeTo) >= Date.parse(until);

function Compared({
  statement,
  figures: { items, completeTo },
}: {
  readonly statement: Statement;
  readonly figures: Figures;
}): ReactElement {
  const now = useNow();
  const { currencies } = statement;
  const lacking = lackingCurrencies(statement, items).map((opening) => ({ currency: opening.currency, opening, lines: [] }));
  const groups = [...currencies, ...lacking].map((own) => ({ currency: own.currency, compared: compareDay(own, items) }));
  const all = groups.flatMap(({ compared }) => compared);
  const verdict = verdictOf(statement, all, completeTo, now);
  return (
    <>
      <Verdicts of={verdict} faults={statement} completeTo={completeTo} />
      {groups
        .filter(({ compared }) => compared.length > 0)
        .map(({ currency, compared }) => (
          <ComparedTable key={currency} {...{ currency, compared, statement }} />
        ))}
    </>
  );
}

/** In one line: does it add up. */
function Verdicts({
  of: verdict,
  faults: { currencies, timeZone },
  completeTo = null,
}: {
  readonly of: Verdict;
  readonly faults: Statement;
  readonly completeTo?: string | null;
}): ReactElement {
  const words = useWords(LEDGER);
  const language = useLanguage();
  const at =
    completeTo === null ? '—' : formatInstant(completeTo, timeZone, language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const texts = {
    equal: words.verdictEqual,
    counting: words.verdictCounting(at),
    differ: words.verdictDiffer,
    faults: words.verdictFaults,
  };
  const names = { equal: words.addsUp, counting: words.counting, differ: words.addsUpNot, faults: words.addsUpNot };
  const faults = currencies.flatMap((own) => own.faults.map((fault) => `${own.currency}: ${fault}`));
  return (
    <div role="status" className={styles.verdict}>
      <Badge tone={VERDICT_TONES[verdict]}>{names[verdict]}</Badge>
      <span>{texts[verdict]}</span>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>
              <code>{fault}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
