import type { Command } from 'commander';
import { askEither, details, JSON_OPTION, print, printJson, type Connect } from '../../kit/command-line.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';

type Options = {
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly document: string;
  readonly sms?: string;
  readonly cost?: string;
  readonly description?: string;
  readonly expiresOn?: string;
  readonly otpLength?: string;
  readonly json?: true;
};

/** Adds `caudal cashouts register`. */
export function registerCashoutCommand(cashouts: Command, connect: Connect): void {
  cashouts
    .command('register')
    .description("register a cashout from the merchant's fund; its one-time password goes by SMS")
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .requiredOption('--amount <amount>', 'what is paid out')
    .requiredOption('--currency <code>', 'of the amount')
    .requiredOption('--document <number>', 'of the end user')
    .option('--sms <cellphone>', "where the one-time password goes; without it only the merchant's own token may register")
    .option('--cost <amount>', "the merchant's transaction cost")
    .option('--description <text>', 'what it is for')
    .option('--expires-on <day>', 'the last day, as 2026-12-31')
    .option('--otp-length <digits>', '4 to 12')
    .option(...JSON_OPTION)
    .action((operation: string, options: Options) => register(connect, operation, options));
}

async function register(connect: Connect, operation: string, options: Options): Promise<void> {
  const { merchant, amount, currency, document, sms, cost, description, expiresOn, otpLength, json } = options;
  const body = {
    merchant,
    operation,
    amount: { amount: optionAmountText('--amount', amount, currency), currency },
    document,
    ...(sms !== undefined && { sms: true, cellphone: sms }),
    transactionCost: cost && optionAmountText('--cost', cost, currency, 'or zero'),
    description,
    expiresOn,
    otpLength: otpLength !== undefined && /^[0-9]{1,3}$/.test(otpLength) ? Number(otpLength) : otpLength,
  };
  const made = await askEither(connect, async (service) => {
    const { registerCashout } = await import('../manage/cashouts.manage.ts');
    return service.call(registerCashout, { body });
  });
  if (json) return printJson(made);
  print(
    details([
      ['merchant', made.merchant],
      ['cashout', made.operation],
      ['state', made.state],
      ['amount', made.amount],
      ['last day', made.expiresOn],
      ['password', made.oneTimePassword ?? 'goes by SMS'],
    ]),
  );
}
