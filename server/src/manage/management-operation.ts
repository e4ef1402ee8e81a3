import type { EntityTags } from '../kit/http/entity-tags.ts';
import type { CommandLine } from '../kit/remote/client-commands.ts';
import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { Once, SettledAnswer } from '../kit/once.ts';
import type { Refusal } from '../kit/outcome.ts';
import type { ActOrigin } from '../kit/changes/act.ts';
import type { Actor, Permission } from './permissions.ts';
import type { Problem, ProblemPart, SharedProblem } from './problems.ts';

/** Who an actor must be: one with a permission, anyone who is signed in, or anyone at all. */
type Needs = Permission | 'signed-in' | 'anyone';

/** A refusal of an operation. `detail` and `errors` say more than its title. */
export type ManagementRefusal<Name extends string = string> = Refusal<Name> & {
  readonly detail?: string;
  readonly errors?: readonly ProblemPart[];
  /** The version of what exists, for the next try. */
  readonly version?: number;
};

/** What a refusal says beside its title: the field at fault, where it says nothing else. */
export const detailOf = ({ detail, field, rule }: ManagementRefusal): string | undefined =>
  detail ?? (field === undefined ? undefined : `${field}${rule === undefined ? '' : `: ${rule}`}`);

/** What an operation gets of a request that was read and whose actor may run it. */
export type ManagementRequest<Path = unknown, Query = unknown, Body = unknown> = {
  readonly actor: Actor;
  /** By whom and from where: the start of an act. */
  readonly origin: ActOrigin;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /**
   * The one merchant that the operation is limited to. The request names it, or the actor is bound to it.
   * Undefined: all merchants, which only an actor of the service's side may see.
   */
  readonly merchantId: string | undefined;
  /** Where a list goes on, and how many items it may have. Lists only. */
  readonly page: { readonly after: PagePosition | undefined; readonly limit: number };
  readonly ifMatch: EntityTags | undefined;
  /** How the answer is kept where the request has an Idempotency-Key. */
  readonly once: Once<unknown> | undefined;
  readonly requestId: string;
  /** The network address that the request came from. */
  readonly address: string;
  readonly header: (name: string) => string | undefined;
  /** Whether the actor is still signed in with the same rights. An answer that goes on for long asks again. */
  readonly isStillAllowed: () => Promise<boolean>;
};

/** The place in a list after which its next page begins: the values of its order. */
export type PagePosition = readonly (string | null)[];

export type ManagementAnswer = {
  /** The version of what is shown, for If-Match. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON, a stream as the declared type. */
  readonly body?: object | Readable;
};

/** Finds the cell of a request. Shape: the request, what the operation depends on at home → the number of the cell, or a refusal. */
type CellFinder<Request, Deps> = (request: Request, home: Deps) => number | Promise<number | ManagementRefusal>;

/**
 * Carries an operation out in every cell, where no merchant is named. `merge` makes one outcome of those of all cells, none of which is a
 * refusal. `asks`: all of them, although a merchant is named, because home has something about it too. `isWhole`: it is unavailable while
 * a cell is away.
 */
export type InEveryCell<Outcome> = {
  readonly merge: (outcomes: readonly Outcome[], request: ManagementRequest) => Outcome;
  readonly asks?: 'all';
  readonly isWhole?: true;
};

/** What a list answers: `next` is the position of its last item where more follow. */
type ManagementPage = { readonly items: readonly object[]; readonly next: PagePosition | undefined };

type Refused<Outcome> = Extract<Outcome, Refusal>;
type Success<Outcome> = Exclude<Outcome, Refusal | SettledAnswer>;
/** An outcome whose refusal is not declared makes the declaration fail to compile. */
type Covers<Outcome, Names extends string> = [Exclude<Refused<Outcome>['refusal'], Names | SharedProblem>] extends [never]
  ? unknown
  : { readonly undeclared: Exclude<Refused<Outcome>['refusal'], Names | SharedProblem> };

/**
 * How an operation answers: with one thing, or with a page of a list. One that keeps answers gives the outcome of its command as it is.
 * The answer is made in the transaction, of that outcome.
 */
type Answers<Outcome, Request, Deps> =
  | { readonly answer: (outcome: Success<Outcome>, request: Request, deps: Deps) => ManagementAnswer; readonly page?: never }
  | { readonly page: (outcome: Success<Outcome>, request: Request) => ManagementPage; readonly answer?: never };

type Declared<
  Path extends TObject,
  Query extends TObject,
  Body extends TObject,
  Names extends string,
  Deps,
  Outcome,
  Shows extends TSchema = TSchema,
