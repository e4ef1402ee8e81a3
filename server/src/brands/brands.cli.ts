import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  accept,
  carryOut,
  CommandRefused,
  details,
  JSON_OPTION,
  print,
  printJson,
  type Connect,
  type RefusalLines,
  moneyText,
} from '../kit/command-line.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { optionAmountText } from '../kit/written/written-amount.ts';
import type { MerchantBrand, MerchantBrandRefusal, NetworkBrand } from './brand.ts';
import type { LogoRefusal } from './logo.ts';

const rows = () => import('./brand-rows.ts');
const operations = () => import('./brands.manage.ts');

type Unknown = 'merchant_unknown' | 'network_unknown' | 'not_found';

const LINES: RefusalLines<Unknown | MerchantBrandRefusal | LogoRefusal | 'hours_invalid'> = {
  merchant_unknown: (id) => [`There is no merchant ${id}.`, 1],
  network_unknown: (id) => [`There is no network ${id}.`, 1],
  not_found: (id) => [`There is no merchant ${id}.`, 1],
  colour_invalid: () => ['--colour takes # and six small hexadecimal digits, such as #0a5c78; or none.', 2],
  colour_too_pale: () => ['--colour is too pale to be read on white: its contrast is below 4.5. Take a darker one.', 2],
  payers_contact_invalid: () => ['--contact takes one e-mail address or one telephone number, or none.', 2],
  website_invalid: () => ['--website takes an https address of 200 characters at most, or none.', 2],
  hours_invalid: () => ['--hours takes opening hours such as "mon-sat 08:00-20:00, sun 09:00-13:00", or none.', 2],
  logo_not_png: () => ['--logo takes a still PNG that is not interlaced, or none.', 2],
  logo_too_large: () => ['--logo takes at most 512 by 512 pixels; 8192 bytes for a merchant, 3072 for a network.', 2],
};
const NETWORK_LINES = { ...LINES, not_found: LINES.network_unknown };

type Json = { json?: true };
type MerchantOptions = Json & { colour?: string; contact?: string; website?: string; logo?: string };
type NetworkOptions = Json & { fees?: string; hours?: string; logo?: string };

const LOGO_OPTION = ['--logo <file>', 'a PNG of at most 512 by 512 pixels; none takes it away'] as const;

/** Adds `caudal brands …` to the program. */
export function brandCommands(program: Command, connect: Connect): void {
  const brands = program.command('brands').description('what payers see of merchants and networks on checkout pages, beside their names');
  addMerchant(brands, connect);
  addNetwork(brands, connect);
}

function addMerchant(brands: Command, connect: Connect): void {
  brands
    .command('merchant')
    .description('set what payers see of a merchant; without options: show it')
    .argument('<id>')
    .option(...LOGO_OPTION)
    .option('--colour <colour>', 'of buttons and links, such as #0a5c78; none takes it away')
    .option('--contact <contact>', 'where payers ask: an e-mail address or a telephone number; none takes it away')
    .option('--website <url>', 'where the page leads back to; none takes it away')
    .option(...JSON_OPTION)
    .action(async (id: string, { json, logo: file, ...texts }: MerchantOptions) => {
      const logo = await readGiven(file);
      const given = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === 'none' ? null : text]));
      const isRead = file === undefined && Object.keys(given).length === 0;
      const brand = await carryOut<MerchantBrand>(connect, LINES, id, {
        here: async (connection) => {
          const { showMerchantBrand, setMerchantBrand } = await rows();
          const outcome = isRead
            ? ((await showMerchantBrand(connection, id)) ?? refuse('merchant_unknown'))
            : await setMerchantBrand(connection, id, { ...given, logo });
          return accept(outcome, LINES, id);
        },
        there: async (service) => {
          const { readBrandOfMerchant, setBrandOfMerchant } = await operations();
          const path = { merchant: id };
          return isRead
            ? service.call(readBrandOfMerchant, { path })
            : service.call(setBrandOfMerchant, { path, body: { ...given, ...sentLogo(logo) } });
        },
      });
      if (json) return printJson({ merchant: id, ...brand });
      const { colour, contact, website } = brand;
      print(
        details([
          ['merchant', id],
          ['colour', colour ?? 'none'],
          ['contact', contact ?? 'none'],
          ['website', website ?? 'none'],
          ['logo', brand.logo ?? 'none'],
        ]),
      );
    });
}

