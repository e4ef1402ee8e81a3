type Facts = Readonly<Record<string, string>>;

/** An act as the audit log must hold it: field to its value before and after, both as text. */
export type ModelAct = {
  readonly actor: string;
  readonly operation: string;
  readonly merchantId: string | null;
  /** Null: the request names none. */
  readonly target: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  /** What was asked for, where no change shows it. */
  readonly given: Facts;
  readonly changes: Readonly<Record<string, readonly [before: string, after: string]>>;
};

/** What a change did, for the act of it. */
export type ActParts = Pick<ModelAct, 'operation' | 'merchantId' | 'target'> & { readonly reason?: string; readonly given?: Facts };

export const doneAct = (actor: string, parts: ActParts, before: Facts, after: Facts): ModelAct => ({
  actor,
  reason: null,
  given: {},
  ...parts,
  outcome: 'done',
  changes: Object.fromEntries(
    Object.keys({ ...before, ...after }).flatMap((name) => {
      const [from, to] = [before[name] ?? 'null', after[name] ?? 'null'];
      return from === to ? [] : [[name, [from, to]] as const];
    }),
  ),
});

/** A refused write: on what is what the request names. */
export const refusedAct = (actor: string, parts: ActParts, refusal: string): ModelAct => ({
  actor,
  ...parts,
  outcome: `refused:${refusal}`,
  reason: null,
  given: {},
  changes: {},
});
