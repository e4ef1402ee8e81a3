import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Unavailable } from './db.ts';
import { matchAddresses, readForwardedFor } from './limits/address-list.ts';
import type { Log } from './log.ts';
import { SecretUnreadable } from './secrets.ts';
import { isStream, traceRoutes, type Handler } from './traces/trace-routes.ts';
import type { Tracer } from './traces/tracer.ts';

// An import of node:http reads its WebSocket, which loads an HTTP client of 15 MB.
const http = process.getBuiltinModule('node:http');

/** An answer without a business code: it has its own HTTP status, in the envelope of its path (contract §2.6). */
export type Fault = {
  readonly status: 400 | 404 | 405 | 408 | 413 | 429 | 431 | 500 | 503;
  readonly code: string;
  readonly text: string;
};

export const FAULTS = {
  malformed: { status: 400, code: '0011', text: 'La solicitud HTTP no es válida' },
  unknown_route: { status: 404, code: '0940', text: 'La ruta no existe; /docs muestra las que hay' },
  wrong_method: { status: 405, code: '0940', text: 'El método no corresponde a la ruta' },
  too_slow: { status: 408, code: '0011', text: 'La solicitud no llegó completa a tiempo' },
  too_large: { status: 413, code: '0913', text: 'La solicitud es demasiado grande: 256 KiB de cuerpo y 8 KiB de dirección como máximo' },
  too_many_requests: { status: 429, code: '0929', text: 'Demasiadas solicitudes; espere los segundos que indica Retry-After' },
  headers_too_large: { status: 431, code: '0913', text: 'Los encabezados de la solicitud son demasiado grandes' },
  internal: { status: 500, code: '0950', text: 'Error interno; la solicitud no se completó' },
  unavailable: { status: 503, code: '0953', text: 'El servicio no está disponible en este momento; intente de nuevo' },
} as const satisfies Record<string, Fault>;

/** A proxy in front may keep paths closed by how they begin, so `//` is not another way to write `/`. */
const DOUBLE_SLASH = 'La ruta no existe: lleva // donde va una sola /';

export type FaultName = keyof typeof FAULTS;

/** A fault that a request asks for, as in a sandbox. Its text replaces the fault's own. The log does not count it as an error. */
export class FaultAskedFor extends Error {
  override readonly name = 'FaultAskedFor';
  readonly fault: FaultName;
  readonly text: string | undefined;

  constructor(fault: FaultName, text?: string) {
    super(`a fault was asked for: ${fault}`);
    this.fault = fault;
    this.text = text;
  }
}

/** So many requests wait for each other that one more would wait too long. It was refused before any work. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** A sender has used up a limit. Its headers say which, and when to try again. `afterMs`: how long the answer is held back. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  readonly headers: Readonly<Record<string, string>>;
  readonly afterMs: number;

  constructor(headers: Readonly<Record<string, string>>, afterMs = 0) {
    super('too many requests');
    this.headers = headers;
    this.afterMs = afterMs;
  }
}

/** The envelope of faults for the paths with this prefix. The first one that fits answers; the last one fits every path. */
export type FaultEnvelope = {
  readonly prefix: string;
  readonly renderFault: (fault: Fault, name: FaultName) => object;
  /** Where the body is not plain JSON. */
  readonly contentType?: string;
};

export type HttpServer = FastifyInstance;
export type HttpRequest = FastifyRequest;
export type HttpReply = FastifyReply;

export type HttpOptions = {
  readonly log: Log;
  readonly faultEnvelopes: readonly [FaultEnvelope, ...FaultEnvelope[]];
  /** Addresses and networks of proxies, which say for whom they ask. Of all others the address is that of the connection. */
  readonly trustedProxies?: readonly string[];
  /** How long a server that closes still answers on open connections, so that their clients learn of it. */
  readonly announceMs?: number;
  /** The address of a request as its routes know it. Absent: as sent. */
  readonly rewriteUrl?: ((url: string) => string) | undefined;
  /** Called once per answer, for metrics. */
  readonly onAnswer?: (route: string, method: string, status: number, seconds: number) => void;
  readonly tracer?: Tracer | undefined;
};

