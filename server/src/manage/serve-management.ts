import { Readable } from 'node:stream';
import type { Clock } from '../kit/clock.ts';
import { inLane, VIEWS } from '../kit/db.ts';
import { readEntityTags, sendAnswer, type EntityTags } from '../kit/http/entity-tags.ts';
import { Overloaded, sendJson, type HttpReply, type HttpRequest, type HttpServer } from '../kit/http.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { openLoadGauge } from '../kit/limits/load-gauge.ts';
import { openShares } from '../kit/limits/shares.ts';
import { MAX_KEY, readKey, type Answer, type AnswerOnce, type Once, type SettledAnswer } from '../kit/once.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { isOwnOrigin } from '../kit/limits/own-origin.ts';
import { doneAct, type ActOrigin, type DoneAct } from '../kit/changes/act.ts';
import type { FieldFault } from './field-faults.ts';
import { openPosition, sealPosition, type CursorScope } from './cursors.ts';
import {
  detailOf,
  isWriteOperation,
  type ManagementOperation,
  type ManagementAnswer,
  type ManagementRefusal,
  type ManagementRequest,
} from './management-operation.ts';
import { NOBODY, ROLES, type Actor } from './permissions.ts';
import { PROBLEM_TYPE, renderProblem, SHARED_PROBLEMS, type Problem, type ProblemPart } from './problems.ts';
import { runInCells, type CellsOf } from './run-in-cells.ts';
import { showsManyPeople } from './shows-people.ts';
import { targetOf } from './target-of.ts';
import { DEFAULT_PAGE, merchantsNamed, readerOf, UnreadableRequest, type ReadParts } from './read-management.ts';

/** Who sends a request, and how that was proved. */
export type SignedIn = {
  readonly actor: Actor;
  /** By a cookie, which a browser sends by itself. */
  readonly isByCookie: boolean;
  /** The user was proved within the last ten minutes. A token always is. */
  readonly isFresh: boolean;
};

/** What main gives the management API of other rooms. */
export type ManageGates = {
  /** Finds who sends a request; undefined: nobody who is signed in. */
  readonly authenticate: (request: HttpRequest) => SignedIn | undefined | Promise<SignedIn | undefined>;
  /** Finds who sent a request that is still being answered. It is not a use of the session, which may become idle. */
  readonly lookAgain: (request: HttpRequest) => Actor | undefined | Promise<Actor | undefined>;
  /** Records an act by itself: a refused write, a read of many people. */
  readonly recordAct: (act: DoneAct) => Promise<void>;
  readonly answerOnce: AnswerOnce;
  /**
   * Admits a request to its actor's share of the service, and to that of the merchant that the actor is bound to.
   * Shape: what ends the request. Throws: TooManyRequests.
   */
  readonly admit: (actor: Actor, does: RequestEffect, reply: HttpReply) => Promise<() => void>;
  /** Counts a request of nobody by its address. Throws: TooManyRequests. */
  readonly countUnproved: (request: HttpRequest) => void;
  /** Counts a request that was not served because too many wait. */
  readonly countOverload: (address: string) => void;
  /** Runs what only reads, in the turn of its owner. Throws: Overloaded. */
  readonly view: <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;
  readonly cursorKey: ServiceKey;
  readonly clock: Clock;
};

/**
 * What a request does, for the limits of who sends it. `isRecorded`: it reads, and is an act all the same. `isKept`: its answer is kept
 * under an Idempotency-Key.
 */
type RequestEffect = { readonly isWrite: boolean; readonly isRecorded: boolean; readonly isKept: boolean };

/** What all actors of one merchant may read at the same time, and each actor of the service's side. The others of them wait. */
const VIEWS_OF_ONE = 2;

/** From so many milliseconds on a read is heavy, and its place rests so many times as long. While others write, nearly all processors are theirs. */
const HEAVY = { usual: { fromMs: 100, rests: 3 }, besideWriters: { fromMs: 10, rests: 12 } };

/** Opens the turns of those who read. What only reads has connections of its own: writes never wait for it. */
export function openViews(isWritten: () => boolean): ManageGates['view'] {
  const rests = (tookMs: number): number => {
    const { fromMs, rests: times } = isWritten() ? HEAVY.besideWriters : HEAVY.usual;
    return tookMs < fromMs ? 0 : times;
  };
  const inTurn = openShares({ atOnce: VIEWS, perOwner: VIEWS_OF_ONE, rests });
  return (owner, work) => inTurn(owner, () => inLane('views', work));
}

