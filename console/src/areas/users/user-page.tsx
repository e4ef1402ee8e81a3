import { useState, type ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Badge, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { usePath } from '../../shell/address.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import { SHELL } from '../../shell/words.ts';
import { ChangeUser, ResetUser, SignOutUser, SwitchUser } from './user-acts.tsx';
import { USER_TONES, type WholeUser } from './user.ts';
import { USERS } from './words.ts';
import { browserName } from '../../design/values/spoken.ts';

/** One user: the facts, the open sessions, and what can be done. */
export function UserPage(): ReactElement {
  const { user } = usePath<'user'>();
  return <Load of={useRead('readUser', { path: { user } })}>{({ body, etag }) => <Shown user={body} etag={etag} />}</Load>;
}

function Shown({ user, etag }: { readonly user: WholeUser; readonly etag: string | undefined }): ReactElement {
  const words = useWords(USERS);
  const { roles } = useWords(SHELL);
  const may = useMay();
  const isService = useIsService();
  return (
    <Page
      title={user.name || user.email}
      above={{ name: words.title, to: '/users' }}
      mark={<Badge tone={USER_TONES[user.state]}>{words.states[user.state]}</Badge>}
      acts={may('users:write') && <Acts user={user} etag={etag} />}
    >
      <Columns>
        <Section title={words.facts}>
          <Facts
            of={[
              [words.email, <Copyable key="email" text={user.email} isCode={false} />],
              [words.name, user.name],
              [words.role, roles[user.role]],
              [words.merchant, user.merchant ?? words.service],
              [words.language, words.languages[user.language]],
              ...(user.recoveryCodes === null ? [] : ([[words.recoveryCodes, user.recoveryCodes]] as const)),
              [words.created, <Instant key="created" at={user.createdAt} isLong />],
              [words.updated, <Instant key="updated" at={user.updatedAt} isLong />],
            ]}
          />
        </Section>
        <div>
          {user.sessions !== null && <Sessions of={user.sessions} />}
          {isService && may('audit:read') && (
            <ButtonLink icon="audit" to={`/audit?actor=${encodeURIComponent(user.id)}`}>
              {words.acts}
            </ButtonLink>
          )}
        </div>
      </Columns>
    </Page>
  );
}

function Sessions({ of: sessions }: { readonly of: NonNullable<WholeUser['sessions']> }): ReactElement {
  const words = useWords(USERS);
  const language = useLanguage();
  return (
    <Section title={words.sessions}>
      {sessions.length === 0 && <p className="quiet">{words.noSessions}</p>}
      {sessions.map((session) => (
        <Facts
          key={session.id}
          of={[
            [session.browser ? browserName(session.browser, language) : session.address, session.address],
            [words.seen, <Instant key="seen" at={session.seenAt} />],
            [words.ends, <Instant key="ends" at={session.endsAt} />],
          ]}
        />
      ))}
    </Section>
  );
}

type Open = 'change' | 'switch' | 'reset' | 'signOut' | undefined;

function Acts({ user, etag }: { readonly user: WholeUser; readonly etag: string | undefined }): ReactElement {
  const words = useWords(USERS);
  const [open, setOpen] = useState<Open>();
  const props = { user, etag, onClose: () => setOpen(undefined) };
  return (
    <>
      <Button onClick={() => setOpen('change')}>{words.edit}</Button>
      <Button onClick={() => setOpen('signOut')}>{words.signOut}</Button>
      {user.state !== 'disabled' && <Button onClick={() => setOpen('reset')}>{words.reset}</Button>}
      {user.state !== 'invited' && (
        <Button kind={user.state === 'active' ? 'bad' : 'plain'} onClick={() => setOpen('switch')}>
          {user.state === 'active' ? words.disable : words.enable}
        </Button>
      )}
      {open === 'change' && <ChangeUser {...props} />}
      {open === 'signOut' && <SignOutUser {...props} />}
      {open === 'reset' && <ResetUser {...props} />}
      {open === 'switch' && <SwitchUser {...props} />}
    </>
  );
}
