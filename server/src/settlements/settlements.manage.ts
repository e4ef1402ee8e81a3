import { Type, type Static } from 'typebox';
import { isCellKnown } from '../cells/index.ts';
import { actOf, doneAct, type OpenActing, type RecordLone } from '../kit/changes/act.ts';
import { parseIsoDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { byText, latestFirst } from '../kit/lists/merges.ts';
import type { RunAloneOnce } from '../kit/once.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { cellOfNumber } from '../kit/per-cell.ts';
import { entriesAbout, readSettledEntries } from '../ledger/index.ts';
import {
  cutPage,
  managementOperation,
  mergeFound,
  NO_MERCHANT,
  ROOM_PROBLEMS,
  schemas,
  type ManagementOperation,
  type ManagementRequest,
} from '../manage/index.ts';
import { changeSettlement, type ApprovalRefusal, type ChangedSettlement } from './change-settlement.ts';
import { previewSettlement, runSettlement } from './run-settlement.ts';
import {
  lineSchema,
  NO_SETTLEMENT,
  runMembers,
  settlementId,
  settlementSchema,
  settlementState,
  showLine,
  showSettlement,
  writes,
} from './settlement-forms.ts';
import { listSettlements, readSettlement, readSettlementLines, readSettlements, type SettlementPlace } from './settlement-rows.ts';
import type { SettlementStep, StepRefusal } from './settlement.ts';
import { SETTLEMENT_STATES, type Settlement } from './settlement-columns.ts';

export type SettlementDeps = {
  readonly db: Db;
  /** The database of what belongs to no merchant. */
  readonly home: Db;
  readonly clock: Clock;
  readonly acting: OpenActing;
  readonly runOnce: RunAloneOnce;
  /** Records why one of several was not approved. Undefined: a command asks, and its refusals are no acts. */
  readonly recordLone?: RecordLone | undefined;
  /** The same of another cell. Throws: Unavailable where it is not served here. */
  readonly inCell: (cell: number) => { readonly db: Db; readonly acting: OpenActing };
};

const { amount, currency, day, instant, merchantId, oneOf, orNull, reason, REASON_TAKES, answerObject, showAmount, wrong } = schemas;

const reads = { tag: 'Settlements', permission: 'ledger:read', scope: 'merchant' } as const;
const ofMerchant = { path: Type.Object({ merchant: merchantId }), missing: NO_MERCHANT } as const;
const path = Type.Object({ merchant: merchantId, settlement: settlementId });
const ofOne = { path, missing: NO_SETTLEMENT } as const;

const isRepeated = Type.Boolean({ description: 'It was so before: nothing was changed.' });
const whole = answerObject({ ...settlementSchema.properties, lines: Type.Array(lineSchema) });

/** The order of settlements of two cells. A merchant is in one of them, so no more of the list's order is needed. */
const newestFirst = (one: Settlement, other: Settlement): number =>
  latestFirst(one.madeAt, other.madeAt) || byText(other.merchantId, one.merchantId);

export const listSettlementsOperation = managementOperation({
  ...reads,
  name: 'listSettlements',
  route: 'GET /manage/v1/settlements',
  summary: 'List settlements',
  names: { es: 'Ver la lista de liquidaciones', pt: 'Ver a lista de liquidações' },
  description: 'The newest first. `from` and `to` are days on which they were made, in the zone of their merchants.',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    state: Type.Optional(Type.Array(oneOf(SETTLEMENT_STATES, 'As of now.'), { description: 'Some states, with commas between them.' })),
    currency: Type.Optional(currency),
    from: Type.Optional(day),
    to: Type.Optional(day),
  }),
  takes: { currency: 'three letters, such as COP' },
  shows: settlementSchema,
  run: async ({ query: { state: states, currency: code, from, to }, merchantId: only, page: { after, limit } }, { db }: SettlementDeps) => {
    const unreal = Object.entries({ from, to }).find(([, text]) => text !== undefined && parseIsoDay(text) === undefined);
    if (unreal !== undefined) return wrong(`/${unreal[0]}`, 'is not a real date');
    const filter = { merchantId: only, states, currency: code, from, to };
    return { found: await listSettlements(db, { ...filter, after: after && placeOf(after), limit: limit + 1 }) };
  },
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) =>
    cutPage(found, limit, showSettlement, (last) => [last.madeAt.toString(), last.merchantId, String(last.settlementId)]),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
const placeOf = ([madeAt, merchant, settlement]: readonly (string | null)[]): SettlementPlace => ({
  madeAt: Temporal.Instant.from(madeAt ?? ''),
  merchantId: merchant ?? '',
  settlementId: BigInt(settlement ?? 0),
});

