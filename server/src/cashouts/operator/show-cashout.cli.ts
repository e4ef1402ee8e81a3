import type { Command } from 'commander';
import { dayOf } from '../../kit/calendar.ts';
import {
  carryOut,
  details,
  JSON_OPTION,
  print,
  printJson,
  refusalLines,
  table,
  UTC_OPTION,
  type Connect,
  type Connection,
} from '../../kit/command-line.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { Remote } from '../../kit/remote/remote.ts';
import type { CashoutKey } from '../cashout.ts';
import type { ShownCashout } from '../manage/cashout-forms.ts';

type Options = { readonly merchant: string; readonly utc?: true; readonly json?: true };

const LINES = refusalLines({ not_found: 'does not exist' });
const merchants = () => import('../../merchants/index.ts');

/** Adds `caudal cashouts show`. */
export function showCashoutCommand(cashouts: Command, connect: Connect): void {
  cashouts
    .command('show')
    .description('a cashout with its history, payment, notices, messages and ledger entries')
    .argument('<operation>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose cashout it is')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async (operationId: string, { merchant, utc, json }: Options) => {
      const key = { merchantId: merchant, operationId };
      const { zone, shown } = await carryOut(connect, LINES, `${operationId} of ${merchant}`, {
        here: (connection) => readHere(connection, key, utc === true),
        there: (service) => ask(service, key, utc === true),
      });
      if (json) return printJson(shown);
      const { toLines, toTables } = await import('./cashout-as-text.ts');
      print(details(toLines(shown, zone), zone));
      for (const [heading, rows] of toTables(shown)) if (rows.length > 0) print(`\n${table(heading, rows, zone)}`);
    });
}

type Found = { readonly zone: string; readonly shown: ShownCashout };

async function readHere({ db, clock }: Connection, key: CashoutKey, isUtc: boolean): Promise<Found | Refusal<'not_found'>> {
  const [{ readWholeCashout }, { showWholeCashout }, { readSharedZone }, { stateOn }, { ALL_PERMISSIONS }] = await Promise.all([
    import('./read-whole-cashout.ts'),
    import('../manage/cashout-forms.ts'),
    merchants(),
    import('../cashout-changes.ts'),
    import('../../manage/index.ts'),
  ]);
  const whole = await readWholeCashout(db, key);
  if (whole === undefined) return refuse('not_found');
  const ownZone = await readSharedZone(db, [key.merchantId], false);
  const cashout = { ...whole.cashout, state: stateOn(whole.cashout, dayOf(clock.now(), ownZone)) };
  return {
    zone: isUtc ? 'UTC' : ownZone,
    shown: showWholeCashout({ ...whole, cashout }, { merchantId: undefined, permissions: new Set(ALL_PERMISSIONS) }),
  };
}

async function ask(service: Remote, { merchantId, operationId }: CashoutKey, isUtc: boolean): Promise<Found> {
  const [{ readCashout }, { askSharedZone }] = await Promise.all([import('../manage/cashouts.manage.ts'), merchants()]);
  const shown = await service.call(readCashout, { path: { merchant: merchantId, operation: operationId } });
  return { zone: await askSharedZone(service, [{ merchant: merchantId }], isUtc), shown };
}
