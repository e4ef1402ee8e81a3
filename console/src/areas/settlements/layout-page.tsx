import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Page, Section } from '../../design/page/page.tsx';
import { save } from '../../design/save.ts';
import { Facts, Instant } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { Account } from './account.tsx';
import { LayoutAct } from './layout-act.tsx';
import { LAYOUTS } from './layout-words.ts';
import { WideText } from './wide-text.tsx';
import styles from './settlements.module.css';

type Layout = Answer<'readBankFileLayout'>['body'];

/** How a bank takes files: what one looks like, and the definition that says so. */
export function LayoutPage(): ReactElement {
  const words = useWords(LAYOUTS);
  const { layout } = usePath<'layout'>();
  const mayWrite = useMay()('settlements:write');
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title={layout}
      above={{ name: words.title, to: '/bank-files/layouts' }}
      acts={
        mayWrite && (
          <Button kind="main" onClick={() => setOpen(true)}>
            {words.change}
          </Button>
        )
      }
    >
      <Load of={useRead('readBankFileLayout', { path: { layout } })}>{({ body }) => <Shown of={body} mayWrite={mayWrite} />}</Load>
      {isOpen && <LayoutAct layout={layout} onClose={() => setOpen(false)} />}
    </Page>
  );
}

function Shown({ of, mayWrite }: { readonly of: Layout; readonly mayWrite: boolean }): ReactElement {
  const words = useWords(LAYOUTS);
  const { layout, version, setAt, sample, ...definition } = of;
  const document = JSON.stringify(definition, null, 2);
  return (
    <>
      <Section title={words.layout}>
        <Facts
          of={[
            [words.kind, words.kinds[of.format]],
            [words.account, <Account key="account" of={of.payer} />],
            [words.zone, of.timeZone],
            [words.version, String(version)],
            [words.setAt, <Instant key="set" at={setAt} isLong />],
          ]}
        />
      </Section>
      <Section title={words.sample}>
        <p className={styles.hint}>{words.sampleHint}</p>
        <WideText name={words.sample} text={sample} />
      </Section>
      <Section
        title={words.document}
        acts={
          // Who may not set it sees a part of the number of the account.
          mayWrite && (
            <Button isSmall icon="download" onClick={() => save(`${layout}.json`, new Blob([document]))}>
              {words.download}
            </Button>
          )
        }
      >
        <WideText name={words.document} text={document} />
      </Section>
    </>
  );
}
