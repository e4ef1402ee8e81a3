import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Difference, type Change } from '../../design/values/difference.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Beside, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Outcome, useOperationName } from './acts-page.tsx';
import { AUDIT } from './words.ts';

type ShownAct = Answer<'readAct'>['body'];

/** One act: who, from where, on what, before and after. */
export function ActPage(): ReactElement {
  const { act } = usePath<'act'>();
  return <Load of={useRead('readAct', { path: { act } })}>{({ body }) => <Shown act={body} />}</Load>;
}

function Shown({ act }: { readonly act: ShownAct }): ReactElement {
  const words = useWords(AUDIT);
  const { actor } = act;
  return (
    <Page title={`${words.act} ${act.id}`} above={{ name: words.title, to: '/audit' }} mark={<Outcome of={act} />}>
      <Columns>
        <Section title={useOperationName(act.operation) ?? act.operation}>
          <Facts
            of={[
              [words.operation, <code key="operation">{act.operation}</code>],
              [words.at, <Instant key="at" at={act.at} isLong />],
              [words.actor, <Beside key="actor" texts={[actor.name || actor.id, words.kinds[actor.kind]]} />],
              ...(act.erasedAs === null ? [] : ([[words.erased, act.erasedAs]] as const)),
              [words.source, act.source],
              [words.request, act.requestId === null ? '—' : <Copyable key="request" text={act.requestId} />],
              [words.merchant, act.merchant ?? '—'],
              [words.target, act.target === null ? '—' : <Copyable key="target" text={act.target} />],
              [words.place, act.place ?? words.notLinked],
            ]}
          />
        </Section>
        <Details of={act.details} />
      </Columns>
    </Page>
  );
}

function Details({ of: details }: { readonly of: ShownAct['details'] }): ReactElement {
  const words = useWords(AUDIT);
  const given = Object.entries<unknown>(details?.given ?? {});
  const changes = Object.entries<unknown>(details?.changes ?? {});
  if (details === null || (details.reason === undefined && given.length + changes.length === 0))
    return <p className="quiet">{words.nothing}</p>;
  return (
    <div>
      {details.reason !== undefined && (
        <Section title={words.reason}>
          <p>{details.reason}</p>
        </Section>
      )}
      {changes.length > 0 && (
        <Section title={words.changes}>
          <Difference of={changes.map(changeOf)} />
        </Section>
      )}
      {given.length > 0 && (
        <Section title={words.given}>
          <Facts of={given.map(([name, value]) => [name, textOf(value)])} />
        </Section>
      )}
    </div>
  );
}

/** A change is a pair of values, or a value alone where there was none before. */
function changeOf([name, change]: readonly [string, unknown]): Change {
  const [from, to]: readonly unknown[] = Array.isArray(change) && change.length === 2 ? change : [null, change];
  return { field: name, name, ...(from !== null && { from: textOf(from) }), ...(to !== null && { to: textOf(to) }) };
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '—' : typeof value === 'string' ? value : JSON.stringify(value);
