import type { Act as EngineAct } from '../kit/changes/act.ts';
import type { Db, Statement, Value } from '../kit/db.ts';
import type { Actor } from './permissions.ts';

/** The values of a thing before or after an act, as far as they changed. Never a secret. */
type ActValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** By whom and from where something is done. An operation gets it with its request, and completes it to an act. */
export type ActOrigin = {
  readonly actor: Pick<Actor, 'kind' | 'id' | 'name' | 'merchantId'>;
  /** The network address that the request came from, or the machine of a command. */
  readonly source: string;
  readonly requestId: string;
  /** The name of the operation, or the words of the command. */
  readonly operation: string;
};

/** One thing that an actor did: a row of the audit log. */
export type Act = ActOrigin & {
  readonly at: Temporal.Instant;
  /** On what: `{ kind: 'order', merchantId: 'demo', id: 'A-1001' }`. */
  readonly target?: { readonly kind: string; readonly id: string; readonly merchantId?: string | undefined } | undefined;
  readonly before?: ActValues | undefined;
  readonly after?: ActValues | undefined;
  /** Values of people before and after. An erasure of a person empties them. */
  readonly personal?: { readonly before?: ActValues; readonly after?: ActValues } | undefined;
  readonly reason?: string | undefined;
  readonly outcome: 'done' | `refused:${string}`;
};

/** The act that a command carries through the engine, which adds what the command changed. */
export const actOn = (
  { actor: { kind, id, name }, source, requestId, operation }: ActOrigin,
  { kind: what, merchantId, id: which }: { readonly kind: string; readonly merchantId: string; readonly id: string },
  reason?: string,
): EngineAct => ({
  actor: { kind, id, name },
  source,
  requestId,
  operation,
  merchantId,
  target: `${what} ${which}`,
  details: { reason },
});

/** What a request is about to do, beside by whom: on what, and what was asked for. Never a secret. */
type Doing = Pick<Act, 'target' | 'reason'> & {
  readonly given?: Readonly<Record<string, unknown>>;
  /** Reads what of the target the act shows before and after. */
  readonly facts?: { readonly statement: Statement; readonly values: readonly Value[] };
};

/** Opens a database whose every transaction records the act of a request with what it did. */
export type ActingOn = (origin: ActOrigin, doing: Doing) => Db;
