import { Type } from 'typebox';
import { cellOfMerchant } from '../../cells/index.ts';
import { actOf } from '../../kit/changes/act.ts';
import { byText, mergeSorted } from '../../kit/lists/merges.ts';
import { formatAllDecimals, parseCost } from '../../kit/money.ts';
import { refuse } from '../../kit/outcome.ts';
import { cellOfNumber, HOME } from '../../kit/per-cell.ts';
import { formatPercent, parsePercent } from '../../kit/written/percent.ts';
import { cutPage, managementOperation, mergeFound, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../../manage/index.ts';
import { writes } from '../settlement-forms.ts';
import { LINE_BASES, RULE_KINDS } from './choices.ts';
import type { Rule } from './deductions.ts';
import { addRule, endSettlementRule, listRules, readRule, type RulePlace } from './rule-rows.ts';
import { costText, percent, type TermsDeps } from './schedules.manage.ts';

const { currency, day, merchantId, oneOf, orNull, answerObject, wrong } = schemas;

const tag = 'Settlements';

const ruleId = Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'The number of the rule.', examples: ['12'] });
const name = Type.String({
  maxLength: 40,
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'A merchant’s own rule takes the place of the general one of the same name.',
  examples: ['rete-fuente'],
});
const RULE = {
  name,
  kind: oneOf(RULE_KINDS, 'What it is: a fee of the service, a withholding, or a tax on transfers.'),
  base: oneOf(
    LINE_BASES,
    'Of what: payments of payers less what was given back, the fees on these, all that was collected, or what is paid out after all other lines.',
  ),
  source: orNull(
    Type.String({
      pattern: '^[A-Za-z0-9_.:-]{1,60}$',
      description: 'Of payments and fees: those that this network or method took. Null: whoever took them.',
      examples: ['cashpoint'],
    }),
  ),
  currency,
  percent,
  fixed: costText('In the currency, once for each settlement.'),
  taxPercent: { ...percent, description: 'On a fee.' },
  since: { ...day, description: 'The first day, in the zone of each merchant.' },
};
const until = { ...day, description: 'The last day.' };

const shows = answerObject({
  rule: ruleId,
  merchant: orNull({ ...merchantId, description: 'Null: all merchants.' }),
  ...RULE,
  until: orNull(until),
});

const showRule = (rule: Rule) => ({
  rule: String(rule.ruleId),
  merchant: rule.merchantId,
  name: rule.name,
  kind: rule.kind,
  base: rule.base,
  source: rule.source,
  currency: rule.currency,
  percent: formatPercent(rule.ratePpm),
  fixed: formatAllDecimals(rule.fixedMinor, rule.currency),
  taxPercent: formatPercent(rule.taxPpm),
  since: rule.since.toString(),
  until: rule.until?.toString() ?? null,
});

const placeOf = (rule: Rule): RulePlace => ({ ...rule, merchantId: rule.merchantId ?? '' });

/** The order of the list. General rules come first. */
const inOrder = (one: Rule, other: Rule): number =>
  byText(one.merchantId ?? '', other.merchantId ?? '') ||
  byText(one.currency, other.currency) ||
  byText(one.name, other.name) ||
  Temporal.PlainDate.compare(one.since, other.since) ||
  Number(one.ruleId - other.ruleId);

export const ruleList = managementOperation({
  name: 'listSettlementRules',
  route: 'GET /manage/v1/settlement-rules',
  tag,
  summary: 'List what is taken from settlements',
  names: { es: 'Ver las reglas de las liquidaciones', pt: 'Ver as regras das liquidações' },
  description: 'Rules of all merchants first, then those of single ones; ended ones too. Of one merchant: its own, and those of all.',
  permission: 'ledger:read',
  scope: 'merchant',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows,
  run: async ({ merchantId: only, page: { after, limit } }, { db, home, cell }: TermsDeps) => {
    const filter = { merchantId: only, isGeneral: cell === HOME, after: after && readPlace(after), limit: limit + 1 };
    const own = await listRules({ db }, filter);
    // Those of all merchants are at home, wherever this one is.
    if (only === undefined || cell === HOME) return { found: own };
    // No merchant has an empty id.
    const general = await listRules({ db: home }, { ...filter, merchantId: '', isGeneral: true });
    return { found: mergeSorted([general, own], inOrder, limit + 1) };
  },
  cells: { merge: mergeFound(inOrder) },
  page: ({ found }, { page: { limit } }) =>
    cutPage(found, limit, showRule, (last) => {
      const place = placeOf(last);
      return [place.merchantId, place.currency, place.name, place.since.toString(), String(place.ruleId)];
    }),
});

const readPlace = ([merchant, code, ruleName, since, rule]: readonly (string | null)[]): RulePlace => ({
  merchantId: merchant ?? '',
  currency: code ?? '',
  name: ruleName ?? '',
  since: Temporal.PlainDate.from(since ?? ''),
  ruleId: BigInt(rule ?? 0),
});

