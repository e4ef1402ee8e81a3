import { readFile } from 'node:fs/promises';
import { Argument, Option, type Command } from 'commander';
import { CommandRefused, details, moneyText, orNone, type Connect } from '../kit/command-line.ts';
import { askCommand } from '../kit/remote/client-commands.ts';
import { optionAmountText } from '../kit/written/written-amount.ts';

const operations = () => import('./brands.manage.ts');

const LOGO_TOO_LARGE = ['--logo takes at most 512 by 512 pixels; 8192 bytes for a merchant, 3072 for a network.', 2] as const;
/** They name options of these commands. */
const LINES = {
  colour_invalid: ['--colour takes # and six small hexadecimal digits, such as #0a5c78; or none.', 2],
  colour_too_pale: ['--colour is too pale to be read on white: its contrast is below 4.5. Take a darker one.', 2],
  payers_contact_invalid: ['--contact takes one e-mail address or one telephone number, or none.', 2],
  website_invalid: ['--website takes an https address of 200 characters at most, or none.', 2],
  hours_invalid: ['--hours takes opening hours such as "mon-sat 08:00-20:00, sun 09:00-13:00", or none.', 2],
  logo_not_png: ['--logo takes a still PNG that is not interlaced, or none.', 2],
  logo_too_large: LOGO_TOO_LARGE,
} as const;

const LOGO_OPTION = new Option('--logo <file>', 'a PNG of at most 512 by 512 pixels; none takes it away');

/** Adds `caudal brands …` to the program. */
export function brandCommands(program: Command, connect: Connect): void {
  const brands = program.command('brands').description('what payers see of merchants and networks on checkout pages, beside their names');
  addMerchant(brands, connect);
  addNetwork(brands, connect);
}

type MerchantOptions = {
  readonly id: string;
  readonly logo?: string;
  readonly colour?: string;
  readonly contact?: string;
  readonly website?: string;
};

/** Without options a command shows. */
const isRead = (given: object): boolean => Object.keys(given).length === 1;

function addMerchant(brands: Command, connect: Connect): void {
  askCommand(brands, connect, {
    name: 'merchant',
    about: 'set what payers see of a merchant; without options: show it',
    args: [new Argument('<id>')],
    options: [
      LOGO_OPTION,
      new Option('--colour <colour>', 'of buttons and links, such as #0a5c78; none takes it away'),
      new Option('--contact <contact>', 'where payers ask: an e-mail address or a telephone number; none takes it away'),
      new Option('--website <url>', 'where the page leads back to; none takes it away'),
    ],
    operation: async (given) => {
      const { readBrandOfMerchant, setBrandOfMerchant } = await operations();
      return isRead(given) ? readBrandOfMerchant : setBrandOfMerchant;
    },
    parts: async (given: MerchantOptions) => {
      const { id: merchant, logo, colour, contact, website } = given;
      const texts = { colour: orNone(colour), contact: orNone(contact), website: orNone(website) };
      return { path: { merchant }, ...(!isRead(given) && { body: { ...texts, logo: await readGiven(logo) } }) };
    },
    lines: LINES,
    json: (brand, { id }) => ({ merchant: id, ...brand }),
    text: ({ colour, contact, website, logo }, { id }) =>
      details([
        ['merchant', id],
        ['colour', colour ?? 'none'],
        ['contact', contact ?? 'none'],
        ['website', website ?? 'none'],
        ['logo', logo ?? 'none'],
      ]),
  });
}

type NetworkOptions = { readonly netname: string; readonly logo?: string; readonly fees?: string; readonly hours?: string };

function addNetwork(brands: Command, connect: Connect): void {
  askCommand(brands, connect, {
    name: 'network',
    about: 'set what payers see of a network; without options: show it',
    args: [new Argument('<netname>')],
    options: [
      LOGO_OPTION,
      new Option('--fees <fees>', 'what a payer pays beside the amount, with commas, such as COP=1500,PEN=0; none takes them away'),
      new Option('--hours <hours>', 'such as "mon-sat 08:00-20:00, sun 09:00-13:00"; none takes them away'),
    ],
    operation: async (given) => {
      const { readBrandOfNetwork, setBrandOfNetwork } = await operations();
      return isRead(given) ? readBrandOfNetwork : setBrandOfNetwork;
    },
    parts: async (given: NetworkOptions) => {
      const { netname, logo, fees, hours } = given;
      const body = { fees: fees === undefined ? undefined : feesOf(fees), hours: orNone(hours), logo: await readGiven(logo) };
      return { path: { netname }, ...(!isRead(given) && { body }) };
    },
    lines: { ...LINES, '/fees': [FEES_RULE, 2] },
    json: (brand, { netname }) => ({ netname, ...brand }),
    text: ({ fees, hours, logo }, { netname }) =>
      details([
        ['network', netname],
        ['fees', fees.map(moneyText).join(', ') || 'none'],
        ['hours', hours ?? 'none'],
        ['logo', logo ?? 'none'],
      ]),
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

/** A logo as it is sent: in base64. */
async function readGiven(file: string | undefined): Promise<string | null | undefined> {
  const given = orNone(file);
  if (given === undefined || given === null) return given;
  const bytes = await readFile(given).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Cannot read ${given}: ${error.code}.`, 1);
  });
  if (bytes.length > MOST_FILE_BYTES) throw new CommandRefused(...LOGO_TOO_LARGE);
  return bytes.toString('base64');
}
