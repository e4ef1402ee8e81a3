import type { Act, ActDetails, DoneAct } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import type { ActingOn, Act as ManagedAct } from '../manage/index.ts';
import { openActingDb } from './acting-db.ts';
import { recordActs } from './record-acts.ts';

/** Records acts of the management API in the transaction of what they did. */
export const recordManaged = (tx: Tx, acts: readonly ManagedAct[]): void => recordActs(tx, acts.map(toDone));

/** Makes what opens a database for one act of the management API. Who serves the request records a refusal. */
export const actingOn =
  (db: Db, clock: Clock): ActingOn =>
  (origin, { facts, given, ...doing }) => {
    const act = actOf({ ...origin, ...doing });
    return openActingDb({ db, clock, facts }, { ...act, details: { ...act.details, ...(given && { given }) } }).db;
  };

const toDone = ({ at, outcome, ...act }: ManagedAct): DoneAct => ({ ...actOf(act), at, outcome });

function actOf({ actor, source, requestId, operation, target, reason, ...values }: Omit<ManagedAct, 'at' | 'outcome'>): Act {
  const changes = changesOf(values);
  return {
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    source,
    requestId,
    operation,
    merchantId: target?.merchantId ?? actor.merchantId ?? null,
    target: target === undefined ? null : `${target.kind} ${target.id}`,
    details: { reason, ...(changes && { changes }) },
  };
}

function changesOf({ before, after, personal }: Pick<ManagedAct, 'before' | 'after' | 'personal'>): ActDetails['changes'] | undefined {
  const [from, to] = [
    { ...before, ...personal?.before },
    { ...after, ...personal?.after },
  ];
  const fields = Object.keys({ ...from, ...to });
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, [from[field] ?? null, to[field] ?? null]]));
}
