import type { Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { Language } from '../kit/language.ts';
import type { Role } from '../manage/index.ts';
import { dropCredentials, hasCredentials } from './credentials/credential-rows.ts';
import { endSessions } from './sessions.ts';
import { forgetTries } from './sign-in-tries.ts';
import { endLinks, makeLink, type MadeLink } from './user-links.ts';
import { alertMail, linkMail } from './user-mail.ts';
import {
  decideRole,
  emailKeyOf,
  isName,
  isOfMerchant,
  isPlaceholder,
  mayTouch,
  type Giver,
  type Invitation,
  type RoleRefusal,
  type User,
} from './user.ts';
import { insertUser, lockUser, updateUser } from './user-rows.ts';
import type { UserRoom } from './user-room.ts';

type Writing = Pick<UserRoom, 'clock' | 'messages' | 'consoleUrl'>;

/** A user with the link that lets it in. */
export type Invited = { readonly user: User; readonly link: MadeLink };

export type InviteRefusal = RoleRefusal | 'email_invalid' | 'name_invalid' | 'user_exists';

/**
 * Invites a user: adds it, and writes the mail with its link.
 * Refuses: a malformed address or name; an address that has a user; a role that the giver may not give.
 * A giver of one merchant learns nothing of users elsewhere: of such an address a placeholder is added.
 */
export async function inviteUser(room: Writing, tx: Tx, giver: Giver, invitation: Invitation): Promise<Invited | Refusal<InviteRefusal>> {
  const emailKey = emailKeyOf(invitation.email);
  if (emailKey === undefined) return refuse('email_invalid');
  if (!isName(invitation.name)) return refuse('name_invalid');
  const allowed = decideRole(giver, invitation);
  if (isRefusal(allowed)) return allowed;
  const now = room.clock.now();
  const user = await insertUser(tx, invitation, emailKey, now, isOfMerchant(giver));
  return user === undefined ? refuse('user_exists') : { user, link: sendLink(room, tx, giver, user, now) };
}

/** What a change sets. What is absent stays. */
export type UserChange = {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly merchantId?: string | null | undefined;
  readonly language?: Language | undefined;
  readonly state?: 'active' | 'disabled' | undefined;
};

export type ChangeRefusal = RoleRefusal | 'user_unknown' | 'name_invalid' | 'last_owner' | 'not_enrolled' | 'version_mismatch';

type ChangedUser = { readonly before: User; readonly user: User };

/**
 * Changes a user. A new role or state ends its sessions at once.
 * One that never enrolled is invited again when it is enabled. Nobody could sign in as it, so it does not count as the last owner.
 * Refuses: a user that the giver may not see or whose role the giver may not give; the last owner who would lose the role.
 */
export async function changeUser(
  { clock }: Pick<Writing, 'clock'>,
  tx: Tx,
  giver: Giver,
  userId: string,
  change: UserChange,
  isVersionRight: (version: number) => boolean = () => true,
): Promise<ChangedUser | Refusal<ChangeRefusal>> {
  const { user: before, owners } = await lockUser(tx, userId);
  if (before === undefined || !mayTouch(giver, before)) return refuse('user_unknown');
  if (!isVersionRight(before.version)) return refuse('version_mismatch');
  const {
    name = before.name,
    role = before.role,
    merchantId = before.merchantId,
    language = before.language,
    state = before.state,
  } = change;
  if (!isName(name)) return refuse('name_invalid');
  // A change of someone with a higher role needs that role too.
  for (const one of [before, { role, merchantId }]) {
    const allowed = decideRole(giver, one);
    if (isRefusal(allowed)) return allowed;
  }
  if (change.state === 'active' && before.state === 'invited') return refuse('not_enrolled');
  const isEnabled = state === 'active' && before.state === 'disabled';
  const after = {
    ...before,
    name,
    language,
    role,
    merchantId,
    state: isEnabled && !(await hasCredentials(tx, userId)) ? 'invited' : state,
  };
  const isOwner = after.role === 'owner' && after.state === 'active';
  if (!isOwner && owners.length === 1 && owners[0] === userId) return refuse('last_owner');
  if (before.role !== after.role || before.merchantId !== after.merchantId || before.state !== after.state) await endSessions(tx, userId);
  if (after.state === 'disabled') endLinks(tx, userId);
  return { before, user: await updateUser(tx, after, clock.now()) };
}

/**
 * Lets a user enrol again, and writes the mail with a link.
 * Refuses: a user that the giver may not see, or with a role that the giver may not give; a disabled one; a placeholder.
 * A giver of one merchant learns of no placeholder.
 * Effects: password, authenticator app, recovery codes, passkeys, sessions and links end. A mail says so to who had them.
 */
export async function resetUser(
  room: Writing,
  tx: Tx,
  giver: Giver,
  userId: string,
): Promise<Invited | Refusal<'user_unknown' | 'user_disabled' | 'user_exists' | RoleRefusal>> {
  const { user } = await lockUser(tx, userId);
  if (user === undefined || !mayTouch(giver, user)) return refuse('user_unknown');
  const allowed = decideRole(giver, user);
  if (isRefusal(allowed)) return allowed;
  if (user.state === 'disabled') return refuse('user_disabled');
  if (isPlaceholder(user) && !isOfMerchant(giver)) return refuse('user_exists');
  dropCredentials(tx, userId);
  await endSessions(tx, userId);
  endLinks(tx, userId);
  forgetTries(tx, user.emailKey);
  const now = room.clock.now();
  if (user.state === 'active' && !isPlaceholder(user)) room.messages.write(tx, [alertMail(user, 'account_reset', now)]);
  return { user, link: sendLink(room, tx, giver, user, now) };
}

function sendLink({ messages, consoleUrl }: Writing, tx: Tx, giver: Giver, user: User, now: Temporal.Instant): MadeLink {
  const link = makeLink(tx, user.userId, 'enrol', now);
  const invitedBy = giver.kind === 'user' ? giver.name : undefined;
  // Nobody gets the link of a placeholder. Its row is written all the same, so that an answer takes its time.
  const mail = isPlaceholder(user)
    ? alertMail(user, 'invited_elsewhere', now)
    : linkMail(user, 'enrol', link, consoleUrl(), now, invitedBy);
  messages.write(tx, [mail]);
  return link;
}
