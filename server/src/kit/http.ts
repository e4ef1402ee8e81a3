import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
import type { Log } from './log.ts';
import { SecretUnreadable } from './secrets.ts';

/** What is not a business answer: it has its own HTTP status and the door's envelope (contract §2.6). */
export type Fault = {
  readonly status: 400 | 404 | 405 | 408 | 413 | 431 | 500 | 503;
  readonly code: string;
  readonly text: string;
};

const FAULTS = {
  malformed: { status: 400, code: '0011', text: 'La solicitud HTTP no es válida' },
  unknown_route: { status: 404, code: '0940', text: 'La ruta no existe' },
  wrong_method: { status: 405, code: '0940', text: 'El método no corresponde a la ruta' },
  too_slow: { status: 408, code: '0011', text: 'La solicitud no llegó completa a tiempo' },
  too_large: { status: 413, code: '0913', text: 'La solicitud es demasiado grande: 64 KiB de cuerpo y 8 KiB de dirección como máximo' },
  headers_too_large: { status: 431, code: '0913', text: 'Los encabezados de la solicitud son demasiado grandes' },
  internal: { status: 500, code: '0950', text: 'Error interno; la solicitud no se completó' },
  unavailable: { status: 503, code: '0953', text: 'El servicio no está disponible en este momento; intente de nuevo' },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** A fault that a request asks for, as in a sandbox: it is answered with this text where one is given, and is nobody's trouble. */
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

/** One family of paths with an envelope of its own. The first door whose prefix fits answers; the last one fits everything. */
export type Door = { readonly prefix: string; readonly renderFault: (fault: Fault) => object };

export type HttpServer = FastifyInstance;
export type HttpRequest = FastifyRequest;
export type HttpReply = FastifyReply;

export type HttpOptions = {
  readonly log: Log;
  readonly doors: readonly [Door, ...Door[]];
  /** Called once per answer, for metrics. */
  readonly onAnswer?: (route: string, method: string, status: number, seconds: number) => void;
};

export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_URL_BYTES = 8 * 1024;
/** A whole request must have arrived within this time; a slow sender is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 5_000;
/** Longer than the idle time of common load balancers, so that they, not we, close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const RETRY_AFTER_SECONDS = '1';
/** A connection that we ended is left this long to the other side, which may still read our answer, before it is cut. */
const LINGER_MS = 2_000;
/** A request slower than this is worth a line in the log. */
const SLOW_SECONDS = 1;

const JSON_TYPE = 'application/json; charset=utf-8';
/** What every body is taken for: a type with a parser of its own, which the framework finds without parsing the name each time. */
const ANY_TYPE = 'application/octet-stream';
const CALLERS_REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Sends a JSON text, or an object to be rendered as one, with the headers of every answer of ours. */
export function sendJson(reply: HttpReply, body: string | object, status = 200): HttpReply {
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The path of a request without its query. */
const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/**
 * Makes the HTTP server: limits, request ids, envelopes of what is not a business answer, and no answer in a library's own shape.
 * Bodies arrive at the handlers as Buffer, whatever their Content-Type says; they are absent where none was sent.
 * Source: contract §2.
 */
export function createHttpServer({ log, doors, onAnswer }: HttpOptions): HttpServer {
  const ids = requestIds();
  const lastDoor = doors.at(-1) ?? doors[0];
  const doorOf = (url: string): Door => doors.find(({ prefix }) => url.startsWith(prefix)) ?? lastDoor;
  const sendFault: SendFault = (reply, url, name, text) => {
    const fault: Fault = text === undefined ? FAULTS[name] : { ...FAULTS[name], text };
    if (fault.status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS);
    return sendJson(reply, doorOf(url).renderFault(fault), fault.status);
  };

  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    // Our lines name their request themselves: a log for each request would be made for nothing.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: (request) => ids(request.headers['x-request-id']),
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MAX_URL_BYTES + 16 * 1024,
      // Node would refuse it without our envelope; we do so below.
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_URL_BYTES, querystringParser: () => ({}) },
    frameworkErrors: (_error, request, reply) => {
      void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
      void sendFault(reply, request.url, 'unknown_route');
    },
    clientErrorHandler: (error, socket) => answerBroken(error, socket),
  });
  const answerBroken = brokenRequestAnswerer(lastDoor, ids);
  // Left to Node, these two would be answered without our envelope, or not at all.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => answerBroken(new Error('there is nothing to connect to'), socket as Socket));

  // Our parsing alone decides what a request is: the framework would change values and refuse in its own words.
  app.setValidatorCompiler((() => undefined) as never); // A validator that lets everything pass would still be asked.
  // Answers are texts already: a serializer for each schema of the OpenAPI document would only take memory.
  app.setSerializerCompiler(() => JSON.stringify);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(ANY_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body.length > 0 ? body : undefined));

  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    if (request.raw.url !== undefined && request.raw.url.length > MAX_URL_BYTES) return void sendFault(reply, request.url, 'too_large');
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return void sendFault(reply, request.url, 'malformed');
    // A misshapen or missing Content-Type must not be a reason to refuse a body that is read as JSON anyway (contract §2.2).
    request.raw.headers['content-type'] = ANY_TYPE;
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    const route = request.routeOptions.url ?? 'unknown';
    onAnswer?.(route, request.method, reply.statusCode, seconds);
    if (seconds > SLOW_SECONDS) log.warn({ requestId: request.id, route, method: request.method, seconds }, 'slow request');
    else log.debug({ requestId: request.id, route, method: request.method, status: reply.statusCode, seconds }, 'answered');
    done();
  });

  answerErrors(app, sendFault, log);
  answerUnknownRoutes(app, sendFault);
  endConnectionsOnClose(app);
  return app;
}

