import { readFileSync } from 'node:fs';
import type { HttpReply, HttpRequest, HttpServer } from '../../kit/http.ts';
import { preferredLanguage, type Language } from '../../kit/language.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { isOwnOrigin } from '../../kit/limits/own-origin.ts';
import { parseQuery } from '../../kit/query-string.ts';
import { endedCookie, sessionCookie, sessionOf } from '../authenticate.ts';
import { endSession, type FoundSession } from '../sessions.ts';
import { isOwnerByLink, SANDBOX_CONSOLE_PATH } from '../sandbox-owner.ts';
import { signIn, type Visitor } from '../sign-in.ts';
import { choosePassword, enrol, sendPasswordLink, signInByLink } from '../use-link.ts';
import { ownAct, refusedSignIn } from '../user-acts.ts';
import type { UserRoom } from '../user-room.ts';
import { addOpenIdRoutes } from './openid.page.ts';
import { keepWayBack, redirectBack } from './way-back.ts';
import { CONSOLE_PATH, PAGE_HEADERS, SCRIPT_PATH, SIGN_IN_PATH } from './page-parts.ts';
import { actWithPasskey } from './passkey-acts.ts';
import { faultPage, forgotPage, passwordChangedPage, recoveryPage, signInPage } from './render-sign-in.ts';
import { otherWays, ownPage, showLinkPage, visitorOf, type Form, type ShownPage } from './show-pages.ts';
import type { SignInFault } from './sign-in-words.ts';

const SCRIPT = readFileSync(new URL('passkeys.js', import.meta.url), 'utf8');

/** Adds the pages on which people sign in. They work without a script, except for passkeys. */
export function addSignInPages(app: HttpServer, room: UserRoom): void {
  app.get(SIGN_IN_PATH, { schema: { hide: true } }, async (request, reply) => {
    keepWayBack(request, reply);
    return answer(reply, await show(room, request));
  });
  app.post(SIGN_IN_PATH, { schema: { hide: true } }, async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language']);
    // A page elsewhere cannot sign anyone in or out: browsers say from which page a form comes.
    if (!isOwnOrigin(request.headers, request.host)) return answer(reply, { status: 403, page: faultPage(language, 'foreign') });
    return answer(reply, await room.admit(request.ip, () => act(room, request, language, readForm(request.body))));
  });
  app.get(SCRIPT_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }).send(SCRIPT),
  );
  addOpenIdRoutes(app, room, answer);
}

function answer(reply: HttpReply, shown: ShownPage): HttpReply {
  void reply.headers(PAGE_HEADERS);
  if (shown.cookie !== undefined) void reply.header('set-cookie', shown.cookie);
  if ('isDone' in shown) return redirectBack(reply, shown);
  return reply.code(shown.status ?? 200).send(shown.page);
}

function readForm(body: unknown): Form {
  const form = Buffer.isBuffer(body) ? parseQuery(`?${body.toString('latin1')}`) : undefined;
  return (name) => (form instanceof Map ? form.get(name) : undefined) ?? '';
}

async function show(room: UserRoom, request: HttpRequest): Promise<ShownPage> {
  const query = parseQuery(request.raw.url as string);
  const language = preferredLanguage(request.headers['accept-language']);
  const link = query instanceof Map ? query.get('link') : undefined;
  if (link !== undefined) return showLinkPage(room, request, language, link);
  if (query instanceof Map && query.has('forgot')) return { page: forgotPage(language, false) };
  const session = await sessionOf(room, request.headers.cookie);
  if (session !== undefined) return { page: await ownPage(room, request, session) };
  const isOwner = room.isOfSandboxOwner(request) && (await isOwnerByLink(room.db));
  return { page: signInPage(language, { ...otherWays(room), ...(isOwner && { sandboxPath: SANDBOX_CONSOLE_PATH }) }) };
}

async function act(room: UserRoom, request: HttpRequest, language: Language, form: Form): Promise<ShownPage> {
  const [link, password, code, email] = [form('link'), form('password'), form('code'), form('email')];
  switch (form('act')) {
    case 'sign-in': {
      const opened = await signIn(room, { email, password, code }, visitorOf(request));
      if (isRefusal(opened)) {
        await room.recordLone(refusedSignIn(visitorOf(request), room.clock.now(), opened));
        return { status: 422, page: signInPage(language, otherWays(room), email, 'sign_in_refused') };
      }
      return { isDone: true, cookie: sessionCookie(opened.text), leadsTo: CONSOLE_PATH };
    }
    case 'use-link': {
      const opened = await signInByLink(room, link, visitorOf(request));
      if (isRefusal(opened)) return showLinkPage(room, request, language, link);
      return { isDone: true, cookie: sessionCookie(opened.text), leadsTo: CONSOLE_PATH };
    }
    case 'enrol': {
      const enrolled = await enrol(room, { link, password, code }, visitorOf(request));
      if (isRefusal(enrolled)) return showLinkPage(room, request, language, link, faultOf(enrolled.refusal));
      return { cookie: sessionCookie(enrolled.text), page: recoveryPage(enrolled.user.language, enrolled.recoveryCodes) };
    }
    case 'password': {
      const chosen = await choosePassword(room, { link, password }, visitorOf(request));
      if (isRefusal(chosen)) return showLinkPage(room, request, language, link, faultOf(chosen.refusal));
      return { page: passwordChangedPage(chosen.user.language) };
    }
    case 'forgot':
      room.countUnproved(request);
      room.later(() => sendPasswordLink(room, email));
      return { page: forgotPage(language, true) };
    case 'sign-out': {
      const session = await sessionOf(room, request.headers.cookie);
      if (session !== undefined) await signOut(room, session, visitorOf(request));
      return { isDone: true, cookie: endedCookie };
    }
    default:
      return actWithPasskey(room, request, language, form);
  }
}

const signOut = ({ db, clock, recordActs }: UserRoom, { user, sessionId }: FoundSession, visitor: Visitor): Promise<void> =>
  db.transaction(async (tx) => {
    if (await endSession(tx, user.userId, sessionId)) recordActs(tx, [ownAct(user, visitor, 'endSession', clock.now())]);
  });

/** A link that has ended has a page of its own. */
const faultOf = (refusal: SignInFault): SignInFault | undefined => (refusal === 'link_invalid' ? undefined : refusal);
