import type { PoolClient, Submittable } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { Unavailable } from './faults.ts';
import { sendPipeline, toPart } from './pipeline.ts';
import type { Statement } from './statement.ts';

/** What the driver calls on a pipeline, in the order of the database's messages. */
type Answered = Submittable & {
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleEmptyQuery(): void;
  handlePortalSuspended(): void;
  handleCopyInResponse(): void;
  handleCopyData(): void;
  handleError(error: Error): void;
};

const INT = 23;
const BIGINT = 20;
const describeColumn = (pipeline: Answered, dataTypeID = INT) => pipeline.handleRowDescription({ fields: [{ name: 'n', dataTypeID }] });
const row = (pipeline: Answered, ...fields: string[]) => pipeline.handleDataRow({ fields });

/** Hands a pipeline of two statements to a client that does not submit it yet. */
function send() {
  const parts = ['one', 'other'].map((name) => toPart({ name, text: `select '${name}'` }, []));
  let pipeline: Answered | undefined;
  const client = { query: (sent: Answered) => void (pipeline = sent) } as unknown as PoolClient;
  const outcome = sendPipeline(client, parts);
  return { pipeline: pipeline as unknown as Answered, outcome, parts };
}

/** A connection that only counts what it is asked to send. */
function open() {
  const connection = {
    stream: { cork: vi.fn(), uncork: vi.fn() },
    close: vi.fn(),
    parse: vi.fn(),
    bind: vi.fn(),
    describe: vi.fn(),
    execute: vi.fn(),
    sync: vi.fn(),
  };
  const submitted = () => {
    const sent = send();
    sent.pipeline.submit(connection as never);
    return sent;
  };
  return { connection, submitted };
}

describe('a pipeline', () => {
  test('is written at once, with one Sync, and each part gets its own rows', async () => {
    const { connection, submitted } = open();
    const { pipeline, outcome, parts } = submitted();
    expect([connection.parse, connection.bind, connection.execute, connection.sync].map((called) => called.mock.calls.length)).toEqual([
      2, 2, 2, 1,
    ]);
    describeColumn(pipeline);
    row(pipeline, '1');
    row(pipeline, '2');
    pipeline.handleCommandComplete();
    pipeline.handleCommandComplete(); // No row description: a statement without rows.
    pipeline.handleReadyForQuery();
    expect(await outcome).toBeUndefined();
    expect(parts.map(({ rows }) => rows)).toEqual([[{ n: 1 }, { n: 2 }], []]);
  });

  test('prepares a statement once per connection, and again after it failed', async () => {
    const { connection, submitted } = open();
    const first = submitted().pipeline;
    describeColumn(first);
    first.handleCommandComplete();
    first.handleError(new Error('refused'));
    const second = submitted();
    expect(connection.parse.mock.calls.map(([statement]) => (statement as Statement).name)).toEqual(['one', 'other', 'other']);
    row(second.pipeline, '7'); // Described by the first pipeline.
    expect(second.parts[0]!.rows).toEqual([{ n: 7 }]);
  });

  test('says which part failed, and drops the rest of the answer', async () => {
    const { pipeline, outcome, parts } = open().submitted();
    pipeline.handleCommandComplete();
    const error = new Error('refused');
    pipeline.handleError(error);
    describeColumn(pipeline);
    row(pipeline, '1');
    pipeline.handleCommandComplete();
    pipeline.handleReadyForQuery();
    pipeline.handleError(new Error('and the connection broke'));
    expect(await outcome).toEqual({ at: 1, error });
    expect(parts[1]!.rows).toEqual([]);
  });

  test('fails behind its last part where only its Sync fails', async () => {
    const { pipeline, outcome } = open().submitted();
    pipeline.handleCommandComplete();
    pipeline.handleCommandComplete();
    const error = new Error('a constraint that is checked at the end');
    pipeline.handleError(error);
    expect(await outcome).toEqual({ at: 2, error });
  });

  test('reads on behind a value that does not parse, so that the connection stays usable', async () => {
    const { pipeline, outcome } = open().submitted();
    describeColumn(pipeline, BIGINT);
    row(pipeline, 'not a number');
    pipeline.handleCommandComplete();
    pipeline.handleCommandComplete();
    pipeline.handleReadyForQuery();
    const failure = await outcome;
    expect(failure).toMatchObject({ at: 0, error: { name: 'SyntaxError' } });
  });

  test('fails where its connection breaks before it was sent', async () => {
    const { pipeline, outcome } = send();
    const error = new Error('Connection terminated unexpectedly');
    pipeline.handleError(error);
    expect(await outcome).toEqual({ at: 0, error });
  });
});

describe('a message that the state of a pipeline does not expect makes it Unavailable', () => {
  const IN_ONE = 'reading part 0, one';
  test.each<[what: string, where: string, (pipeline: Answered) => void]>([
    ['a row description', 'idle', (pipeline) => describeColumn(pipeline)],
    ['a row', 'idle', (pipeline) => row(pipeline, '1')],
    ['a command completion', 'idle', (pipeline) => pipeline.handleCommandComplete()],
    ['ready for query', 'idle', (pipeline) => pipeline.handleReadyForQuery()],
  ])('%s while it is %s', async (what, where, event) => {
    const { pipeline, outcome } = send();
    event(pipeline);
    expect((await outcome)?.error).toEqual(new Unavailable(`database protocol: ${what} was not expected by a pipeline that is ${where}`));
  });

  test.each<[what: string, where: string, (pipeline: Answered) => void]>([
    ['a second submit', IN_ONE, (pipeline) => pipeline.submit({} as never)],
    ['a row of 1 columns', IN_ONE, (pipeline) => row(pipeline, '1')],
    ['a row of 2 columns', IN_ONE, (pipeline) => (describeColumn(pipeline), row(pipeline, '1', '2'))],
    ['a row description after rows', IN_ONE, (pipeline) => (describeColumn(pipeline), row(pipeline, '1'), describeColumn(pipeline))],
    ['ready for query', IN_ONE, (pipeline) => pipeline.handleReadyForQuery()],
    ['an empty query', IN_ONE, (pipeline) => pipeline.handleEmptyQuery()],
    ['a suspended portal', IN_ONE, (pipeline) => pipeline.handlePortalSuspended()],
    ['a request for copy data', IN_ONE, (pipeline) => pipeline.handleCopyInResponse()],
    ['copy data', IN_ONE, (pipeline) => pipeline.handleCopyData()],
    ['a row', 'answered', (pipeline) => (pipeline.handleCommandComplete(), pipeline.handleCommandComplete(), row(pipeline, '1'))],
  ])('%s while it is %s', async (what, where, event) => {
    const { pipeline, outcome } = open().submitted();
    event(pipeline);
    expect((await outcome)?.error).toEqual(new Unavailable(`database protocol: ${what} was not expected by a pipeline that is ${where}`));
  });
});
