import type { PoolClient, Submittable } from 'pg';
import { Unavailable } from './faults.ts';
import { toParameter, type Parameter, type Value } from './parameters.ts';
import { exactTypes } from './parsers.ts';
import type { Statement } from './statement.ts';
import type { Span } from '../traces/tracer.ts';

/** One statement of a pipeline, and the rows that came back for it. */
export type Part = {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
  readonly rows: unknown[];
};

/** The first part that was not done, and why. No part after it was done either. `at` is the number of parts where only Sync failed. */
type Failure = { readonly at: number; readonly error: Error };

type Column = { readonly name: string; readonly parse: (text: string) => unknown };

/** The driver's connection, as far as a pipeline uses it. The driver's own types are of an older version. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: Statement): void;
  bind(message: { readonly statement: string; readonly values: readonly Parameter[] }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(): void;
  sync(): void;
};

/** The statements that each connection has prepared, with the columns of their rows. */
const prepared = new WeakMap<Wire, Map<string, readonly Column[]>>();
const NO_COLUMNS: readonly Column[] = [];

/**
 * Several statements that are sent together, in one system call, with one Sync at their end. The database answers them together.
 * It describes the rows of a statement only the first time. The driver by itself sends each statement alone.
 * Without `begin` and `commit` among them the statements are one transaction. After one that fails the database skips the rest.
 *
 *   idle ──submit──▶ reading part 0 ──command complete──▶ reading part 1 … ──command complete──▶ answered ──ready──▶ done
 *     └──────────────────┴──────────────── error, lost connection, time-out ──────────────────────┴──▶ failed
 *
 * While a part is read, at most one row description comes, then rows that fit it.
 * After any other message we no longer know which answer belongs to which statement.
 * So the pipeline fails as Unavailable, and the pool drops the connection. What still arrives in `failed` is ignored.
 * Source: PostgreSQL's extended query protocol, pipelining.
 */
class Pipeline implements Submittable {
  readonly #parts: readonly Part[];
  /** Called once, at the end. The driver puts its time-out around it. */
  callback: (error?: Error) => void;
  #state: 'idle' | 'reading' | 'answered' | 'done' | 'failed' = 'idle';
  /** The part that is read now; the number of parts once all are answered. */
  #at = 0;
  #prepared: Map<string, readonly Column[]> | undefined;
  /** The columns of the part that is read; undefined until they are known. */
  #columns: readonly Column[] | undefined;
  /** The first value that did not parse. The rest of the answer is read all the same, so that the connection stays usable. */
  #unreadable: Failure | undefined;

  constructor(parts: readonly Part[], callback: (failure: Failure | undefined) => void) {
    this.#parts = parts;
    this.callback = (error) => callback(error ? { at: this.#at, error } : this.#unreadable);
  }

  submit(connection: unknown): void {
    if (!this.#isExpected('idle', 'a second submit')) return;
    const wire = connection as Wire;
    let known = prepared.get(wire);
    if (known === undefined) prepared.set(wire, (known = new Map()));
    this.#prepared = known;
    wire.stream.cork();
    for (const { statement, values } of this.#parts) {
      const isKnown = known.has(statement.name);
      if (!isKnown) {
        wire.close({ type: 'S', name: statement.name }); // An earlier pipeline may have failed right after it was prepared.
        wire.parse(statement);
      }
      wire.bind({ statement: statement.name, values });
      if (!isKnown) wire.describe({ type: 'P' });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
    this.#read(0);
  }

  #read(at: number): void {
    this.#at = at;
    const part = this.#parts[at];
    this.#state = part === undefined ? 'answered' : 'reading';
    this.#columns = part === undefined ? undefined : this.#prepared?.get(part.statement.name);
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void {
    if (!this.#isExpected('reading', 'a row description')) return;
    if (this.#parts[this.#at]?.rows.length !== 0) return this.#failUnexpected('a row description after rows');
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: exactTypes.getTypeParser(dataTypeID, 'text') }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#isExpected('reading', 'a row')) return;
    const columns = this.#columns;
    if (columns?.length !== fields.length) return this.#failUnexpected(`a row of ${fields.length} columns`);
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const { name, parse } = columns[index] as Column;
        const text = fields[index] as string | null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#unreadable ??= { at: this.#at, error: error as Error };
    }
    this.#parts[this.#at]?.rows.push(row);
  }

  handleCommandComplete(): void {
    if (!this.#isExpected('reading', 'a command completion')) return;
    this.#prepared?.set((this.#parts[this.#at] as Part).statement.name, this.#columns ?? NO_COLUMNS);
    this.#read(this.#at + 1);
  }

  handleReadyForQuery(): void {
    if (!this.#isExpected('answered', 'ready for query')) return;
    this.#state = 'done';
    this.callback();
  }

  handleEmptyQuery(): void {
    this.#failUnexpected('an empty query');
  }

  handlePortalSuspended(): void {
    this.#failUnexpected('a suspended portal');
  }

  handleCopyInResponse(): void {
    this.#failUnexpected('a request for copy data');
  }

  handleCopyData(): void {
    this.#failUnexpected('copy data');
  }

  handleError(error: Error): void {
    if (this.#state === 'done' || this.#state === 'failed') return;
    this.#state = 'failed';
    // The prepared statement may be gone, or have other columns since a migration: the next pipeline prepares it again.
    this.#prepared?.delete(this.#parts[this.#at]?.statement.name ?? '');
    this.callback(error);
  }

  #isExpected(state: 'idle' | 'reading' | 'answered', event: string): boolean {
    if (this.#state === state) return true;
    this.#failUnexpected(event);
    return false;
  }

  #failUnexpected(event: string): void {
    const where = this.#state === 'reading' ? `reading part ${this.#at}, ${this.#parts[this.#at]?.statement.name}` : this.#state;
    this.handleError(new Unavailable(`database protocol: ${event} was not expected by a pipeline that is ${where}`));
  }
}

/** Makes one part of a pipeline. */
export function toPart({ name, text }: Statement, values: readonly Value[]): Part {
  return { statement: { name, text }, values: values.map(toParameter), rows: [] };
}

/** The span for which a part is sent. */
export type AskerOf = (part: Part) => Span | undefined;

/** Sends a pipeline and waits for its answer. Never throws: a failure is a value. Pipelines on one connection take turns. */
export function sendPipeline(client: PoolClient, parts: readonly Part[], askerOf?: AskerOf): Promise<Failure | undefined> {
  const answer = new Promise<Failure | undefined>((resolve) => void client.query(new Pipeline(parts, resolve)));
  return askerOf === undefined ? answer : traced(answer, parts, askerOf);
}

/**
 * Records one span for what an asker has in a pipeline, under the names of its statements. The database answers them together, so a span of
 * each would last as long.
 */
async function traced(answer: Promise<Failure | undefined>, parts: readonly Part[], askerOf: AskerOf): Promise<Failure | undefined> {
  const byAsker = Map.groupBy(parts.keys(), (at) => askerOf(parts[at] as Part));
  const spans = [...byAsker].map(([asker, places]) => ({
    span: asker?.child(places.map((at) => parts[at]?.statement.name).join(' + '), 'client'),
    last: places.at(-1) as number,
  }));
  const failure = await answer;
  for (const { span, last } of spans) {
    span?.note({ 'db.system.name': 'postgresql' });
    span?.end(failure !== undefined && last >= failure.at);
  }
  return failure;
}
