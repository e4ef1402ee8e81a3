import type { CustomTypesConfig, PoolClient, Submittable } from 'pg';
import type { Statement } from '../db.ts';

/** A value as the protocol carries it: text, bytes, or null. */
export type Parameter = string | Buffer | null;

/** One statement of a letter, and what came back for it. */
export type Part = {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
  readonly rows: unknown[];
};

/** The first part that was not done, and why; nothing after it was done either. */
export type Failure = { readonly at: number; readonly error: Error };

type Column = { readonly name: string; readonly parse: (text: string) => unknown };

/** The driver's side of a connection, as far as a letter uses it; the driver's own types are of an older version. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: Statement): void;
  bind(message: { readonly statement: string; readonly values: readonly Parameter[] }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(): void;
  sync(): void;
};

/** The statements that a connection has prepared, with the columns of their rows. */
const prepared = new WeakMap<Wire, Map<string, readonly Column[]>>();

/**
 * Several statements that travel together, in one system call, and are answered together, in one more: the database waits for none of
 * their answers to be read, wakes us once, and describes the rows of a statement only the first time. The driver alone sends each of them
 * by itself. Without `begin` and `commit` among them they are one transaction; after one that fails the others are skipped.
 * Source: PostgreSQL's extended query protocol, pipelining.
 */
class Letter implements Submittable {
  readonly #parts: readonly Part[];
  readonly #types: CustomTypesConfig;
  /** The driver calls it once: at the end, or with what went wrong. */
  callback: (error?: Error) => void;
  #at = 0;
  #known: Map<string, readonly Column[]> | undefined;
  #columns: readonly Column[] = [];
  #unreadable: Failure | undefined;

  constructor(parts: readonly Part[], types: CustomTypesConfig, callback: (failure: Failure | undefined) => void) {
    this.#parts = parts;
    this.#types = types;
    this.callback = (error) => callback(error ? { at: this.#at, error } : this.#unreadable);
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    let known = prepared.get(wire);
    if (known === undefined) prepared.set(wire, (known = new Map()));
    this.#known = known;
    wire.stream.cork();
    for (const { statement, values } of this.#parts) {
      const isKnown = known.has(statement.name);
      if (!isKnown) {
        wire.close({ type: 'S', name: statement.name }); // An earlier letter may have failed right after it was prepared.
        wire.parse(statement);
      }
      wire.bind({ statement: statement.name, values });
      if (!isKnown) wire.describe({ type: 'P' });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
    this.#begin();
  }

  #begin(): void {
    this.#columns = this.#known?.get(this.#parts[this.#at]?.statement.name ?? '') ?? [];
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#types.getTypeParser(dataTypeID, 'text') }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const { name, parse } = this.#columns[index] as Column;
        const text = fields[index] as string | null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#unreadable ??= { at: this.#at, error: error as Error };
    }
    this.#parts[this.#at]?.rows.push(row);
  }

  handleCommandComplete(): void {
    this.#known?.set((this.#parts[this.#at] as Part).statement.name, this.#columns);
    this.#at += 1;
    this.#begin();
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleError(error: Error): void {
    // What was prepared may be gone, or have other columns since a migration: next time it is prepared anew.
    this.#known?.delete(this.#parts[this.#at]?.statement.name ?? '');
    this.callback(error);
  }
}

/** Sends a letter and waits for its answer. Never throws: what went wrong is a value. The next letter on this connection waits its turn. */
export function exchange(client: PoolClient, parts: readonly Part[], types: CustomTypesConfig): Promise<Failure | undefined> {
  return new Promise((resolve) => void client.query(new Letter(parts, types, resolve)));
}
