import { CommandRefused, withFlatAmount } from '../kit/command-line.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { askMerchant, askZone } from '../merchants/index.ts';
import { listEntries, readBalances, readFees } from './ledger.manage.ts';
import type { LedgerEntry } from './read-ledger.ts';

// What commands ask of a service that `--url` names. Its operations are about one merchant.

export type EntriesOptions = {
  merchant?: string;
  account?: string;
  transaction?: string;
  currency?: string;
  from?: Temporal.Instant;
  until?: Temporal.Instant;
  limit: number;
  utc?: true;
  json?: true;
};

/** An entry as commands print it. */
export type ShownEntry = Omit<LedgerEntry, 'merchantId' | 'transactionId' | 'amountMinor'> & {
  readonly merchant: string;
  readonly transaction: string;
  readonly amount: string;
};

function requireNamed(merchant: string | undefined): string {
  if (merchant === undefined) throw new CommandRefused('With --url it needs --merchant.', 2);
  return merchant;
}

export async function askBalances(service: Remote, merchant: string | undefined) {
  const path = { merchant: requireNamed(merchant) };
  await askMerchant(service, path.merchant);
  const { balances } = await service.call(readBalances, { path });
  return balances.map(({ account, balance: { amount: balance, currency } }) => ({ account, currency, balance }));
}

export async function askEntries(
  service: Remote,
  { merchant, account, transaction, currency, from, until, limit }: EntriesOptions,
  isUtc: boolean,
): Promise<{ readonly entries: readonly ShownEntry[]; readonly zone: string }> {
  const path = { merchant: requireNamed(merchant) };
  const zone = await askZone(service, path.merchant, isUtc);
  const query = { account, transaction, currency, from: from?.toString(), until: until?.toString() };
  const { items } = await service.list(listEntries, limit, { path, query });
  return { entries: items.map((one) => ({ ...withFlatAmount(one), postedAt: Temporal.Instant.from(one.postedAt) })), zone };
}

export async function askFees(service: Remote, merchant: string, isUtc: boolean) {
  const zone = await askZone(service, merchant, isUtc);
  const { fees } = await service.call(readFees, { path: { merchant } });
  const shown = fees.map(({ operation, percent, fixed: { amount: fixed, currency }, taxPercent: tax, since, until }) => ({
    operation,
    currency,
    percent,
    fixed,
    tax,
    since: Temporal.Instant.from(since),
    until: until === null ? null : Temporal.Instant.from(until),
  }));
  return { fees: shown, zone };
}
