import type { ReactElement } from 'react';
import { useMessageProblem, useNoticeProblem } from '../../about/problems.ts';
import { ABOUT } from '../../about/words.ts';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Badge, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { SANDBOX, stateWord, subjectOf } from './words.ts';
import styles from './sandbox.module.css';

type Entry = Answer<'readInboxEntry'>['body'];

/** One mail, SMS or notice, as its receiver got it. */
export function EntryPage(): ReactElement {
  const { channel, id } = usePath<'channel' | 'id'>();
  const read = useRead('readInboxEntry', { path: { channel: channel as Entry['channel'], id } });
  return <Load of={read}>{({ body }) => <Shown entry={body} />}</Load>;
}

function Shown({ entry }: { readonly entry: Entry }): ReactElement {
  const words = useWords(SANDBOX);
  const ofNotice = useNoticeProblem();
  const ofMessage = useMessageProblem();
  const { id, channel, kind, to, merchant, about, at, state, problem, answer, text, html, otp, headers } = entry;
  return (
    <Page
      title={subjectOf(entry, words, useWords(ABOUT))}
      above={{ name: words.inbox, to: '/sandbox/inbox' }}
      mark={<Badge tone={problem === null ? 'neutral' : 'bad'}>{stateWord(words.states, state)}</Badge>}
    >
      <Columns>
        <div>
          {html !== null && (
            <Section title={words.asShown} isBare>
              {/* The page of the mail has a policy of its own: nothing in it runs, and nothing is loaded. */}
              <iframe title={words.asShown} className={styles.frame} sandbox="" src={`/sandbox/inbox/mail/${id}`} />
            </Section>
          )}
          {text !== null && (
            <Section title={html === null ? words.content : words.asText}>
              <pre className={styles.content}>{text}</pre>
            </Section>
          )}
          {headers !== null && (
            <Section title={words.headers}>
              <Facts of={Object.entries(headers).map(([name, value]) => [name, <Copyable key={name} text={value} />])} />
            </Section>
          )}
        </div>
        <Section title={words.channels[channel]}>
          <Facts
            of={[
              [words.at, <Instant key="at" at={at} isLong />],
              [words.to, to ?? '—'],
              ...(otp === null ? [] : ([[words.password, <Copyable key="otp" text={otp} />]] as const)),
              [words.merchant, merchant],
              [words.about, <Copyable key="about" text={about} />],
              [words.kind, <code key="kind">{kind}</code>],
              ...(problem === null ? [] : ([[words.problem, (channel === 'notice' ? ofNotice : ofMessage)(problem)]] as const)),
              ...(answer === null ? [] : ([[words.answer, `${answer.status} ${answer.text}`]] as const)),
            ]}
          />
        </Section>
      </Columns>
    </Page>
  );
}
