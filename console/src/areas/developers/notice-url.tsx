import { useState, type ReactElement } from 'react';
import { setNoticeUrl } from '../../api/generated/rules/merchants.ts';
import { useWrite } from '../../api/queries.ts';
import { Act, Refused } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/form/field.tsx';
import { Section } from '../../design/page/page.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Copyable } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import type { DevelopersMerchant } from './secrets.tsx';
import { Tested } from './tested.tsx';
import { DEVELOPERS } from './words.ts';

/** Where the notices of a merchant go. */
export function NoticeUrl({ of: merchant }: { readonly of: DevelopersMerchant }): ReactElement {
  const words = useWords(DEVELOPERS);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const test = useWrite('sendTestNotice', { changes: ['listNotices'] });
  return (
    <Section
      title={words.noticeUrl}
      acts={
        <>
          {may('notices:send') && merchant.noticeUrl !== null && (
            <Button isSmall isBusy={test.isPending} onClick={() => test.mutate({ path: { merchant: merchant.merchant } })}>
              {words.test}
            </Button>
          )}
          {may('secrets:write') && (
            <Button isSmall onClick={() => setOpen(true)} aria-label={`${words.change}: ${words.noticeUrl}`}>
              {words.change}
            </Button>
          )}
        </>
      }
    >
      {merchant.noticeUrl === null ? <p className="quiet">{words.noNoticeUrl}</p> : <Copyable text={merchant.noticeUrl} />}
      {test.error !== null && <Refused problem={test.error} />}
      {test.data !== undefined && <Tested key={test.data.body.notice} notice={test.data.body.notice} />}
      {isOpen && <ChangeUrl of={merchant} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function ChangeUrl({ of: merchant, onClose }: { readonly of: DevelopersMerchant; readonly onClose: () => void }): ReactElement {
  const words = useWords(DEVELOPERS);
  const write = useWrite('setNoticeUrl', { changes: ['readMerchant'], onDone: useSaved(onClose) });
  const { values, field, isReady } = useForm({ noticeUrl: merchant.noticeUrl ?? '' }, { rule: setNoticeUrl.body, problem: write.error });
  return (
    <Act
      title={`${words.change}: ${words.noticeUrl}`}
      onClose={onClose}
      what={words.urlWhat}
      undo={words.urlUndo}
      button={words.change}
      write={write}
      onAct={() => isReady() && write.mutate({ path: { merchant: merchant.merchant }, body: { noticeUrl: values.noticeUrl || null } })}
    >
      <Field label={words.noticeUrl} hint={words.urlHint} {...field('noticeUrl')} />
    </Act>
  );
}
