import { useState, type ReactElement, type ReactNode } from 'react';
import { setNoticeUrl, setReturnUrl } from '../../api/generated/rules/merchants.ts';
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

type OfMerchant = { readonly of: DevelopersMerchant };

/** Where the notices of a merchant go. */
export function NoticeUrl({ of: merchant }: OfMerchant): ReactElement {
  const words = useWords(DEVELOPERS);
  const may = useMay();
  const test = useWrite('sendTestNotice', { changes: ['listNotices'] });
  return (
    <Url
      of={merchant}
      name="noticeUrl"
      acts={
        may('notices:send') &&
        merchant.noticeUrl !== null && (
          <Button isSmall isBusy={test.isPending} onClick={() => test.mutate({ path: { merchant: merchant.merchant } })}>
            {words.test}
          </Button>
        )
      }
    >
      {test.error !== null && <Refused problem={test.error} />}
      {test.data !== undefined && <Tested key={test.data.body.notice} notice={test.data.body.notice} />}
    </Url>
  );
}

/** Where payers are led back to. */
export const ReturnUrl = ({ of: merchant }: OfMerchant): ReactElement => <Url of={merchant} name="returnUrl" />;

type Named = OfMerchant & { readonly name: 'noticeUrl' | 'returnUrl' };

function Url({ of: merchant, name, acts, children }: Named & { readonly acts?: ReactNode; readonly children?: ReactNode }): ReactElement {
  const words = useWords(DEVELOPERS);
  const { title, none } = words.urls[name];
  const canWrite = useMay()('secrets:write');
  const [isOpen, setOpen] = useState(false);
  const url = merchant[name];
  return (
    <Section
      title={title}
      acts={
        <>
          {acts}
          {canWrite && (
            <Button isSmall onClick={() => setOpen(true)} aria-label={`${words.change}: ${title}`}>
              {words.change}
            </Button>
          )}
        </>
      }
    >
      {url === null ? <p className="quiet">{none}</p> : <Copyable text={url} />}
      {children}
      {isOpen && <ChangeUrl of={merchant} name={name} onClose={() => setOpen(false)} />}
    </Section>
  );
}

const OPERATIONS = { noticeUrl: 'setNoticeUrl', returnUrl: 'setReturnUrl' } as const;
const RULES = { noticeUrl: setNoticeUrl.body, returnUrl: setReturnUrl.body };

function ChangeUrl({ of: merchant, name, onClose }: Named & { readonly onClose: () => void }): ReactElement {
  const words = useWords(DEVELOPERS);
  const { title, what, hint } = words.urls[name];
  const write = useWrite(OPERATIONS[name], { changes: ['readMerchant'], onDone: useSaved(onClose) });
  const { noticeUrl, returnUrl } = merchant;
  const initial = { noticeUrl: noticeUrl ?? '', returnUrl: returnUrl ?? '' };
  const form = useForm(initial, { rule: RULES[name], problem: write.error });
  const send = (): void => {
    if (!form.isReady()) return;
    const url = form.values[name] || null;
    write.mutate({ path: { merchant: merchant.merchant }, body: name === 'noticeUrl' ? { noticeUrl: url } : { returnUrl: url } });
  };
  return (
    <Act
      title={`${words.change}: ${title}`}
      onClose={onClose}
      what={what}
      undo={words.urlUndo}
      button={words.change}
      write={write}
      onAct={send}
    >
      <Field label={title} hint={hint} {...form.field(name)} />
    </Act>
  );
}
