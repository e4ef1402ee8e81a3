import { Option, type Command } from 'commander';
import { CommandRefused, orNone, type Connect } from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { askCommand, readBy } from '../kit/remote/client-commands.ts';
import { ONE_MERCHANT, type OneMerchant } from './one-merchant.cli.ts';

type SetOptions = OneMerchant & {
  readonly name?: string;
  readonly language?: Language;
  readonly currencies?: readonly string[];
  readonly contact?: string;
};

/** Adds `caudal merchants set`. */
export function addSet(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'set',
    about: 'set name, language, currencies or contact; the country never changes, because days and amounts of orders follow from it',
    options: [
      new Option('--name <name>', 'shown to customers'),
      new Option('--language <language>', 'of answers and messages').choices(LANGUAGES),
      readBy('--currencies <codes>', 'of new orders and cashouts, with commas; others in being go on', (text) => text.split(',')),
      new Option('--contact <email>', 'the address of a person to write to; none takes it away'),
    ],
    operation: async () => (await import('./change-merchants.manage.ts')).update,
    parts: ({ id, contact, ...terms }: SetOptions) => {
      const body = { ...terms, ...(contact !== undefined && { contact: orNone(contact) }) };
      if (Object.keys(body).length === 0) throw new CommandRefused('Give --name, --language, --currencies or --contact.', 2);
      return { path: { merchant: id }, body };
    },
    json: ({ merchant, name, language, currencies, contact }) => ({ merchant, name, language, currencies, contact }),
    text: ({ merchant, name, language, currencies, contact }) =>
      `Merchant ${merchant}: ${name}, language ${language}, currencies ${currencies.join(', ')}, contact ${contact ?? 'none'}.\n`,
  });
}