type ShownNetworkBrand = Omit<NetworkBrand, 'fees'> & { readonly fees: readonly { readonly amount: string; readonly currency: string }[] };

function addNetwork(brands: Command, connect: Connect): void {
  brands
    .command('network')
    .description('set what payers see of a network; without options: show it')
    .argument('<netname>')
    .option(...LOGO_OPTION)
    .option('--fees <fees>', 'what a payer pays beside the amount, with commas, such as COP=1500,PEN=0; none takes them away')
    .option('--hours <hours>', 'such as "mon-sat 08:00-20:00, sun 09:00-13:00"; none takes them away')
    .option(...JSON_OPTION)
    .action(async (netname: string, { json, logo: file, fees: sentFees, hours: sentHours }: NetworkOptions) => {
      const logo = await readGiven(file);
      const fees = sentFees === undefined ? undefined : feesOf(sentFees);
      const hours = sentHours === 'none' ? null : sentHours;
      const isRead = file === undefined && sentFees === undefined && sentHours === undefined;
      const brand = await carryOut<ShownNetworkBrand>(connect, NETWORK_LINES, netname, {
        here: async (connection) => {
          const { showNetworkBrand, setNetworkBrand } = await rows();
          const { readFees, showFees } = await operations();
          const read = fees && readFees(fees);
          if (isRefusal(read)) throw new CommandRefused(FEES_RULE, 2);
          const outcome = isRead
            ? ((await showNetworkBrand(connection, netname)) ?? refuse('network_unknown'))
            : await setNetworkBrand(connection, netname, { fees: read, hours, logo });
          const { fees: stored, ...rest } = accept(outcome, LINES, netname);
          return { fees: showFees(stored), ...rest };
        },
        there: async (service) => {
          const { readBrandOfNetwork, setBrandOfNetwork } = await operations();
          const path = { netname };
          const body = { ...(fees && { fees }), ...(hours !== undefined && { hours }), ...sentLogo(logo) };
          return isRead ? service.call(readBrandOfNetwork, { path }) : service.call(setBrandOfNetwork, { path, body });
        },
      });
      if (json) return printJson({ netname, ...brand });
      print(
        details([
          ['network', netname],
          ['fees', brand.fees.map(moneyText).join(', ') || 'none'],
          ['hours', brand.hours ?? 'none'],
          ['logo', brand.logo ?? 'none'],
        ]),
      );
    });
}

const FEES_RULE = '--fees takes amounts of zero or more by currency, with commas, such as COP=1500,PEN=0; or none.';

function feesOf(text: string): readonly { readonly amount: string; readonly currency: string }[] {
  if (text === 'none') return [];
  return text.split(',').map((one) => {
    const { currency, amount } = /^(?<currency>[A-Z]{3})=(?<amount>[0-9.]+)$/.exec(one)?.groups ?? {};
    if (currency === undefined || amount === undefined) throw new CommandRefused(FEES_RULE, 2);
    return { currency, amount: optionAmountText('--fees', amount, currency, 'or zero') };
  });
}

/** Far more than any logo. */
const MOST_FILE_BYTES = 32_768;

async function readGiven(file: string | undefined): Promise<Buffer | null | undefined> {
  if (file === undefined || file === 'none') return file === undefined ? undefined : null;
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Cannot read ${file}: ${error.code}.`, 1);
  });
  if (bytes.length > MOST_FILE_BYTES) throw new CommandRefused(...LINES.logo_too_large(file));
  return bytes;
}

const sentLogo = (logo: Buffer | null | undefined): { readonly logo?: string | null } =>
  logo === undefined ? {} : { logo: logo && logo.toString('base64') };
