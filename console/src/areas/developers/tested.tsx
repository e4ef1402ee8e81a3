import { useEffect, type ReactElement } from 'react';
import { useNoticeProblem } from '../../about/problems.ts';
import { useStatusText } from '../../about/status.ts';
import { SentState } from '../../about/sent.tsx';
import { queryClient, useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Facts } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { DEVELOPERS } from './words.ts';

/** What became of a test notice: its state, and what the merchant's server answered. */
export function Tested({ notice }: { readonly notice: string }): ReactElement {
  const words = useWords(DEVELOPERS);
  const problemText = useNoticeProblem();
  const statusText = useStatusText();
  const read = useRead('readNotice', { path: { notice } });
  const isWaiting = read.data === undefined || read.data.body.state === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void queryClient.invalidateQueries({ queryKey: ['readNotice'] }), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return (
    <div role="status">
      <Load of={read} lines={2}>
        {({ body: { state, answerStatus, answer, problem } }) => (
          <Facts
            of={[
              [words.tested, <SentState key="state" of="notice" {...{ state, problem }} />],
              [words.answer, answerStatus === null ? '—' : [statusText(answerStatus), answer].filter(Boolean).join(' · ')],
              [words.problem, problem === null ? '—' : problemText(problem)],
              [
                words.noticeId,
                <Link key="all" to={`/notices/${notice}`}>
                  {notice}
                </Link>,
              ],
            ]}
          />
        )}
      </Load>
    </div>
  );
}
const LOOK_AGAIN_MS = 1_000;
