import { Argument, Option, type Command } from 'commander';
import { formatIsoDay } from '../kit/calendar.ts';
import { details, moneyText, sentInstant, table, type Asks, type Cell, type Connect } from '../kit/command-line.ts';
import { moreText, parseDay, statesOf } from '../kit/lists/list-options.ts';
import { askCommand, limitOption, listCommand, needed, readBy, utcOption, type AnswerOf } from '../kit/remote/client-commands.ts';
import { optionAmountText } from '../kit/written/written-amount.ts';
import { bankFileCommands } from './bank-files/bank-files.cli.ts';
import type { listHoldsOperation } from './holds/holds.manage.ts';
import type { approveSettlements, previewSettlementOperation, readSettlementOperation, cancelSettlement } from './settlements.manage.ts';
import { SETTLEMENT_STATES } from './settlement-columns.ts';
import { ruleCommands } from './terms/rules.cli.ts';
import { scheduleCommands } from './terms/schedules.cli.ts';

const operations = () => import('./settlements.manage.ts');
const holdOperations = () => import('./holds/holds.manage.ts');
const merchants = () => import('../merchants/index.ts');

type Shown = AnswerOf<typeof readSettlementOperation>;
type Line = Shown['lines'][number];
type Changed = AnswerOf<typeof cancelSettlement>;
type Utc = { readonly utc?: true };

const ofMerchant = new Option('--merchant <id>', 'of one merchant; of all where absent');
const whose = needed('--merchant <id>', 'whose money it is');
const reasonOption = needed('--reason <text>', 'why, for the audit log');
const currencyOption = needed('--currency <code>', 'three letters, such as COP');
const untilOption = readBy(
  '--until <day>',
  "the last day whose entries it takes, in the merchant's zone; yesterday where absent",
  parseDay,
);

const zoneOf = async (service: Asks, shown: readonly { readonly merchant: string }[], { utc }: Utc): Promise<string> =>
  (await merchants()).askSharedZone(service, shown, utc);

/** Adds `caudal settlements …` and `caudal holds …` to the program. Shape: → the former, for commands of other rooms. */
export function settlementCommands(program: Command, connect: Connect): Command {
  const settlements = program.command('settlements').description('what merchants have collected, on its way to their bank accounts');
  addList(settlements, connect);
  addShow(settlements, connect);
  addEntries(settlements, connect);
  addRun(settlements, connect);
  addApprove(settlements, connect);
  addSteps(settlements, connect);
  scheduleCommands(settlements, connect);
  ruleCommands(settlements, connect);
  bankFileCommands(settlements, connect);
  const holds = program.command('holds').description('money of merchants that is held back');
  addListHolds(holds, connect);
  addPlaceHold(holds, connect);
  addReleaseHold(holds, connect);
  return settlements;
}

type ListOptions = Utc & {
  readonly merchant?: string;
  readonly state?: string;
  readonly currency?: string;
  readonly from?: Temporal.PlainDate;
  readonly to?: Temporal.PlainDate;
  readonly limit: number;
};

const dayText = (day: Temporal.PlainDate | undefined): string | undefined => (day === undefined ? undefined : formatIsoDay(day));

function addList(settlements: Command, connect: Connect): void {
  listCommand(settlements, connect, {
    name: 'list',
    about: 'settlements, the newest first',
    options: [
      ofMerchant,
      new Option('--state <states>', SETTLEMENT_STATES.join(', ')),
      new Option('--currency <code>', 'in one currency'),
      readBy('--from <day>', "made on this day or later, in the merchant's zone", parseDay),
      readBy('--to <day>', 'made on this day or earlier', parseDay),
      limitOption,
      utcOption,
    ],
    operation: async () => (await operations()).listSettlementsOperation,
    limit: ({ limit }) => limit,
    parts: ({ merchant, state, currency, from, to }: ListOptions) => ({
      query: { merchant, state: statesOf(state, SETTLEMENT_STATES), currency, from: dayText(from), to: dayText(to) },
    }),
    first: async (service, { merchant, utc }) => (merchant === undefined ? undefined : (await merchants()).askZone(service, merchant, utc)),
    zone: zoneOf,
    text: (listed, { limit }, zone, isMore) => {
      if (listed.length === 0) return 'No matching settlements.\n';
      const cells = listed.map(({ merchant, settlement, state, entries, gross, net, madeAt, problem, bankReference, file }): Cell[] => [
        merchant,
        settlement,
        state,
        String(entries),
        gross,
        net,
        sentInstant(madeAt),
        problem ?? bankReference ?? file,
      ]);
      const heading = ['MERCHANT', 'SETTLEMENT', 'STATE', 'ENTRIES', 'GROSS', 'NET', 'MADE', 'NOTE'];
      return `${table(heading, cells, zone)}${moreText(isMore, limit)}`;
    },
  });
}