/** `text`: in place of the fault's own. */
type SendFault = (reply: HttpReply, url: string, name: FaultName, text?: string) => HttpReply;

/** True for a fault that is neither the caller's nor ours: it passes once somebody mends what we stand on. Answered 503. */
export const isOutOfReach = (error: unknown): boolean => error instanceof Unavailable || error instanceof SecretUnreadable;

/** What a handler throws is told apart here, once: asked for, out of reach, the sender's, or ours. */
function answerErrors(app: HttpServer, sendFault: SendFault, log: Log): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof FaultAskedFor) {
      log.info({ requestId: request.id, fault: error.fault }, error.message);
      return sendFault(reply, request.url, error.fault, error.text);
    }
    if (isOutOfReach(error)) {
      log.warn({ requestId: request.id, error }, 'cannot serve now');
      return sendFault(reply, request.url, 'unavailable');
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendFault(reply, request.url, 'too_large');
    if (typeof error.statusCode === 'number' && error.statusCode < 500) return sendFault(reply, request.url, 'malformed');
    log.error({ requestId: request.id, error }, 'request failed');
    return sendFault(reply, request.url, 'internal');
  });
}

/** 405 with Allow where the path has a route of another method, else 404. */
function answerUnknownRoutes(app: HttpServer, sendFault: SendFault): void {
  const routes: { readonly shape: RegExp; readonly method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const shape = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`);
    for (const one of [method].flat()) routes.push({ shape, method: one });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = new Set(routes.filter(({ shape }) => shape.test(path)).map(({ method }) => method));
    if (allowed.size === 0) return sendFault(reply, request.url, 'unknown_route');
    return sendFault(reply.header('allow', [...allowed].sort().join(', ')), request.url, 'wrong_method');
  });
}

/** A connection that stayed open after the last answer would hold up the end until the other side closes it. */
function endConnectionsOnClose(app: HttpServer): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}

/** Request ids: the caller's own where it is well-formed, else a random prefix of this process and a counter. */
function requestIds(): (callers: string | string[] | undefined) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (callers) => (typeof callers === 'string' && CALLERS_REQUEST_ID.test(callers) ? callers : `${prefix}-${(++count).toString(36)}`);
}

/**
 * Answers what never became a request: broken HTTP, headers that are too large, a sender that is too slow. Then the connection ends.
 * Whole requests that came before it on the same connection get their answers first: a client takes answers in the order of its requests.
 */
function brokenRequestAnswerer(
  door: Door,
  ids: (callers: undefined) => string,
): (error: Error & { code?: string }, socket: Socket) => void {
  const broken = new WeakSet<Socket>();

  function end(socket: Socket, name: FaultName): void {
    // Node keeps the answer under way here, and gives no other way to ask for it.
    const { _httpMessage: before } = socket as { _httpMessage?: ServerResponse };
    if (before?.req.complete === true) return void before.once('close', () => end(socket, name));
    if (socket.writable) socket.end(renderRaw(FAULTS[name], door, ids(undefined)));
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

/** A whole HTTP answer, for a connection on which there is no request to answer through the framework. */
function renderRaw(fault: Fault, door: Door, requestId: string): string {
  const body = JSON.stringify(door.renderFault(fault));
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