const DAYS = {
  rule_ends_early: {
    status: 422,
    title: 'The rule ends before it begins',
    meaning: 'Its last day is not before its first one. Ended the day before, a rule is withdrawn.',
    words: {
      es: 'La regla termina antes de empezar',
      en: 'The rule ends before it begins',
      pt: 'A regra termina antes de começar',
    },
    line: ['The rule ends before it begins; ended the day before, it is withdrawn.', 2],
  },
  rule_overlaps: {
    status: 409,
    title: 'Another rule of this name holds on some of these days',
    meaning: 'Of one name, merchant and currency there is one rule at a time. End the other one first.',
    words: {
      es: 'Otra regla con ese nombre rige en algunos de esos días. Primero termínela',
      en: 'Another rule of this name holds on some of these days. End it first',
      pt: 'Outra regra com esse nome vale em alguns desses dias. Encerre-a primeiro',
    },
    line: ['Another rule of this name holds on some of these days: "settlements rules" shows it, "settlements end-rule" ends it.', 1],
  },
} as const;

export const ruleAdding = managementOperation({
  ...writes,
  name: 'addSettlementRule',
  route: 'POST /manage/v1/settlement-rules',
  summary: 'Add a rule of what is taken from settlements',
  names: { es: 'Agregar una regla de liquidación', pt: 'Adicionar uma regra de liquidação' },
  description:
    'From one day on, and up to another one where it has an end. Without `merchant` it is of all merchants. A merchant’s own rule takes the ' +
    'place of the general one of the same name; with a `percent` of 0 it exempts. Settlements that exist keep their lines.',
  status: 201,
  body: Type.Object({
    merchant: Type.Optional(merchantId),
    ...RULE,
    source: Type.Optional(RULE.source),
    fixed: Type.Optional(RULE.fixed),
    taxPercent: Type.Optional(RULE.taxPercent),
    until: Type.Optional(orNull(until)),
  }),
  actsOn: { kind: 'rule', member: 'name' },
  takes: { name: '1 to 40 small letters, digits or -' },
  refusals: {
    merchant_unknown: ROOM_PROBLEMS.merchant_unknown,
    currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
    tax_not_of_kind: {
      status: 422,
      title: 'Only a fee has a tax',
      meaning: 'Leave `taxPercent` out, or make it a fee.',
      words: { es: 'Solo una comisión lleva impuesto', en: 'Only a fee has a tax', pt: 'Só uma tarifa tem imposto' },
      line: ['--tax goes with --kind fee.', 2],
    },
    source_not_of_base: {
      status: 422,
      title: 'Only payments and fees have a source',
      meaning: 'Leave `source` out, or choose the base `payments` or `fees`.',
      words: {
        es: 'Solo los pagos y sus comisiones tienen una red o un medio',
        en: 'Only payments and their fees have a source',
        pt: 'Só os pagamentos e suas tarifas têm uma rede ou um meio',
      },
      line: ['--source goes with --base payments or --base fees.', 2],
    },
    ...DAYS,
  },
  shows,
  // A rule of one merchant is in its cell.
  cells: ({ body: { merchant } }, { db }: TermsDeps) => (merchant === undefined ? HOME : cellOfMerchant(db, merchant)),
  run: async ({ body, origin }, { clock, acting }: TermsDeps) => {
    const { merchant = null, currency: code, percent: rate, fixed = '0', taxPercent = '0', source = null, ...rest } = body;
    const [ratePpm, taxPpm, fixedMinor] = [parsePercent(rate), parsePercent(taxPercent), parseCost(fixed, code)];
    if (ratePpm === undefined) return wrong('/percent', 'must be 0 to 100');
    if (taxPpm === undefined) return wrong('/taxPercent', 'must be 0 to 100');
    if (fixedMinor === undefined) return wrong('/fixed', 'must be zero or more of a known currency, with no more decimals than it has');
    const days = { since: Temporal.PlainDate.from(rest.since), until: rest.until ? Temporal.PlainDate.from(rest.until) : null };
    const target = { kind: 'rule', id: rest.name, ...(merchant !== null && { merchantId: merchant }) };
    const db = acting(actOf(origin, { target }));
    return addRule({ db, clock }, { ...rest, ...days, merchantId: merchant, currency: code, source, ratePpm, taxPpm, fixedMinor });
  },
  answer: (rule) => ({ body: showRule(rule) }),
});

export const ruleEnding = managementOperation({
  ...writes,
  name: 'endSettlementRule',
  route: 'POST /manage/v1/settlement-rules/{rule}/end',
  summary: 'Say which day is the last one of a rule',
  names: { es: 'Terminar una regla de liquidación', pt: 'Encerrar uma regra de liquidação' },
  description: 'The day before its first one withdraws it. Settlements that exist keep their lines.',
  missing: ['There is no rule {rule}.', 1],
  cells: ({ path: { rule } }) => cellOfNumber(rule),
  path: Type.Object({ rule: ruleId }),
  body: Type.Object({ until }),
  refusals: DAYS,
  shows,
  run: async ({ path: { rule }, body, origin }, deps: TermsDeps) => {
    const found = await readRule(deps, BigInt(rule));
    if (found === undefined) return refuse('not_found');
    const target = { kind: 'rule', id: rule, ...(found.merchantId !== null && { merchantId: found.merchantId }) };
    return endSettlementRule({ db: deps.acting(actOf(origin, { target })) }, found, Temporal.PlainDate.from(body.until));
  },
  answer: (rule) => ({ body: showRule(rule) }),
});

/** The operations of the management API on rules. */
export const ruleManagement: readonly ManagementOperation<TermsDeps>[] = [ruleList, ruleAdding, ruleEnding];
