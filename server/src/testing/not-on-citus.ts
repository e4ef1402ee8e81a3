// Tests whose own means are not for a schema that Citus distributes. What they prove of the service, plain PostgreSQL shows.

const REASONS = {
  tables: 'it makes or changes tables, which only the coordinator may',
  plans: 'it reads plans, sizes or blocks of a table, which is another one on the shard',
  copies: 'it copies a database, in which Citus itself is at work',
  ids: 'it knows ids, which begin elsewhere on each node',
  names: 'it names the schema public, or the catalog or the place of the server that it expects',
  intervals: 'its own update adds an interval to a column or to the time, which Citus refuses',
  home: 'cells claim at home, which is a plain database: its claims need one sequence of numbers',
} as const;

/** A file and its tests by what their titles have, or all of them. */
type Left = readonly [why: keyof typeof REASONS, file: string, titles?: readonly string[]];

const LEFT: readonly Left[] = [
  ['tables', 'audit/acting-db'],
  ['tables', 'exports/exports'],
  ['tables', 'cells/number-cell', ['no cell is made while a node is away']],
  ['tables', 'ledger/by-hand'],
  ['tables', 'kit/db'],
  ['tables', 'kit/changes/table'],
  ['tables', 'kit/limits/pace'],
  ['tables', 'main/busy-rows'],
  ['tables', 'main/protections'],
  ['tables', 'requests/network-proofs'],
  ['tables', 'requests/request-signature', ['a setting of a later release is as strict as require']],
  ['tables', 'testing/test-database', ['gives each caller a migrated database of its own, and drops it']],
  ['tables', 'main/doctor/doctor', ['says that a lost disk loses all, unless a backup is named or the log is archived']],
  ['plans', 'search/search'],
  ['plans', 'cashouts/list-plans'],
  ['plans', 'cashouts/find/find-cashouts'],
  ['plans', 'orders/find/find-orders'],
  ['plans', 'cashouts/old-transaction'],
  ['plans', 'main/job-bounds', ['the tables that grow with the work are large']],
  ['plans', 'orders/payments/bounded-reads'],
  ['plans', 'orders/query-order-by-reference', ['reads one entry of the index']],
  ['plans', 'orders/expiry/expire-orders', ['a portion reads in the order of the index']],
  ['plans', 'cashouts/expiry/expire-cashouts', ['the claim reads in the order of the index']],
  ['copies', 'kit/db/values'],
  ['copies', 'kit/secrets', ['is the same for all who ask at once, and under another master key']],
  ['copies', 'main/cli', ['refuses a schema that is newer than itself']],
  [
    'copies',
    'main/keys/master-keys',
    [
      'is refused when',
      'waits for a secret that is being sealed',
      'has no use for a sealed secret',
      'a command with other keys than the servers',
      'holds no usable secret in any column',
    ],
  ],
  ['ids', 'main/hostile', ['hostile requests get answers of the contract']],
  ['ids', 'notices/outbox', ['sends a test notice first, also to an endpoint that it has paused, for one minute']],
  ['ids', 'orders/cancel-order', ['cancels a pending order, and says the same when asked again']],
  ['ids', 'orders/query-order', ['answers with the keys that clients read, misspelt as they are']],
  ['ids', 'orders/read-history', ['shows who changed what, when, from what to what, in the words of the request']],
  ['ids', 'main/commands/url-commands', ['does on its database notices show', 'does on its database replay']],
  ['names', 'audit/chain', ['whatever it inserts']],
  ['names', 'main/service-rights', ['it deletes from a table where a statement does', 'nobody else may call a function']],
  ['names', 'generate/generate', ['server/schema.sql is fresh', 'of the schema are refused where the database has']],
  ['names', 'main/serve', ['a database without TLS, where its address demands it, is refused in one line']],
  ['names', 'people/people', ['a person is in clear text in orders, cashouts, their histories and notices alone']],
  ['names', 'main/doctor/doctor', ['sees what is beyond its bounds, and nothing within them']],
  ['home', 'orders/references/claims-of-cells'],
  ['home', 'main/verify-claims'],
  ['home', 'orders/references/claim-again'],
  ['intervals', 'cashouts/network/look-up-in-cells', ['a process that is killed before any step']],
  ['intervals', 'notices/outbox', ['is verified: a notice that was sent before an earlier one of its order is found']],
  ['intervals', 'events/open-events', ['a transaction that is open for hours']],
  ['intervals', 'main/verify', ['finds an open order without its reference', 'finds a pending cashout that the sweep would never find']],
  ['intervals', 'main/doctor/doctor', ['sees each state, and does not see it once it is put right']],
  [
    'intervals',
    'audit/chain',
    [
      'the column acted_at of an act is changed: it is found',
      'an act that was never queued',
      'what is old goes, and one young act among them keeps all',
    ],
  ],
];

/** All files that are named. */
export const NAMED_FILES: readonly string[] = LEFT.map(([, file]) => `${file}.test.ts`);

/** Files of which no test runs on Citus. They are not loaded there. */
export const FILES_NOT_ON_CITUS: readonly string[] = LEFT.flatMap(([, file, titles]) =>
  titles === undefined ? [`**/${file}.test.ts`] : [],
);

/** Why a test does not run on Citus. Undefined: it does. */
export function reasonNotOnCitus(path: string, title: string): string | undefined {
  const left = LEFT.find(([, file, titles]) => path.endsWith(`/${file}.test.ts`) && titles?.some((one) => title.includes(one)));
  return left && REASONS[left[0]];
}