const keyOf = ({ merchant, settlement }: Static<typeof path>) => ({ merchantId: merchant, settlementId: BigInt(settlement) });

export const readSettlementOperation = managementOperation({
  ...reads,
  ...ofOne,
  name: 'readSettlement',
  route: 'GET /manage/v1/settlements/{merchant}/{settlement}',
  summary: 'Show a settlement with what was taken off',
  shows: whole,
  run: async ({ path: of }, { db }: SettlementDeps) => {
    const settlement = await readSettlement(db, keyOf(of));
    return settlement === undefined ? refuse('not_found') : { settlement, lines: await readSettlementLines(db, settlement) };
  },
  answer: ({ settlement, lines }) => ({
    body: { ...showSettlement(settlement), lines: lines.map((line) => showLine(line, settlement.currency)) },
  }),
});

export const listSettlementEntries = managementOperation({
  ...reads,
  ...ofOne,
  name: 'listSettlementEntries',
  route: 'GET /manage/v1/settlements/{merchant}/{settlement}/entries',
  summary: 'List the entries that a settlement is made of',
  description: 'By their transactions. They add up to the gross amount. One that is cancelled has given them back.',
  shows: entriesAbout.schema,
  run: async ({ path: of, page: { after, limit } }, { db }: SettlementDeps) => {
    const settlement = await readSettlement(db, keyOf(of));
    if (settlement === undefined) return refuse('not_found');
    const [transactionId, line] = after ?? [];
    const place = after && { transactionId: transactionId ?? '', line: Number(line) };
    return { found: await readSettledEntries(db, { ...keyOf(of), after: place, limit: limit + 1 }) };
  },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, entriesAbout.show, (last) => [last.transactionId, String(last.line)]),
});

const RUN_REFUSALS = {
  currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
  day_to_come: {
    status: 422,
    title: 'The day is still to come',
    meaning: 'Entries are taken until the end of a day that has begun in the merchant’s zone.',
    words: { es: 'Ese día todavía no ha llegado', en: 'That day is still to come', pt: 'Esse dia ainda não chegou' },
    line: ['--until takes a day that has begun.', 2],
  },
} as const;

type Asked = { readonly currency: string; readonly until?: string | undefined };

/** Reads what a run is asked for. */
function runOf(merchant: string, { currency: code, until }: Asked) {
  const last = until === undefined ? undefined : parseIsoDay(until);
  if (until !== undefined && last === undefined) return wrong('/until', 'is not a real date');
  return { merchantId: merchant, currency: code, until: last };
}

const orNotFound = <Outcome>(outcome: Outcome): Found<Outcome> =>
  (isRefusal(outcome) && /^(merchant_unknown|settlement_not_found)$/.test(outcome.refusal)
    ? refuse('not_found')
    : outcome) as Found<Outcome>;
/** What somebody asks for by hand has no minimum. */
type Unused = 'merchant_unknown' | 'settlement_not_found' | 'below_minimum';
type Found<Outcome> = Outcome extends Refusal<infer Name> ? Refusal<Exclude<Name, Unused> | 'not_found'> : Outcome;

export const previewSettlementOperation = managementOperation({
  ...reads,
  ...ofMerchant,
  name: 'showNextSettlement',
  route: 'GET /manage/v1/settlements/{merchant}/preview',
  summary: 'Show what a settlement would be now',
  description: 'Nothing is written. Where `net` is not above zero there is nothing to settle.',
  query: Type.Object(runMembers),
  takes: { currency: 'three letters, such as COP' },
  refusals: RUN_REFUSALS,
  shows: answerObject({
    entries: Type.Integer(),
    gross: amount,
    net: amount,
    settledOn: day,
    cutoffAt: instant,
    lines: Type.Array(lineSchema),
  }),
  run: async ({ path: { merchant }, query }, deps: SettlementDeps) => {
    const command = runOf(merchant, query);
    return isRefusal(command) ? command : orNotFound(await previewSettlement(deps, command));
  },
  answer: ({ currency: code, entries, grossMinor, netMinor, settledOn, cutoffAt, lines }) => ({
    body: {
      entries,
      gross: showAmount(grossMinor, code),
      net: showAmount(netMinor, code),
      settledOn: settledOn.toString(),
      cutoffAt: cutoffAt.toString(),
      lines: lines.map((line) => showLine(line, code)),
    },
  }),
});

