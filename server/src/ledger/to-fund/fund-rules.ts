import { dayOf, startOfDay } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import { statement, type Db, type Tx } from '../../kit/db.ts';
import { newest } from '../../kit/db/newest.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { FundTerms } from '../postings.ts';

/** Names a rule: a merchant has one in each currency at most. */
export type RuleKey = { readonly merchantId: string; readonly currency: string };

/** What a merchant has set, and when. */
export type FundRule = FundTerms & {
  readonly currency: string;
  /** Of a rule that moves once a day: when it does next. Null: it looks at the fund all the time. */
  readonly dueAt: Temporal.Instant | null;
  readonly setAt: Temporal.Instant;
};

const TERMS = `low_minor as "lowMinor", target_minor as "targetMinor"`;

const LIST = statement(
  'ledger.list_fund_rules',
  `select currency, ${TERMS}, due_at as "dueAt", set_at as "setAt" from fund_rules where merchant_id = $1 order by currency`,
);
const SET = statement(
  'ledger.set_fund_rule',
  `insert into fund_rules (merchant_id, currency, low_minor, target_minor, due_at, set_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, currency) do update
     set low_minor = excluded.low_minor, target_minor = excluded.target_minor, due_at = excluded.due_at, set_at = excluded.set_at`,
);
const END = statement('ledger.end_fund_rule', 'delete from fund_rules where merchant_id = $1 and currency = $2');

/** What the audit log shows of a rule before and after. */
const FACTS = statement(
  'ledger.fund_rule_facts',
  `select low_minor::text as "lowMinor", target_minor::text as "targetMinor" from fund_rules
    where merchant_id = $1 and currency = $2 for no key update`,
);
export const ruleFacts = ({ merchantId, currency }: RuleKey) => ({ statement: FACTS, values: [merchantId, currency] });

const ofBalance = (account: string): string =>
  `coalesce((${newest('ledger_balances', { merchant_id: 'r.merchant_id', account: `'${account}'`, currency: 'r.currency' }, 'b.balance_minor')}), 0)`;
/** Rules that may have something to move, in the order of a walk over all of them. */
const FIND_DUE = statement(
  'ledger.find_due_fund_rules',
  `select r.merchant_id as "merchantId", r.currency from fund_rules r
    where (r.merchant_id, r.currency) > ($2, $3)
      and case when r.low_minor is null then r.due_at <= $1
               else ${ofBalance('available')} < r.low_minor and ${ofBalance('collected')} > 0 end
    order by r.merchant_id, r.currency limit $4`,
);
const LOCK_RULE = statement(
  'ledger.lock_fund_rule',
  `select ${TERMS}, due_at as "dueAt" from fund_rules where merchant_id = $1 and currency = $2 for no key update skip locked`,
);
const MOVE_DUE = statement('ledger.move_fund_rule_due', 'update fund_rules set due_at = $3 where merchant_id = $1 and currency = $2');

type Deps = { readonly db: Db; readonly clock: Clock };

/** Lists the rules of a merchant, by currency. */
export const listFundRules = ({ db }: { readonly db: Pick<Db, 'query'> }, merchantId: string): Promise<readonly FundRule[]> =>
  db.query<FundRule>(LIST, [merchantId]);

/** When a rule that moves once a day does so next: as the next day of the merchant begins. */
export const nextDay = (now: Temporal.Instant, timeZone: string): Temporal.Instant =>
  startOfDay(dayOf(now, timeZone).add({ days: 1 }), timeZone);

type SetFundRule = FundTerms & {
  readonly merchant: { readonly merchantId: string; readonly currencies: readonly string[]; readonly timeZone: string };
  readonly currency: string;
};

/**
 * Sets when what a merchant collects moves to its fund by itself, in place of what was set.
 * Shape: SetFundRule; amounts in minor units.
 * Refuses: currency_not_allowed, low_above_target.
 * Effects: one row. A rule that moves once a day does so for the first time as the merchant's next day begins.
 */
export async function setFundRule(
  { db, clock }: Deps,
  { merchant: { merchantId, currencies, timeZone }, currency, lowMinor, targetMinor }: SetFundRule,
): Promise<Refusal<'currency_not_allowed' | 'low_above_target'> | undefined> {
  if (!currencies.includes(currency)) return refuse('currency_not_allowed');
  if (lowMinor !== null && targetMinor !== null && lowMinor > targetMinor) return refuse('low_above_target');
  const now = clock.now();
  await db.query(SET, [merchantId, currency, lowMinor, targetMinor, lowMinor === null ? nextDay(now, timeZone) : null, now]);
  return undefined;
}

/** Ends a rule. Where there is none nothing changes. */
export async function endFundRule({ db }: Pick<Deps, 'db'>, { merchantId, currency }: RuleKey): Promise<void> {
  await db.query(END, [merchantId, currency]);
}

/** Finds rules that may have something to move, after a place of the walk. */
export const findDueRules = (db: Pick<Db, 'query'>, now: Temporal.Instant, after: RuleKey, limit: number): Promise<readonly RuleKey[]> =>
  db.query<RuleKey>(FIND_DUE, [now, after.merchantId, after.currency, limit]);

/** Locks a rule, and never waits. Undefined: it has ended, or another transaction holds it. */
export async function lockFreeRule(
  tx: Pick<Tx, 'query'>,
  { merchantId, currency }: RuleKey,
): Promise<(FundTerms & Pick<FundRule, 'dueAt'>) | undefined> {
  return (await tx.query<FundTerms & Pick<FundRule, 'dueAt'>>(LOCK_RULE, [merchantId, currency]))[0];
}

/** Says when a rule that moves once a day does so next. */
export const moveDue = (tx: Pick<Tx, 'send'>, { merchantId, currency }: RuleKey, at: Temporal.Instant): void =>
  tx.send(MOVE_DUE, [merchantId, currency, at]);
