import type { ReactElement } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Facts } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Clock } from './clock.tsx';
import { Collect, Pay } from './simulate.tsx';
import { SANDBOX } from './words.ts';

/** The controls of a sandbox: time, payments, collections, faults, and what was sent. */
export function SandboxPage(): ReactElement {
  const words = useWords(SANDBOX);
  return (
    <Page
      title={words.title}
      acts={
        <ButtonLink icon="messages" to="/sandbox/inbox">
          {words.inbox}
        </ButtonLink>
      }
    >
      <Columns>
        <div>
          <Clock />
        </div>
        <div>
          <Pay />
          <Collect />
          <Section title={words.faults}>
            <p className="small quiet">{words.faultsHint}</p>
            <Facts of={Object.entries(words.faultNames).map(([name, what]) => [`X-Sandbox-Fault: ${name}`, what])} />
          </Section>
        </div>
      </Columns>
    </Page>
  );
}