export const runSettlementOperation = managementOperation({
  ...writes,
  ...ofMerchant,
  name: 'runSettlement',
  route: 'POST /manage/v1/settlements/{merchant}/run',
  summary: 'Make a draft of what a merchant has collected',
  names: { es: 'Preparar una liquidación', pt: 'Preparar uma liquidação' },
  description:
    'It takes every entry of `collected` that is in no settlement, until the end of a day. The same request again finds nothing left. ' +
    'About 200,000 entries are in one at most, and more only where these come to nothing that is paid: what is left is in the next one.',
  status: 201,
  body: Type.Object(runMembers),
  takes: { currency: 'three letters, such as COP' },
  refusals: {
    ...RUN_REFUSALS,
    nothing_to_settle: {
      status: 409,
      title: 'There is nothing to settle',
      meaning: 'What is in no settlement yet is not above zero.',
      words: { es: 'No hay nada por liquidar', en: 'There is nothing to settle', pt: 'Não há nada a liquidar' },
      line: ['{merchant} has nothing to settle in {currency}.', 1],
    },
    deductions_too_large: {
      status: 409,
      title: 'What is taken off leaves nothing',
      meaning: 'Fees, withholdings, taxes and the reserve come to what was collected, or to more. The preview shows them.',
      words: {
        es: 'Los descuentos no dejan nada por pagar',
        en: 'What is taken off leaves nothing to pay',
        pt: 'Os descontos não deixam nada a pagar',
      },
      line: ['What is taken off leaves {merchant} nothing in {currency}: "settlements preview" shows it.', 1],
    },
  },
  shows: whole,
  run: async ({ path: { merchant }, body, origin }, deps: SettlementDeps) => {
    const command = runOf(merchant, body);
    if (isRefusal(command)) return command;
    const target = { kind: 'merchant', id: merchant, merchantId: merchant };
    const acting = { ...deps, db: deps.acting(actOf(origin, { target, given: body })) };
    return orNotFound(await runSettlement(acting, { ...command, dueOn: null }));
  },
  answer: ({ settlement, lines }) => ({
    body: { ...showSettlement(settlement), lines: lines.map((line) => showLine(line, settlement.currency)) },
  }),
});

const targetOf = (merchant: string, settlement: string) => ({ kind: 'settlement', merchantId: merchant, id: settlement });

type Step = Pick<ManagementRequest<Static<typeof path>>, 'path' | 'origin'>;

/** Carries out a step as an act of who asks. The operations declare which refusals it may have. */
async function change<Never extends StepRefusal | ApprovalRefusal>(
  { path: of, origin }: Step,
  { acting, clock }: SettlementDeps,
  step: SettlementStep,
  why?: string,
): Promise<ChangedSettlement | Refusal<Exclude<StepRefusal | ApprovalRefusal, Never> | 'not_found'>> {
  const act = actOf(origin, { target: targetOf(of.merchant, of.settlement), reason: why });
  const outcome = orNotFound(await changeSettlement({ db: acting(act), clock }, { ...keyOf(of), step }));
  return outcome as ChangedSettlement | Refusal<Exclude<StepRefusal | ApprovalRefusal, Never> | 'not_found'>;
}

const changed = {
  shows: answerObject({ ...settlementSchema.properties, isRepeated }),
  answer: ({ settlement, isRepeated: wasSo }: ChangedSettlement) => ({ body: { ...showSettlement(settlement), isRepeated: wasSo } }),
};

const ENDED = {
  settlement_ended: {
    status: 409,
    title: 'The settlement has ended',
    meaning: 'It was cancelled or returned. Its money is in the next one.',
    words: { es: 'Esa liquidación ya terminó', en: 'This settlement has ended already', pt: 'Essa liquidação já terminou' },
    line: ['The settlement {settlement} of {merchant} has ended already.', 1],
  },
} as const;
const NOT_APPROVED_YET = {
  settlement_not_approved: {
    status: 409,
    title: 'The settlement is not approved',
    meaning: 'It is a draft: approve it before it is sent, or cancel it.',
    words: {
      es: 'Esa liquidación todavía es un borrador',
      en: 'This settlement is still a draft',
      pt: 'Essa liquidação ainda é um rascunho',
    },
    line: ['The settlement {settlement} of {merchant} is still a draft: approve it, or cancel it.', 1],
  },
} as const;
const NOT_SENT = {
  settlement_not_sent: {
    status: 409,
    title: 'The settlement was not sent',
    meaning: 'The bank pays one that was sent to it.',
    words: {
      es: 'Esa liquidación no se ha enviado al banco',
      en: 'This settlement was not sent to the bank yet',
      pt: 'Essa liquidação ainda não foi enviada ao banco',
    },
    line: ['The settlement {settlement} of {merchant} was not sent to the bank yet.', 1],
  },
} as const;

