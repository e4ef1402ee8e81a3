import type { Tx } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import {
  confirmCodeSecret,
  makeRecoveryCodes,
  offerCodeSecret,
  readOfferedSecret,
  selectPassword,
  setPassword,
} from './credentials/credential-rows.ts';
import { faultOfPassword, type PasswordFault } from './credentials/password-rule.ts';
import { addPasskey } from './proofs/passkeys.ts';
import { endSessions } from './sessions.ts';
import { forgetTries } from './sign-in-tries.ts';
import { openFor, type OpenedSession, type Visitor } from './sign-in.ts';
import { findLink, hasLinkSince, makeLink, spendLink, type LinkPurpose } from './user-links.ts';
import { alertMail, linkMail } from './user-mail.ts';
import { emailKeyOf, isPlaceholder, type User } from './user.ts';
import { ownAct } from './user-acts.ts';
import { lockUser, selectUser, selectUserByEmail, updateUser } from './user-rows.ts';
import type { UserRoom } from './user-room.ts';

const RESET_EVERY_MINUTES = 5;

/** A link that works, and whose it is. */
export type OpenLink = { readonly purpose: LinkPurpose; readonly user: User };

/** Shows whose a link is. It stays as it is. */
export async function openLink({ db, clock }: Pick<UserRoom, 'db' | 'clock'>, text: string): Promise<OpenLink | undefined> {
  const found = await findLink(db, text, clock.now());
  const user = found && (await selectUser(db, found.userId));
  return found === undefined || user === undefined || user.state === 'disabled' || isPlaceholder(user)
    ? undefined
    : { purpose: found.purpose, user };
}

/** The secret for the authenticator app of the user of a link. It is drawn once, so that a page that is loaded again shows the same. */
export async function readLinkSecret({ db, clock, keys }: UserRoom, userId: string): Promise<Buffer> {
  return db.transaction(async (tx) => (await readOfferedSecret(tx, keys, userId)) ?? offerCodeSecret(tx, keys, userId, clock.now()));
}

export type Enrolled = OpenedSession & { readonly recoveryCodes: readonly string[] };
type LinkRefusal = 'link_invalid' | PasswordFault;

/**
 * Uses an invitation up: sets the password, confirms the authenticator app, and signs the user in.
 * Refuses: a link that ended; a password that may not be chosen; a wrong code. Then the link still works.
 */
export async function enrol(
  room: UserRoom,
  { link, password, code }: { readonly link: string; readonly password: string; readonly code: string },
  visitor: Visitor,
): Promise<Enrolled | Refusal<LinkRefusal | 'code_wrong'>> {
  const { db, clock, keys, hasher } = room;
  const opened = await openLink(room, link);
  if (opened?.purpose !== 'enrol') return refuse('link_invalid');
  const fault = faultOfPassword(password, opened.user.email);
  if (fault !== undefined) return refuse(fault);
  const hash = await hasher.hash(password, `user:${opened.user.userId}`);
  return db
    .transaction(async (tx) => {
      const now = clock.now();
      const user = await lockLinkUser(tx, opened.user.userId);
      if (user === undefined) return refuse('link_invalid');
      if (!(await confirmCodeSecret(tx, keys, user.userId, code, now))) return refuse('code_wrong');
      if ((await spendLink(tx, link, 'enrol', now)) !== user.userId) throw new LinkSpent();
      setPassword(tx, user.userId, hash, now);
      const recoveryCodes = makeRecoveryCodes(tx, user.userId);
      const active = await activate(room, tx, user, visitor, now);
      return { ...openFor(room, tx, active, visitor, now), recoveryCodes };
    })
    .catch(refuseSpent);
}

/**
 * Uses an invitation up with a passkey. The user then needs no password.
 * Refuses: a link that ended; a passkey that is not accepted. Then the link still works.
 */
