import { Client } from 'pg';
import { classify, connectionConfig, type Statement, type Value } from './db.ts';

/** One state of the whole database, however long it is looked at and whatever others write meanwhile. */
export type Snapshot = {
  /** The rows of a statement, read as they are asked for: any number of them in constant memory. Between two rows another may be read. */
  rows<Row>(statement: Statement, values: readonly Value[]): AsyncGenerator<Row, void>;
};

const ROWS_PER_FETCH = 1_000;

/**
 * Opens a snapshot for the time of `look`, on a connection of its own, reading only.
 * Throws: Unavailable when the database cannot be reached.
 */
export async function withSnapshot<T>(url: string, look: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new Client(connectionConfig(url, null));
  client.on('error', () => undefined); // A broken connection fails the statement under way, which says so.
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
          // Also when the caller has seen enough. A transaction that has failed has no cursor any more.
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
