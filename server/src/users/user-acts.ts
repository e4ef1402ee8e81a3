import { doneAct, type DoneAct } from '../kit/changes/act.ts';
import type { Refusal } from '../kit/outcome.ts';
import { NOBODY } from '../manage/index.ts';
import type { User } from './user.ts';

/** From where a browser asks for something. */
type Source = { readonly address: string; readonly requestId: string };

/** The act of a user on the own account. */
export const ownAct = (
  { userId, email, merchantId }: Pick<User, 'userId' | 'email' | 'merchantId'>,
  { address, requestId }: Source,
  operation: string,
  at: Temporal.Instant,
  outcome?: DoneAct['outcome'],
): DoneAct => {
  const actor = { kind: 'user', id: userId, name: email, merchantId: merchantId ?? undefined } as const;
  return doneAct({ actor, source: address, requestId, operation }, at, { target: { kind: 'user', id: userId } }, outcome);
};

/** A try to sign in that was refused. It names nobody: who tried is not proved. */
export const refusedSignIn = ({ address, requestId }: Source, at: Temporal.Instant, { refusal }: Refusal): DoneAct =>
  doneAct({ actor: NOBODY, source: address, requestId, operation: 'signIn' }, at, {}, `refused:${refusal}`);
