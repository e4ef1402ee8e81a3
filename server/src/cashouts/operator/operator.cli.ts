import type { Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  JSON_OPTION,
  print,
  printJson,
  refusalLines,
  requireCurrency,
  requireReason,
  table,
  type Connect,
  type Connection,
  moneyText,
} from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { readOptionAmount } from '../../kit/written/written-amount.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Country, Merchant } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';

import type { CashoutKey } from '../cashout.ts';
import type { LimitChange } from '../limits/set-limits.ts';
import type { RenewRefusal } from '../password/renew-password.ts';

/** The way that one-time passwords take, as the servers of this environment have it. */
export type OpenOutbox = (connection: Connection) => Promise<Messages>;

const operations = () => import('../manage/cashouts.manage.ts');

const WHY: Readonly<Record<RenewRefusal | 'not_found' | 'merchant_frozen', string>> = {
  cashout_not_registered: 'is not registered here',
  not_found: 'is not registered here',
  merchant_frozen: 'cannot change: the merchant is frozen or disabled',
  cashout_not_pending: 'is not pending any more',
  cashout_locked: 'is held by a network at this moment: try again in a few minutes',
  resend_limit_reached: 'has had its three new passwords',
  checksum_invalid: 'was renewed by this very request',
  password_too_short: 'had a longer password before',
  cellphone_impossible: 'gets its password by SMS, and no SMS can reach its cellphone: cancel it and register it again',
  sms_unavailable: 'gets its password by SMS, and CAUDAL_SMS_URL is not set',
};
const REFUSALS = refusalLines(WHY);