type Of = { readonly settlement: string; readonly merchant: string };
const SETTLEMENT = new Argument('<settlement>', 'its number');
const pathOf = ({ merchant, settlement }: Of): Of => ({ merchant, settlement });

const lineCells = ({ name, kind, base, of, percent, amount, tax }: Line): Cell[] => [name, kind, base, of, percent, amount, tax];
const linesText = (lines: readonly Line[], zone: string): string =>
  lines.length === 0 ? '' : table(['TAKEN OFF', 'KIND', 'OF', 'AMOUNT', 'PERCENT', 'TAKEN', 'TAX'], lines.map(lineCells), zone);

function addShow(settlements: Command, connect: Connect): void {
  askCommand(settlements, connect, {
    name: 'show',
    about: 'a settlement, with what was taken off',
    args: [SETTLEMENT],
    options: [whose, utcOption],
    operation: async () => (await operations()).readSettlementOperation,
    parts: (given: Of & Utc) => ({ path: pathOf(given) }),
    zone: (service, shown, given) => zoneOf(service, [shown], given),
    text: (shown, _given, zone) => `${details(detailsOf(shown), zone)}${linesText(shown.lines, zone)}`,
  });
}

function detailsOf({ lines: _lines, ...shown }: Shown): [string, Cell][] {
  const { madeAt, approvedAt, sentAt, paidAt, returnedAt, cancelledAt, cutoffAt, settledOn, dueOn, bankReference, ...rest } = shown;
  const times = { madeAt, approvedAt, sentAt, paidAt, returnedAt, cancelledAt };
  return [
    ...Object.entries({ ...rest, entries: String(rest.entries) }),
    ['bank reference', bankReference],
    ['made on', settledOn],
    ['due on', dueOn],
    ['entries until', sentInstant(cutoffAt)],
    ...Object.entries(times).map(([name, at]): [string, Cell] => [name.replace('At', ''), sentInstant(at)]),
  ];
}

function addEntries(settlements: Command, connect: Connect): void {
  listCommand(settlements, connect, {
    name: 'entries',
    about: 'the entries of the ledger that a settlement is made of',
    args: [SETTLEMENT],
    options: [whose, limitOption, utcOption],
    operation: async () => (await operations()).listSettlementEntries,
    limit: ({ limit }) => limit,
    parts: (given: Of & Utc & { readonly limit: number }) => ({ path: pathOf(given) }),
    zone: (service, _entries, given) => zoneOf(service, [given], given),
    text: (listed, { limit }, zone, isMore) => {
      if (listed.length === 0) return 'It has no entries.\n';
      const cells = listed.map(({ postedAt, transaction, kind, amount }): Cell[] => [sentInstant(postedAt), transaction, kind, amount]);
      return `${table(['POSTED', 'TRANSACTION', 'KIND', 'AMOUNT'], cells, zone)}${moreText(isMore, limit)}`;
    },
  });
}

type RunOptions = { readonly merchant: string; readonly currency: string; readonly until?: Temporal.PlainDate };
const runParts = ({ currency, until }: RunOptions) => ({ currency, until: dayText(until) });

