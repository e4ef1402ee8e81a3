import { createHash, randomBytes } from 'node:crypto';
import { dayOf, formatCompactDay } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { withinLedger } from '../../ledger/index.ts';
import { stepSettlements } from '../change-settlement.ts';
import { lockSettlements } from '../settlement-rows.ts';
import type { Settlement } from '../settlement-columns.ts';
import { sumOf, type BankPayment, type UnfitFault } from './bank-payment.ts';
import {
  approvedSettlements,
  insertFile,
  readBankAccounts,
  readFile,
  readLayout,
  takeTurnToFile,
  unpaidSettlements,
  type KeptLayout,
  type WholeFile,
} from './file-rows.ts';
import { renderFile } from './render.ts';

/** More are in the next file: one transaction holds the rows of all of them. */
export const MOST_PAYMENTS = 1_000;

/** What a file is made of. `settlementIds` undefined: all that are approved. `payOn` undefined: today, where the bank is. */
export type AskedFile = {
  readonly fileId: string;
  readonly layout: string;
  readonly currency: string;
  readonly settlementIds: readonly bigint[] | undefined;
  readonly payOn: Temporal.PlainDate | undefined;
};

/** An id of a file for which none was given. */
export const newFileId = (at: Temporal.Instant): string => `${formatCompactDay(dayOf(at, 'UTC'))}-${randomBytes(4).toString('hex')}`;

/** `isRepeated`: it was made before, and nothing was written. `isMore`: more settlements are approved, for the next file. */
export type MadeFile = { readonly file: WholeFile; readonly isRepeated: boolean; readonly isMore: boolean };

/** Why there is no file: what is wrong with which settlement. */
export type UnfitSettlements = Refusal<'settlements_unfit'> & { readonly unfit: readonly string[] };

type Deps = {
  readonly db: Pick<Db, 'transaction'>;
  readonly home: Pick<Db, 'query'>;
  readonly clock: Clock;
  /** The most payments of a file. */
  readonly most?: number;
};

/**
 * Makes a file for a bank, of settlements of this cell in one currency.
 * Refuses: file_exists (another one has the id), layout_unknown, nothing_to_send, settlements_unfit: one of those that were listed is unknown,
 * not approved, in another currency or of a merchant that is frozen or disabled, a merchant has no bank account, or the file cannot hold a
 * value as it is. Those that were not listed wait while their merchant is frozen or disabled.
 * Effects: files of a cell are made one after the other. Locks the settlements; they are `sent` with the file in one transaction.
 */
export async function makeFile(
  { db, home, clock, most = MOST_PAYMENTS }: Deps,
  asked: AskedFile,
): Promise<MadeFile | Refusal<'file_exists' | 'layout_unknown' | 'nothing_to_send'> | UnfitSettlements> {
  const layout = await readLayout(home, asked.layout);
  const now = clock.now();
  const { fileId } = asked;
  return withinLedger(
    db.transaction(async (tx) => {
      await takeTurnToFile(tx);
      const before = await readFile(tx, fileId);
      if (before !== undefined) return isSame(before, asked) ? { file: before, isRepeated: true, isMore: false } : refuse('file_exists');
      if (layout === undefined) return refuse('layout_unknown');
      return make(tx, { ...asked, most }, layout, now);
    }),
  );
}

function isSame(file: WholeFile, { layout, currency, settlementIds, payOn }: AskedFile): boolean {
  const ids = new Set(file.settlementIds);
  const isOfThese = settlementIds === undefined || (settlementIds.length === ids.size && settlementIds.every((id) => ids.has(id)));
  return isOfThese && file.layout === layout && file.currency === currency && (payOn === undefined || payOn.equals(file.payOn));
}

