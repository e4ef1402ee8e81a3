import { escapeLiteral, type Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { classify, connectClient, connectionConfig, Unavailable, type Statement, type Value } from './db.ts';
import { CONFIRM } from './db/confirm.ts';
import { toParameter } from './db/parameters.ts';

/** One state of the whole database. Later writes do not change it. */
export type Snapshot = {
  /** The rows of a statement, fetched as the caller asks for them, in constant memory. Several statements can be read at once. */
  rows<Row>(statement: Pick<Statement, 'text'>, values: readonly Value[]): AsyncGenerator<Row, void>;
  /**
   * The rows of a statement as bytes that the database has rendered, fetched as the caller asks for them. `options` are those of `copy`.
   * Shape: the bytes, and at their end the number of rows. Nothing else can be read meanwhile.
   */
  copy(statement: Pick<Statement, 'text'>, values: readonly Value[], options: string): AsyncGenerator<Buffer, number>;
  /** Does some work. Where it fails the snapshot can be read again. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
};

const ROWS_PER_FETCH = 1_000;

/**
 * Opens a read-only snapshot on a connection of its own, for as long as `look` takes. It lives for `lifeMs` at most.
 * An old snapshot keeps the database from clearing away what was changed since.
 * Throws: Unavailable when the database cannot be reached, and when the life is over.
 */
export async function withSnapshot<T>(url: string, look: (snapshot: Snapshot) => Promise<T>, lifeMs?: number): Promise<T> {
  const client = await connectClient(connectionConfig(url, null)).catch((error: unknown) => {
    throw classify(error);
  });
  let isOver = false;
  const life =
    lifeMs === undefined
      ? undefined
      : setTimeout(() => {
          isOver = true;
          // A database that waits for its reader hears no request to stop.
          client.breakOff();
        }, lifeMs);
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await look(snapshotOf(client));
    if (client.isOneOfSeveral) await client.query(`${CONFIRM.text}; commit`);
    return result;
  } catch (error) {
    throw isOver ? new Unavailable('the snapshot was open for too long', { cause: error }) : classify(error);
  } finally {
    clearTimeout(life);
    await client.end();
  }
}

/** Reads in the transaction that a client has begun. */
export function snapshotOf(client: Client): Snapshot {
  let cursors = 0;
  return {
    async *rows<Row>({ text }: Pick<Statement, 'text'>, values: readonly Value[]) {
      const cursor = `looked_at_${++cursors}`;
      await client.query({ text: `declare ${cursor} no scroll cursor for ${text}`, values: [...values] });
      try {
        for (;;) {
          const { rows } = await client.query(`fetch ${ROWS_PER_FETCH} from ${cursor}`);
          yield* rows as Row[];
          if (rows.length < ROWS_PER_FETCH) return;
        }
      } finally {
        // This runs also when the caller stops early. After a failure the transaction has no cursor any more.
        await client.query(`close ${cursor}`).catch(() => undefined);
      }
    },
    async *copy({ text }, values, options) {
      const stream = client.query(copyTo(`copy (${bound(text, values)}) to stdout (${options})`));
      yield* stream as AsyncIterable<Buffer>;
      // How many rows there were comes after them, perhaps in a later packet. Whatever is asked next is answered behind it.
      await client.query('');
      return stream.rowCount;
    },
    attempt: async (work) => {
      await client.query('savepoint attempt');
      try {
        return await work();
      } catch (error) {
        await client.query('rollback to savepoint attempt').catch(() => {
          // The connection is gone: that is why it failed.
          throw classify(error);
        });
        throw error;
      } finally {
        await client.query('release savepoint attempt').catch(() => undefined);
      }
    },
  };
}

/** `copy` takes no parameters. So the driver quotes each value as a literal, whose type follows from its place as a parameter's does. */
function bound(text: string, values: readonly Value[]): string {
  return text.replace(/\$([0-9]+)/g, (_, number: string) => {
    const parameter = toParameter(values[Number(number) - 1] ?? null);
    if (parameter === null) return 'null';
    const literal = typeof parameter === 'string' ? parameter : `\\x${parameter.toString('hex')}`;
    return escapeLiteral(literal);
  });
}
