import type { RequestLimits } from '../../kit/limits/request-limits.ts';
import type { ManageGates } from '../../manage/index.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { leavesOf, type CallerLimits } from './caller-limits.ts';

/** What one user or one program may ask for. It is no part of the business: one who floods stops nobody else. */
const ACTOR_LIMITS: RequestLimits = { perSecond: 1_000, burst: 2_000, concurrent: 32 };

/**
 * Opens the limits of the management API: those of each actor, and those of the merchant that he is bound to, which are the same as on the
 * wire. Only what a merchant's people read is not counted for the merchant: a page of the console reads several things at once.
 * Whoever is bound to no merchant has limits of a day of his own.
 */
export const openActorLimits =
  (limits: CallerLimits, merchants: Pick<MerchantDirectory, 'find'>): ManageGates['admit'] =>
  async (actor, { isWrite, isKept }, reply) => {
    const leaves = leavesOf(isWrite, isKept);
    const merchant = actor.merchantId === undefined ? undefined : await merchants.find(actor.merchantId);
    const own = limits.admit('actor', `${actor.kind}:${actor.id}`, ACTOR_LIMITS, reply, merchant === undefined ? leaves : []);
    if (merchant === undefined || (actor.kind === 'user' && !isWrite)) return () => limits.leave(own);
    try {
      const shared = limits.admit('merchant', merchant.merchantId, merchant.limits, reply, leaves);
      return () => {
        limits.leave(shared);
        limits.leave(own);
      };
    } catch (error) {
      limits.leave(own);
      throw error;
    }
  };
