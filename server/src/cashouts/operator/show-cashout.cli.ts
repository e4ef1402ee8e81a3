import type { Command } from 'commander';
import { dayOf } from '../../kit/calendar.ts';
import {
  CommandRefused,
  details,
  JSON_OPTION,
  print,
  printJson,
  table,
  UTC_OPTION,
  withConnection,
  type Connect,
} from '../../kit/command-line.ts';
import type { CashoutKey } from '../cashout.ts';

type Options = { readonly merchant: string; readonly utc?: true; readonly json?: true };

/** Adds `caudal cashouts show`. */
export function showCashoutCommand(cashouts: Command, connect: Connect): void {
  cashouts
    .command('show')
    .description('a cashout with its history, payment, notices, messages and ledger entries')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action((operationId: string, { merchant, ...options }: Options) => show(connect, { merchantId: merchant, operationId }, options));
}

async function show(connect: Connect, key: CashoutKey, { utc, json }: Omit<Options, 'merchant'>): Promise<void> {
  await withConnection(connect, async ({ db, clock }) => {
    const [{ readWholeCashout }, { readSharedZone }, { stateOn }, { toJson, toLines, toTables }] = await Promise.all([
      import('./read-whole-cashout.ts'),
      import('../../merchants/index.ts'),
      import('../cashout-changes.ts'),
      import('./cashout-as-text.ts'),
    ]);
    const whole = await readWholeCashout(db, key);
    if (whole === undefined) throw new CommandRefused(`${key.operationId} of ${key.merchantId} does not exist.`);
    const ownZone = await readSharedZone(db, [key.merchantId], false);
    const state = stateOn(whole.cashout, dayOf(clock.now(), ownZone));
    if (json) return printJson(toJson(whole, state));
    const zone = utc === true ? 'UTC' : ownZone;
    print(details(toLines(whole.cashout, state, zone), zone));
    for (const [heading, rows] of toTables(whole)) if (rows.length > 0) print(`\n${table(heading, rows, zone)}`);
  });
}
