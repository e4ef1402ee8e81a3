import { sendAnswer } from '../kit/http/entity-tags.ts';
import { Overloaded, type HttpReply, type HttpRequest, type HttpServer } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import { HOME, type PerCell } from '../kit/per-cell.ts';
import { openLoadGauge } from '../kit/limits/load-gauge.ts';
import type { Tracer } from '../kit/traces/tracer.ts';
import { isRefusal, refuse, type FieldRule, type Refusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import type { Network } from '../networks/index.ts';
import { readIdempotencyKey } from './answer-once.wire.ts';
import { isSigned, type Callers } from './callers.ts';
import type { Dialect } from './dialect.ts';
import { describeRoute, formOf } from './describe-operation.ts';
import { hashedText } from './hashed-text.ts';
import { readIfMatch, type IfMatch } from './if-match.wire.ts';
import type { Answer, AnswerOnce, Once, SettledAnswer } from '../kit/once.ts';
import type { NetworkGate } from './network-gate.ts';
import type { DeclaredRefusal, Operation, OperationRequest, RefuseField, Values } from './operation.ts';
import { leavesOf } from './limits/caller-limits.ts';
import type { Admitted, Limits } from './limits/limits.ts';
import { note, type Noted, type RequestLog } from './log/request-log.ts';
import type { Claimed, Reason, Tally } from './limits/tally.ts';
import { readSources, type Received } from './read-sources.wire.ts';

/** What proves callers, limits them and keeps answers, for all operations. */
export type Gates = {
  readonly callers: Callers;
  readonly networkGate: NetworkGate;
  readonly answerOnce: AnswerOnce;
  readonly limits: Limits;
  readonly tally: Tally;
  readonly requestLog: RequestLog;
  /** Hears of each refusal: the operation, its wire code, and its name. */
  readonly onRefusal: (operation: string, code: string, refusal: string) => void;
  readonly tracer?: Tracer | undefined;
  /** In a sandbox: the answer to a merchant’s wrong checksum shows the text that is hashed. */
  readonly showsHashed: boolean;
};

export type ServeOptions<Deps> = {
  readonly app: HttpServer;
  readonly gates: Gates;
  /** What operations depend on, in each cell. */
  readonly deps: PerCell<Deps>;
  readonly dialect: Dialect;
  /** The paths under which an operation is served too, undocumented. */
  readonly aliasesOf?: (path: string) => readonly string[];
};

/** Adds the routes of declared operations. */
export function serveOperations<Deps>(options: ServeOptions<Deps>, operations: readonly Operation<Deps>[]): void {
  const { app, gates } = options;
  if (!app.hasRequestDecorator('noted')) app.decorateRequest('noted', null);
  for (const operation of operations) {
    const logged = operation.caller === 'merchant' ? { onResponse: onResponse(gates.requestLog.writerOf(operation)) } : {};
    const [method = '', path = ''] = operation.route.split(' ');
    for (const [index, url] of [path, ...(options.aliasesOf?.(path) ?? [])].entries()) {
      const schema = { ...describeRoute(operation, options.dialect), hide: index > 0 };
      app.route({ method, url, schema, handler: handlerOf(operation, options, pathFinder(url)), ...logged });
    }
  }
}

const onResponse =
  (write: ReturnType<RequestLog['writerOf']>) =>
  (request: HttpRequest, reply: HttpReply, done: () => void): void => {
    write(request, reply);
    done();
  };

type Handler = (request: HttpRequest, reply: HttpReply) => Promise<HttpReply>;

/**
 * Makes the handler of an operation: read all fields, judge them, prove the caller, admit it, run, answer.
 * Of several refusals the first in the order of precedence is the answer.
 * Source: contract §2.
 */
function handlerOf<Deps>(operation: Operation<Deps>, { gates, deps: cells }: ServeOptions<Deps>, pathTo: PathFinder): Handler {
  const { envelope, parse, run, keepsAnswersAs } = operation;
  // Each request starts with a copy: objects that get their members in one order are read faster than others.
  const noValues = withoutValues(operation);
  const refusalAnswer = refusalAnswerer(operation, gates);

  const load = openLoadGauge();
  return async (request, reply) => {
    const sinceMs = performance.now();
    if (load.isFull(sinceMs)) return shed(gates, request);
    const values = { ...noValues };
    const { refusals, query, language } = readSources(operation, request, values);
    const noted = note(request, values);
    // Most requests are proved at once. Nothing waits for what is there already.
    const prove = (...texts: readonly (readonly string[])[]): unknown => {
      const proved = authenticate(operation, gates, request, values, texts);
      return proved instanceof Promise ? proved.then(keep) : keep(proved);
    };
    const keep = (proved: unknown): unknown => {
      if (isRefusal(proved)) refusals.push(proved);
      else noted.caller = proved;
      return noted.caller;
    };
    const parsing = parse?.(values, refuseFieldInto(refusals), { deps: cells.home, prove });
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    const ifMatch = operation.takesIfMatch ? readIfMatch(request.headers['if-match'], envelope.malformed) : undefined;
    const key = keepsAnswersAs === undefined ? undefined : readIdempotencyKey(request, envelope.malformed);
    if (isRefusal(ifMatch)) refusals.push(ifMatch);
    if (isRefusal(key)) refusals.push(key);
    if (refusals.length === 0 && noted.caller === undefined) {
      const proving = prove(operation.proof.map((name) => (values[name] as string | undefined) ?? ''));
      if (proving instanceof Promise) await proving;
    }
    if (refusals.length > 0) {
      const refused = refusalAnswer(request, refusals, noted, language);
      if (operation.caller !== 'anyone') gates.limits.countUnproved(request);
      return sendAnswer(reply, refused);
    }
    const { caller } = noted;
    const admitted = caller === undefined ? undefined : admit(operation, gates, caller, reply, key !== undefined);
    load.enter();
    try {
      // The declaration lacks a field that proves the caller: nothing may run.
      if (caller === undefined && operation.caller !== 'anyone') throw new Error(`${operation.name} proves no ${operation.caller}`);

      const asked: OperationRequest = {
        values,
        parsed,
        caller,
        ifMatch: ifMatch as IfMatch | undefined,
        once: undefined,
        isSigned: operation.caller === 'merchant' && isSigned(request, caller as Merchant),
        requestId: request.id,
        address: request.ip,
        path: () => pathTo(request),
        query,
      };
      const cell = cellOf(operation, asked, cells);
      const deps = cells.of(cell instanceof Promise ? await cell : cell);
      const render = (outcome: object): Answer =>
        isRefusal(outcome) ? refusalAnswer(request, [outcome], noted, language) : operation.answer(outcome, asked, deps);
      if (keepsAnswersAs === undefined) return sendAnswer(reply, render(await run(asked, deps)));
      const renderKept = (outcome: object): Answer =>
        isRefusal(outcome) || operation.keptAnswer === undefined ? render(outcome) : operation.keptAnswer(outcome, deps);
      const proved = { request, owner: (caller as Merchant).merchantId, operation: keepsAnswersAs, key: key as string | undefined };
      const execute = async (once: Once<object> | undefined) =>
        (await run({ ...asked, once: once as Once<unknown> | undefined }, deps)) as object | SettledAnswer | Refusal<'key_reused'>;
      const { answer, isReplay } = await gates.answerOnce<object>(proved, render, execute, renderKept);
      return sendAnswer(isReplay ? reply.header('idempotency-replayed', 'true') : reply, answer);
    } finally {
      if (admitted !== undefined) gates.limits.leave(admitted);
      load.leave(sinceMs, performance.now());
    }
  };
}

const refuseFieldInto =
  (refusals: Refusal[]): RefuseField<string> =>
  (name, field, rule: FieldRule = 'shape') =>
    void refusals.push(field === undefined ? refuse(name) : refuse(name, { field, rule }));

/** Finds the cell that carries a request out. A service of one cell asks nobody. */
function cellOf<Deps>(operation: Operation<Deps>, request: OperationRequest, cells: PerCell<Deps>): number | Promise<number> {
  if (cells.isAlone) return HOME;
  if (operation.cellOf !== undefined) return namedCell(operation.cellOf(request, cells.home), cells);
  return operation.caller === 'merchant' ? (request.caller as Merchant).cell : HOME;
}

/** A made-up id may name a cell that never was: home does not find it either. Another process may serve a cell that is missing here. */
async function namedCell<Deps>(named: number | Promise<number>, { has, isWhole }: PerCell<Deps>): Promise<number> {
  const cell = await named;
  return isWhole() && !has(cell) ? HOME : cell;
}

const withoutValues = <Deps>({ path = {}, fields }: Operation<Deps>): Values =>
  Object.fromEntries([path, fields].flatMap(Object.keys).map((name) => [name, undefined]));

/** Makes the answer of a request that was refused, and counts it. It is that of the first refusal in the order of precedence. */
function refusalAnswerer<Deps>(
  operation: Operation<Deps>,
  gates: Gates,
): (request: HttpRequest, refusals: readonly Refusal[], noted: Noted, asked: Received['language']) => Answer {
  const { envelope, refusals: declared } = operation;
  const precedence = new Map(Object.keys(declared).map((name, index) => [name, index]));
  // Who is proved and frozen learns that: what the merchant's settings decide was then judged without them.
  const firstOf = (refusals: readonly Refusal[]): Refusal =>
    refusals.find(({ rule }) => rule === 'frozen') ??
    refusals.reduce((first, one) => ((precedence.get(one.refusal) ?? 0) < (precedence.get(first.refusal) ?? 0) ? one : first));
  return (request, refusals, noted, asked) => {
    const refused = firstOf(refusals);
    noted.refusal = (precedence.get(refused.refusal) ?? 0) + 1;
    tallyRefusal(operation, gates, request, noted.values, refused);
    gates.tracer?.current()?.note({ 'caudal.code': (declared[refused.refusal] as DeclaredRefusal).code });
    const { version } = refused as Refusal & { readonly version?: number };
    const refusal = declared[refused.refusal] as DeclaredRefusal;
    gates.onRefusal(operation.name, refusal.code, refused.refusal);
    const language: Language = asked() ?? (noted.caller as Merchant | undefined)?.language ?? envelope.language;
    const text = envelope.text(refusal, refused, formOf(operation, refused.field), language);
    const isWrong = refused.refusal === 'checksum_invalid' && refused.field === undefined && operation.caller === 'merchant';
    const help = gates.showsHashed && isWrong ? `. ${hashedText(operation, noted.values, language)}` : '';
    const body = JSON.stringify(envelope.refusal(refusal.code, text + help));
    return { status: refusal.status ?? 200, etag: version === undefined ? null : `"${version}"`, body };
  };
}

/** Finds the caller whose checksum covers one of these texts; undefined where the operation or the request names none. */
function authenticate<Deps>(
  operation: Operation<Deps>,
  { callers, networkGate }: Gates,
  request: HttpRequest,
  values: Values,
  texts: readonly (readonly string[])[],
): unknown {
  const { caller, effect = 'writes' } = operation;
  const id = values[caller === 'network' ? 'netname' : 'merchant'];
  const { checksum } = values;
  if (caller === 'anyone' || typeof id !== 'string' || typeof checksum !== 'string') return undefined;
  if (caller === 'merchant') return callers.authenticate(request, effect, id, checksum, ...texts);
  return networkGate({ request, operation, values, netname: id, checksum, signed: texts[0] ?? [] });
}

/** Refuses a request before it is read, so that it costs little. */
function shed({ tally }: Gates, request: HttpRequest): never {
  tally('overload', undefined, request.ip);
  throw new Overloaded();
}

/** Why a refusal is counted: a guess would get it. Networks that guess orders get these of references, numbers and amounts. */
const GUESSES: Readonly<Record<string, Reason>> = { checksum_invalid: 'wrong_checksum', password_wrong: 'wrong_password' };
const GUESSES_OF_NETWORKS: Readonly<Record<string, Reason>> = {
  ...GUESSES,
  reference_unknown: 'wrong_reference',
  order_not_found: 'wrong_reference',
  amount_changed: 'wrong_reference',
};

/** Counts a refusal that a guess would get. */
function tallyRefusal<Deps>(
  { caller: kind }: Operation<Deps>,
  { tally }: Gates,
  request: HttpRequest,
  values: Values,
  { refusal, field = '' }: Refusal,
): void {
  const reason = (kind === 'network' ? GUESSES_OF_NETWORKS : GUESSES)[refusal];
  // A checksum that is malformed is not a guess.
  if (reason === undefined || (reason === 'wrong_checksum' && field === 'checksum')) return;
  const id = kind === 'anyone' ? undefined : values[kind === 'network' ? 'netname' : 'merchant'];
  const claimed: Claimed = typeof id === 'string' && kind !== 'anyone' ? { kind, id } : undefined;
  tally(field.startsWith('webhook-') ? 'wrong_signature' : reason, claimed, request.ip);
}

/** Admits a request of a proved caller to its share of the service. */
function admit<Deps>(
  { caller: kind, effect = 'writes' }: Operation<Deps>,
  { limits }: Gates,
  caller: unknown,
  reply: HttpReply,
  hasKey: boolean,
): Admitted | undefined {
  if (kind === 'anyone') return undefined;
  if (kind === 'network') {
    const { netname, limits: own } = caller as Network;
    return limits.admit(kind, netname, own, reply);
  }
  const { merchantId, limits: own } = caller as Merchant;
  return limits.admit(kind, merchantId, own, reply, leavesOf(effect === 'writes', hasKey));
}

/** Finds the path under which an operation was requested, for links that lead back to it. */
type PathFinder = (request: HttpRequest) => string;

function pathFinder(url: string): PathFinder {
  // A parameter follows each text but the last.
  const [start = '', ...parts] = url.split(/:([a-z]+)/);
  return ({ params }) => {
    let path = start;
    for (let index = 0; index < parts.length; index += 2)
      path += `${(params as Record<string, string>)[parts[index] as string] ?? ''}${parts[index + 1]}`;
    return path;
  };
}