/** Some clients send whole documents of their own, of which a few members count. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_URL_BYTES = 8 * 1024;
/** A whole request must arrive within this time. Then its connection is closed. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 5_000;
/** Longer than the idle time of common load balancers, so that they, not we, close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection on which nothing moves is cut after this time. So is one whose client does not read. */
const STILL_TIMEOUT_MS = 35_000;
/** Requests of one connection that wait for their answers. Node reads 2,000 of them at once, and each holds memory until its answer is read. */
const MAX_PIPELINED = 64;
const RETRY_AFTER_SECONDS = '1';
/** Time for the other side to read our last answer before its connection is cut. */
const LINGER_MS = 2_000;
/** A request slower than this gets a line in the log. */
const SLOW_SECONDS = 1;

const JSON_TYPE = 'application/json; charset=utf-8';
/** The type that every body is read as. It has its own parser, which the framework finds without parsing the name each time. */
const ANY_TYPE = 'application/octet-stream';
const CALLERS_REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Sends a JSON text, or an object rendered as one. Every answer of this server that is for now alone says when to try again. */
export function sendJson(reply: HttpReply, body: string | object, status = 200, contentType = JSON_TYPE): HttpReply {
  if ((status === 429 || status === 503) && !reply.hasHeader('retry-after')) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .code(status)
    .header('content-type', contentType)
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Node takes the first of several Host headers. A proxy that takes the last would speak of another server. */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** Our own lines name their request, so all requests share one log. The framework would check what a factory makes each time. */
function sharedLog(log: Log): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, { child: { value: () => shared } });
  return shared;
}

/** The path of a request without its query. */
const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/**
 * Makes the HTTP server: limits, request ids, envelopes of faults, and no answer in a library's own form.
 * Handlers get bodies as Buffer, whatever their Content-Type says; undefined where none was sent.
 * Source: contract §2.
 */
export function createHttpServer(
  { log, faultEnvelopes, trustedProxies = [], announceMs = 0, rewriteUrl, onAnswer, tracer }: HttpOptions,
  stillMs = STILL_TIMEOUT_MS,
): HttpServer {
  const ids = requestIds();
  const lastEnvelope = faultEnvelopes.at(-1) ?? faultEnvelopes[0];
  const sendFault = faultSender((url) => faultEnvelopes.find(({ prefix }) => url.startsWith(prefix)) ?? lastEnvelope);
  let isClosing = false;
  const app = fastify({
    loggerInstance: sharedLog(log),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 && matchAddresses(trustedProxies),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: stillMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...(rewriteUrl === undefined ? {} : { rewriteUrl: ({ url = '/' }: IncomingMessage) => rewriteUrl(url) }),
    genReqId: (request) => ids(request.headers['x-request-id']),
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MAX_URL_BYTES + 16 * 1024,
      // Node would refuse it without our envelope. We refuse it below.
      requireHostHeader: false,
      ServerResponse: lastOnClose(() => isClosing) as typeof ServerResponse,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_URL_BYTES, querystringParser: () => ({}) },
    frameworkErrors: (_error, request, reply) => {
      void reply.header('x-request-id', request.id).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
      void sendFault(reply, request.url, 'unknown_route');
    },
    clientErrorHandler: (error, socket) => answerBroken(error, socket),
  });
  const answerBroken = brokenRequestAnswerer(lastEnvelope, ids);
  // Node by itself would answer these two without our envelope, or not at all.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => answerBroken(new Error('there is nothing to connect to'), socket as Socket));

  // Only our code reads requests: the framework would change values and refuse with its own texts.
  app.setValidatorCompiler((() => undefined) as never); // A validator that accepts everything would still be called.
  // Answers are texts already. A serializer for each schema of the OpenAPI document would only take memory.
  app.setSerializerCompiler(() => JSON.stringify);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(ANY_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body.length > 0 ? body : undefined));

  const traced = traceRoutes(app, tracer);
  const tellAnswer = answerTeller(log, onAnswer);
  const underWay = requestsUnderWay();
  app.addHook('onRequest', (request, reply, done) => {
    if (underWay.enter(request.raw.socket) > MAX_PIPELINED) return void request.raw.socket.destroy();
    readProxied(request.raw);
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    if (request.raw.url !== undefined && request.raw.url.length > MAX_URL_BYTES) return void sendFault(reply, request.url, 'too_large');
    if (hostsOf(request.raw.rawHeaders) !== 1 && !(request.headers.host === undefined && request.raw.httpVersion === '1.0'))
      return void sendFault(reply, request.url, 'malformed');
    // Every body is read as JSON. So a malformed or missing Content-Type is not a reason to refuse it (contract §2.2).
    request.raw.headers['content-type'] = ANY_TYPE;
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    underWay.leave(request.raw.socket);
    if (!isStream(reply)) tellAnswer(request, reply);
    done();
  });

  answerErrors(app, sendFault, log);
  answerUnknownRoutes(app, sendFault, traced);
  app.addHook('preClose', () => {
    isClosing = true;
    return announceClose(app, announceMs);
  });
  return app;
}

