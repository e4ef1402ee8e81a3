import type { ReactElement } from 'react';
import { useNoticeProblem } from '../../about/problems.ts';
import { ABOUT } from '../../about/words.ts';
import { Difference } from '../../design/values/difference.tsx';
import { Select } from '../../design/form/field.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Badge, Instant } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import type { NoticeProps, WholeNotice } from './whole-notice.ts';
import { NOTICES } from './words.ts';
import styles from './notices.module.css';

type Attempt = WholeNotice['attemptList'][number];

/** Every attempt with what came back, the newest first. */
export function Attempts({ notice: { attemptList, merchant } }: NoticeProps): ReactElement {
  const words = useWords(NOTICES);
  const about = useWords(ABOUT);
  const zone = useZoneOf()(merchant);
  if (attemptList.length === 0)
    return (
      <Section title={words.attempts}>
        <p className="quiet">{words.noAttempts}</p>
      </Section>
    );
  return (
    <>
      <Section title={words.attempts} isBare>
        <Table
          name={words.attempts}
          isLong={attemptList.length > 10}
          columns={[{ title: words.attempt }, { title: about.at }, { title: words.result }, { title: about.answer }]}
          rows={attemptList.map((one) => ({
            id: String(one.attempt),
            cells: [
              one.attempt,
              <Instant key="at" at={one.at} zone={zone} isLong />,
              <Result key="result" of={one} />,
              <Said key="said" of={one} />,
            ],
          }))}
        />
      </Section>
      {attemptList.length > 1 && <Compare attempts={attemptList} zone={zone} />}
    </>
  );
}

/** Says how an attempt ended: why it failed, else the status of the answer. */
function useResult(): (attempt: Attempt) => string {
  const problemText = useNoticeProblem();
  return ({ answerStatus, problem }) => (problem === null ? `HTTP ${answerStatus ?? ''}` : problemText(problem));
}

const Result = ({ of: attempt }: { readonly of: Attempt }): ReactElement => {
  const resultOf = useResult();
  return (
    <span className={styles['result']}>
      <Badge tone={attempt.problem === null ? 'good' : 'bad'}>{resultOf(attempt)}</Badge>
    </span>
  );
};

const Said = ({ of: { answer } }: { readonly of: Attempt }): ReactElement => {
  const words = useWords(NOTICES);
  return answer === null || answer === '' ? (
    <span className="quiet">{words.noAnswer}</span>
  ) : (
    <code className={styles['said']}>{answer}</code>
  );
};

/** What differs between two attempts. Which two is in the address; at first the newest and the one before. */
function Compare({ attempts, zone }: { readonly attempts: readonly Attempt[]; readonly zone: string }): ReactElement {
  const words = useWords(NOTICES);
  const about = useWords(ABOUT);
  const resultOf = useResult();
  const [search, set] = useAddress();
  const find = (name: 'from' | 'to', usual: number): Attempt =>
    attempts.find(({ attempt }) => String(attempt) === search[name]) ?? (attempts[usual] as Attempt);
  const [from, to] = [find('from', 1), find('to', 0)];
  const options = attempts.map((one) => ({
    value: String(one.attempt),
    text: `${one.attempt} · ${one.problem === null ? words.taken : resultOf(one)}`,
  }));
  const changes = [
    { field: 'result', name: words.result, ...pair(resultOf(from), resultOf(to)) },
    { field: 'answer', name: about.answer, ...pair(from.answer ?? '', to.answer ?? '') },
  ].filter((one) => ('from' in one ? one.from : '') !== ('to' in one ? one.to : ''));
  return (
    <Section title={words.compare}>
      <div className={styles['pair']}>
        <Select
          label={words.compareFrom}
          value={String(from.attempt)}
          onValue={(value) => set({ from: value }, { isNew: false })}
          options={options}
        />
        <Select
          label={words.compareTo}
          value={String(to.attempt)}
          onValue={(value) => set({ to: value }, { isNew: false })}
          options={options}
        />
      </div>
      <p className="small quiet">
        <Instant at={from.at} zone={zone} isLong /> → <Instant at={to.at} zone={zone} isLong />
      </p>
      {changes.length === 0 ? <p>{words.same}</p> : <Difference of={changes} />}
    </Section>
  );
}

/** Empty counts as nothing. */
const pair = (from: string, to: string) => ({ ...(from !== '' && { from }), ...(to !== '' && { to }) });
