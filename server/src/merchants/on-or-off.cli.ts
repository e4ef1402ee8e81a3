import { Argument, type Command } from 'commander';
import { carryOut, JSON_OPTION, print, printJson, type Connect, type RefusalLines } from '../kit/command-line.ts';

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
export function addOnOrOff(merchants: Command, connect: Connect, refusals: RefusalLines<'merchant_unknown'>): void {
  for (const { command, description, set, name, begins, field, caution } of SETTINGS) {
    merchants
      .command(command)
      .description(description)
      .argument('<id>')
      .addArgument(new Argument('<mode>', `on, or off${begins}`).choices(['on', 'off']))
      .option(...JSON_OPTION)
      .action(async (id: string, mode: 'on' | 'off', { json }: { json?: true }) => {
        const isOn = mode === 'on';
        await carryOut(connect, refusals, id, {
          here: async (connection) => (await import('./change-merchant.ts'))[set](connection, id, isOn),
          there: async (service) => {
            const { settings } = await import('./change-merchants.manage.ts');
            await service.call(settings[set], { path: { merchant: id }, body: { isOn } });
            return undefined;
          },
        });
        if (json) return printJson({ merchant: id, [field]: isOn });
        print(`${name} of ${id}: ${mode}.\n${isOn ? caution(id) : ''}`);
      });
  }
}