/** Reads what a proxy says before the framework does, which would take the host from it: many pass that on as a caller wrote it. */
function readProxied({ headers }: IncomingMessage): void {
  delete headers['x-forwarded-host'];
  if (headers['x-forwarded-for'] !== undefined) headers['x-forwarded-for'] = readForwardedFor(headers['x-forwarded-for']);
}

/** Tells the metrics and the log of each answer. */
const answerTeller = (log: Log, onAnswer: HttpOptions['onAnswer']) => (request: HttpRequest, reply: HttpReply) => {
  const seconds = reply.elapsedTime / 1000;
  const route = request.routeOptions.url ?? 'unknown';
  onAnswer?.(route, request.method, reply.statusCode, seconds);
  if (seconds > SLOW_SECONDS) log.warn({ requestId: request.id, route, method: request.method, seconds }, 'slow request');
  else log.debug({ requestId: request.id, route, method: request.method, status: reply.statusCode, seconds }, 'answered');
};

/** Counts the requests under way on each connection. */
function requestsUnderWay() {
  const counts = new WeakMap<Socket, { requests: number }>();
  return {
    /** One more. Shape: → how many there are now. */
    enter: (socket: Socket): number => {
      const count = counts.get(socket);
      if (count !== undefined) return ++count.requests;
      counts.set(socket, { requests: 1 });
      return 1;
    },
    leave: (socket: Socket): void => {
      const count = counts.get(socket);
      if (count !== undefined) count.requests--;
    },
  };
}

/** `text` replaces the fault's own text. */
type SendFault = (reply: HttpReply, url: string, name: FaultName, text?: string) => HttpReply;

const faultSender =
  (envelopeOf: (url: string) => FaultEnvelope): SendFault =>
  (reply, url, name, text) => {
    const fault: Fault = text === undefined ? FAULTS[name] : { ...FAULTS[name], text };
    const { renderFault, contentType } = envelopeOf(url);
    return sendJson(reply, renderFault(fault, name), fault.status, contentType);
  };

/** True for a fault of something outside: it is over once an operator or the database has repaired it. Answered 503. */
export const isOutOfReach = (error: unknown): boolean => error instanceof Unavailable || error instanceof SecretUnreadable;

/** Answers what a handler throws, by its reason: requested, outside, the sender's, or ours. */
function answerErrors(app: HttpServer, sendFault: SendFault, log: Log): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof FaultAskedFor) {
      log.info({ requestId: request.id, fault: error.fault }, error.message);
      return sendFault(reply, request.url, error.fault, error.text);
    }
    if (error instanceof TooManyRequests) {
      const answer = (): HttpReply => sendFault(reply.headers(error.headers), request.url, 'too_many_requests');
      if (error.afterMs < 1) return answer();
      setTimeout(() => void answer(), error.afterMs);
      return undefined;
    }
    if (error instanceof Overloaded) return sendFault(reply, request.url, 'unavailable');
    if (isOutOfReach(error)) {
      log.warn({ requestId: request.id, error }, 'cannot serve now');
      return sendFault(reply, request.url, 'unavailable');
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      // A connection that ends while a body still arrives can take our answer with it. So the rest is read, and dropped.
      request.raw.resume();
      return sendFault(reply.removeHeader('connection'), request.url, 'too_large');
    }
    if (typeof error.statusCode === 'number' && error.statusCode < 500) return sendFault(reply, request.url, 'malformed');
    log.error({ requestId: request.id, error }, 'request failed');
    return sendFault(reply, request.url, 'internal');
  });
}