export const cancelSettlement = managementOperation({
  ...writes,
  ...ofOne,
  ...changed,
  name: 'cancelSettlement',
  route: 'POST /manage/v1/settlements/{merchant}/{settlement}/cancel',
  summary: 'Cancel a draft',
  names: { es: 'Cancelar una liquidación', pt: 'Cancelar uma liquidação' },
  description: 'Its entries are free again: the next settlement has them.',
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  refusals: {
    ...ENDED,
    settlement_approved: {
      status: 409,
      title: 'The settlement is approved',
      meaning: 'Only a draft is cancelled. One that is approved is returned, with a reason.',
      words: {
        es: 'Esa liquidación ya está aprobada. Solo se cancelan los borradores',
        en: 'This settlement is approved already. Only drafts are cancelled',
        pt: 'Essa liquidação já está aprovada. Só rascunhos são cancelados',
      },
      line: [
        'The settlement {settlement} of {merchant} is approved already: only drafts are cancelled. "settlements returned" takes it back.',
        1,
      ],
    },
  },
  run: (asked, deps: SettlementDeps) =>
    change<'settlement_not_approved' | 'settlement_not_sent' | 'settlement_paid_otherwise' | ApprovalRefusal>(
      asked,
      deps,
      { to: 'cancelled' },
      asked.body.reason,
    ),
});

export const sendSettlement = managementOperation({
  ...writes,
  ...ofOne,
  ...changed,
  name: 'sendSettlement',
  route: 'POST /manage/v1/settlements/{merchant}/{settlement}/sent',
  summary: 'Record that the bank was told to pay a settlement',
  names: { es: 'Registrar el envío de una liquidación', pt: 'Registrar o envio de uma liquidação' },
  refusals: { ...ENDED, ...NOT_APPROVED_YET },
  run: (asked, deps: SettlementDeps) =>
    change<'settlement_approved' | 'settlement_not_sent' | 'settlement_paid_otherwise' | ApprovalRefusal>(asked, deps, {
      to: 'sent',
      fileId: null,
    }),
});

const bankReference = Type.String({
  maxLength: 100,
  pattern: schemas.ONE_LINE,
  description: 'How the bank names the payment.',
  examples: ['TRX-90311'],
});

export const paySettlement = managementOperation({
  ...writes,
  ...ofOne,
  ...changed,
  name: 'paySettlement',
  route: 'POST /manage/v1/settlements/{merchant}/{settlement}/paid',
  summary: 'Record that the bank has paid a settlement',
  names: { es: 'Registrar el pago de una liquidación', pt: 'Registrar o pagamento de uma liquidação' },
  body: Type.Object({ bankReference }),
  takes: { bankReference: '1 to 100 characters on one line' },
  refusals: {
    ...ENDED,
    ...NOT_SENT,
    settlement_paid_otherwise: {
      status: 409,
      title: 'The settlement has another reference',
      meaning: 'It was paid already, and the bank named the payment otherwise.',
      words: {
        es: 'Esa liquidación ya se pagó con otra referencia',
        en: 'This settlement was paid already, with another reference',
        pt: 'Essa liquidação já foi paga, com outra referência',
      },
      line: ['The settlement {settlement} of {merchant} was paid already, with another reference.', 1],
    },
  },
  run: (asked, deps: SettlementDeps) =>
    change<'settlement_approved' | 'settlement_not_approved' | ApprovalRefusal>(asked, deps, { to: 'paid', ...asked.body }),
});

export const returnSettlement = managementOperation({
  ...writes,
  ...ofOne,
  ...changed,
  name: 'returnSettlement',
  route: 'POST /manage/v1/settlements/{merchant}/{settlement}/returned',
  summary: 'Take a settlement back, or record that the bank gave it back',
  names: { es: 'Registrar la devolución de una liquidación', pt: 'Registrar a devolução de uma liquidação' },
  description:
    'The merchant has its money again, with what was taken of the payout itself. The next settlement has it. One that is approved and not ' +
    'sent is taken back so. One that was sent may be returned only where the bank did not pay it: if its file never reached the bank, nobody ' +
    'may upload it any more.',
  body: Type.Object({ reason }),
  takes: { reason: REASON_TAKES },
  refusals: { ...ENDED, ...NOT_APPROVED_YET },
  run: (asked, deps: SettlementDeps) =>
    change<'settlement_approved' | 'settlement_not_sent' | 'settlement_paid_otherwise' | ApprovalRefusal>(
      asked,
      deps,
      { to: 'returned', problem: asked.body.reason },
      asked.body.reason,
    ),
});

