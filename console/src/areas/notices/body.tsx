import type { ReactElement } from 'react';
import { ABOUT } from '../../about/words.ts';
import { useRead } from '../../api/queries.ts';
import { Difference } from '../../design/values/difference.tsx';
import { Select } from '../../design/form/field.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { Copyable } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useAddress } from '../../shell/address.ts';
import { useWords, wordFor } from '../../shell/language.ts';
import { fieldChanges, printBody } from './body-changes.ts';
import type { NoticeProps, WholeNotice } from './whole-notice.ts';
import { NOTICES } from './words.ts';
import styles from './notices.module.css';

/** What the merchant's server gets, and how it differs from another notice about the same. */
export function Body({ notice }: NoticeProps): ReactElement | null {
  const words = useWords(NOTICES);
  const { copy } = useWords(DESIGN);
  if (notice.body === null)
    return (
      <Section title={words.body}>
        <p className="quiet">{words.noBody}</p>
      </Section>
    );
  return (
    <>
      <Section
        title={words.body}
        acts={
          <Copyable text={notice.body} isCode={false}>
            <span className="small quiet">{copy}</span>
          </Copyable>
        }
      >
        <pre className={styles['body']} tabIndex={0} aria-label={words.body}>
          {printBody(notice.body)}
        </pre>
      </Section>
      {notice.kind === 'order' && <OfOrder notice={notice} body={notice.body} />}
      {notice.kind === 'cashout' && <OfCashout notice={notice} body={notice.body} />}
    </>
  );
}

type OtherProps = NoticeProps & { readonly body: string };
type Others = readonly { readonly id: string; readonly status: string }[];

function OfOrder({ notice, body }: OtherProps): ReactElement {
  const { merchant, subject: order } = notice;
  const { data } = useRead('readOrder', { path: { merchant, order } });
  return <CompareBodies notice={notice} body={body} all={data?.body.notices ?? []} />;
}

function OfCashout({ notice, body }: OtherProps): ReactElement {
  const { merchant, subject: operation } = notice;
  const { data } = useRead('readCashout', { path: { merchant, operation } });
  return <CompareBodies notice={notice} body={body} all={data?.body.notices ?? []} />;
}

/** Other notices about the same order or cashout. The one that is chosen is in the address. */
function CompareBodies({ notice, body, all }: OtherProps & { readonly all: Others }): ReactElement | null {
  const words = useWords(NOTICES);
  const { statuses } = useWords(ABOUT);
  const [search, set] = useAddress();
  const others = all.filter(({ id }) => id !== notice.id);
  if (others.length === 0) return null;
  const chosen = others.find(({ id }) => id === search['with'])?.id ?? '';
  return (
    <Section title={words.compareBodies}>
      <Select
        label={words.other}
        value={chosen}
        onValue={(value) => set({ with: value }, { isNew: false })}
        options={[
          { value: '', text: '' },
          ...others.map(({ id, status }) => ({ value: id, text: `${wordFor(statuses, status)} · ${id}` })),
        ]}
      />
      {chosen !== '' && <Compared id={chosen} body={body} />}
    </Section>
  );
}

function Compared({ id, body }: { readonly id: WholeNotice['id']; readonly body: string }): ReactElement {
  const words = useWords(NOTICES);
  return (
    <Load of={useRead('readNotice', { path: { notice: id } })} lines={3}>
      {({ body: other }) => {
        const changes = fieldChanges(other.body ?? '{}', body);
        return changes.length === 0 ? <p>{words.same}</p> : <Difference of={changes} />;
      }}
    </Load>
  );
}