/** Adds the routes of declared operations of the management API. */
export function serveManagement<Deps>(
  app: HttpServer,
  gates: ManageGates,
  cells: CellsOf<Deps>,
  operations: readonly ManagementOperation<Deps>[],
): void {
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    app.route({ method, url, schema: { hide: true }, handler: handlerOf(operation, gates, cells) });
  }
}

/** A refusal before the operation runs. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: ManagementRefusal;

  constructor(refusal: ManagementRefusal) {
    super(refusal.refusal);
    this.refusal = refusal;
  }
}

const stop = (name: keyof typeof SHARED_PROBLEMS, more: { detail?: string; errors?: readonly ProblemPart[] } = {}): never => {
  throw new Refused({ ...refuse(name), ...more });
};

type Handler = (request: HttpRequest, reply: HttpReply) => Promise<HttpReply>;

/**
 * Makes the handler of an operation. Who asks comes first, then what they may do, then what they ask for: a stranger learns nothing.
 * Order: signed in, permission, origin, step-up, limits, path, fields, run.
 */
function handlerOf<Deps>(operation: ManagementOperation<Deps>, gates: ManageGates, cells: CellsOf<Deps>): Handler {
  const read = readerOf(operation);
  const problems: Readonly<Record<string, Problem>> = { ...SHARED_PROBLEMS, ...operation.refusals };
  const load = openLoadGauge();
  const problemOf = (refused: ManagementRefusal, requestId: string): Answer => {
    const { refusal, errors, version } = refused;
    const problem = problems[refusal] as Problem;
    return {
      status: problem.status,
      etag: version === undefined ? null : `"${version}"`,
      body: JSON.stringify(renderProblem(refusal, problem, { detail: detailOf(refused), errors }, requestId)),
    };
  };

  return async (request, reply) => {
    const sinceMs = performance.now();
    if (load.isFull(sinceMs)) {
      gates.countOverload(request.ip);
      throw new Overloaded();
    }
    let leave: (() => void) | undefined;
    const answer = async (): Promise<Sent> => {
      try {
        const signedIn = await authorize(operation, gates, request);
        const actor = signedIn?.actor ?? NOBODY;
        if (signedIn !== undefined) leave = await gates.admit(actor, effectOf(operation, request), reply);
        const asked = prepare(operation, gates, read, request, actor);
        return await carryOut(operation, gates, cells, { request, reply, asked, problemOf });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { refusal } = error;
        if (refusal.refusal === 'not_signed_in') {
          gates.countUnproved(request);
          void reply.header('www-authenticate', 'Bearer');
        }
        return { reply: sendAnswer(reply, problemOf(refusal, request.id), PROBLEM_TYPE) };
      }
    };
    load.enter();
    try {
      const sent = await answer().finally(() => load.leave(sinceMs, performance.now()));
      return await sent.reply;
    } finally {
      leave?.();
    }
  };
}

const effectOf = <Deps>(operation: ManagementOperation<Deps>, { headers }: HttpRequest): RequestEffect => ({
  isWrite: isWriteOperation(operation),
  isRecorded: showsManyPeople(operation),
  isKept: operation.keepsAnswersAs !== undefined && headers['idempotency-key'] !== undefined,
});

/** Finds who asks, and whether they may. What is asked for was not looked at yet. */
async function authorize<Deps>(
  operation: ManagementOperation<Deps>,
  gates: ManageGates,
  request: HttpRequest,
): Promise<SignedIn | undefined> {
  const { permission, scope, stepUp } = operation;
  const signedIn = await gates.authenticate(request);
  if (signedIn === undefined && permission !== 'anyone') stop('not_signed_in');
  // A browser names the page that sends a write. A program that uses a token need not.
  const isOfBrowser = signedIn?.isByCookie === true || request.headers.origin !== undefined;
  if (isWriteOperation(operation) && isOfBrowser && !isOwnOrigin(request.headers, request.host)) stop('origin_foreign');
  if (signedIn === undefined || permission === 'anyone') return signedIn;
  const { actor } = signedIn;
  // A role of a merchant's side without its merchant sees nothing: it would see all.
  if (isBound(actor) && actor.merchantId === undefined) stop('permission_missing');
  const isMissing = permission !== 'signed-in' && !actor.permissions.has(permission);
  if (isMissing || (scope === 'service' && isBound(actor)))
    stop('permission_missing', { detail: isMissing ? `It needs ${permission}.` : 'Only the service’s own side may.' });
  if (stepUp && !signedIn.isFresh) stop('step_up_required');
  return signedIn;
}

