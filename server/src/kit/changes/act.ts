import type { Tx } from '../db.ts';

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

/** Records acts in the transaction of what they did. */
export type RecordActs = (tx: Pick<Tx, 'send'>, acts: readonly DoneAct[]) => void;
