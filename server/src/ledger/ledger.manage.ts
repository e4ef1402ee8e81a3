import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { latestFirst, byText } from '../kit/lists/merges.ts';
import { refuse } from '../kit/outcome.ts';
import { cutPage, managementOperation, mergeFound, NO_MERCHANT, schemas, type ManagementOperation } from '../manage/index.ts';
import { showMerchant } from '../merchants/index.ts';
import { formatPercent } from '../kit/written/percent.ts';
import { inSettlement } from './entries-about.ts';
import type { ListedEntry } from './entry.ts';
import { listFees } from './fees.ts';
import { LEDGER_KINDS, SUBJECT_KINDS } from './postings.ts';
import { addBalances, readAccounts, readEntries } from './read-ledger.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const { amount, currency, instant, merchantId, oneOf, orNull, readInstant, answerObject, showAmount, showInstant } = schemas;

const account = Type.String({
  maxLength: 60,
  description: 'available, reserved, collected, refunds, settlements, held, network:NAME or service:NAME.',
  examples: ['available'],
});
const transaction = Type.String({ maxLength: 120, description: 'What happened, as its kind and id.', examples: ['cashout/W-77/paid'] });
const percent = Type.String({ description: 'Of the amount, in percent.', examples: ['2.5'] });

const ofMerchant = {
  path: Type.Object({ merchant: merchantId }),
  permission: 'ledger:read',
  scope: 'merchant',
  tag: 'Ledger',
  missing: NO_MERCHANT,
} as const;
const { path: _, ...ofAny } = ofMerchant;

const exists = async ({ db, clock }: Deps, merchant: string): Promise<boolean> =>
  (await showMerchant({ db }, merchant, clock.now())) !== undefined;

export const readBalances = managementOperation({
  ...ofAny,
  name: 'readBalances',
  route: 'GET /manage/v1/ledger/balances',
  summary: 'Show balances',
  description:
    'By account and currency, of one merchant or added up over all. Above zero the balance is owed to the owner of the account. ' +
    'Without `account` and `service` all accounts are there.',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    account: Type.Optional(account),
    service: Type.Optional(Type.Boolean({ description: 'Only the accounts of the service itself.' })),
  }),
  shows: answerObject({ balances: Type.Array(answerObject({ account, balance: amount })) }),
  run: async ({ query: { account: of, service: isService = false }, merchantId: merchant }, deps: Deps) =>
    merchant === undefined || (await exists(deps, merchant))
      ? { balances: await readAccounts(deps.db, { merchantId: merchant, account: of, isService }) }
      : refuse('not_found'),
  cells: { merge: (outcomes) => ({ balances: addBalances(outcomes.flatMap(({ balances }) => balances)) }) },
  answer: ({ balances }) => ({
    body: {
      balances: balances.map(({ account: of, currency: code, balanceMinor }) => ({ account: of, balance: showAmount(balanceMinor, code) })),
    },
  }),
});

/** The order of entries of two cells. A merchant is in one of them, so no more of the list's order is needed. */
const newestFirst = (one: ListedEntry, other: ListedEntry): number =>
  latestFirst(one.postedAt, other.postedAt) || byText(one.merchantId, other.merchantId);

const showEntry = ({
  merchantId: merchant,
  transactionId,
  line,
  amountMinor,
  currency: code,
  postedAt,
  settlementId,
  ...rest
}: ListedEntry): object => ({
  merchant,
  transaction: transactionId,
  line,
  ...rest,
  amount: showAmount(amountMinor, code),
  postedAt: showInstant(postedAt),
  settlement: settlementId === null ? null : String(settlementId),
});

export const listEntries = managementOperation({
  ...ofAny,
  name: 'listEntries',
  route: 'GET /manage/v1/ledger/entries',
  summary: 'List entries',
  description: 'The newest first. Those of one transaction are together. Without `merchant` the whole ledger is read.',
  takes: { currency: 'three letters, such as COP' },
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    account: Type.Optional(account),
    transaction: Type.Optional(transaction),
    currency: Type.Optional(currency),
    from: Type.Optional(instant),
    until: Type.Optional(instant),
  }),
  shows: answerObject({
    merchant: merchantId,
    transaction,
    line: Type.Integer(),
    kind: oneOf(LEDGER_KINDS, 'What happened.'),
    account,
    amount,
    postedAt: instant,
    reason: orNull(Type.String()),
    settlement: inSettlement,
  }),
  run: async ({ query, merchantId: merchant, page: { after, limit } }, deps: Deps) => {
    if (merchant !== undefined && !(await exists(deps, merchant))) return refuse('not_found');
    const { from, until, transaction: transactionId, merchant: _merchant, ...rest } = query;
    const filter = { ...rest, merchantId: merchant, transactionId, from: readInstant(from), until: readInstant(until), limit: limit + 1 };
    return { found: await readEntries(deps.db, { ...filter, after: after && placeOf(after) }) };
  },
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) =>
    cutPage(found, limit, showEntry, (last) => [last.postedAt.toString(), last.merchantId, last.transactionId, String(last.line)]),
});

/** The position of a cursor. The service has sealed it, so it has the form that `page` gave it. */
function placeOf([postedAt, merchant, transactionId, line]: readonly (string | null)[]) {
  return {
    postedAt: Temporal.Instant.from(postedAt ?? ''),
    merchantId: merchant ?? '',
    transactionId: transactionId ?? '',
    line: Number(line),
  };
}

export const readLedgerFees = managementOperation({
  ...ofMerchant,
  name: 'readFees',
  route: 'GET /manage/v1/ledger/{merchant}/fees',
  summary: 'Show what the service takes from a merchant',
  description: 'Now, and what it took before.',
  shows: answerObject({
    fees: Type.Array(
      answerObject({
        operation: oneOf(SUBJECT_KINDS, 'Of what.'),
        percent,
        fixed: amount,
        taxPercent: percent,
        since: instant,
        until: orNull(instant),
      }),
    ),
  }),
  run: async ({ path: { merchant } }, deps: Deps) =>
    (await exists(deps, merchant)) ? { fees: await listFees(deps, merchant) } : refuse('not_found'),
  answer: ({ fees }) => ({
    body: {
      fees: fees.map(({ kind, currency: code, percentPpm, fixedMinor, taxPpm, since, until }) => ({
        operation: kind,
        percent: formatPercent(percentPpm),
        fixed: showAmount(fixedMinor, code),
        taxPercent: formatPercent(taxPpm),
        since: showInstant(since),
        until: showInstant(until),
      })),
    },
  }),
});

/** What shows the ledger. */
export const ledgerReads: readonly ManagementOperation<Deps>[] = [readBalances, listEntries, readLedgerFees];
