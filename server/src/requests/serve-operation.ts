import type { HttpReply, HttpRequest, HttpServer } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import { isRefusal, refuse, type FieldRule, type Refusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import { readIdempotencyKey, sendAnswer, type AnswerOnce } from './answer-once.wire.ts';
import type { Callers } from './callers.ts';
import { describeRoute, formOf } from './describe-operation.ts';
import { readIfMatch } from './if-match.wire.ts';
import type { Answer, Once, SettledAnswer } from './keep-answers.ts';
import type { DeclaredRefusal, Operation, OperationRequest, ParseContext, RefuseField } from './operation.ts';
import { languageAsked, readSources, type Received } from './read-sources.wire.ts';

/** What proves callers and keeps answers, for all operations. */
export type Gates = {
  readonly callers: Callers;
  readonly networks: Pick<NetworkDirectory, 'authenticate'>;
  readonly answerOnce: AnswerOnce;
};

export type ServeOptions<Deps> = {
  readonly app: HttpServer;
  readonly gates: Gates;
  readonly deps: Deps;
  /** Two letters in front of some keys of answers: contract §1. */
  readonly servicePrefix: string;
  /** The paths under which an operation is served too, undocumented. */
  readonly aliasesOf?: (path: string) => readonly string[];
};

/** Adds the routes of declared operations. */
export function serveOperations<Deps>(options: ServeOptions<Deps>, operations: readonly Operation<Deps>[]): void {
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    const handler = handlerOf(operation, options);
    for (const [index, url] of [path, ...(options.aliasesOf?.(path) ?? [])].entries())
      options.app.route({ method, url, schema: { ...describeRoute(operation, options.servicePrefix), hide: index > 0 }, handler });
  }
}

type Handler = (request: HttpRequest, reply: HttpReply) => Promise<HttpReply>;

/**
 * The way of every request: read all fields, judge them, prove the caller, run, answer. The first refusal in the order of precedence is the answer.
 * Source: contract §2.
 */
function handlerOf<Deps>(operation: Operation<Deps>, { gates, deps }: ServeOptions<Deps>): Handler {
  const { envelope, refusals: declared, parse, run, keepsAnswersAs } = operation;
  const precedence = new Map(Object.keys(declared).map((name, index) => [name, index]));
  const firstOf = (refusals: readonly Refusal[]): Refusal =>
    refusals.reduce((first, one) => ((precedence.get(one.refusal) ?? 0) < (precedence.get(first.refusal) ?? 0) ? one : first));

  const refusalAnswer = (request: HttpRequest, refused: Refusal, caller: unknown): Answer => {
    const { version } = refused as Refusal & { readonly version?: number };
    const refusal = declared[refused.refusal] as DeclaredRefusal;
    const language: Language = languageAsked(operation.from, request) ?? (caller as Merchant | undefined)?.language ?? envelope.language;
    const text = envelope.text(refusal, refused, formOf(operation, refused.field), language);
    const body = JSON.stringify(envelope.refusal(refusal.code, text, operation.refusedData?.(refused, deps)));
    return { status: refusal.status ?? 200, etag: version === undefined ? null : `"${version}"`, body };
  };

  /** Adds what headers and fields together break to what each field breaks. */
  const judge = (request: HttpRequest, { values, refusals, query }: Received, caller?: unknown) => {
    const refuseField: RefuseField<string> = (name, field, rule: FieldRule = 'shape') => void refusals.push(refuse(name, { field, rule }));
    const context: ParseContext<Deps, unknown> = { deps, caller, query };
    const parsed = parse?.(values, refuseField, context);
    const ifMatch = operation.takesIfMatch ? readIfMatch(request.headers['if-match'], envelope.malformed) : undefined;
    const key = keepsAnswersAs === undefined ? undefined : readIdempotencyKey(request, envelope.malformed);
    if (isRefusal(ifMatch)) refusals.push(ifMatch);
    if (isRefusal(key)) refusals.push(key);
    return { parsed, ifMatch: isRefusal(ifMatch) ? undefined : ifMatch, key: isRefusal(key) ? undefined : key };
  };

  return async (request, reply) => {
    const received = readSources(operation, request);
    const { values, refusals, query } = received;
    const early = operation.provesEarly ? await prove(operation, gates, deps, request, received) : undefined;
    if (isRefusal(early)) refusals.push(early);
    const { parsed, ifMatch, key } = judge(request, received, isRefusal(early) ? undefined : early);
    if (refusals.length > 0) return sendAnswer(reply, refusalAnswer(request, firstOf(refusals), isRefusal(early) ? undefined : early));
    const caller = operation.provesEarly ? early : await prove(operation, gates, deps, request, received);
    if (isRefusal(caller)) return sendAnswer(reply, refusalAnswer(request, caller, undefined));

    const asked: Omit<OperationRequest, 'once'> = {
      values,
      parsed,
      caller,
      ifMatch,
      requestId: request.id,
      path: () => pathOf(request),
      query,
    };
    const answerOf = (outcome: object, made: OperationRequest): Answer =>
      isRefusal(outcome) ? refusalAnswer(request, outcome, caller) : operation.answer(outcome, made, deps);
    if (keepsAnswersAs === undefined) {
      const made = { ...asked, once: undefined };
      return sendAnswer(reply, answerOf(await run(made, deps), made));
    }
    const proved = { request, merchantId: (caller as Merchant).merchantId, operation: keepsAnswersAs, key };
    const render = (outcome: object): Answer => answerOf(outcome, { ...asked, once: undefined });
    const execute = async (once: Once<object> | undefined) =>
      (await run({ ...asked, once: once as Once<unknown> | undefined }, deps)) as object | SettledAnswer | Refusal<'key_reused'>;
    return gates.answerOnce<object>(reply, proved, render, execute);
  };
}

/** The caller, where the request proves one; undefined where the operation asks for none, or the request names none. */
function prove<Deps>(
  { caller, proof, proofs }: Operation<Deps>,
  { callers, networks }: Gates,
  deps: Deps,
  request: HttpRequest,
  { values, query }: Received,
): unknown {
  const id = values[caller === 'network' ? 'netname' : 'merchant'];
  const { checksum } = values;
  if (caller === 'anyone' || typeof id !== 'string' || typeof checksum !== 'string') return undefined;
  if (proofs === undefined) return authenticate([proof.map((name) => (values[name] as string | undefined) ?? '')]);
  const texts = proofs(values, { deps, caller: undefined, query });
  return texts instanceof Promise ? texts.then(authenticate) : authenticate(texts);

  function authenticate(candidates: readonly (readonly string[])[]): unknown {
    if (caller === 'merchant') return callers.authenticate(request, id as string, checksum as string, ...candidates);
    const proved = networks.authenticate(id as string, checksum as string, candidates[0] ?? []);
    return proved.then((network) => network ?? refuse('checksum_invalid'));
  }
}

/** The path under which the operation was requested, for links that lead back to it. */
const pathOf = ({ routeOptions: { url = '' }, params }: HttpRequest): string =>
  url.replace(/:([a-z]+)/g, (_, name: string) => (params as Record<string, string>)[name] ?? '');
