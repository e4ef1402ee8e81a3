import type { Clock } from '../kit/clock.ts';
import type { Statement, Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, seal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import { decideRotation, type HeldGeneration, type RotationRefusal } from './merchant.ts';

/** The statements of a table of secrets. Their first parameters are `names`; those on the owner take the first one alone. */
export type SecretTable = {
  readonly lockOwner: Statement;
  /** In the order in which a rotation of the master key locks them. */
  readonly lockSecrets: Statement;
  /** Takes the end. */
  readonly endEarlier: Statement;
  /** Takes the time. */
  readonly deleteEnded: Statement;
  /** Takes the generation, the id of the master key, the sealed secret and the time. */
  readonly insert: Statement;
  readonly notifyChange: Statement;
};

/** The end of the secret before the new one. Null: no earlier secret is valid. */
export type Previous = { readonly previousValidUntil: Temporal.Instant | null };

type ReplaceSecret<Unknown extends string> = {
  /** The refusal where there is no such owner. */
  readonly unknown: Unknown;
  readonly table: SecretTable;
  /** Whose secret, and what else names it. */
  readonly names: readonly [owner: string, ...others: string[]];
  /** What the sealed secret of a generation is bound to. */
  readonly placeOf: (generation: number) => string;
  readonly secret: string;
  /** How long the earlier one stays valid; 0: not at all. */
  readonly days: number;
  /** Judges the new one by those that are held. */
  readonly judge?: (held: readonly HeldSealed[]) => Promise<Refusal<Unknown> | undefined>;
};

type HeldSealed = HeldGeneration & Sealed;

/**
 * Replaces a secret of a merchant or a network, in a transaction.
 * Shape: ReplaceSecret → Previous.
 * Refuses: `unknown`, days_out_of_range, rotation_under_way, what `judge` refuses.
 * Effects: ended secrets are deleted; all running servers learn of it at commit.
 * Source: contract §7.4, §7.5.
 */
export async function replaceSecret<Unknown extends string>(
  tx: Tx,
  { keys, clock }: { readonly keys: MasterKeys; readonly clock: Clock },
  { unknown, table, names, placeOf, secret, days, judge }: ReplaceSecret<Unknown>,
): Promise<Previous | Refusal<RotationRefusal | Unknown>> {
  const now = clock.now();
  const [owner] = names;
  tx.send(HOLD_MASTER_KEY, []);
  if ((await tx.query(table.lockOwner, [owner])).length === 0) return refuse(unknown);
  const held = await tx.query<HeldSealed>(table.lockSecrets, [...names]);
  const decision = decideRotation(held, now, days);
  if (isRefusal(decision)) return decision;
  const judged = await judge?.(held);
  if (judged !== undefined) return judged;

  const { generation, earlierEndAt } = decision;
  const { masterKeyId, sealed } = seal(keys, secret, placeOf(generation));
  tx.send(table.endEarlier, [...names, earlierEndAt]);
  tx.send(table.deleteEnded, [...names, now]);
  tx.send(table.insert, [...names, generation, masterKeyId, sealed, now]);
  tx.send(table.notifyChange, [owner]);
  return { previousValidUntil: days === 0 || held.length === 0 ? null : earlierEndAt };
}
