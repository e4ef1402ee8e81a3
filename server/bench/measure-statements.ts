import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MERCHANTS, TIME_ZONE, type BenchDatabase, type Sizes } from './bench-data.ts';
import type { Bench, Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { runCommand, type RanCommand } from './server.ts';

/** Statements read the ledger alone. */
export const STATED: Sizes = { orders: 1_000, cashouts: 1_000, cashoutsOfOne: 100 };

const MOVEMENTS = 100_000;
const MONTH = '2026-01';
const MOST_SECONDS = 5;

/** Payments of one month, each with its four entries: of the network, the merchant, the fee and the tax. */
const LOAD = `
  insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at)
  select '${MERCHANTS.orders}', 'order/S-' || n || '/paid/1', line, 'order_paid', account, 'COP',
         case line when 1 then -amount when 2 then amount - 1190 when 3 then 1000 else 190 end,
         timestamp '${MONTH}-01' at time zone '${TIME_ZONE}' + n * interval '1 month' / ${MOVEMENTS + 1}
    from generate_series(1, ${MOVEMENTS}) as n, lateral (select 1000000 + n::bigint * 7919 % 90000000 as amount) as paid,
         (values (1, 'network:bench'), (2, 'collected'), (3, 'service:fees'), (4, 'service:tax')) as entry (line, account)
   order by n, line
  on conflict do nothing`;

const secondsOf = (runs: readonly RanCommand[]): number[] => runs.map(({ seconds }) => seconds);
const megabytesOf = (runs: readonly RanCommand[]): number[] => runs.map(({ megabytes }) => megabytes);

/** S1 to S4: the statement of a month of 100,000 movements, which are 400,000 entries, and what it takes. */
export async function measureStatements({ database, say }: Bench, rounds: number): Promise<Figure[]> {
  say(`${MOVEMENTS} movements of ${MONTH}`);
  await ask(database.url, LOAD);
  await ask(database.url, 'vacuum (analyze) ledger_entries');
  const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-statements-'));
  const ran: Record<'pdf' | 'csv' | 'short', RanCommand[]> = { pdf: [], csv: [], short: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      ran.pdf.push(await write(database, directory, MONTH, '--pdf'));
      ran.csv.push(await write(database, directory, MONTH, '--csv'));
      ran.short.push(await write(database, directory, '2025-12', '--pdf'));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  const target = { atMost: MOST_SECONDS };
  return [
    { name: 'S1', what: `statement of ${MOVEMENTS} movements, PDF`, unit: 's', ours: secondsOf(ran.pdf), target },
    {
      name: 'S2',
      what: 'processor time of the process of S1',
      unit: 's',
      ours: ran.pdf.map(({ processorSeconds }) => processorSeconds),
      target,
    },
    { name: 'S3', what: 'S1 as CSV', unit: 's', ours: secondsOf(ran.csv), target },
    {
      name: 'S4',
      what: 'peak memory of the process of S1',
      unit: 'MB',
      ours: megabytesOf(ran.pdf),
      against: { what: 'of a month without movements', values: megabytesOf(ran.short) },
      target: { atMost: 1.5 },
    },
  ];
}

const write = (database: BenchDatabase, directory: string, month: string, form: '--pdf' | '--csv'): Promise<RanCommand> =>
  runCommand(database, [
    'ledger',
    'statement',
    MERCHANTS.orders,
    '--month',
    month,
    '--currency',
    'COP',
    form,
    join(directory, 'statement'),
  ]);