/** Answers 405 with Allow if the path has a route of another method, else 404. A route may decline: then it is as if it were not there. */
function answerUnknownRoutes(app: HttpServer, sendFault: SendFault, traced: (handle: Handler) => Handler): void {
  const routes: { readonly shape: RegExp; readonly method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const shape = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`);
    for (const one of [method].flat()) routes.push({ shape, method: one });
  });
  const answer = (request: HttpRequest, reply: HttpReply): HttpReply => {
    const path = pathOf(request.url);
    // Some clients put the path behind an address that ends with a slash.
    if (path.includes('//')) return sendFault(reply, request.url, 'unknown_route', DOUBLE_SLASH);
    const allowed = new Set(routes.filter(({ shape }) => shape.test(path)).map(({ method }) => method));
    if (allowed.size === 0 || allowed.has(request.method)) return sendFault(reply, request.url, 'unknown_route');
    return sendFault(reply.header('allow', [...allowed].sort().join(', ')), request.url, 'wrong_method');
  };
  app.setNotFoundHandler(traced(answer));
}

/**
 * Makes the answers of a server: once it closes, each is the last one of its connection. An open connection would delay the end until the
 * other side closes it. It is not a hook: those are called for each answer.
 */
const lastOnClose = (isClosing: () => boolean) =>
  class extends http.ServerResponse {
    override writeHead(status: number, ...more: never[]): this {
      if (isClosing()) this.shouldKeepAlive = false;
      return super.writeHead(status, ...more);
    }
  };

/**
 * Takes no new connection, and answers on the open ones for a while: each answer says that it is the last. A request that is on its way
 * when its connection ends would be lost, and its client could not know whether it was carried out.
 */
async function announceClose({ server }: HttpServer, announceMs: number): Promise<void> {
  if (announceMs === 0 || !server.listening) return;
  let isEnded = false;
  server.once('close', () => (isEnded = true));
  // Node's own `close` of an HTTP server would end the idle connections at once. It cannot be called twice.
  NetServer.prototype.close.call(server);
  server.close = (done = () => undefined) => {
    server.closeIdleConnections();
    if (isEnded) done();
    else server.once('close', () => done());
    return server;
  };
  await delay(announceMs);
}

/** Makes request ids: the caller's own if well-formed, else a random prefix of this process and a counter. */
function requestIds(): (callers: string | string[] | undefined) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (callers) => (typeof callers === 'string' && CALLERS_REQUEST_ID.test(callers) ? callers : `${prefix}-${(++count).toString(36)}`);
}

/**
 * Answers bytes that are not a request: broken HTTP, too large headers, a too slow sender. Then the connection ends.
 * Earlier whole requests on the same connection are answered first: a client expects answers in the order of its requests.
 */
function brokenRequestAnswerer(
  envelope: FaultEnvelope,
  ids: (callers: undefined) => string,
): (error: Error & { code?: string }, socket: Socket) => void {
  const broken = new WeakSet<Socket>();

  function end(socket: Socket, name: FaultName): void {
    // Node keeps the answer under way only here.
    const { _httpMessage: before } = socket as { _httpMessage?: ServerResponse };
    if (before?.req.complete === true) return void before.once('close', () => end(socket, name));
    if (socket.writable) socket.end(renderRaw(name, envelope, ids(undefined)));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
    if (broken.has(socket)) return; // More bytes of the same broken request.
    broken.add(socket);
    socket.resume();
    if (error.code === 'HPE_HEADER_OVERFLOW') end(socket, 'headers_too_large');
    else end(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too_slow' : 'malformed');
  };
}

/** Makes a whole HTTP answer, for a connection without a request that the framework could answer. */
function renderRaw(name: FaultName, envelope: FaultEnvelope, requestId: string): string {
  const fault: Fault = FAULTS[name];
  const body = JSON.stringify(envelope.renderFault(fault, name));
  const head = [
    `HTTP/1.1 ${fault.status} ${http.STATUS_CODES[fault.status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
