import { differences } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import { statement, turnStatement, type Db, type Tx } from '../../kit/db.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { showMerchant } from '../../merchants/index.ts';
import type { Rule } from './deductions.ts';

const COLUMNS = `rule_id as "ruleId", merchant_id as "merchantId", name, kind, base, source, currency, rate_ppm as "ratePpm",
  fixed_minor as "fixedMinor", tax_ppm as "taxPpm", since, until`;

/** Of one name there may be no two at once, so who adds or ends one waits for others. */
const TAKE_TURN = turnStatement('settlements.take_turn_to_rule', '$1');
/** A rule that was withdrawn ends before it begins, and holds on no day. */
const OVERLAPS = statement(
  'settlements.overlapping_rule',
  `select rule_id as "ruleId" from settlement_rules
    where merchant_id is not distinct from $1 and currency = $2 and name = $3 and rule_id <> $4 and coalesce(until, 'infinity') >= since
      and coalesce(until, 'infinity') >= $5::date and since <= coalesce($6::date, 'infinity') limit 1`,
);
const INSERT = statement(
  'settlements.insert_rule',
  `insert into settlement_rules (merchant_id, name, kind, base, source, currency, rate_ppm, fixed_minor, tax_ppm, since, until, set_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${COLUMNS}`,
);
const LOCK = statement('settlements.lock_rule', `select ${COLUMNS} from settlement_rules where rule_id = $1 for no key update`);
const READ = statement('settlements.read_rule', `select ${COLUMNS} from settlement_rules where rule_id = $1`);
const END = statement('settlements.end_rule', 'update settlement_rules set until = $2 where rule_id = $1');
const IN_ORDER = `(coalesce(merchant_id, ''), currency, name, since, rule_id)`;
const LIST = statement(
  'settlements.list_rules',
  `select ${COLUMNS} from settlement_rules
    where case when merchant_id is null then $2 else $1::text is null or merchant_id = $1 end
      and ${IN_ORDER} > ($3, $4, $5, $6::date, $7::bigint)
    order by coalesce(merchant_id, ''), currency, name, since, rule_id limit $8`,
);
const OF_CURRENCY = statement(
  'settlements.rules_of_currency',
  `select ${COLUMNS} from settlement_rules where merchant_id is not distinct from $1 and currency = $2`,
);

type NewRule = Omit<Rule, 'ruleId'>;

const isWithdrawn = ({ since, until }: Pick<Rule, 'since' | 'until'>): boolean =>
  until !== null && Temporal.PlainDate.compare(until, since) < 0;

/** Whether another rule of the same name holds on a day of these. */
async function overlaps(tx: Tx, { merchantId, currency, name, since, until }: NewRule, ruleId: bigint): Promise<boolean> {
  if (isWithdrawn({ since, until })) return false;
  return (await tx.query(OVERLAPS, [merchantId, currency, name, ruleId, since, until])).length > 0;
}

/**
 * Adds a rule: in the cell of its merchant, or one of all merchants at home.
 * Refuses: merchant_unknown, currency_not_allowed, tax_not_of_kind: only a fee has a tax. source_not_of_base: only payments and fees have a
 * source. rule_ends_early: it ends before it begins. rule_overlaps: another one of this name, merchant and currency holds on some of its days.
 */
export async function addRule(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  rule: NewRule,
): Promise<
  | Rule
  | Refusal<'merchant_unknown' | 'currency_not_allowed' | 'tax_not_of_kind' | 'source_not_of_base' | 'rule_ends_early' | 'rule_overlaps'>