/** Whether it is the same actor, with no other permission and no other merchant. */
const hasRightsOf = (before: Actor, now: Actor | undefined): boolean =>
  now !== undefined &&
  now.kind === before.kind &&
  now.id === before.id &&
  now.merchantId === before.merchantId &&
  now.permissions.symmetricDifference(before.permissions).size === 0;

/** An actor with a role of a merchant's side is bound, even if its merchant is not named. */
const isBound = ({ merchantId, role }: Actor): boolean =>
  merchantId !== undefined || (role !== undefined && ROLES[role].side === 'merchant');

type Asked = { readonly request: ManagementRequest; readonly key: string | undefined; readonly scope: CursorScope };

/** Reads what is asked for. A bound actor that names another merchant gets the answer of what does not exist. */
function prepare<Deps>(
  operation: ManagementOperation<Deps>,
  gates: ManageGates,
  read: (request: HttpRequest) => ReadParts,
  request: HttpRequest,
  actor: Actor,
): Asked {
  let parts: ReadParts;
  try {
    parts = read(request);
  } catch (error) {
    if (error instanceof UnreadableRequest) return stop('request_malformed', { detail: error.message });
    throw error;
  }
  const { path, query, body, isPathWrong, errors } = parts;
  if (isPathWrong) stop('not_found');
  const named = merchantsNamed(parts);
  if (operation.scope === 'merchant' && isBound(actor) && named.some((one) => one !== actor.merchantId)) stop('not_found');
  const { cursor, limit = DEFAULT_PAGE, ...filters } = query as { cursor?: string; limit?: number };
  const inOrder = Object.entries({ ...filters, ...path }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const scope = [operation.name, actor.merchantId ?? null, inOrder];
  const after = cursor === undefined || errors.length > 0 ? undefined : openPosition(gates.cursorKey, scope, cursor);
  const headers = readHeaders(operation, request);
  const wrong = [...errors, ...headers.errors];
  if (cursor !== undefined && errors.length === 0 && after === undefined)
    wrong.push({ parameter: 'cursor', detail: 'does not belong to this filter' satisfies FieldFault });
  if (wrong.length > 0) stop('fields_invalid', { errors: wrong });
  if (operation.takesIfMatch === 'required' && headers.ifMatch === undefined) stop('if_match_missing');
  const origin: ActOrigin = { actor, source: request.ip, requestId: request.id, operation: operation.name };
  const asked: ManagementRequest = {
    actor,
    origin,
    path,
    query: operation.page === undefined ? query : filters,
    body,
    merchantId: named[0] ?? actor.merchantId,
    page: { after, limit },
    ifMatch: headers.ifMatch,
    once: undefined,
    requestId: request.id,
    address: request.ip,
    header: (name) => [request.headers[name]].flat()[0],
    isStillAllowed: async () => hasRightsOf(actor, await gates.lookAgain(request)),
  };
  return { request: asked, key: headers.key, scope };
}

type ReadHeaders = { readonly ifMatch: EntityTags | undefined; readonly key: string | undefined; readonly errors: ProblemPart[] };

function readHeaders<Deps>({ takesIfMatch, keepsAnswersAs }: ManagementOperation<Deps>, request: HttpRequest): ReadHeaders {
  const sent = request.headers['if-match'];
  const ifMatch = takesIfMatch === undefined || sent === undefined ? undefined : readEntityTags(sent);
  const key = keepsAnswersAs === undefined ? undefined : readKey(request);
  const errors: ProblemPart[] = [];
  if (takesIfMatch !== undefined && sent !== undefined && ifMatch === undefined)
    errors.push({ header: 'If-Match', detail: 'must be * or versions in quotes, such as "3"' });
  if (typeof key === 'object') errors.push({ header: 'Idempotency-Key', detail: `must be 1 to ${MAX_KEY} visible ASCII characters` });
  return { ifMatch, key: typeof key === 'object' ? undefined : key, errors };
}

type Carried = {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
  readonly asked: Asked;
  readonly problemOf: (refusal: ManagementRefusal, requestId: string) => Answer;
};

/** The header of an answer that was made without some cells, which are away: their names. */
const MISSING_CELLS = 'caudal-missing-cells';

const refusalIn = (outcome: object): ManagementRefusal | undefined => ('refusal' in outcome ? (outcome as ManagementRefusal) : undefined);

/** An answer that has begun. To wait for the reply itself is to wait for its end: that of a stream is hours later. */
type Sent = { readonly reply: HttpReply };

/** Runs an operation, once where its request has a key, and answers. */
async function carryOut<Deps>(
  operation: ManagementOperation<Deps>,
  gates: ManageGates,
  cells: CellsOf<Deps>,
  carried: Carried,
): Promise<Sent> {
  const { request, reply, asked, problemOf } = carried;
  const { keepsAnswersAs } = operation;
  // What the answer is made with, once the operation was carried out somewhere.
  let deps = cells.deps.home;
  const run = async (once: ManagementRequest['once']): Promise<object> => {
    const ran = await runInCells(operation, { ...asked.request, once }, cells);
    deps = ran.deps;
    if (ran.missing.length > 0) void reply.header(MISSING_CELLS, ran.missing.join(', '));
    return ran.outcome;
  };
  const render = (outcome: object): ManagementAnswer => shape(operation, gates, deps, asked, outcome);
  // Under a key one answer is made for the caller and one to keep, both again after a lost race. The last ones count.
  let refused: ManagementRefusal | undefined;
  const settle = (outcome: object, made = render): Answer => {
    refused = refusalIn(outcome);
    if (refused !== undefined) return problemOf(refused, request.id);
    const { etag, body = {} } = made(outcome);
    return { status: operation.status ?? 200, etag: etag === undefined ? null : `"${etag}"`, body: JSON.stringify(body) };
  };
  const record = (outcome: DoneAct['outcome']): Promise<void> =>
    gates.recordAct(doneAct(asked.request.origin, gates.clock.now(), { target: targetOf(operation, asked.request) }, outcome));
  if (keepsAnswersAs !== undefined) {
    const { actor } = asked.request;
    const proved = { request, owner: `${actor.kind}:${actor.id}`, operation: keepsAnswersAs, key: asked.key };
    const execute = async (once: Once<object> | undefined) =>
      (await run(once as Once<unknown> | undefined)) as object | SettledAnswer | Refusal<'key_reused'>;
    const { answer, isReplay } = await gates.answerOnce<object>(
      proved,
      (outcome) => settle(outcome),
      execute,
      (outcome) => settle(outcome, operation.keptAnswer),
    );
    if (isReplay) void reply.header('idempotency-replayed', 'true');
    else if (refused !== undefined) await record(`refused:${refused.refusal}`);
    return { reply: sendAnswer(reply, answer, answer.status < 400 ? undefined : PROBLEM_TYPE) };
  }
  const { actor } = asked.request;
  const owner = actor.merchantId ?? (actor === NOBODY ? request.ip : `${actor.kind}:${actor.id}`);
  const carry = (): Promise<object> => run(undefined);
  const outcome = isWriteOperation(operation) ? await carry() : await gates.view(owner, carry);
  const refusal = refusalIn(outcome);
  if (refusal !== undefined) {
    if (isWriteOperation(operation)) await record(`refused:${refusal.refusal}`);
    return { reply: sendAnswer(reply, problemOf(refusal, request.id), PROBLEM_TYPE) };
  }
  const { etag, headers = {}, body } = render(outcome);
  if (showsManyPeople(operation))
    await record('done').catch((error: unknown) => {
      // Nobody will read it, and it may hold a connection.
      if (body instanceof Readable) body.destroy();
      throw error;
    });
  void reply.headers(headers as Record<string, string | string[]>);
  if (etag !== undefined) void reply.header('etag', `"${etag}"`);
  if (body === undefined) return { reply: reply.code(operation.status ?? 204).send() };
  if (body instanceof Readable) {
    const isPart = headers['content-range'] !== undefined;
    void reply.code(isPart ? 206 : 200).header('content-type', headers['content-type'] ?? operation.streams);
    if (request.method !== 'HEAD') return { reply: reply.send(body) };
    // Nobody reads the body of a HEAD. A stream without an end would stay open for ever.
    body.destroy();
    return { reply: reply.send() };
  }
  return { reply: sendJson(reply, body, operation.status) };
}

/** Makes the answer of an outcome. A page of a list gets its cursor. */
function shape<Deps>(
  operation: ManagementOperation<Deps>,
  { cursorKey }: ManageGates,
  deps: Deps,
  { request, scope }: Asked,
  outcome: object,
): ManagementAnswer {
  if (operation.page === undefined) return (operation.answer as NonNullable<typeof operation.answer>)(outcome, request, deps);
  const { items, next } = operation.page(outcome, request);
  return { body: { items, next: next === undefined ? null : sealPosition(cursorKey, scope, next) } };
}
