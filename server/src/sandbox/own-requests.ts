import { isIP } from 'node:net';
import { sendJson, type FaultEnvelope, type HttpRequest, type HttpServer } from '../kit/http.ts';
import { sandboxFaults } from './sandbox.wire.ts';

export type SandboxNames = {
  /** It listens beyond loopback, and its operator has said that it may. */
  readonly isPublic: boolean;
  /** Addresses that the operator has given to this server. Their hosts are its own names. */
  readonly ownUrls: () => readonly string[];
  /** The envelope of pages. */
  readonly otherFaults: FaultEnvelope;
};

/** Operations prove their caller, and probes show nothing. Pages and routes of the sandbox prove nobody. */
const PROVED_ROUTE = /^\/(?:(?:api|cashout|v1)\/|healthz$|readyz$)/;
const AUTHORITY = /^(?:\[(?<literal>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::[0-9]{1,5})?$/i;

/** The answer to a page elsewhere that uses a visitor's browser to reach this sandbox. */
const FOREIGN = {
  status: 400,
  code: '0011',
  text: 'The Host or the Origin of the request is not this sandbox’s: see docs/operations/sandbox.md',
} as const;

/**
 * Refuses requests to pages and routes of the sandbox that a page elsewhere made a browser send.
 * `Host` gives away a name that was made to resolve to this machine. `Origin` gives away a page of another server.
 * Source: contract §7.6.
 */
export function requireOwnRequests(app: HttpServer, names: SandboxNames): void {
  app.addHook('onRequest', (request, reply, done) => {
    // A path without a route shows nothing, and has an answer of its own.
    if (request.is404 || PROVED_ROUTE.test(request.routeOptions.url ?? '') || isOwn(request, names)) return done();
    const { renderFault } = request.url.startsWith(sandboxFaults.prefix) ? sandboxFaults : names.otherFaults;
    void sendJson(reply, renderFault(FOREIGN, 'malformed'), FOREIGN.status);
  });
}

/**
 * True where a browser on this machine sends the request of its own will: by a name of this machine, and through no proxy. A page
 * elsewhere makes a browser say so. Who reaches a sandbox by a tunnel is somebody else.
 */
export function isFromHere({ ip, headers }: HttpRequest): boolean {
  const { host, 'sec-fetch-site': site } = headers;
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined || headers['x-forwarded-host'] !== undefined)
    return false;
  return (
    isLoopback(ip) && host !== undefined && isOwnHost(host, false) && (site === undefined || site === 'same-origin' || site === 'none')
  );
}

const isLoopback = (ip: string): boolean => ip === '::1' || /^(?:::ffff:)?127\./.test(ip);

function isOwn({ url, headers: { host, origin, 'sec-fetch-site': site } }: HttpRequest, { isPublic, ownUrls }: SandboxNames): boolean {
  const own = new Set(ownUrls().map(hostOf));
  if (host !== undefined && !isOwnHost(host, isPublic) && !own.has(nameOf(host))) return false;
  if (origin === undefined) return true;
  // A page that sends no referrer has this origin. What it opens here carries the token of a checkout, or is of this very sandbox.
  if (origin === 'null') return site === 'same-origin' || url.startsWith('/checkout');
  return hostOf(origin) === nameOf(host ?? '') || own.has(hostOf(origin));
}

/** A name with a dot may be anybody's, and may resolve to any address. An address is only itself. */
function isOwnHost(host: string, isPublic: boolean): boolean {
  const { literal, name = '' } = AUTHORITY.exec(host)?.groups ?? {};
  if (literal !== undefined) return isIP(literal) === 6 && (isPublic || literal === '::1');
  const label = name.toLowerCase();
  if (label === 'localhost' || label.endsWith('.localhost')) return true;
  if (isIP(label) === 4) return isPublic || label.startsWith('127.');
  return isPublic && label !== '' && !label.includes('.');
}

/** `Host` with its port: another port of this machine is another server. */
const nameOf = (host: string): string => host.toLowerCase();

/** The authority of an address, with or without a scheme. */
const hostOf = (url: string): string => (/^(?:https?:\/\/)?(?<authority>[^/?#]*)/i.exec(url)?.groups?.['authority'] ?? '').toLowerCase();
