import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import { isConnectionLost, type Db, type Tx } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import type { Log } from '../../kit/log.ts';
import { showMerchant, zoneOfMerchant } from '../../merchants/index.ts';
import { postByHand } from '../by-hand.ts';
import { lockFreeOwnMoney } from '../post-transactions.ts';
import { movedByRule, movedToFund } from '../postings.ts';
import { findDueRules, lockFreeRule, moveDue, nextDay, type RuleKey } from './fund-rules.ts';

const ROUND_SECONDS = 5;
/** Rules of one step. Each is a transaction of its own. */
const AT_ONCE = 100;
const START: RuleKey = { merchantId: '', currency: '' };

type Deps = { readonly db: Db; readonly clock: Clock; readonly acting: OpenActing; readonly log: Log };

/**
 * Makes the job that carries out the rules of a cell: what merchants have collected moves to their funds.
 * It asks for no lock that somebody holds: what is held is left for the next round. It decides under the locks, so servers that do the same
 * at once, or a kill before an answer, move nothing twice. A frozen or disabled merchant is passed over, and its rule stays due.
 * Effects: posts moved_to_fund with an act of the service.
 */
export function keepFunds(deps: Deps, wallClock: Clock): Job {
  let place = START;
  return inRounds(wallClock, ROUND_SECONDS, {
    name: 'ledger.keep_funds',
    patience: 'some',
    step: async () => {
      const due = await findDueRules(deps.db, deps.clock.now(), place, AT_ONCE);
      place = START;
      for (const rule of due) await tryOut(deps, rule);
      const last = due.at(-1);
      if (last === undefined || due.length < AT_ONCE) return false;
      place = last;
      return true;
    },
  });
}

/** One that fails is tried again in the next round; others go on. */
async function tryOut(deps: Deps, rule: RuleKey): Promise<void> {
  try {
    await carryOut(deps, rule);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    deps.log.error({ ...rule, error }, 'what was collected could not be moved to its fund');
  }
}

async function carryOut({ db, clock, acting }: Deps, key: RuleKey): Promise<void> {
  const { merchantId } = key;
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined || merchant.frozenAt !== null || merchant.disabledAt !== null) return;
  const zone = await zoneOfMerchant({ db }, merchantId);
  const actor = { kind: 'service', id: 'service', name: 'service' } as const;
  const origin = { actor, source: hostname(), requestId: null, operation: 'moveToFund' };
  const act = actOf(origin, { target: { kind: 'merchant', id: merchantId, merchantId } });
  await acting(act).transaction((tx) => moveByRule(tx, key, zone, now));
}

/** `isRepeated`: nothing was moved, and there is no act. */
async function moveByRule(tx: Tx, key: RuleKey, zone: string, now: Temporal.Instant): Promise<{ readonly isRepeated: boolean }> {
  const rule = await lockFreeRule(tx, key);
  const isDue = rule !== undefined && (rule.dueAt === null || Temporal.Instant.compare(rule.dueAt, now) <= 0);
  const own = isDue ? await lockFreeOwnMoney(tx, key) : undefined;
  if (!isDue || own === undefined) return { isRepeated: true };
  if (rule.dueAt !== null) moveDue(tx, key, nextDay(now, zone));
  const amountMinor = movedByRule(rule, own);
  if (amountMinor === 0n) return { isRepeated: true };
  postByHand(tx, movedToFund({ ...key, amountMinor, transactionId: `to-fund/rule/${randomUUID()}` }, now));
  return { isRepeated: false };
}
