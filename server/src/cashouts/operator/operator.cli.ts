import type { Command } from 'commander';
import {
  CommandRefused,
  JSON_OPTION,
  print,
  printJson,
  requireReason,
  table,
  withConnection,
  type Connect,
  type Connection,
} from '../../kit/command-line.ts';
import { formatAllDecimals, parseAmount } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { Country, Merchant } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';

import type { CashoutLimits } from '../cashout-decisions.ts';
import type { RenewRefusal } from '../password/renew-password.ts';

/** The way that one-time passwords take, as the servers of this environment have it. */
export type OpenOutbox = (connection: Connection) => Promise<Messages>;

const WHY: Readonly<Record<RenewRefusal, string>> = {
  cashout_not_registered: 'is not registered here',
  cashout_not_pending: 'is not pending any more',
  cashout_locked: 'is held by a network at this moment: try again in a few minutes',
  resend_limit_reached: 'has had its three new passwords',
  checksum_invalid: 'was renewed by this very request',
  password_too_short: 'had a longer password before',
  sms_unavailable: 'gets its password by SMS, and CAUDAL_SMS_URL is not set',
};

/** Adds what an operator does to the cashouts of a merchant. */
export function operatorCommands(cashouts: Command, connect: Connect, openOutbox: OpenOutbox): void {
  cashouts
    .command('nullify')
    .description('nullify a pending cashout; its money goes back to the fund of the merchant')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .requiredOption('--reason <text>', 'why, for the history')
    .option(...JSON_OPTION)
    .action((operation: string, options: NullifyOptions) => nullify(connect, operation, options));
  cashouts
    .command('resend')
    .description('give a pending cashout a new one-time password: by SMS, or printed where it is not sent by SMS')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .option(...JSON_OPTION)
    .action((operation: string, options: ResendOptions) => resend(connect, openOutbox, operation, options));
  cashouts
    .command('limits')
    .description('show what a merchant can register; with --currency and bounds, set it')
    .requiredOption('--merchant <id>', 'whose limits')
    .option('--currency <code>', 'set the limits of this currency')
    .option('--least <amount>', 'of one cashout; none for no limit')
    .option('--most <amount>', 'of one cashout; none for no limit')
    .option('--per-document-and-day <number>', 'cashouts of one document on one day; none for no limit')
    .option(...JSON_OPTION)
    .action((options: LimitOptions) => limits(connect, options));
}

type ResendOptions = { readonly merchant: string; readonly json?: true };
type NullifyOptions = ResendOptions & { readonly reason: string };

async function nullify(connect: Connect, operationId: string, { merchant: merchantId, reason, json }: NullifyOptions): Promise<void> {
  requireReason(reason);
  await withConnection(connect, async (connection) => {
    const { nullifyCashout } = await import('./nullify-cashout.ts');
    const { country } = await readMerchant(connection, merchantId);
    const command = { merchantId, operationId, reason, timeZone: country.timeZone, actor: connection.actor, requestId: null } as const;
    const decided = await nullifyCashout(connection, command);
    if (isRefusal(decided)) throw new CommandRefused(`${operationId} of ${merchantId} ${WHY[decided.refusal]}.`);
    const { reservedMinor, currency } = decided.cashout;
    const released = formatAllDecimals(reservedMinor, currency);
    if (json) return printJson({ merchant: merchantId, operation: operationId, state: 'nullified', released, currency });
    print(`${operationId} of ${merchantId} is nullified; ${released} ${currency} went back to its fund.\n`);
  });
}

async function resend(
  connect: Connect,
  openOutbox: OpenOutbox,
  operationId: string,
  { merchant: merchantId, json }: ResendOptions,
): Promise<void> {
  await withConnection(connect, async (connection) => {
    const [{ renewPassword }, { openServiceKeys }] = await Promise.all([
      import('../password/renew-password.ts'),
      import('../../kit/keys/service-keys.ts'),
    ]);
    const merchant = await readMerchant(connection, merchantId);
    const { db, ownDb, keys, clock } = connection;
    const messages = await openOutbox(connection);
    try {
      const { byName } = await openServiceKeys({ db: ownDb, keys, clock }, [OTP_KEY]);
      const command = {
        merchant,
        operationId,
        document: undefined,
        otpLength: undefined,
        proof: undefined,
        actor: connection.actor,
        requestId: null,
      } as const;
      // Without a length no password is short.
      const renewed = await renewPassword({ db, clock, otpKey: byName[OTP_KEY], messages, shortPasswordDays: 0 }, command);
      if (isRefusal(renewed)) throw new CommandRefused(`${operationId} of ${merchantId} ${WHY[renewed.refusal]}.`);
      const isSms = renewed.cashout.sms;
      if (json) return printJson({ merchant: merchantId, operation: operationId, isSentBySms: isSms, otp: isSms ? null : renewed.otp });
      print(isSms ? 'The new password leaves by SMS.\n' : `The new password is ${renewed.otp}.\n`);
    } finally {
      await messages.close();
    }
  });
}

