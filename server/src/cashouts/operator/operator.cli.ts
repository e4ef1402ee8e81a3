import type { Command } from 'commander';
import {
  carryOut,
  JSON_OPTION,
  print,
  printJson,
  refusalLines,
  requireReason,
  type Connect,
  type Connection,
  moneyText,
} from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Country, Merchant } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';

import type { CashoutKey } from '../cashout.ts';
import { limitsCommand } from '../limits/limits.cli.ts';
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
  limitsCommand(cashouts, connect);
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

type OperatedMerchant = Pick<Merchant, 'merchantId' | 'name' | 'language' | 'currencies'> & { readonly country: Country };

/** A cashout of an unknown merchant is not registered, as a service says too. */
async function readMerchant({ db, clock }: Connection, merchantId: string): Promise<OperatedMerchant | Refusal<'cashout_not_registered'>> {
  const { findCountry, showMerchant } = await import('../../merchants/index.ts');
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) return refuse('cashout_not_registered');
  const { name, language, currencies } = merchant;
  return { merchantId, name, language, currencies, country: findCountry(merchant.country) as Country };
}
