import { readPlaced } from '../../cells/index.ts';
import { nameOfCell, reachedCells, type Connection } from '../../kit/command-line.ts';
import { statement, type Db } from '../../kit/db.ts';
import { SERVICE_SECRETS } from '../../kit/keys/service-keys.ts';
import { readNewestMigration } from '../../kit/migrate.ts';
import { cellOfId, HOME, mapCells, type PerCell } from '../../kit/per-cell.ts';
import { readMerchantIds } from '../../merchants/index.ts';
import { readMode } from '../database-mode.ts';
import { CLAIM_CHECKS } from './claim-checks.ts';

/** A promise over all cells. `finding`: the first that does not hold. */
type Promised = { readonly promise: string; readonly finding: string | undefined };

/** A merchant whose id was taken for a cell, and which is not there yet. */
type Waiting = { readonly merchant: string; readonly cell: string };

const SEQUENCES = statement(
  'main.drawn_numbers',
  `select sequencename as sequence, last_value as last from pg_sequences where schemaname = current_schema() and last_value is not null order by 1`,
);

const prove = (promise: string, findings: readonly string[]): Promised => ({ promise, finding: findings[0] });

/** What one cell says of itself. */
type Said = {
  readonly cell: number;
  readonly name: string;
  readonly merchants: ReadonlySet<string>;
  readonly numbers: readonly { readonly sequence: string; readonly last: bigint }[];
  readonly schema: number;
  readonly mode: string | undefined;
  readonly serviceKeys: bigint;
};

/**
 * Proves what no single database can. Databases are read one after the other, while servers run: a merchant that is created meanwhile is
 * no difference, because its id is taken before it is there, and nothing takes one away.
 */
export async function verifyCells(
  connection: Connection,
): Promise<{ readonly promises: readonly Promised[]; readonly waiting: readonly Waiting[] }> {
  const { connections } = reachedCells(connection);
  const nameOf = (cell: number): string => nameOfCell(connection, cell);
  const said: Said[] = [];
  for (const [cell, own] of connections.all) said.push(await ask(cell, nameOf(cell), own));
  // Read last: whatever was found in a cell was taken before.
  const placed = new Map((await readPlaced(connections.home.ownDb)).map(({ merchantId, cell }) => [merchantId, cell]));
  const waiting = [...placed].flatMap(([merchant, cell]) => {
    const own = said.find((one) => one.cell === cell);
    return own === undefined || own.merchants.has(merchant) ? [] : [{ merchant, cell: own.name }];
  });
  const [home] = said;
  const claimed = await proveClaims(mapCells(connections, (own) => own.ownDb));
  const ofOthers = said.filter(({ cell }) => cell !== HOME);
  return {
    waiting,
    promises: [
      prove(
        'no merchant is in two cells',
        said.flatMap((one, index) =>
          said.slice(index + 1).flatMap((other) => {
            const [twice] = one.merchants.intersection(other.merchants);
            return twice === undefined ? [] : [`${twice} is in ${one.name} and in ${other.name}`];
          }),
        ),
      ),
      prove(
        'home knows the cell of every merchant',
        said.flatMap(({ cell, name, merchants }) =>
          [...merchants]
            .filter((merchant) => (placed.get(merchant) ?? HOME) !== cell)
            .map((merchant) => `${merchant} is in ${name}, and home says ${nameOf(placed.get(merchant) ?? HOME)}`),
        ),
      ),
      prove(
        'each cell draws ids of its own',
        said.flatMap(({ cell, name, numbers }) =>
          numbers
            .filter(({ last }) => cellOfId(last) !== cell)
            .map(({ sequence, last }) => `${sequence} of ${name} is at ${last}, which belongs to the cell ${cellOfId(last)}`),
        ),
      ),
      prove(
        'all cells have one schema',
        ofOthers
          .filter(({ schema }) => schema !== home?.schema)
          .map(({ name, schema }) => `${name} has ${schema}, and home ${home?.schema}`),
      ),
      prove(
        'all cells have one mode',
        ofOthers
          .filter(({ mode }) => mode !== home?.mode)
          .map(({ name, mode }) => `${name} is of ${mode ?? 'no mode'}, and home of ${home?.mode}`),
      ),
      prove(
        'the keys of the service are at home alone',
        ofOthers.filter(({ serviceKeys }) => serviceKeys > 0n).map(({ name, serviceKeys }) => `${name} has ${serviceKeys}`),
      ),
      ...claimed,
    ],
  };
}

async function proveClaims(dbs: PerCell<Db>): Promise<readonly Promised[]> {
  const promises: Promised[] = [];
  for (const { promise, run } of CLAIM_CHECKS) {
    const { finding } = await run(dbs);
    promises.push(prove(promise, finding === undefined ? [] : [`${finding.merchantId} ${finding.id} ${finding.problem}`]));
  }
  return promises;
}

async function ask(cell: number, name: string, own: Connection): Promise<Said> {
  const { ownDb } = own;
  const keys = await ownDb.query<{ secrets: bigint }>(SERVICE_SECRETS.count, []);
  return {
    cell,
    name,
    merchants: new Set(await readMerchantIds(ownDb)),
    numbers: await ownDb.query(SEQUENCES, []),
    schema: await readNewestMigration((asked) => ownDb.query(asked, [])),
    mode: await readMode(ownDb),
    serviceKeys: keys.reduce((sum, { secrets }) => sum + secrets, 0n),
  };
}