export async function enrolByPasskey(
  room: UserRoom,
  { link, passkey }: { readonly link: string; readonly passkey: string },
  visitor: Visitor,
): Promise<OpenedSession | Refusal<'link_invalid' | 'passkey_refused'>> {
  const opened = await openLink(room, link);
  if (opened?.purpose !== 'enrol') return refuse('link_invalid');
  return room.db
    .transaction(async (tx) => {
      const now = room.clock.now();
      const user = await lockLinkUser(tx, opened.user.userId);
      if (user === undefined) return refuse('link_invalid');
      if (!(await addPasskey(room, tx, user.userId, link, passkey))) return refuse('passkey_refused');
      if ((await spendLink(tx, link, 'enrol', now)) !== user.userId) throw new LinkSpent();
      const active = await activate(room, tx, user, visitor, now);
      return openFor(room, tx, active, visitor, now);
    })
    .catch(refuseSpent);
}

/** Notes that a user has enrolled. */
async function activate(room: UserRoom, tx: Tx, user: User, visitor: Visitor, now: Temporal.Instant): Promise<User> {
  room.recordActs(tx, [ownAct(user, visitor, 'enrol', now)]);
  return user.state === 'active' ? user : updateUser(tx, { ...user, state: 'active' }, now);
}

/** Two requests used one link at the same time. The later one is undone. */
class LinkSpent extends Error {}

function refuseSpent(error: unknown): Refusal<'link_invalid'> {
  if (error instanceof LinkSpent) return refuse('link_invalid');
  throw error;
}

async function lockLinkUser(tx: Tx, userId: string): Promise<User | undefined> {
  const { user } = await lockUser(tx, userId);
  return user?.state === 'disabled' ? undefined : user;
}

/**
 * Uses a link for a new password up. Sessions end. The authenticator app stays: signing in asks for its code.
 * Refuses: a link that ended; a password that may not be chosen.
 */
export async function choosePassword(
  room: UserRoom,
  { link, password }: { readonly link: string; readonly password: string },
  visitor: Visitor,
): Promise<{ readonly user: User } | Refusal<LinkRefusal>> {
  const { db, clock, hasher, messages, recordActs } = room;
  const opened = await openLink(room, link);
  if (opened?.purpose !== 'password') return refuse('link_invalid');
  const fault = faultOfPassword(password, opened.user.email);
  if (fault !== undefined) return refuse(fault);
  const hash = await hasher.hash(password, `user:${opened.user.userId}`);
  return db.transaction(async (tx) => {
    const now = clock.now();
    const user = await lockLinkUser(tx, opened.user.userId);
    if (user === undefined || (await spendLink(tx, link, 'password', now)) === undefined) return refuse('link_invalid');
    setPassword(tx, user.userId, hash, now);
    await endSessions(tx, user.userId);
    forgetTries(tx, user.emailKey);
    messages.write(tx, [alertMail(user, 'password_changed', now)]);
    recordActs(tx, [ownAct(user, visitor, 'choosePassword', now)]);
    return { user };
  });
}

/** Uses a sign-in link up: signs its user in. Only a sandbox makes such links, for its owner. */
export async function signInByLink(room: UserRoom, link: string, visitor: Visitor): Promise<OpenedSession | Refusal<'link_invalid'>> {
  const { db, clock } = room;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const userId = await spendLink(tx, link, 'sign-in', now);
    const user = userId === undefined ? undefined : await lockLinkUser(tx, userId);
    return user?.state === 'active' ? openFor(room, tx, user, visitor, now) : refuse('link_invalid');
  });
}

/** Sends a link for a new password where the address has an active user that has one. It sends none again within minutes. */
export async function sendPasswordLink({ db, clock, messages, consoleUrl }: UserRoom, email: string): Promise<void> {
  const user = await selectUserByEmail(db, emailKeyOf(email) ?? '');
  if (user?.state !== 'active' || (await selectPassword(db, user.userId)) === undefined) return;
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockUser(tx, user.userId);
    if (await hasLinkSince(tx, user.userId, 'password', now.subtract({ minutes: RESET_EVERY_MINUTES }))) return;
    messages.write(tx, [linkMail(user, 'password', makeLink(tx, user.userId, 'password', now), consoleUrl(), now)]);
  });
}