> {
  const now = clock.now();
  const { merchantId, currency, name, kind, base, source, ratePpm, fixedMinor, taxPpm, since, until } = rule;
  if (taxPpm > 0 && kind !== 'fee') return refuse('tax_not_of_kind');
  if (source !== null && base !== 'payments' && base !== 'fees') return refuse('source_not_of_base');
  if (isWithdrawn(rule)) return refuse('rule_ends_early');
  const merchant = merchantId === null ? undefined : await showMerchant({ db }, merchantId, now);
  if (merchantId !== null && merchant === undefined) return refuse('merchant_unknown');
  if (merchant?.currencies.includes(currency) === false) return refuse('currency_not_allowed');
  return db.transaction(async (tx) => {
    await tx.query(TAKE_TURN, [merchantId ?? '']);
    if (await overlaps(tx, rule, 0n)) return refuse('rule_overlaps');
    const values = [merchantId, name, kind, base, source, currency, ratePpm, fixedMinor, taxPpm, since, until, now];
    const [added] = await tx.query<Rule>(INSERT, values);
    tx.note?.(
      differences({}, { ...rule, fixedMinor: String(fixedMinor), since: since.toString(), until: until?.toString() ?? null }) ?? {},
    );
    return added as Rule;
  });
}

/** Reads a rule of this database. Undefined: there is none of this number. */
export async function readRule({ db }: { readonly db: Pick<Db, 'query'> }, ruleId: bigint): Promise<Rule | undefined> {
  return (await db.query<Rule>(READ, [ruleId]))[0];
}

/**
 * Says which day is the last one of a rule. The day before its first one withdraws it.
 * Refuses: rule_ends_early, rule_overlaps: a later last day reaches into another rule of this name.
 * Effects: settlements that exist keep their lines.
 */
export async function endSettlementRule(
  { db }: { readonly db: Db },
  rule: Rule,
  until: Temporal.PlainDate,
): Promise<Rule | Refusal<'rule_ends_early' | 'rule_overlaps'>> {
  if (Temporal.PlainDate.compare(until, rule.since.subtract({ days: 1 })) < 0) return refuse('rule_ends_early');
  return db.transaction(async (tx) => {
    await tx.query(TAKE_TURN, [rule.merchantId ?? '']);
    const [before] = await tx.query<Rule>(LOCK, [rule.ruleId]);
    const ended = { ...rule, until };
    if (await overlaps(tx, ended, rule.ruleId)) return refuse('rule_overlaps');
    tx.send(END, [rule.ruleId, until]);
    tx.note?.({ until: [before?.until?.toString() ?? null, until.toString()] });
    return ended;
  });
}

/** The place of a rule in the list of rules. */
export type RulePlace = Pick<Rule, 'currency' | 'name' | 'since' | 'ruleId'> & { readonly merchantId: string };

const FIRST: RulePlace = { merchantId: '', currency: '', name: '', since: new Temporal.PlainDate(1, 1, 1), ruleId: 0n };

/**
 * Lists rules of one database: by merchant, general ones first, then currency, name and day.
 * Shape: `merchantId` undefined: those of all its merchants. `isGeneral`: those of all merchants too.
 */
export const listRules = (
  { db }: { readonly db: Pick<Db, 'query'> },
  filter: {
    readonly merchantId: string | undefined;
    readonly isGeneral: boolean;
    readonly after: RulePlace | undefined;
    readonly limit: number;
  },
): Promise<readonly Rule[]> => {
  const { merchantId = null, isGeneral, after = FIRST, limit } = filter;
  return db.query<Rule>(LIST, [merchantId, isGeneral, after.merchantId, after.currency, after.name, after.since, after.ruleId, limit]);
};

/** The rules that a merchant's settlements in a currency go by: its own, and the general ones of home. `deductionsOf` takes them. */
export async function readRules(
  { db, home }: { readonly db: Pick<Db, 'query'>; readonly home: Pick<Db, 'query'> },
  { merchantId, currency }: { readonly merchantId: string; readonly currency: string },
): Promise<readonly Rule[]> {
  const own = await db.query<Rule>(OF_CURRENCY, [merchantId, currency]);
  return [...own, ...(await home.query<Rule>(OF_CURRENCY, [null, currency]))];
}
