import type { HttpRequest } from '../../kit/http.ts';
import type { Language } from '../../kit/language.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { sessionCookie, sessionOf } from '../authenticate.ts';
import { addOwnPasskey, proveByPasskey, removeOwnPasskey, signInByPasskey } from '../proofs/passkeys.ts';
import { proveAgain } from '../proofs/prove-again.ts';
import type { FoundSession } from '../sessions.ts';
import { enrolByPasskey } from '../use-link.ts';
import { ownAct, refusedSignIn } from '../user-acts.ts';
import type { UserRoom } from '../user-room.ts';
import { CONSOLE_PATH } from './page-parts.ts';
import { signInPage } from './render-sign-in.ts';
import { otherWays, ownPage, showLinkPage, visitorOf, type Form, type ShownPage } from './show-pages.ts';

/** Does what a form of passkeys, or of a session's page, asks for. */
export async function actWithPasskey(room: UserRoom, request: HttpRequest, language: Language, form: Form): Promise<ShownPage> {
  const [act, passkey, link] = [form('act'), form('passkey'), form('link')];
  if (act === 'passkey') {
    const opened = await signInByPasskey(room, passkey, visitorOf(request));
    if (!isRefusal(opened)) return { isDone: true, cookie: sessionCookie(opened.text), leadsTo: CONSOLE_PATH };
    room.countUnproved(request);
    await room.recordLone(refusedSignIn(visitorOf(request), room.clock.now(), opened));
    return { status: 422, page: signInPage(language, otherWays(room), '', 'passkey_refused') };
  }
  if (act === 'enrol-passkey') {
    const enrolled = await enrolByPasskey(room, { link, passkey }, visitorOf(request));
    if (!isRefusal(enrolled)) return { isDone: true, cookie: sessionCookie(enrolled.text), leadsTo: CONSOLE_PATH };
    return showLinkPage(room, request, language, link, enrolled.refusal === 'link_invalid' ? undefined : enrolled.refusal);
  }
  const session = await sessionOf(room, request.headers.cookie);
  if (session === undefined) return { status: 422, page: signInPage(language, otherWays(room)) };
  const done = await actInSession(room, request, session, form);
  if (done === undefined || !isRefusal(done)) return { isDone: true };
  await room.recordLone(ownAct(session.user, visitorOf(request), OPERATIONS[act] ?? act, room.clock.now(), `refused:${done.refusal}`));
  return { status: 422, page: await ownPage(room, request, session, done.refusal) };
}

/** What the acts of a session's page are called. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'add-passkey': 'addPasskey',
  'remove-passkey': 'removePasskey',
  'prove-passkey': 'proveAgain',
  prove: 'proveAgain',
};

function actInSession(room: UserRoom, request: HttpRequest, session: FoundSession, form: Form) {
  const visitor = visitorOf(request);
  switch (form('act')) {
    case 'add-passkey':
      return addOwnPasskey(room, session, form('passkey'), visitor);
    case 'remove-passkey':
      return removeOwnPasskey(room, session, form('passkey'), visitor);
    case 'prove-passkey':
      return proveByPasskey(room, session, form('passkey'), visitor);
    case 'prove':
      return proveAgain(room, session, { code: form('code') }, visitor);
    default:
      return undefined;
  }
}
