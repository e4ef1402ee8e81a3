import type { ReactElement } from 'react';
import { useNoticeAnswer } from '../../about/problems.ts';
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

const isSame = (one: Attempt, other: Attempt): boolean =>
  one.problem === other.problem && one.answerStatus === other.answerStatus && one.answer === other.answer;

/** Attempts, one after another, that ended the same: the newest first. */
function foldEqual(attempts: readonly Attempt[]): readonly (readonly [Attempt, ...Attempt[]])[] {
  const folded: [Attempt, ...Attempt[]][] = [];
  for (const one of attempts) {
    const last = folded.at(-1);
    if (last !== undefined && isSame(last[0], one)) last.push(one);
    else folded.push([one]);
  }
  return folded;
}

/** Every attempt with what came back, the newest first. Those that ended the same are one row. */
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
  const folded = foldEqual(attemptList);
  return (
    <>
      <Section title={words.attempts} isBare>
        <Table
          name={words.attempts}
          isLong={folded.length > 10}
          columns={[{ title: words.attempt }, { title: about.at }, { title: words.result }, { title: about.answer }]}
          rows={folded.map((some) => {
            const [newest] = some;
            const first = some.at(-1) ?? newest;
            return {
              id: String(newest.attempt),
              cells: [
                some.length === 1 ? newest.attempt : `${first.attempt}–${newest.attempt}`,
                <span key="at">
                  {first !== newest && (
                    <>
                      <Instant at={first.at} zone={zone} isLong /> –{' '}
                    </>
                  )}
                  <Instant at={newest.at} zone={zone} isLong />
                </span>,
                <Result key="result" of={newest} />,
                <Said key="said" of={newest} />,
              ],
            };
          })}
        />
      </Section>
      {folded[0] && folded[1] && <Compare attempts={attemptList} usual={[folded[1][0], folded[0][0]]} zone={zone} />}
    </>
  );
}

const Result = ({ of: attempt }: { readonly of: Attempt }): ReactElement => {
  const resultOf = useNoticeAnswer();
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

type CompareProps = {
  readonly attempts: readonly Attempt[];
  readonly usual: readonly [from: Attempt, to: Attempt];
  readonly zone: string;
};

/** What differs between two attempts. Which two is in the address; at first the newest, and the last one that ended otherwise. */
function Compare({ attempts, usual, zone }: CompareProps): ReactElement {
  const words = useWords(NOTICES);
  const about = useWords(ABOUT);
  const resultOf = useNoticeAnswer();
  const [search, set] = useAddress();
  const find = (name: 'from' | 'to', other: Attempt): Attempt => attempts.find(({ attempt }) => String(attempt) === search[name]) ?? other;
  const [from, to] = [find('from', usual[0]), find('to', usual[1])];
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
