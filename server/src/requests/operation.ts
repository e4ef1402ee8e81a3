import type { TSchema } from 'typebox';
import type { Declaration, Field, FieldValues, PartialFieldValues, Texts } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import type { FieldRule, Refusal, RefusalDetail } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import type { Network } from '../networks/index.ts';
import type { Dialect } from './dialect.ts';
import type { IfMatch } from './if-match.wire.ts';
import type { Answer, Once, SettledAnswer } from '../kit/once.ts';

/** One refusal of an operation: its code on the wire, and its words for people. */
export type DeclaredRefusal = {
  readonly code: string;
  /** Absent: the text names the field and the rule that it breaks. */
  readonly text?: Texts;
  /** The HTTP status; 200 where absent, as for every business answer. */
  readonly status?: 409 | 412 | 422;
  /** One English sentence for the reference; the English text where absent. */
  readonly meaning?: string;
};

/** How a family of operations wraps its answers and words its refusals: contract §2.1. */
export type Envelope = {
  /** The refusal of a field that declares none of its own. */
  readonly malformed: string;
  /** The language of texts where neither the request nor its merchant names one. */
  readonly language: Language;
  /** The whole body of a refusal. */
  readonly refusal: (code: string, text: string) => object;
  /** The text of a refusal: it names the field and the rule. `form`: how the field must look. */
  readonly text: (declared: DeclaredRefusal, detail: RefusalDetail, form: Texts | undefined, language: Language) => string;
  /** What a refusal says of a source that cannot be read. */
  readonly unreadable: (fault: SourceError) => RefusalDetail;
  /** The schema of the body around the data that an answer may carry. */
  readonly schema: (...data: readonly TSchema[]) => TSchema;
};

/** Why a body or a query could not be read; `name`: the member at fault, where there is one. */
export type SourceError = { readonly source: 'body' | 'query'; readonly rule: 'shape' | 'repeated' | 'unknown'; readonly name?: string };

/** Who may call an operation, and so which gate proves it. */
type CallerOf = { readonly merchant: Merchant; readonly network: Network; readonly anyone: undefined };
export type CallerKind = keyof CallerOf;

/** Whether an operation changes anything. A merchant may ask for signatures of those that do: contract §7.5. */
export type Effect = 'reads' | 'writes';
/** An operation of merchants says what it does. */
type SaysEffect<Kind extends CallerKind> = Kind extends 'merchant' ? { readonly effect: Effect } : unknown;

/** An operation of networks says where it is carried out: none of their merchants is known yet. */
type SaysCell<Kind extends CallerKind> = Kind extends 'network' ? { readonly cellOf: object } : unknown;

/** Where the fields come from beside the path. Of two sources the first one wins. */
export type FieldSource = 'none' | 'body' | 'query' | 'query, body' | 'body, query';

/** Adds a refusal that no single field shows: `refuse('amount_invalid', 'amount')`. The rule is `shape` where only a field is given. */
export type RefuseField<Names extends string> = (name: Names, field?: string, rule?: FieldRule) => undefined;

/** What an operation gets of a request that was read and whose caller is proved. */
export type OperationRequest<Values = unknown, Parsed = unknown, Caller = unknown> = {
  /** The fields of the path and of the source, as sent. */
  readonly values: Values;
  readonly parsed: Parsed;
  readonly caller: Caller;
  readonly ifMatch: IfMatch | undefined;
  /** How the answer is kept where the request has an Idempotency-Key. */
  readonly once: Once<unknown> | undefined;
  /** Whether a signature proves the caller, beside the checksum. */
  readonly isSigned: boolean;
  readonly requestId: string;
  /** The network address that the request came from. */
  readonly address: string;
  /** The path under which the request came, for links that lead back to it. */
  readonly path: () => string;
  /** All parameters of the query, for links that repeat them. */
  readonly query: ReadonlyMap<string, string>;
};

/** What `parse` may ask for. */
export type ParseContext<Deps, Caller> = {
  /** Of home: which cell carries the request out is known only once it was read. */
  readonly deps: Deps;
  /**
   * Proves the caller before all fields are judged: what some of them mean depends on who asks. The checksum may cover any of these texts.
   * Shape: undefined where the caller is not proved. A wrong checksum is still refused in its place of the precedence.
   */
  readonly prove: (...texts: readonly (readonly string[])[]) => Caller | undefined | Promise<Caller | undefined>;
};

type Success<Outcome> = Exclude<Outcome, Refusal | SettledAnswer>;
type Refused<Outcome> = Extract<Outcome, Refusal>;
/** An outcome whose refusal is not declared makes the declaration fail to compile. */
type Covers<Outcome, Names extends string> = [Exclude<Refused<Outcome>['refusal'], Names>] extends [never]
  ? unknown
  : { readonly undeclared: Exclude<Refused<Outcome>['refusal'], Names> };

