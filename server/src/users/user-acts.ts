import { NOBODY, type Act } from '../manage/index.ts';
import type { User } from './user.ts';

/** From where a browser asks for something. */
type Source = { readonly address: string; readonly requestId: string };

/** The act of a user on the own account. */
export const actOf = (
  { userId, email, merchantId }: Pick<User, 'userId' | 'email' | 'merchantId'>,
  { address, requestId }: Source,
  operation: string,
  at: Temporal.Instant,
  outcome: Act['outcome'] = 'done',
): Act => ({
  actor: { kind: 'user', id: userId, name: email, merchantId: merchantId ?? undefined },
  source: address,
  requestId,
  operation,
  at,
  target: { kind: 'user', id: userId, merchantId: merchantId ?? undefined },
  outcome,
});

/** A try to sign in that was refused. It names nobody: who tried is not proved. */
export const refusedSignIn = ({ address, requestId }: Source, at: Temporal.Instant): Act => ({
  actor: NOBODY,
  source: address,
  requestId,
  operation: 'signIn',
  at,
  outcome: 'refused:sign_in_refused',
});