/** Adds what an operator does to the cashouts of a merchant. */
export function operatorCommands(cashouts: Command, connect: Connect, openOutbox: OpenOutbox): void {
  cashouts
    .command('cancel')
    .description('cancel a pending cashout, as its merchant does; its money goes back to the fund')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .option(...JSON_OPTION)
    .action((operation: string, options: ResendOptions) => cancel(connect, operation, options));
  cashouts
    .command('nullify')
    .description('nullify a pending cashout; its money goes back to the fund of the merchant')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .requiredOption('--reason <text>', 'why, for the history')
    .option(...JSON_OPTION)
    .action((operation: string, options: NullifyOptions) => nullify(connect, operation, options));
  cashouts
    .command('unlock')
    .description('end the hold of a network on a pending cashout, once that network says that it pays nothing')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option(...JSON_OPTION)
    .action((operation: string, options: NullifyOptions) => unlock(connect, operation, options));
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

/** Names a cashout in the line of a refusal. */
const named = (operation: string, merchant: string): string => `${operation} of ${merchant}`;

async function cancel(connect: Connect, operation: string, { merchant, json }: ResendOptions): Promise<void> {
  const { version } = await carryOut(connect, REFUSALS, named(operation, merchant), {
    here: async (connection) => {
      const [{ createCancel }, { openEngine }, { findCountry, findOpenMerchant }] = await Promise.all([
        import('../cancel-cashout.ts'),
        import('../../kit/changes/engine.ts'),
        import('../../merchants/index.ts'),
      ]);
      const found = await findOpenMerchant(connection, merchant);
      if (isRefusal(found)) return found;
      const { timeZone } = findCountry(found.country) as Country;
      const by = { timeZone, actor: connection.actor, requestId: null };
      const cancelCashout = createCancel({ engine: openEngine(connection) });
      const decided = await cancelCashout({ merchantId: merchant, operationId: operation, document: undefined, ...by });
      return isRefusal(decided) ? decided : { version: decided.cashout.version };
    },
    there: async (service) => service.call((await operations()).cancelCashout, { path: { merchant, operation } }),
  });
  if (json) return printJson({ merchant, operation, state: 'cancelled', version });
  print(`${operation} of ${merchant} is cancelled; its money went back to the fund.\n`);
}

async function nullify(connect: Connect, operation: string, { merchant, reason, json }: NullifyOptions): Promise<void> {
  requireReason(reason);
  const { released, currency } = await carryOut(connect, REFUSALS, named(operation, merchant), {
    here: async (connection) => {
      const { nullifyCashout } = await import('./nullify-cashout.ts');
      const found = await readMerchant(connection, merchant);
      if (isRefusal(found)) return found;
      const key = { merchantId: merchant, operationId: operation };
      const { timeZone } = found.country;
      const decided = await nullifyCashout(connection, { ...key, reason, timeZone, actor: connection.actor, requestId: null });
      if (isRefusal(decided)) return decided;
      const { reservedMinor, currency: code } = decided.cashout;
      return { released: formatAllDecimals(reservedMinor, code), currency: code };
    },
    there: async (service) => {
      const { nullifyCashout } = await operations();
      const { reserved } = await service.call(nullifyCashout, { path: { merchant, operation }, body: { reason } });
      return { released: reserved.amount, currency: reserved.currency };
    },
  });
  if (json) return printJson({ merchant, operation, state: 'nullified', released, currency });
  print(`${operation} of ${merchant} is nullified; ${moneyText({ amount: released, currency })} went back to its fund.\n`);
}

async function unlock(connect: Connect, operation: string, { merchant, reason, json }: NullifyOptions): Promise<void> {
  requireReason(reason);
  await carryOut(connect, REFUSALS, named(operation, merchant), {
    here: async (connection) => {
      const { unlockCashout } = await import('./unlock-cashout.ts');
      const unlocked = await unlockCashout(connection, { merchantId: merchant, operationId: operation });
      return isRefusal(unlocked) ? unlocked : {};
    },
    there: async (service) => service.call((await operations()).unlockCashout, { path: { merchant, operation }, body: { reason } }),
  });
  if (json) return printJson({ merchant, operation, isHeld: false });
  print(`${operation} of ${merchant} is held by no network.\n`);
}

async function resend(connect: Connect, openOutbox: OpenOutbox, operation: string, { merchant, json }: ResendOptions): Promise<void> {
  const { isSentBySms, otp } = await carryOut(connect, REFUSALS, named(operation, merchant), {
    here: (connection) => renewHere(connection, openOutbox, { merchantId: merchant, operationId: operation }),
    there: async (service) => {
      const { sms, oneTimePassword } = await service.call((await operations()).resendPassword, { path: { merchant, operation } });
      return { isSentBySms: sms, otp: oneTimePassword ?? null };
    },
  });
  if (json) return printJson({ merchant, operation, isSentBySms, otp });
  print(isSentBySms ? 'The new password leaves by SMS.\n' : `The new password is ${otp}.\n`);
}

async function renewHere(connection: Connection, openOutbox: OpenOutbox, { merchantId, operationId }: CashoutKey) {
  const [{ renewPassword }, { openServiceKeys }] = await Promise.all([
    import('../password/renew-password.ts'),
    import('../../kit/keys/service-keys.ts'),
  ]);
  const merchant = await readMerchant(connection, merchantId);
  if (isRefusal(merchant)) return merchant;
  const { db, ownDb, keys, clock, actor } = connection;
  const messages = await openOutbox(connection);
  try {
    const { byName } = await openServiceKeys({ db: ownDb, keys, clock }, [OTP_KEY]);
    const asked = { document: undefined, otpLength: undefined, proof: undefined, requestId: null };
    // Without a length no password is short.
    const deps = { db, clock, otpKey: byName[OTP_KEY], messages, shortPasswordDays: 0 };
    const renewed = await renewPassword(deps, { ...asked, merchant, operationId, actor });
    if (isRefusal(renewed)) return renewed;
    const { sms } = renewed.cashout;
    return { isSentBySms: sms, otp: sms ? null : renewed.otp };
  } finally {
    await messages.close();
  }
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

const limitOperations = () => import('../limits/limits.manage.ts');

const unknown = (merchant: string): readonly [string, 1] => [`There is no merchant ${merchant}.`, 1];
/** What they name is the merchant. */
const limitLines = (currency: string | undefined) => ({
  merchant_unknown: unknown,
  not_found: unknown,
  currency_not_allowed: (id: string): readonly [string, 2] => [`${currency} is not a currency of ${id}.`, 2],
  least_above_most: (): readonly [string, 2] => ['--least is above --most.', 2],
});

async function limits(connect: Connect, options: LimitOptions): Promise<void> {
  const { merchant, currency, json } = options;
  const isSetting = [options.least, options.most, options.perDocumentAndDay].some((given) => given !== undefined);
  if (isSetting && currency === undefined) throw new CommandRefused('Limits are set for a currency: --currency COP.', 2);
  const change = isSetting && currency !== undefined ? { currency, ...readLimits(options, currency) } : undefined;
  const shown = await carryOut(connect, limitLines(currency), merchant, {
    here: async (connection) => {
      const [{ changeLimits, listLimits }, { showLimits }, { requireMerchant }] = await Promise.all([
        import('../limits/set-limits.ts'),
        limitOperations(),
        import('../../merchants/index.ts'),
      ]);
      await requireMerchant(connection, merchant);
      const refused = change && (await changeLimits(connection, { merchantId: merchant, currency: change.currency }, change));
      return isRefusal(refused) ? refused : (await listLimits(connection, merchant)).map(showLimits);
    },
    there: async (service) => {
      const { changeCashoutLimits, readCashoutLimits } = await limitOperations();
      if (change === undefined) return (await service.call(readCashoutLimits, { path: { merchant } })).limits;
      const { leastMinor, mostMinor, perDocumentAndDay } = change;
      const sent = (minor: bigint | null | undefined) => (typeof minor === 'bigint' ? formatAllDecimals(minor, change.currency) : minor);
      const body = { least: sent(leastMinor), most: sent(mostMinor), perDocumentAndDay };
      return (await service.call(changeCashoutLimits, { path: { merchant, currency: change.currency }, body })).limits;
    },
  });
  if (json) return printJson(shown);
  const rows = shown.map((one) => [one.currency, one.least ?? 'none', one.most ?? 'none', one.perDocumentAndDay ?? 'none']);
  print(rows.length === 0 ? `${merchant} has no limits.\n` : table(['CURRENCY', 'LEAST', 'MOST', 'PER DOCUMENT AND DAY'], rows));
}

/** What is not given stays as it is. */
function readLimits({ least, most, perDocumentAndDay }: LimitOptions, currency: string): LimitChange {
  requireCurrency(currency);
  const amount = (option: string, text: string | undefined): bigint | null | undefined => {
    if (text === undefined) return undefined;
    if (text === 'none') return null;
    return readOptionAmount(option, text, currency);
  };
  return {
    leastMinor: amount('--least', least),
    mostMinor: amount('--most', most),
    perDocumentAndDay: readNumber(perDocumentAndDay),
  };
}

function readNumber(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new CommandRefused('--per-document-and-day takes a number from 1, or none.', 2);
  return Number(text);
}

type OperatedMerchant = Pick<Merchant, 'merchantId' | 'name' | 'language' | 'currencies'> & { readonly country: Country };

/** A cashout of an unknown merchant is not registered, as a service says too. */
async function readMerchant({ db, clock }: Connection, merchantId: string): Promise<OperatedMerchant | Refusal<'cashout_not_registered'>> {
  const { findCountry, showMerchant } = await import('../../merchants/index.ts');
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) return refuse('cashout_not_registered');
  const { name, language, currencies } = merchant;
  return { merchantId, name, language, currencies, country: findCountry(merchant.country) as Country };
}