> = {
  /** Its name in the OpenAPI document and in the audit log, as `readMe`. */
  readonly name: string;
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /manage/v1/${string}`;
  readonly tag: string;
  /** A title of a few words. */
  readonly summary: string;
  /** The title in the other languages of the console, whose audit log shows what was done. Needed of all that is recorded. */
  readonly names?: Readonly<Record<'es' | 'pt', string>> | undefined;
  readonly description?: string;
  readonly permission: Needs;
  /**
   * `merchant`: the operation is about one merchant or limited to one; a member `merchant` of path, query or body names it.
   * `service`: an actor that is bound to a merchant may not run it. `own`: it shows an actor nothing but its own.
   */
  readonly scope: 'merchant' | 'service' | 'own';
  /**
   * Where it is carried out, in a service of several cells. Absent: in the cell of the merchant that it names.
   * `home`: it is about what all cells share. A function finds the cell. `merge`: it is carried out in every cell.
   * That stands behind `run`, from which the compiler learns what is merged.
   */
  readonly cells?:
    | 'home'
    | CellFinder<ManagementRequest<Static<Path>, Static<Query>, Static<Body>>, Deps>
    | InEveryCell<NoInfer<Success<Outcome>>>;
  /** The session must have proved its user again within ten minutes. */
  readonly stepUp?: true;
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** `required`: a request without If-Match is refused. */
  readonly takesIfMatch?: 'required' | 'optional';
  /** Takes an Idempotency-Key, and keeps answers under this name. */
  readonly keepsAnswersAs?: string;
  /** What it acts on, and the member that names it, where the end of the path does not say so. */
  readonly actsOn?: { readonly kind: string; readonly member: string };
  /** Shows many people at once, though its schema does not say so: the read is an act. */
  readonly bulkPersonal?: true;
  /** What a command says where what it names does not exist. */
  readonly missing?: CommandLine;
  /** What members take, in words for a command: their patterns say it in signs. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The refusals of its own, beside those that every operation has. */
  readonly refusals?: Readonly<Record<Names, Problem>>;
  /** The schema of a success: of the body, or of one item of a list. */
  readonly shows?: Shows;
  /** The type of a success that is a stream, as `text/event-stream`, unless the answer's headers say another. Without it and without `shows` a success has no body. */
  readonly streams?: string;
  /** The status of a success: 200 where absent, 204 where it has no body. */
  readonly status?: 201 | 202;
  /** What is kept of the answer under an Idempotency-Key: without what is shown once. The whole answer where absent. */
  readonly keptAnswer?: (outcome: Success<Outcome>) => ManagementAnswer;
  readonly run: (request: ManagementRequest<Static<Path>, Static<Query>, Static<Body>>, deps: Deps) => Outcome | Promise<Outcome>;
} & Answers<Outcome, ManagementRequest<Static<Path>, Static<Query>, Static<Body>>, Deps>;

/** A declared operation. Its type says what it depends on and what it shows, and no more. */
export type ManagementOperation<Deps, Shows extends TSchema = TSchema> = Omit<
  Declared<TObject, TObject, TObject, string, Deps, object, Shows>,
  'run' | 'answer' | 'keptAnswer' | 'page' | 'path' | 'query' | 'body' | 'cells'
> & {
  readonly cells?: 'home' | CellFinder<ManagementRequest, Deps> | InEveryCell<object>;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly run: (request: ManagementRequest, deps: Deps) => object | Promise<object>;
  readonly answer?: (outcome: object, request: ManagementRequest, deps: Deps) => ManagementAnswer;
  readonly keptAnswer?: (outcome: object) => ManagementAnswer;
  readonly page?: (outcome: object, request: ManagementRequest) => ManagementPage;
};

/** True for an operation that changes something: whatever is not a GET. */
export const isWriteOperation = ({ route }: Pick<ManagementOperation<never>, 'route'>): boolean => !route.startsWith('GET ');

/**
 * Declares one operation of the management API. Its route, reading, permission, refusals and its place in the OpenAPI document follow.
 * Without a permission it does not compile.
 */
export function managementOperation<
  Deps,
  Outcome extends object,
  Path extends TObject = TObject<Record<never, TSchema>>,
  Query extends TObject = TObject<Record<never, TSchema>>,
  Body extends TObject = TObject<Record<never, TSchema>>,
  Names extends string = never,
  Shows extends TSchema = TSchema,
>(declared: Declared<Path, Query, Body, Names, Deps, Outcome, Shows> & Covers<Outcome, NoInfer<Names>>): ManagementOperation<Deps, Shows> {
  return declared as unknown as ManagementOperation<Deps, Shows>;
}
