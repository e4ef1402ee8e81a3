import type { RequestLimits } from '../../kit/limits/request-limits.ts';
import type { ManageGates } from '../../manage/index.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { leavesOf, type CallerLimits } from './caller-limits.ts';

/** What one user or one program may ask for. It is not part of the business: one who floods stops nobody else. */
const ACTOR_LIMITS: RequestLimits = { perSecond: 1_000, burst: 2_000, concurrent: 32 };

/**
 * Opens the limits of the management API: those of each actor, and those of the merchant that it is bound to. What it writes counts
 * together with the merchant's requests on the wire. What it reads has a bucket of its own, as large: whoever may only read takes no request
 * from those who sell. A page of the console reads several things at once, so what people read without an act is not counted.
 * Whoever is bound to no merchant has daily limits of their own.
 */
export const openActorLimits =
  (limits: CallerLimits, merchants: Pick<MerchantDirectory, 'find'>): ManageGates['admit'] =>
  async (actor, { isWrite, isRecorded, isKept }, reply) => {
    const leaves = leavesOf(isWrite || isRecorded, isKept);
    const merchant = actor.merchantId === undefined ? undefined : await merchants.find(actor.merchantId);
    const own = limits.admit('actor', `${actor.kind}:${actor.id}`, ACTOR_LIMITS, reply, merchant === undefined ? leaves : []);
    if (merchant === undefined || (actor.kind === 'user' && !isWrite && !isRecorded)) return () => limits.leave(own);
    try {
      const shared = limits.admit(isWrite ? 'merchant' : 'reads', merchant.merchantId, merchant.limits, reply, leaves);
      return () => {
        limits.leave(shared);
        limits.leave(own);
      };
    } catch (error) {
      limits.leave(own);
      throw error;
    }
  };
