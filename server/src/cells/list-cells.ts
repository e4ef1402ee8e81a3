import { classify, connectClient, connectionConfig, describeDatabase, statement, Unavailable, type Db, type Statement } from '../kit/db.ts';
import { SchemaMismatch } from '../kit/migrate.ts';
import { HOME, HOME_NAME, type PerCell } from '../kit/per-cell.ts';
import { SecretUnreadable, type MasterKeys } from '../kit/secrets.ts';
import { openUrls, readCells } from './cell-rows.ts';
import type { MerchantReads } from './place-merchant.ts';

export const CELL_STATES = ['serving', 'away', 'older_schema', 'other_schema'] as const;
type CellState = (typeof CELL_STATES)[number];

/** What a database says of itself. Null: it could not be asked. */
type Measured = {
  readonly version: string | null;
  readonly bytes: bigint | null;
  readonly merchants: bigint | null;
  readonly connections: bigint | null;
};

export type ListedCell = Measured & {
  readonly cell: number;
  readonly name: string;
  /** Where its database is. Null: its connection strings do not open here. */
  readonly database: string | null;
  /** Null: a command asks, which serves nothing. */
  readonly isServed: boolean | null;
  readonly state: CellState;
  /** Why it is not serving. */
  readonly reason: string | null;
};

export type ListingCells = {
  /** Home. */
  readonly db: Db;
  readonly url: string;
  readonly keys: MasterKeys;
  /** The cells that this process reaches. */
  readonly served: Pick<PerCell<unknown>, 'has'>;
  /** Not a command. */
  readonly isServer: boolean;
  /** Counts the merchants of a database. */
  readonly ofHome: Pick<MerchantReads, 'count'>;
  /** Whether a database lacks migrations of this release. Throws: SchemaMismatch. */
  readonly isBehind: (db: Pick<Db, 'query'>) => Promise<boolean>;
};

/** Each database says the same of itself, also to a user that owns nothing. */
const MEASURE = statement(
  'cells.measure',
  `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
          (select numbackends::bigint from pg_stat_database where datname = current_database()) as connections`,
);

/** A cell that does not answer holds up the list for so long. */
const STATEMENT_TIMEOUT_MS = 2_500;

/** Asks each cell how it is, home included, on a connection of its own. One that is away is listed with the reason. */
export async function listCells(listing: ListingCells): Promise<readonly ListedCell[]> {
  const { db, url, keys, served, isServer } = listing;
  const others = (await readCells(db)).map((row) => ({ cell: row.cell, name: row.name, open: () => openUrls(keys, row).url }));
  return Promise.all(
    [{ cell: HOME, name: HOME_NAME, open: () => url }, ...others].map(async ({ cell, name, open }) => {
      const isServed = isServer ? served.has(cell) : null;
      try {
        const own = open();
        return { cell, name, database: describeDatabase(own), isServed, ...(await lookAt(own, listing)) };
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        return { cell, name, database: null, isServed, ...UNKNOWN, state: 'away' as const, reason: error.message };
      }
    }),
  );
}

const UNKNOWN: Measured = { version: null, bytes: null, merchants: null, connections: null };

async function lookAt(url: string, { ofHome, isBehind }: ListingCells): Promise<Measured & Pick<ListedCell, 'state' | 'reason'>> {
  try {
    const client = await connectClient(connectionConfig(url, STATEMENT_TIMEOUT_MS)).catch((error: unknown) => {
      throw classify(error, 'connecting');
    });
    try {
      const query = async <Row>({ text }: Statement): Promise<Row[]> => (await client.query(text)).rows as Row[];
      const [measured] = await query<Measured>(MEASURE);
      const known = { ...UNKNOWN, ...measured };
      const isOld = await isBehind({ query }).catch((error: unknown) => {
        if (error instanceof SchemaMismatch) return error;
        throw error;
      });
      if (isOld instanceof SchemaMismatch) return { ...known, state: 'other_schema', reason: isOld.message };
      if (isOld) return { ...known, state: 'older_schema', reason: 'It lacks migrations of this release.' };
      const [counted] = await query<{ merchants: bigint }>(ofHome.count);
      return { ...known, merchants: counted?.merchants ?? null, state: 'serving', reason: null };
    } finally {
      await client.end();
    }
  } catch (error) {
    const fault = classify(error);
    if (!(fault instanceof Unavailable)) throw fault;
    return { ...UNKNOWN, state: 'away', reason: fault.message };
  }
}
