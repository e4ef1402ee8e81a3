import type { UserAlert, UserLink } from '../messages/index.ts';
import type { LinkPurpose, MadeLink } from './user-links.ts';
import type { User } from './user.ts';

type Addressee = Pick<User, 'userId' | 'email' | 'language'>;

/** The mail that carries a one-time link. */
export const linkMail = (
  { userId, email: to, language }: Addressee,
  purpose: Exclude<LinkPurpose, 'sign-in'>,
  { text, expiresAt }: MadeLink,
  consoleUrl: string,
  at: Temporal.Instant,
  invitedBy?: string,
): UserLink => ({ kind: 'user_link', purpose, invitedBy, userId, to, language, url: linkUrl(consoleUrl, text), endsAt: expiresAt, at });

/** The mail that says what changed in an account, so that its user notices what somebody else did. */
export const alertMail = ({ userId, email: to, language }: Addressee, event: UserAlert['event'], at: Temporal.Instant): UserAlert => ({
  kind: 'user_alert',
  event,
  userId,
  to,
  language,
  at,
});

/** The page of a one-time link. */
export const linkUrl = (consoleUrl: string, text: string): string => `${consoleUrl}/console/sign-in?link=${text}`;
