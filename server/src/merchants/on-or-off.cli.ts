import { Argument, type Command } from 'commander';
import type { Connect } from '../kit/command-line.ts';
import { askCommand } from '../kit/remote/client-commands.ts';
import { ONE_MERCHANT, type OneMerchant } from './one-merchant.cli.ts';

export const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

type Setting = {
  readonly command: string;
  readonly description: string;
  readonly set: 'setReplayGuard' | 'setStrictAmounts' | 'setLetterDocuments' | 'setUpdateNotices' | 'setEmptyEmails';
  readonly name: string;
  /** What holds for a merchant that was never set. */
  readonly begins: string;
  /** Its name in JSON. */
  readonly field: string;
  /** What the operator must know where it is turned on. */
  readonly caution: (id: string) => string;
};

const BEGINS_OFF = ', as every merchant begins';

const SETTINGS: readonly Setting[] = [
  {
    command: 'replay-guard',
    description: 'set whether an update that repeats values that its order had before needs If-Match',
    set: 'setReplayGuard',
    name: 'Replay guard',
    begins: BEGINS_OFF,
    field: 'guardsReplays',
    caution: (id) =>
      'Values that its orders had before are known from now on. Who captured an earlier request can send it once more.\n' +
      `To end those: ./caudal merchants rotate-hash ${id} --days 0\n`,
  },
  {
    command: 'strict-amounts',
    description: 'set whether amounts of its requests are refused that have more decimals than their currency, as 50.000 in COP',
    set: 'setStrictAmounts',
    name: 'Strict amounts',
    begins: BEGINS_OFF,
    field: 'strictAmounts',
    caution: () => 'An amount such as 45000.000 COP is refused from now on, though its zeros carry no value.\n',
  },
  {
    command: 'letter-documents',
    description: 'set whether documents of its cashouts may have letters, as a RUT with K, a CURP or a passport has',
    set: 'setLetterDocuments',
    name: 'Letters in documents',
    begins: BEGINS_OFF,
    field: 'letterDocuments',
    caution: () => 'Its requests and notices have them as capital letters without points and hyphens: 12345670K.\n',
  },
  {
    command: 'update-notices',
    description: 'set whether each update of an order sends a notice of what it changed',
    set: 'setUpdateNotices',
    name: 'Notices of updates',
    begins: BEGINS_OFF,
    field: 'reportsUpdates',
    caution: () => "Its receiver gets a notice with the status updated. It may hold a payer's name, address, document and text.\n",
  },
  {
    command: 'empty-emails',
    description: 'set whether its orders may have no e-mail address, so that no mail is sent',
    set: 'setEmptyEmails',
    name: 'Orders without e-mail address',
    begins: '; one that was never set follows the dialect of the servers',
    field: 'emptyEmails',
    caution: () => 'Such an order has no mail with its link. Its checksum begins with the country.\n',
  },
];

/** Adds the commands of settings that are on or off. */
export function addOnOrOff(merchants: Command, connect: Connect): void {
  for (const { command, description, set, name, begins, field, caution } of SETTINGS) {
    askCommand(merchants, connect, {
      ...ONE_MERCHANT,
      name: command,
      about: description,
      args: [...ONE_MERCHANT.args, new Argument('<mode>', `on, or off${begins}`).choices(['on', 'off'])],
      operation: async () => (await import('./change-merchants.manage.ts')).settings[set],
      parts: ({ id, mode }: OneMerchant & { readonly mode: string }) => ({ path: { merchant: id }, body: { isOn: mode === 'on' } }),
      json: (_set, { id, mode }) => ({ merchant: id, [field]: mode === 'on' }),
      text: (_set, { id, mode }) => `${name} of ${id}: ${mode}.\n${mode === 'on' ? caution(id) : ''}`,
    });
  }
}