/** Why one of several was not approved. */
const NOT_APPROVED = ['not_found', 'settlement_ended', 'collected_too_small', 'merchant_frozen'] as const;
type NotApproved = (typeof NOT_APPROVED)[number];
type Result = {
  readonly settlement: string;
  readonly merchant: string | null;
  readonly state: Settlement['state'] | null;
  readonly isRepeated: boolean;
  readonly problem: NotApproved | null;
};

const notApproved = (settlement: string, merchant: string | null, problem: NotApproved): Result => ({
  settlement,
  merchant,
  state: null,
  isRepeated: false,
  problem,
});

async function approveOne(
  { merchantId: merchant, settlementId: id }: Pick<Settlement, 'merchantId' | 'settlementId'>,
  { origin }: Pick<ManagementRequest, 'origin'>,
  deps: SettlementDeps,
): Promise<Result> {
  const settlement = String(id);
  const outcome = await change<Exclude<StepRefusal, 'settlement_ended'>>({ path: { merchant, settlement }, origin }, deps, {
    to: 'approved',
  });
  if (isRefusal(outcome)) return notApproved(settlement, merchant, outcome.refusal);
  return { settlement, merchant, state: outcome.settlement.state, isRepeated: outcome.isRepeated, problem: null };
}

/** What the cell of a settlement offers. Undefined: there is no such cell, so the number is made up. */
async function depsOf(id: string, deps: SettlementDeps): Promise<SettlementDeps | undefined> {
  const cell = cellOfNumber(id);
  return (await isCellKnown(deps.home, cell)) ? { ...deps, ...deps.inCell(cell) } : undefined;
}

const inOrder = (asked: readonly string[], results: readonly Result[]): readonly Result[] =>
  asked.map((id) => results.find(({ settlement }) => settlement === id) ?? notApproved(id, null, 'not_found'));

export const approveSettlements = managementOperation({
  ...writes,
  name: 'approveSettlements',
  route: 'POST /manage/v1/settlements/approve',
  // The number of a settlement says which cell it is in. Those of one request may be in several.
  cells: 'home',
  missing: ['There is no such settlement.', 1],
  summary: 'Approve drafts, of one merchant or of several',
  names: { es: 'Aprobar liquidaciones', pt: 'Aprovar liquidações' },
  description:
    'Each by itself: one that cannot be approved keeps no other one. `collected_too_small`: since it was made, refunds or holds have taken ' +
    'what it would pay. Cancel it and make it anew. A merchant that is frozen or disabled is paid nothing.',
  body: Type.Object({
    settlements: Type.Array(settlementId, {
      minItems: 1,
      maxItems: 100,
      description: 'Their numbers.',
      examples: [['12']],
    }),
  }),
  shows: answerObject({
    results: Type.Array(
      answerObject({
        settlement: settlementId,
        merchant: orNull(merchantId),
        state: orNull(settlementState),
        isRepeated,
        problem: orNull(oneOf(NOT_APPROVED, 'Why it was not approved.')),
      }),
      { description: 'One for each number, in their order.' },
    ),
  }),
  run: async ({ body: { settlements }, origin }, deps: SettlementDeps) => {
    const results: Result[] = [];
    // Where one of the cells is away, nothing is approved yet.
    const places = await Promise.all([...new Set(settlements)].map(async (id) => ({ id, own: await depsOf(id, deps) })));
    for (const { id, own } of places) {
      const [found] = own === undefined ? [] : await readSettlements(own.db, [BigInt(id)]);
      results.push(own && found ? await approveOne(found, { origin }, own) : notApproved(id, null, 'not_found'));
    }
    if (results.every(({ problem }) => problem === 'not_found')) return refuse('not_found');
    for (const { settlement: id, merchant, problem } of results)
      if (problem !== null) {
        const target = { kind: 'settlement', id, merchantId: merchant ?? undefined };
        await deps.recordLone?.(doneAct(origin, deps.clock.now(), { target }, `refused:${problem}`));
      }
    return { results };
  },
  answer: ({ results }, { body: { settlements } }) => ({ body: { results: inOrder(settlements, results) } }),
});

/** The operations of the management API on settlements. */
export const settlementOperations: readonly ManagementOperation<SettlementDeps>[] = [
  listSettlementsOperation,
  previewSettlementOperation,
  readSettlementOperation,
  listSettlementEntries,
  runSettlementOperation,
  approveSettlements,
  cancelSettlement,
  sendSettlement,
  paySettlement,
  returnSettlement,
];
