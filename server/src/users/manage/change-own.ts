import { doneAct } from '../../kit/changes/act.ts';
import type { Tx } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { ManagementRequest } from '../../manage/index.ts';
import type { User } from '../user.ts';
import type { UserRoom } from '../user-room.ts';
import { lockUser } from '../user-rows.ts';

/** Runs a change of a user's own account, with the user locked. What is not refused is recorded. */
export async function changeOwn<Outcome extends object>(
  { db, clock, recordActs }: UserRoom,
  { actor, origin }: Pick<ManagementRequest, 'actor' | 'origin'>,
  change: (tx: Tx, user: User, now: Temporal.Instant) => Promise<Outcome>,
): Promise<Outcome | Refusal<'not_a_user'>> {
  if (actor.kind !== 'user') return refuse('not_a_user');
  return db.transaction(async (tx) => {
    const { user } = await lockUser(tx, actor.id);
    if (user?.state !== 'active') return refuse('not_a_user');
    const now = clock.now();
    const outcome = await change(tx, user, now);
    if (!isRefusal(outcome)) recordActs(tx, [doneAct(origin, now, { target: { kind: 'user', id: user.userId } })]);
    return outcome;
  });
}
