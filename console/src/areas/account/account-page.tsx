import { useId, useState, type ReactElement } from 'react';
import { usePermissionName } from '../../about/permissions.ts';
import { changePassword } from '../../api/generated/rules/you.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { Field } from '../../design/form/field.tsx';
import { copyText, save } from '../../design/save.ts';
import { DESIGN } from '../../design/words.ts';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Badge, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { Rows } from '../../list/rows.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMe, useZoneOf } from '../../shell/me.tsx';
import { useUnsaved } from '../../shell/unsaved.ts';
import { SHELL } from '../../shell/words.ts';
import { ACCOUNT } from './words.ts';
import { browserName, zoneName } from '../../design/values/spoken.ts';

/** The user's own account: who it is, how it signs in, and where it is signed in. */
export function AccountPage(): ReactElement {
  const language = useLanguage();
  const words = useWords(ACCOUNT);
  const { roles } = useWords(SHELL);
  const nameOf = usePermissionName();
  const me = useMe();
  return (
    <Page title={words.title}>
      <Columns>
        <div>
          <Sessions />
          <SignInWays />
        </div>
        <div>
          <Section title={words.who}>
            <Facts
              of={[
                [words.email, me.name],
                [words.role, me.role === null ? '—' : roles[me.role]],
                [words.merchant, me.merchant ?? words.everyMerchant],
                [words.zone, zoneName(me.timeZone ?? 'UTC', language)],
              ]}
            />
          </Section>
          <Section title={words.may}>
            <ul>
              {me.permissions.map((one) => (
                <li key={one} title={one}>
                  {nameOf(one)}
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </Columns>
    </Page>
  );
}

/** What people call it, and on hover what it calls itself. */
function Browser({ of: name }: { readonly of: string }): ReactElement {
  const language = useLanguage();
  return <span title={name}>{name === '' ? '—' : browserName(name, language)}</span>;
}

function Sessions(): ReactElement {
  const words = useWords(ACCOUNT);
  const say = useSay();
  const zone = useZoneOf()(null);
  const [isEndingAll, setEndingAll] = useState(false);
  const sessions = useRead('listSessions', {});
  const end = useWrite('endSession', { changes: ['listSessions'], onDone: () => say(words.ended) });
  const endAll = useWrite('endSessions', { onDone: () => location.assign('/console/sign-in') });
  return (
    <Section title={words.sessions} acts={<Button onClick={() => setEndingAll(true)}>{words.endEverywhere}</Button>} isBare>
      <Load of={sessions}>
        {({ body }) => (
          <Rows
            items={body.items}
            keyOf={({ id }) => id}
            columns={[
              { id: 'browser', title: words.browser, cell: ({ browser }) => <Browser of={browser} /> },
              { id: 'address', title: words.address, cell: ({ address }) => address },
              { id: 'seen', title: words.seen, cell: ({ seenAt }) => <Instant at={seenAt} zone={zone} /> },
              {
                id: 'end',
                title: words.end,
                cell: ({ id, isThis }) =>
                  isThis ? (
                    <Badge tone="good">{words.this}</Badge>
                  ) : (
                    <Button isSmall isBusy={end.isPending} onClick={() => end.mutate({ path: { session: id } })}>
                      {words.end}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Load>
      {isEndingAll && (
        <Act
          title={words.endEverywhere}
          onClose={() => setEndingAll(false)}
          what={words.endWhat}
          button={words.endEverywhere}
          isBad
          write={endAll}
          onAct={() => endAll.mutate({})}
        />
      )}
    </Section>
  );
}

function SignInWays(): ReactElement {
  const words = useWords(ACCOUNT);
  const [asks, setAsks] = useState<'password' | 'codes'>();
  const close = (): void => setAsks(undefined);
  return (
    <Section title={words.proof}>
      <Facts
        of={[
          [
            words.passkeys,
            <>
              <a href="/console/sign-in">{words.passkeysGo}</a>
              <p className="small quiet">{words.passkeysHint}</p>
            </>,
          ],
          [
            words.password,
            <Button key="password" isSmall onClick={() => setAsks('password')}>
              {words.change}
            </Button>,
          ],
          [
            words.codes,
            <>
              <Button isSmall onClick={() => setAsks('codes')}>
                {words.renew}
              </Button>
              <p className="small quiet">{words.codesHint}</p>
            </>,
          ],
        ]}
      />
      {asks === 'password' && <ChangePassword onClose={close} />}
      {asks === 'codes' && <RenewCodes onClose={close} />}
    </Section>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(ACCOUNT);
  const write = useWrite('changePassword', { changes: ['listSessions'], onDone: useDone(onClose, words.changed) });
  const { values, field, isReady } = useForm({ password: '' }, { rule: changePassword.body, required: ['password'], problem: write.error });
  return (
    <Act
      title={words.change}
      onClose={onClose}
      what={words.passwordWhat}
      button={words.change}
      write={write}
      onAct={() => isReady() && write.mutate({ body: values })}
    >
      <Field label={words.newPassword} type="password" autoComplete="new-password" {...field('password')} />
    </Act>
  );
}

/** The codes, the only time that they are shown. */
function NewCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }): ReactElement {
  const words = useWords(ACCOUNT);
  const design = useWords(DESIGN);
  const say = useSay();
  const [isKept, setKept] = useState(false);
  useUnsaved(useId(), !isKept);
  const text = `${codes.join('\n')}\n`;
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return say(design.notCopied, { isBad: true });
    setKept(true);
    say(words.codesCopied);
  };
  const download = (): void => {
    save(`caudal-${words.codesFile}.txt`, new Blob([text], { type: 'text/plain' }));
    setKept(true);
  };
  return (
    <Dialog title={words.codes} onClose={onClose}>
      <p>{words.renewed}</p>
      <ul>
        {codes.map((code, place) => (
          <li key={code}>
            <Copyable name={`${words.codes} ${place + 1}`} text={code} />
          </li>
        ))}
      </ul>
      <p>
        <Button icon="copy" onClick={() => void copy()}>
          {words.copyCodes}
        </Button>{' '}
        <Button icon="download" onClick={download}>
          {words.downloadCodes}
        </Button>
      </p>
    </Dialog>
  );
}

function RenewCodes({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(ACCOUNT);
  const write = useWrite('renewRecoveryCodes');
  if (write.data !== undefined) return <NewCodes codes={write.data.body.recoveryCodes} onClose={onClose} />;
  return (
    <Act title={words.renew} onClose={onClose} what={words.renewWhat} button={words.renew} write={write} onAct={() => write.mutate({})} />
  );
}
