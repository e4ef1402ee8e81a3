import { Argument, type Command } from 'commander';
import { CommandRefused, orNone, type Connect } from '../kit/command-line.ts';
import { askCommand } from '../kit/remote/client-commands.ts';
import { optionAmountText } from '../kit/written/written-amount.ts';
import { NOTICE_CHECKSUMS, type OpenAmount } from './merchant.ts';
import { ONE_MERCHANT, OPEN_AMOUNT, type OneMerchant } from './one-merchant.cli.ts';

const operations = () => import('./change-merchants.manage.ts');

export const openAmountText = ({ currency, least, most }: OpenAmount): string => `${currency} ${least} to ${most}`;

/** `COP:1000-500000`. */
function readLimits(text: string): OpenAmount {
  const [, currency, least, most] = /^([A-Z]{3}):([0-9.,]+)-([0-9.,]+)$/.exec(text) ?? [];
  if (currency === undefined || least === undefined || most === undefined) throw new CommandRefused(...OPEN_AMOUNT);
  const read = (amount: string): string => optionAmountText('The limit', amount, currency);
  return { currency, least: read(least), most: read(most) };
}

/** Adds what clients of the family expect of a merchant: docs/dialect.md. */
export function addOfFamily(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'notice-checksum',
    about: 'set the hash of the checksum in notices of orders, those that wait included',
    args: [...ONE_MERCHANT.args, new Argument('<hash>', 'sha256, as every merchant begins, or sha512').choices(NOTICE_CHECKSUMS)],
    operation: async () => (await operations()).checksumOfNotices,
    parts: ({ id, hash: noticeChecksum }: OneMerchant & { readonly hash: string }) => ({
      path: { merchant: id },
      body: { noticeChecksum },
    }),
    json: ({ merchant, noticeChecksum }) => ({ merchant, noticeChecksum }),
    text: ({ merchant, noticeChecksum }) => `Checksums in notices of ${merchant}: ${noticeChecksum}.\n`,
  });
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'open-amounts',
    about: 'set in which currencies its orders may leave the amount to the payer, and between which limits',
    args: [...ONE_MERCHANT.args, new Argument('<limits...>', 'currency, least and most, such as COP:1000-500000; none: in no currency')],
    operation: async () => (await operations()).openAmounts,
    parts: ({ id, limits }: OneMerchant & { readonly limits: readonly string[] }) => {
      const openAmounts = limits.length === 1 && limits[0] === 'none' ? [] : limits.map(readLimits);
      return { path: { merchant: id }, body: { openAmounts } };
    },
    json: ({ merchant, openAmounts }) => ({ merchant, openAmounts }),
    text: ({ merchant, openAmounts }) =>
      `Amounts that payers of ${merchant} choose: ${openAmounts.map(openAmountText).join('; ') || 'none'}.\n`,
  });
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'set-return-url',
    about: 'set where the checkout page leads payers back to after a payment',
    args: [...ONE_MERCHANT.args, new Argument('<url>', 'https in production; none: nowhere')],
    operation: async () => (await operations()).leadBack,
    parts: ({ id, url }: OneMerchant & { readonly url: string }) => ({
      path: { merchant: id },
      body: { returnUrl: orNone(url) },
    }),
    json: ({ merchant, returnUrl }) => ({ merchant, returnUrl }),
    text: ({ merchant, returnUrl }) => `Payers of ${merchant} are led back to ${returnUrl ?? 'nowhere'}.\n`,
  });
}
