import type { HttpReply, HttpServer } from '../../kit/http.ts';
import { openGate } from '../../kit/limits/gate.ts';
import { preferredLanguage } from '../../kit/language.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { parseQuery } from '../../kit/query-string.ts';
import { cookieOf, endCookie, sessionCookie, sessionOf, setCookie } from '../authenticate.ts';
import { OPENID_PATH, openOpenId, type OpenIdRefusal, type OpenIdStart } from '../proofs/openid.ts';
import { ownAct, refusedSignIn } from '../user-acts.ts';
import type { UserRoom } from '../user-room.ts';
import { CONSOLE_PATH } from './page-parts.ts';
import { signInPage } from './render-sign-in.ts';
import { otherWays, ownPage, visitorOf, type ShownPage } from './show-pages.ts';

/** What a browser keeps while it is at the provider: state, nonce and verifier. */
const COOKIE = '__Host-caudal-openid';
const LIFE_SECONDS = 600;
const HELD = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})(\.again)?$/;

/** Adds the two routes of the provider: to it, and back from it. */
export function addOpenIdRoutes(app: HttpServer, room: UserRoom, answer: (reply: HttpReply, shown: ShownPage) => HttpReply): void {
  const { openId: settings } = room;
  if (settings === undefined) return;
  const openId = openOpenId(room, settings);
  // Of its own: a slow provider takes no place of who signs in by a password.
  const admit = openGate();

  app.get(`${OPENID_PATH}/start`, { schema: { hide: true } }, async (request, reply) => {
    const isAgain = new URL(request.url, 'http://local').searchParams.has('again');
    const { url, kept } = await admit(request.ip, () => openId.start(isAgain));
    const held = `${kept.state}.${kept.nonce}.${kept.verifier}${isAgain ? '.again' : ''}`;
    return reply.headers({ 'cache-control': 'no-store', 'set-cookie': setCookie(COOKIE, held, LIFE_SECONDS) }).redirect(url, 303);
  });

  app.get(OPENID_PATH, { schema: { hide: true } }, async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language']);
    const [, state = '', nonce = '', verifier = '', again] = HELD.exec(cookieOf(COOKIE, request.headers.cookie) ?? '') ?? [];
    const kept: OpenIdStart = { state, nonce, verifier };
    const query = parseQuery(request.raw.url as string);
    const refused = async (fault: OpenIdRefusal): Promise<HttpReply> => {
      room.countUnproved(request);
      return answer(reply, { status: 422, cookie: endCookie(COOKIE), page: signInPage(language, otherWays(room), '', fault) });
    };
    if (state === '' || !(query instanceof Map)) return refused('openid_refused');
    const back = new URL(request.raw.url as string, 'http://local');
    if (again !== undefined) {
      const session = await sessionOf(room, request.headers.cookie);
      if (session === undefined) return refused('openid_refused');
      const proved = await admit(request.ip, () => openId.prove(back, kept, session, visitorOf(request)));
      if (!isRefusal(proved)) return answer(reply, { isDone: true, cookie: endCookie(COOKIE) });
      await room.recordLone(ownAct(session.user, visitorOf(request), 'proveAgain', room.clock.now(), `refused:${proved.refusal}`));
      return answer(reply, { status: 422, cookie: endCookie(COOKIE), page: await ownPage(room, request, session, proved.refusal) });
    }
    const opened = await admit(request.ip, () => openId.signIn(back, kept, visitorOf(request)));
    if (isRefusal(opened)) {
      await room.recordLone(refusedSignIn(visitorOf(request), room.clock.now(), opened));
      return refused(opened.refusal);
    }
    return answer(reply, { isDone: true, cookie: [sessionCookie(opened.text), endCookie(COOKIE)], leadsTo: CONSOLE_PATH });
  });
}
