import { Client } from 'pg';
import { classify, connectionConfig, type Statement, type Value } from './db.ts';

/** One state of the whole database. Later writes do not change it. */
export type Snapshot = {
  /** The rows of a statement, fetched as the caller asks for them, in constant memory. Several statements can be read at once. */
  rows<Row>(statement: Statement, values: readonly Value[]): AsyncGenerator<Row, void>;
};

const ROWS_PER_FETCH = 1_000;

/**
 * Opens a read-only snapshot on a connection of its own, for as long as `look` takes.
 * Throws: Unavailable when the database cannot be reached.
 */
export async function withSnapshot<T>(url: string, look: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new Client(connectionConfig(url, null));
  client.on('error', () => undefined); // A broken connection also fails the running statement.
  let cursors = 0;
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    return await look({
      async *rows<Row>({ text }: Statement, values: readonly Value[]) {
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
    });
  } catch (error) {
    throw classify(error);
  } finally {
    await client.end();
  }
}