/** The name of the service's own key under which one-time passwords are kept. */
const OTP_KEY = 'one-time-password';

type LimitOptions = {
  readonly merchant: string;
  readonly currency?: string;
  readonly least?: string;
  readonly most?: string;
  readonly perDocumentAndDay?: string;
  readonly json?: true;
};

async function limits(connect: Connect, options: LimitOptions): Promise<void> {
  const { merchant: merchantId, currency, json } = options;
  const isSetting = [options.least, options.most, options.perDocumentAndDay].some((given) => given !== undefined);
  if (isSetting && currency === undefined) throw new CommandRefused('Limits are set for a currency: --currency COP.', 2);
  await withConnection(connect, async (connection) => {
    const { listLimits, setLimits } = await import('../limits/set-limits.ts');
    const { currencies } = await readMerchant(connection, merchantId);
    if (currency !== undefined && !currencies.includes(currency))
      throw new CommandRefused(`${currency} is not a currency of ${merchantId}.`, 2);
    if (currency !== undefined && isSetting) {
      const { NO_LIMITS } = await import('../limits/limit-rows.ts');
      const before = (await listLimits(connection, merchantId)).find((one) => one.currency === currency) ?? NO_LIMITS;
      await setLimits(connection, { merchantId, currency }, readLimits(options, currency, before));
    }
    const shown = (await listLimits(connection, merchantId)).map((one) => ({
      currency: one.currency,
      least: toAmount(one.leastMinor, one.currency),
      most: toAmount(one.mostMinor, one.currency),
      perDocumentAndDay: one.perDocumentAndDay,
    }));
    if (json) return printJson(shown);
    const rows = shown.map((one) => [one.currency, one.least ?? 'none', one.most ?? 'none', one.perDocumentAndDay ?? 'none']);
    print(rows.length === 0 ? `${merchantId} has no limits.\n` : table(['CURRENCY', 'LEAST', 'MOST', 'PER DOCUMENT AND DAY'], rows));
  });
}

/** What is not given stays as it is. */
function readLimits({ least, most, perDocumentAndDay }: LimitOptions, currency: string, before: CashoutLimits): CashoutLimits {
  const amount = (option: string, text: string | undefined, stays: bigint | null): bigint | null => {
    if (text === undefined) return stays;
    if (text === 'none') return null;
    const amountMinor = parseAmount(text, currency);
    if (amountMinor === undefined) throw new CommandRefused(`${option} takes an amount in ${currency} above zero, or none.`, 2);
    return amountMinor;
  };
  const leastMinor = amount('--least', least, before.leastMinor);
  const mostMinor = amount('--most', most, before.mostMinor);
  if (leastMinor !== null && mostMinor !== null && leastMinor > mostMinor) throw new CommandRefused('--least is above --most.', 2);
  return { leastMinor, mostMinor, perDocumentAndDay: readNumber(perDocumentAndDay, before.perDocumentAndDay) };
}

function readNumber(text: string | undefined, stays: number | null): number | null {
  if (text === undefined) return stays;
  if (text === 'none') return null;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new CommandRefused('--per-document-and-day takes a number from 1, or none.', 2);
  return Number(text);
}

const toAmount = (amountMinor: bigint | null, currency: string): string | null =>
  amountMinor === null ? null : formatAllDecimals(amountMinor, currency);

type OperatedMerchant = Pick<Merchant, 'merchantId' | 'name' | 'language' | 'currencies'> & { readonly country: Country };

async function readMerchant(connection: Connection, merchantId: string): Promise<OperatedMerchant> {
  const { findCountry, requireMerchant } = await import('../../merchants/index.ts');
  const merchant = await requireMerchant(connection, merchantId);
  const { name, language, currencies } = merchant;
  return { merchantId, name, language, currencies, country: findCountry(merchant.country) as Country };
}