type Declared<Path extends Declaration, Sent extends Declaration, Names extends string, Kind extends CallerKind, Deps, Parsed, Outcome> = {
  /** Its name in the OpenAPI document and of its page in the reference. */
  readonly name: string;
  /** Method and path, as `PATCH /api/v3/porders`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly tag: 'Orders' | 'Cashouts' | 'Networks' | 'Sandbox';
  /** A title of a few words. */
  readonly summary: string;
  /** What it does, in one sentence or a few. */
  readonly description: string;
  /** The sections of the contract, as `§3.1`. */
  readonly section: string;
  /** An example in `contract/examples` that shows a success, as `update-order/amount-changes`. */
  readonly example?: string;
  readonly envelope: Envelope;
  readonly path?: Path;
  readonly from: FieldSource;
  readonly fields: Sent;
  /** Names that existing clients send by mistake, and the fields that they mean. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Parameters that are not declared are refused: an ignored filter would return what was not asked for. */
  readonly isStrict?: true;
  /** Takes an If-Match header: contract §7.1. */
  readonly takesIfMatch?: true;
  /** Takes an Idempotency-Key, and keeps answers under this name: contract §7.3. */
  readonly keepsAnswersAs?: string;
  readonly caller: Kind;
  /** The fields that the checksum covers, in its order. A `parse` that proves the caller itself says which texts may be covered. */
  readonly proof: readonly (keyof (Path & Sent) & string)[];
  /**
   * Networks sign. Where the setting of one admits the checksum alone, this says for which values that suffices. They must show by
   * themselves which operation the text is for, and where each ends. Absent: for none.
   */
  readonly checksumSuffices?: (values: Values) => boolean;
  /** In order of precedence: the first that applies is the answer. */
  readonly refusals: Readonly<Record<Names, DeclaredRefusal>>;
  /**
   * Judges fields together and turns them into the command's values. Runs also after a field was refused.
   * Gives undefined only where something was refused.
   */
  readonly parse?: (
    values: PartialFieldValues<Path & Sent>,
    refuse: RefuseField<NoInfer<Names>>,
    context: ParseContext<Deps, CallerOf[Kind]>,
  ) => Parsed | Promise<Parsed>;
  /**
   * The cell that carries it out, where it is not the one of the merchant who calls. Absent: without a caller it is home.
   * Asked only where a service has several. Shape: the request, what the operation depends on at home → the number of the cell.
   */
  readonly cellOf?: (
    request: OperationRequest<FieldValues<Path & Sent>, Exclude<Parsed, undefined>, CallerOf[Kind]>,
    home: Deps,
  ) => number | Promise<number>;
  readonly run: (
    request: OperationRequest<FieldValues<Path & Sent>, Exclude<Parsed, undefined>, CallerOf[Kind]>,
    deps: Deps,
  ) => Outcome | Promise<Outcome>;
  readonly answer: (
    outcome: Success<Outcome>,
    request: OperationRequest<FieldValues<Path & Sent>, Exclude<Parsed, undefined>, CallerOf[Kind]>,
    deps: Deps,
  ) => Answer;
  /** What is kept of the answer under an Idempotency-Key: without what is shown once. The whole answer where absent. */
  readonly keptAnswer?: (outcome: Success<Outcome>, deps: Deps) => Answer;
  /** The data of a success, for the OpenAPI document. */
  readonly data: (dialect: Dialect) => TSchema | readonly TSchema[];
};

/** A declared operation whose types of fields and outcomes are not looked at any more: only what it depends on. */
export type Operation<Deps> = Omit<
  Declared<Declaration, Declaration, string, CallerKind, Deps, unknown, object>,
  'proof' | 'cellOf' | 'run' | 'answer' | 'keptAnswer' | 'parse'
> & {
  readonly proof: readonly string[];
  readonly effect?: Effect;
  readonly parse?: (values: Values, refuse: RefuseField<string>, context: ParseContext<Deps, unknown>) => unknown;
  readonly cellOf?: (request: OperationRequest, home: Deps) => number | Promise<number>;
  readonly run: (request: OperationRequest, deps: Deps) => object | Promise<object>;
  readonly answer: (outcome: object, request: OperationRequest, deps: Deps) => Answer;
  readonly keptAnswer?: (outcome: object, deps: Deps) => Answer;
};

/** The values of the declared fields, by name; undefined for one that is not given or was refused. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Declares one operation of the API. Its route, reading, authentication, refusals, OpenAPI and reference page all follow from the declaration.
 * Source: contract §2.
 */
export function operation<
  Sent extends Declaration,
  Names extends string,
  Kind extends CallerKind,
  Deps,
  Outcome extends object,
  Parsed = undefined,
  Path extends Declaration = Readonly<Record<never, Field>>,
>(
  declared: Declared<Path, Sent, Names, Kind, Deps, Parsed, Outcome> & Covers<Outcome, Names> & SaysEffect<Kind> & SaysCell<Kind>,
): Operation<Deps> {
  return declared as unknown as Operation<Deps>;
}