function addRun(settlements: Command, connect: Connect): void {
  const run = { options: [whose, currencyOption, untilOption] };
  askCommand(settlements, connect, {
    ...run,
    name: 'preview',
    about: 'what a settlement would be now; nothing is written',
    operation: async () => (await operations()).previewSettlementOperation,
    parts: (given: RunOptions) => ({ path: { merchant: given.merchant }, query: runParts(given) }),
    text: (shown: AnswerOf<typeof previewSettlementOperation>, { merchant }) =>
      `${shown.entries} entries of ${merchant} add up to ${moneyText(shown.gross)}: it would get ${moneyText(shown.net)}.\n${linesText(shown.lines, 'UTC')}`,
  });
  askCommand(settlements, connect, {
    ...run,
    name: 'run',
    about: 'make a draft of what a merchant has collected',
    operation: async () => (await operations()).runSettlementOperation,
    parts: (given: RunOptions) => ({ path: { merchant: given.merchant }, body: runParts(given) }),
    text: ({ settlement, merchant, entries, gross, net, lines }) =>
      `Settlement ${settlement} of ${merchant} is a draft: ${entries} entries of ${moneyText(gross)}, of which it gets ${moneyText(net)}.\n${linesText(lines, 'UTC')}`,
  });
}

type Approved = AnswerOf<typeof approveSettlements>;
type Problem = NonNullable<Approved['results'][number]['problem']>;
const NOT_APPROVED: Readonly<Record<Problem, string>> = {
  not_found: 'does not exist',
  settlement_ended: 'has ended already',
  collected_too_small: 'pays more than its merchant has now: cancel it and run it anew',
  merchant_frozen: 'is of a merchant that is frozen or disabled',
};

function addApprove(settlements: Command, connect: Connect): void {
  askCommand(settlements, connect, {
    name: 'approve',
    about: 'approve drafts, of one merchant or of several',
    args: [new Argument('<settlements...>', 'their numbers')],
    operation: async () => (await operations()).approveSettlements,
    parts: ({ settlements: numbers }: { readonly settlements: readonly string[] }) => ({ body: { settlements: numbers } }),
    lines: { '/settlements': ['Settlements are named by their numbers, 100 at most.', 2] },
    isFine: ({ results }) => results.every(({ problem }) => problem === null),
    text: ({ results }) =>
      results
        .map(({ settlement, merchant, isRepeated, problem }) =>
          problem === null
            ? `Settlement ${settlement} of ${merchant} is approved.${isRepeated ? ' It was so before.' : ''}\n`
            : `Settlement ${settlement} is not approved: it ${NOT_APPROVED[problem]}.\n`,
        )
        .join(''),
  });
}

const BECAME: Readonly<Record<Changed['state'], string>> = {
  draft: 'is a draft',
  approved: 'is approved',
  sent: 'was sent to the bank',
  paid: 'is paid',
  returned: 'is returned',
  cancelled: 'is cancelled',
};
const changedText = ({ settlement, merchant, net, state, isRepeated }: Changed): string =>
  `Settlement ${settlement} of ${merchant}, ${moneyText(net)}, ${BECAME[state]}.${isRepeated ? ' It was so before.' : ''}\n`;

function addSteps(settlements: Command, connect: Connect): void {
  const step = { args: [SETTLEMENT], text: changedText };
  askCommand(settlements, connect, {
    ...step,
    name: 'cancel',
    about: 'cancel a draft: its entries are free again',
    options: [whose, reasonOption],
    operation: async () => (await operations()).cancelSettlement,
    parts: ({ reason, ...of }: Of & { readonly reason: string }) => ({ path: pathOf(of), body: { reason } }),
  });
  askCommand(settlements, connect, {
    ...step,
    name: 'sent',
    about: 'record that the bank was told to pay it',
    options: [whose],
    operation: async () => (await operations()).sendSettlement,
    parts: (of: Of) => ({ path: pathOf(of) }),
  });
  askCommand(settlements, connect, {
    ...step,
    name: 'paid',
    about: 'record that the bank has paid it',
    options: [whose, needed('--reference <text>', 'how the bank names the payment')],
    operation: async () => (await operations()).paySettlement,
    parts: ({ reference, ...of }: Of & { readonly reference: string }) => ({ path: pathOf(of), body: { bankReference: reference } }),
    lines: { '/bankReference': ['--reference takes 1 to 100 characters on one line.', 2] },
  });
  askCommand(settlements, connect, {
    ...step,
    name: 'returned',
    about: 'take one back that is approved, or record that the bank gave it back: the merchant has its money again',
    options: [whose, reasonOption],
    operation: async () => (await operations()).returnSettlement,
    parts: ({ reason, ...of }: Of & { readonly reason: string }) => ({ path: pathOf(of), body: { reason } }),
  });
}

