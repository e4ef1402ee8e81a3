import type { Act } from '../manage/index.ts';
import type { User } from './user.ts';

/** The act of a user on the own account. */
export const actOf = (
  { userId, email, merchantId }: Pick<User, 'userId' | 'email' | 'merchantId'>,
  { address, requestId }: { readonly address: string; readonly requestId: string },
  operation: string,
  at: Temporal.Instant,
): Act => ({
  actor: { kind: 'user', id: userId, name: email, merchantId: merchantId ?? undefined },
  source: address,
  requestId,
  operation,
  at,
  target: { kind: 'user', id: userId, merchantId: merchantId ?? undefined },
  outcome: 'done',
});
