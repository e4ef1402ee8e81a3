import type { HttpReply, HttpRequest } from '../../kit/http.ts';
import { parseQuery } from '../../kit/query-string.ts';
import { cookieOf, endCookie, setCookie } from '../authenticate.ts';
import { SIGN_IN_PATH } from './page-parts.ts';

/** The browser keeps the page of the console that sent it here, while its user signs in. */
const COOKIE = '__Host-caudal-next';
const LIFE_SECONDS = 900;
const PAGE_FORM = /^\/console(?:[/?][\x21-\x5b\x5d-\x7e]{0,2000})?$/;

/** A page of the console, and no other place: `?next=` may come from anywhere. A browser walks up where a path has dots. */
const isOwnPage = (next: string): boolean => PAGE_FORM.test(next) && new URL(next, 'http://localhost').pathname === next.split(/[?#]/)[0];

/** Keeps where the browser came from: `?next=`. */
export function keepWayBack({ raw }: HttpRequest, reply: HttpReply): void {
  const query = parseQuery(raw.url as string);
  const next = query instanceof Map ? query.get('next') : undefined;
  if (next !== undefined && isOwnPage(next)) void reply.header('set-cookie', setCookie(COOKIE, encodeURIComponent(next), LIFE_SECONDS));
}

/** Leads a browser back to where it came from. Without that it goes to `leadsTo`, or to its account. */
export function redirectBack(reply: HttpReply, { leadsTo }: { readonly leadsTo?: string }): HttpReply {
  const kept = cookieOf(COOKIE, reply.request.headers.cookie);
  if (kept === undefined) return reply.redirect(leadsTo ?? SIGN_IN_PATH, 303);
  const next = decoded(kept);
  return reply.header('set-cookie', endCookie(COOKIE)).redirect(isOwnPage(next) ? next : (leadsTo ?? SIGN_IN_PATH), 303);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
