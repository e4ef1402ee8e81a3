import type { HttpRequest } from '../../kit/http.ts';
import { preferredLanguage, type Language } from '../../kit/language.ts';
import { listPasskeys } from '../credentials/passkey-rows.ts';
import { OPENID_PATH } from '../proofs/openid.ts';
import { creationOptions, requestOptions } from '../proofs/passkeys.ts';
import { isOwnerByLink, isSandboxOwner, SANDBOX_CONSOLE_PATH } from '../sandbox-owner.ts';
import type { FoundSession } from '../sessions.ts';
import type { Visitor } from '../sign-in.ts';
import { openLink, readLinkSecret } from '../use-link.ts';
import type { UserRoom } from '../user-room.ts';
import { enrolPage, faultPage, passwordPage, sessionPage, welcomePage, type OtherWays } from './render-sign-in.ts';
import type { SignInFault } from './sign-in-words.ts';

/** A page with its status, and the cookie that it sets. */
export type ShownPage = { readonly status?: number; readonly cookie?: string | string[] } & (
  | { readonly page: string }
  /** `leadsTo`: where the browser goes, unless it came to prove something for another page. */
  | { readonly isDone: true; readonly leadsTo?: string }
);

export type Form = (name: string) => string;

export const visitorOf = ({ ip, id, headers }: HttpRequest): Visitor => ({
  address: ip,
  requestId: id,
  browser: headers['user-agent'] ?? '',
});

/** Where people begin to sign in by the provider of identities. Undefined: there is none. */
const openIdPathOf = ({ openId }: UserRoom): string | undefined => openId && `${OPENID_PATH}/start`;

/** The ways to sign in beside password and code. */
export const otherWays = (room: UserRoom): OtherWays => ({
  passkey: requestOptions(room, { act: 'sign-in', of: '' }),
  openIdPath: openIdPathOf(room),
});

/** The page of a session's user. The owner of a sandbox has chosen no language: the browser's speaks. */
export async function ownPage(room: UserRoom, request: HttpRequest, session: FoundSession, fault?: SignInFault): Promise<string> {
  const { user, sessionId, isFresh } = session;
  const isByLink = room.isOfSandboxOwner(request) && isSandboxOwner(user) && (await isOwnerByLink(room.db));
  const language = isByLink ? preferredLanguage(request.headers['accept-language']) : user.language;
  const options = isFresh ? await creationOptions(room, user, sessionId) : requestOptions(room, { act: 'prove', of: sessionId });
  const held = await listPasskeys(room.db, user.userId);
  const ways = { openIdPath: openIdPathOf(room), ...(isByLink && { sandboxPath: SANDBOX_CONSOLE_PATH }) };
  return sessionPage(language, session, { held, options, ...ways }, fault);
}

export async function showLinkPage(
  room: UserRoom,
  request: HttpRequest,
  language: Language,
  link: string,
  fault?: SignInFault,
): Promise<ShownPage> {
  const opened = await openLink(room, link);
  if (opened === undefined) {
    room.countUnproved(request);
    return { status: 410, page: faultPage(language, 'link_invalid') };
  }
  const { user, purpose } = opened;
  const status = fault === undefined ? 200 : 422;
  // The owner of a sandbox has chosen no language: the browser's speaks.
  if (purpose === 'sign-in') return { page: welcomePage(language, link) };
  if (purpose === 'password') return { status, page: passwordPage(user.language, link, fault) };
  const passkey = await creationOptions(room, user, link);
  return {
    status,
    page: enrolPage(user.language, { link, email: user.email, secret: await readLinkSecret(room, user.userId), passkey }, fault),
  };
}
