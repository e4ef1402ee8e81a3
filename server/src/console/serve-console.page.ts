import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import type { HttpReply, HttpRequest, HttpServer } from '../kit/http.ts';

/** Where the console is served, and the page of a console that is not built. */
const CONSOLE_PATH = '/console';
const SIGN_IN_PATH = `${CONSOLE_PATH}/sign-in`;
const PAGE = 'index.html';

/** Own files only: no script, style or frame of another place, and none inside the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file of the build, as it is and compressed. */
type Built = { readonly type: string; readonly plain: Buffer; readonly br: Buffer | undefined; readonly gzip: Buffer | undefined };

/**
 * Adds the pages of the console: the files of its build, and its one page at every other address below.
 * Without a build, or where there is none, its address leads to the page of signing in.
 */
export function serveConsole(app: HttpServer, folder: string | undefined): void {
  const files = folder === undefined ? undefined : readBuild(folder);
  const page = files?.get(PAGE);
  if (files === undefined || page === undefined) {
    app.get(CONSOLE_PATH, { schema: { hide: true } }, (_request, reply) => reply.redirect(SIGN_IN_PATH, 303));
    return;
  }
  const showPage = (request: HttpRequest, reply: HttpReply): HttpReply => send(request, reply.headers(HEADERS), page);
  app.get(CONSOLE_PATH, { schema: { hide: true } }, showPage);
  app.get(`${CONSOLE_PATH}/*`, { schema: { hide: true } }, (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    const file = files.get(path);
    if (file === undefined || path === PAGE) return path.startsWith('assets/') ? reply.callNotFound() : showPage(request, reply);
    // The name of a file of the build has a hash of its content.
    return send(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file);
  });
}

function send(request: HttpRequest, reply: HttpReply, { type, plain, br, gzip }: Built): HttpReply {
  const accepted = new Set((request.headers['accept-encoding'] ?? '').split(',').map((coding) => coding.trim()));
  void reply.headers({ 'content-type': type, vary: 'Accept-Encoding' });
  if (br !== undefined && accepted.has('br')) return reply.header('content-encoding', 'br').send(br);
  if (gzip !== undefined && accepted.has('gzip')) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(plain);
}

/** Reads a whole build. Shape: folder → path below it → file; undefined where there is no folder. */
function readBuild(folder: string): ReadonlyMap<string, Built> | undefined {
  if (!existsSync(folder)) return undefined;
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
  const read = (name: string): Buffer | undefined => (names.has(name) ? readFileSync(join(folder, name)) : undefined);
  return new Map(
    [...names].flatMap((name): (readonly [string, Built])[] => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      return [[posix.normalize(name), { type, plain: read(name) as Buffer, br: read(`${name}.br`), gzip: read(`${name}.gz`) }]];
    }),
  );
}