async function make(
  tx: Tx,
  asked: AskedFile & { readonly most: number },
  { layout, version, document }: KeptLayout,
  now: Temporal.Instant,
): Promise<MadeFile | Refusal<'nothing_to_send'> | UnfitSettlements> {
  const { fileId, currency, settlementIds, most } = asked;
  const chosen = settlementIds === undefined ? await lockApproved(tx, currency, most) : await lockListed(tx, settlementIds, currency);
  if (chosen.unfit.length > 0) return unfitSettlements(chosen.unfit);
  if (chosen.settlements.length === 0) return refuse('nothing_to_send');
  const payments = await paymentsOf(tx, chosen.settlements, currency);
  if ('unfit' in payments) return payments;
  const payOn = asked.payOn ?? dayOf(now, document.timeZone);
  const content = renderFile(document, { fileId, at: now, payOn, currency, payer: document.payer, payments });
  if (!Buffer.isBuffer(content))
    return unfitSettlements(content.map(({ settlementId, field, fault }) => `${settlementId ?? 'the payer'}: ${field} ${FAULTS[fault]}`));
  const file = {
    fileId,
    layout,
    layoutVersion: version,
    format: document.format,
    currency,
    payOn,
    payments: payments.length,
    totalMinor: sumOf(payments),
    sha256: createHash('sha256').update(content).digest('hex'),
    madeAt: now,
    content,
  };
  insertFile(tx, file);
  const steps = chosen.settlements.map((settlement) => ({ settlement, step: { to: 'sent', fileId } as const }));
  // Each of them is locked and approved.
  if ((await stepSettlements(tx, steps, now)).some(isRefusal)) throw new Error('an approved settlement was not sent');
  const ids = chosen.settlements.map(({ settlementId }) => settlementId);
  tx.note?.({ settlements: [null, ids.map(String)] });
  return { file: { ...file, settlementIds: ids }, isRepeated: false, isMore: chosen.isMore };
}

const FAULTS: Readonly<Record<UnfitFault, string>> = {
  empty: 'is empty',
  too_long: 'is too long for the file',
  has_other_characters: 'has characters that the file cannot hold',
  has_separator: 'has the separator of the file in it',
  is_formula: 'starts as a formula does',
  has_no_code: 'has no code in the layout',
};

const unfitSettlements = (unfit: readonly string[]): UnfitSettlements => ({ ...refuse('settlements_unfit'), unfit });

type Chosen = { readonly settlements: readonly Settlement[]; readonly unfit: readonly string[]; readonly isMore: boolean };

async function lockApproved(tx: Tx, currency: string, most: number): Promise<Chosen> {
  const found = await approvedSettlements(tx, currency, most + 1);
  const locked = await lockSettlements(tx, found.slice(0, most));
  // Meanwhile somebody may have taken one back.
  return { settlements: locked.filter(({ state }) => state === 'approved'), unfit: [], isMore: found.length > most };
}

async function lockListed(tx: Tx, ids: readonly bigint[], currency: string): Promise<Chosen> {
  const settlements = await lockSettlements(tx, ids);
  const byId = new Map(settlements.map((one) => [one.settlementId, one]));
  const unpaid = await unpaidSettlements(tx, [...byId.keys()]);
  const unfit = ids.flatMap((id) => {
    const found = byId.get(id);
    if (found === undefined) return [`${id} does not exist`];
    if (found.currency !== currency) return [`${id} is in ${found.currency}`];
    if (found.state !== 'approved') return [`${id} is ${found.state}`];
    return unpaid.has(id) ? [`${id}: ${found.merchantId} is frozen or disabled`] : [];
  });
  return { settlements, unfit, isMore: false };
}

async function paymentsOf(
  tx: Tx,
  settlements: readonly Settlement[],
  currency: string,
): Promise<readonly BankPayment[] | UnfitSettlements> {
  const accounts = await readBankAccounts(tx, [...new Set(settlements.map(({ merchantId }) => merchantId))], currency);
  const missing = settlements.filter(({ merchantId }) => !accounts.has(merchantId));
  if (missing.length > 0)
    return unfitSettlements(
      missing.map(({ merchantId, settlementId }) => `${settlementId}: ${merchantId} has no bank account for ${currency}`),
    );
  return settlements.flatMap(({ merchantId, settlementId, netMinor }): readonly BankPayment[] => {
    const account = accounts.get(merchantId);
    return account === undefined ? [] : [{ settlementId: String(settlementId), merchantId, amountMinor: netMinor, currency, account }];
  });
}
