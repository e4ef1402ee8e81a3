import { useState, type ReactElement } from 'react';
import { SubjectLink } from '../../about/entry-links.tsx';
import { useStatusText } from '../../about/status.ts';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/form/field.tsx';
import { Load, Notice } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Badge, Copyable, Instant } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import type { DevelopersMerchant } from './secrets.tsx';
import { DEVELOPERS } from './words.ts';
import { formatSeconds } from '../../design/values/spoken.ts';

type Logged = Answer<'readRequests'>['body']['items'][number];

/** The last requests of a merchant's programs, and what became of each. It is read again when somebody asks for it. */
export function RequestLog({ of: { merchant, timeZone } }: { readonly of: DevelopersMerchant }): ReactElement {
  const words = useWords(DEVELOPERS);
  const [isRefusedOnly, setRefusedOnly] = useState(false);
  const read = useRead(
    'readRequests',
    { path: { merchant }, query: isRefusedOnly ? { refused: true } : {} },
    { keepsPrevious: true, isAlwaysNew: true },
  );
  return (
    <Section
      title={words.requests}
      acts={
        <Button isSmall onClick={() => void read.refetch()}>
          {words.readAgain}
        </Button>
      }
    >
      <p className="quiet">{words.requestsHint}</p>
      <Checkbox label={words.refusedOnly} isOn={isRefusedOnly} onSwitch={setRefusedOnly} />
      <Load of={read}>
        {({ body: { items, heard, processes } }) => (
          <div role="status">
            {heard < processes && <p>{words.heard(heard, processes)}</p>}
            {items.length === 0 ? (
              <Notice icon="developers" title={words.noRequests} />
            ) : (
              <Requests of={items} merchant={merchant} zone={timeZone} />
            )}
          </div>
        )}
      </Load>
    </Section>
  );
}

function Requests({
  of: items,
  merchant,
  zone,
}: {
  readonly of: readonly Logged[];
  readonly merchant: string;
  readonly zone: string;
}): ReactElement {
  const words = useWords(DEVELOPERS);
  const language = useLanguage();
  const { at, operation, result, subject, proof, milliseconds, requestId } = words.columns;
  return (
    <Table
      name={words.requests}
      isLong
      columns={[
        { title: at },
        { title: operation },
        { title: result },
        { title: subject },
        { title: proof },
        { title: milliseconds, isNumber: true },
        { title: requestId },
      ]}
      rows={items.map((one, place) => ({
        // Two requests may have one id: their senders choose it.
        id: `${one.at}/${one.requestId}/${place}`,
        cells: [
          <Instant key="at" at={one.at} zone={zone} isLong />,
          one.operation,
          <Result key="result" of={one} />,
          one.subject === null ? '—' : <SubjectLink key="subject" merchant={merchant} {...one.subject} />,
          words.proofs[one.proof],
          formatSeconds(one.milliseconds, language, true),
          <Copyable key="id" text={one.requestId} />,
        ],
      }))}
    />
  );
}

/** The code of the wire, which integrators look up, and the name that the reference gives it. */
function Result({ of: { code, refusal, status } }: { readonly of: Logged }): ReactElement {
  const statusText = useStatusText();
  const tone = status >= 500 ? 'bad' : refusal === null && status < 400 ? 'good' : 'warn';
  return <Badge tone={tone}>{[code ?? statusText(status), refusal].filter((part) => part !== null).join(' · ')}</Badge>;
}