type ShownHold = AnswerOf<typeof listHoldsOperation>;
const holdCells = ({ merchant, hold, amount, reason, settlement, heldAt, releaseOn, releasedAt }: ShownHold): Cell[] => [
  merchant,
  hold,
  amount,
  reason,
  settlement,
  sentInstant(heldAt),
  releaseOn,
  sentInstant(releasedAt),
];

function addListHolds(holds: Command, connect: Connect): void {
  listCommand(holds, connect, {
    name: 'list',
    about: 'what is held back of money of merchants, the newest first',
    options: [ofMerchant, new Option('--open', 'only what is held now'), limitOption, utcOption],
    operation: async () => (await holdOperations()).listHoldsOperation,
    limit: ({ limit }) => limit,
    parts: ({ merchant, open }: Utc & { readonly merchant?: string; readonly open?: true; readonly limit: number }) => ({
      query: { merchant, released: open === true ? false : undefined },
    }),
    first: async (service, { merchant, utc }) => (merchant === undefined ? undefined : (await merchants()).askZone(service, merchant, utc)),
    zone: zoneOf,
    text: (listed, { limit }, zone, isMore) => {
      if (listed.length === 0) return 'Nothing is held.\n';
      const heading = ['MERCHANT', 'HOLD', 'AMOUNT', 'REASON', 'SETTLEMENT', 'HELD', 'RELEASE ON', 'RELEASED'];
      return `${table(heading, listed.map(holdCells), zone)}${moreText(isMore, limit)}`;
    },
  });
}

type PlaceOptions = {
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  readonly releaseOn?: Temporal.PlainDate;
};

function addPlaceHold(holds: Command, connect: Connect): void {
  askCommand(holds, connect, {
    name: 'place',
    about: 'hold back what a merchant has collected: no settlement has it',
    options: [
      whose,
      needed('--amount <decimal>', 'such as 45000.50'),
      currencyOption,
      reasonOption,
      readBy('--release-on <day>', "release it on this day of the merchant's zone; by hand where absent", parseDay),
    ],
    operation: async () => (await holdOperations()).placeHoldOperation,
    parts: ({ merchant, amount, currency, reason, releaseOn }: PlaceOptions) => ({
      path: { merchant },
      body: { amount: { amount: optionAmountText('--amount', amount, currency), currency }, reason, releaseOn: dayText(releaseOn) },
    }),
    text: ({ hold, merchant, amount }) => `${moneyText(amount)} of ${merchant} is held, as hold ${hold}.\n`,
  });
}

function addReleaseHold(holds: Command, connect: Connect): void {
  askCommand(holds, connect, {
    name: 'release',
    about: 'give a merchant what was held back: the next settlement has it',
    args: [new Argument('<hold>', 'its number')],
    options: [whose, reasonOption],
    operation: async () => (await holdOperations()).releaseHoldOperation,
    parts: ({ merchant, hold, reason }: { readonly merchant: string; readonly hold: string; readonly reason: string }) => ({
      path: { merchant, hold },
      body: { reason },
    }),
    text: ({ hold, merchant, amount, isRepeated }) =>
      `Hold ${hold} of ${merchant}, ${moneyText(amount)}, is released.${isRepeated ? ' It was so before.' : ''}\n`,
  });
}
