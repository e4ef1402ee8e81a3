import { Argument, type Command } from 'commander';
import { carryOut, CommandRefused, JSON_OPTION, print, printJson, type Connect, type RefusalLines } from '../kit/command-line.ts';
import { optionAmountText } from '../kit/written/written-amount.ts';
import { NOTICE_CHECKSUMS, type NoticeChecksum, type OpenAmount } from './merchant.ts';

const changes = () => import('./change-merchant.ts');
const operations = () => import('./change-merchants.manage.ts');

type JsonOption = { json?: true };
type Lines = RefusalLines<'merchant_unknown' | 'not_found' | 'open_amounts_invalid' | 'return_url_invalid'>;

export const openAmountText = ({ currency, least, most }: OpenAmount): string => `${currency} ${least} to ${most}`;

/** `COP:1000-500000`. */
function readLimits(text: string, refusals: Lines, id: string): OpenAmount {
  const [, currency, least, most] = /^([A-Z]{3}):([0-9.,]+)-([0-9.,]+)$/.exec(text) ?? [];
  if (currency === undefined || least === undefined || most === undefined) throw new CommandRefused(...refusals.open_amounts_invalid(id));
  const read = (amount: string): string => optionAmountText('The limit', amount, currency);
  return { currency, least: read(least), most: read(most) };
}

/** Adds what clients of the family expect of a merchant: docs/dialect.md. */
export function addOfFamily(merchants: Command, connect: Connect, refusals: Lines): void {
  merchants
    .command('notice-checksum')
    .description('set the hash of the checksum in notices of orders, those that wait included')
    .argument('<id>')
    .addArgument(new Argument('<hash>', 'sha256, as every merchant begins, or sha512').choices(NOTICE_CHECKSUMS))
    .option(...JSON_OPTION)
    .action(async (id: string, noticeChecksum: NoticeChecksum, { json }: JsonOption) => {
      await carryOut(connect, refusals, id, {
        here: async (connection) => (await changes()).setNoticeChecksum(connection, id, noticeChecksum),
        there: async (service) =>
          void (await service.call((await operations()).checksumOfNotices, { path: { merchant: id }, body: { noticeChecksum } })),
      });
      if (json) return printJson({ merchant: id, noticeChecksum });
      print(`Checksums in notices of ${id}: ${noticeChecksum}.\n`);
    });
  merchants
    .command('open-amounts')
    .description('set in which currencies its orders may leave the amount to the payer, and between which limits')
    .argument('<id>')
    .argument('<limits...>', 'currency, least and most, such as COP:1000-500000; none: in no currency')
    .option(...JSON_OPTION)
    .action(async (id: string, limits: readonly string[], { json }: JsonOption) => {
      const openAmounts = limits.length === 1 && limits[0] === 'none' ? [] : limits.map((text) => readLimits(text, refusals, id));
      await carryOut(connect, refusals, id, {
        here: async (connection) => (await import('./family/set-open-amounts.ts')).setOpenAmounts(connection, id, openAmounts),
        there: async (service) =>
          void (await service.call((await operations()).openAmounts, { path: { merchant: id }, body: { openAmounts } })),
      });
      if (json) return printJson({ merchant: id, openAmounts });
      print(`Amounts that payers of ${id} choose: ${openAmounts.map(openAmountText).join('; ') || 'none'}.\n`);
    });
  merchants
    .command('set-return-url')
    .description('set where the checkout page leads payers back to after a payment')
    .argument('<id>')
    .argument('<url>', 'https in production; none: nowhere')
    .option(...JSON_OPTION)
    .action(async (id: string, url: string, { json }: JsonOption) => {
      const returnUrl = url === 'none' ? null : url;
      await carryOut(connect, refusals, id, {
        here: async (connection) => (await changes()).setReturnUrl(connection, id, returnUrl),
        there: async (service) => void (await service.call((await operations()).leadBack, { path: { merchant: id }, body: { returnUrl } })),
      });
      if (json) return printJson({ merchant: id, returnUrl });
      print(`Payers of ${id} are led back to ${returnUrl ?? 'nowhere'}.\n`);
    });
}
