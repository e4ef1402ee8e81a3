import type { Db } from '../../kit/db.ts';
import type { SettlementTerms } from './deductions.ts';
import { readRules } from './rule-rows.ts';
import { readSchedule } from './schedule-rows.ts';
import type { ScheduleKey } from './schedule.ts';

/** A merchant's own rules are in its cell, general ones and holidays at home. */
type TermsDeps = { readonly db: Pick<Db, 'query'>; readonly home: Pick<Db, 'query'> };

/** Reads what holds for settlements of a merchant in a currency. Without a schedule there is no reserve and no minimum. */
export async function readTerms(deps: TermsDeps, of: ScheduleKey): Promise<SettlementTerms> {
  const { reservePpm = 0, reserveDays = 0, minimumMinor = 0n } = (await readSchedule(deps, of)) ?? {};
  return { merchantId: of.merchantId, currency: of.currency, rules: await readRules(deps, of), reservePpm, reserveDays, minimumMinor };
}
