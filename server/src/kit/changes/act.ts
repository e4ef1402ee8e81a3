import type { Db, Statement, Tx, Value } from '../db.ts';

/** Who does something, as the audit log names it. `id` stays when the name changes. */
export type ActActor = {
  readonly kind: 'user' | 'token' | 'command' | 'merchant' | 'network' | 'service' | 'nobody';
  readonly id: string;
  readonly name: string;
};

/** What somebody is about to do. It is recorded once the outcome is known, in the transaction of what it does. */
export type Act = {
  readonly actor: ActActor;
  /** The address of the request, or the host of the command. */
  readonly source: string;
  readonly requestId: string | null;
  readonly operation: string;
  /** The merchant that it concerns; null: none, or several. */
  readonly merchantId: string | null;
  /** What it concerns, as its kind and id: `order A-1`. */
  readonly target: string | null;
  /** What the actor asked for and why. Never a secret. */
  readonly details?: ActDetails | undefined;
};

/** It can be erased: it may hold personal values. */
export type ActDetails = {
  readonly reason?: string | undefined;
  /** What was asked for: name to value. */
  readonly given?: Readonly<Record<string, unknown>> | undefined;
  /** What changed: field to its value before and after. */
  readonly changes?: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | undefined;
};

/** What a command of the engine carries so that it is recorded. Without an act nothing is recorded and nothing is sent. */
export type Acted = { readonly act?: Act | undefined };

/** An act whose outcome is known. */
export type DoneAct = Act & { readonly at: Temporal.Instant; readonly outcome: 'done' | `refused:${string}` };

/** Records an act that changes nothing: a refusal, a read of many people. */
export type RecordLone = (act: DoneAct) => Promise<void>;

/** Records acts in the transaction of what they did. */
export type RecordActs = (tx: Pick<Tx, 'send'>, acts: readonly DoneAct[]) => void;

/** By whom and from where something is done. An operation gets it with its request, and completes it to an act. */
export type ActOrigin = Pick<Act, 'source' | 'requestId' | 'operation'> & {
  readonly actor: ActActor & { readonly merchantId?: string | undefined };
};

type Values = Readonly<Record<string, unknown>>;

/** What is done, beside by whom. Never a secret. */
export type Deed = Pick<ActDetails, 'reason' | 'given'> & {
  /** On what: `{ kind: 'order', merchantId: 'demo', id: 'A-1001' }`. */
  readonly target?: { readonly kind: string; readonly id: string; readonly merchantId?: string | undefined } | undefined;
  /** The values of the target before and after. The act holds those that differ. */
  readonly before?: Values;
  readonly after?: Values;
};

/** Makes an act. Where its target has no merchant, it concerns the merchant that the actor is bound to. */
export function actOf({ actor, source, requestId, operation }: ActOrigin, { target, reason, given, before, after }: Deed = {}): Act {
  const changes = differences(before, after);
  return {
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    source,
    requestId,
    operation,
    merchantId: target?.merchantId ?? actor.merchantId ?? null,
    target: target === undefined ? null : `${target.kind} ${target.id}`,
    details: { reason, ...(given && { given }), ...(changes && { changes }) },
  };
}

/** Makes an act whose outcome is known. */
export const doneAct = (origin: ActOrigin, at: Temporal.Instant, deed?: Deed, outcome: DoneAct['outcome'] = 'done'): DoneAct => ({
  ...actOf(origin, deed),
  at,
  outcome,
});

/** What differs, by field. Undefined: nothing. A record that was not there has no values. */
export function differences(before: Values = {}, after: Values = {}): ActDetails['changes'] | undefined {
  const changes = Object.keys({ ...before, ...after }).flatMap((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[field, [from, to]] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** What of a record an act shows before and after: one row without secrets. It locks the row, so that nothing comes in between. */
export type FactsBefore = { readonly statement: Statement; readonly values: readonly Value[] };

/** Opens a database whose every transaction records an act with what it did. */
export type OpenActing = (act: Act, facts?: FactsBefore) => Db;
