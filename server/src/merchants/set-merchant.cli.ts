import { Option, type Command } from 'commander';
import { carryOut, CommandRefused, JSON_OPTION, print, printJson, type Connect, type RefusalLines } from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';

type SetOptions = { name?: string; language?: Language; currencies?: string[]; contact?: string; json?: true };

/** Adds `caudal merchants set`. */
export function addSet(
  merchants: Command,
  connect: Connect,
  refusals: RefusalLines<'name_invalid' | 'contact_invalid' | 'merchant_unknown' | 'currency_not_of_country'>,
): void {
  merchants
    .command('set')
    .description('set name, language, currencies or contact; the country never changes, because days and amounts of orders follow from it')
    .argument('<id>')
    .option('--name <name>', 'shown to customers')
    .addOption(new Option('--language <language>', 'of answers and messages').choices(LANGUAGES))
    .option('--currencies <codes>', 'of new orders and cashouts, with commas; others in being go on', (text) => text.split(','))
    .option('--contact <email>', 'the address of a person to write to; none takes it away')
    .option(...JSON_OPTION)
    .action(async (id: string, { json, contact: asked, ...rest }: SetOptions) => {
      const terms = { ...rest, ...(asked === undefined ? {} : { contact: asked === 'none' ? null : asked }) };
      if (Object.keys(terms).length === 0) throw new CommandRefused('Give --name, --language, --currencies or --contact.', 2);
      const { name, language, currencies, contact } = await carryOut(connect, refusals, id, {
        here: async (connection) => (await import('./change-merchant.ts')).setMerchant(connection, id, terms),
        there: async (service) =>
          service.call((await import('./change-merchants.manage.ts')).update, { path: { merchant: id }, body: terms }),
      });
      if (json) return printJson({ merchant: id, name, language, currencies, contact });
      print(`Merchant ${id}: ${name}, language ${language}, currencies ${currencies?.join(', ')}, contact ${contact ?? 'none'}.\n`);
    });
}
