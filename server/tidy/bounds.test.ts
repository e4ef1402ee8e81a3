import { expect, test } from 'vitest';
import { readCode } from './sources.ts';

// Whose is each bound of the server? What many share, nobody may fill for the others. A new bound fails here until somebody has judged it.

/** Of one value, one request, one page, one file or one command: nothing is shared. */
const OF_ONE_THING = `
  audit/audit.manage.ts MOST
  audit/record-acts.ts MOST_CHARACTERS
  brands/brand.ts MOST_WEBSITE_CHARACTERS
  brands/brands.cli.ts MOST_FILE_BYTES
  brands/hours.ts MOST_PARTS
  brands/logo.ts MOST_COLOURS MOST_PIXELS_A_SIDE
  cashouts/cashout-decisions.ts MAX_DAYS
  cashouts/cashout-fields.wire.ts MAX_AMOUNT
  cashouts/import/import-cashouts.ts MAX_REFUSALS
  cashouts/import/import-cashouts.wire.ts MAX_REMEMBERED
  cashouts/list-cursor.ts MAX_BYTES MAX_LIST_CURSOR_CHARACTERS
  checkout/render-paying.ts MOST_LOGO_BYTES
  docs/index.ts MOST_QUERY
  docs/search.ts MOST_COUNTED MOST_HITS
  events/messages.ts MOST_GROUPS
  events/open-events.ts MOST_NAMED
  events/position.ts MOST
  events/read-changes.ts MOST_ROWS
  exports/ask-export.ts MOST_MISSED
  exports/check-export.ts MOST_TRAILER_BYTES
  exports/make-exports.job.ts MOST_TRIES
  exports/read-filter.ts MOST_FILTER_CHARACTERS
  exports/render-list.ts MOST_IN_FORMULA
  exports/write-export.ts MOST_BEHIND_MS
  figures/count-figures.ts MOST_MINUTES
  figures/read-figures.ts MOST_DAYS
  kit/once.ts MAX_KEY
  kit/per-cell.ts MOST_CELLS
  kit/checksum.ts MAX_MESSAGE
  kit/command-line.ts MAX_LISTED
  kit/db/clock-guard.ts MOST_SECONDS_APART
  kit/db/gather-reads.ts MAX_TOGETHER
  kit/db/parsers.ts MAX_REMEMBERED
  kit/fields.ts MAX_EMAIL_CHARACTERS
  kit/files/csv.ts MAX_SHOWN_NAME
  kit/files/lines.ts MAX_LINE_BYTES
  kit/files/private-file.ts MOST_BYTES
  kit/http.ts MAX_BODY_BYTES MAX_URL_BYTES
  kit/json.ts MAX_LEVELS MAX_VALUES
  kit/keys/rotation-days.ts MAX_ROTATION_DAYS
  kit/keys/sealer.ts MOST_DERIVED
  kit/limits/pace.ts MOST_SECONDS
  kit/limits/sum-floods.ts MOST_TIMES
  kit/lists/searches.ts MOST_SEARCHED
  kit/lists/sums.ts MOST_SUMMED
  kit/lists/walks.ts MOST_OF_EACH MOST_WALKED
  kit/log.ts MAX_DEPTH
  kit/money.ts MOST_WHOLE_DIGITS
  kit/query-string.ts MAX_PARAMETERS
  kit/remote/open-remote.ts MAX_PAGE
  ledger/read-day.ts MOST_DAYS MOST_DAYS_OF_ZONE
  ledger/read-ledger.ts MOST_ABOUT
  ledger/settled-entries.ts MOST_ENTRIES MOST_TIMES
  main/backup/unpack-backup.ts MOST_SETTINGS
  main/bound-schemas.ts MOST_ITEMS
  main/demo/try.ts MOST_LOOKS_FOR_NOTICE
  manage/cursors.ts MAX_CURSOR_CHARACTERS
  manage/read-management.ts MAX_PAGE MOST_VIOLATIONS
  merchants/merchant.ts MAX_URL_LENGTH MOST_OF_CASHOUTS
  messages/message-rows.ts MOST_ABOUT
  messages/render-message.ts MOST_NAME_CHARACTERS MOST_PLACES_CHARACTERS
  notices/listen/forwarder.ts MOST_PENDING MOST_REMEMBERED
  notices/listen/listen.ts MOST_LISTED
  notices/notice-attempts.ts MOST_SHOWN
  notices/delivery/send-notice.ts MAX_ANSWER_BYTES
  orders/order.ts MAX_DAYS_AHEAD
  orders/read-history.ts MAX_EVENTS
  people/canonical-document.ts MOST_CHARACTERS
  requests/hashed-text.ts MOST_CHARACTERS
  requests/page-fields.wire.ts MAX_LIMIT MAX_PAGE
  sandbox/clock-offset.ts MOST_YEARS_AHEAD
  settlements/bank-files/bank-files.cli.ts MOST_READ_BYTES
  settlements/bank-files/bank-files.manage.ts MOST_NAMED
  settlements/bank-files/make-file.ts MOST_PAYMENTS
  settlements/bank-files/pain-001.ts MOST_AMOUNT_DIGITS
  settlements/bank-files/record-results.ts MOST_RESULTS
  settlements/bank-files/results.ts MOST_TEXT
  settlements/settlement-rows.ts MOST_BIGINT
  settlements/terms/choices.ts MOST_FILE_CHARACTERS
  settlements/terms/holiday-file.ts MOST_HOLIDAYS
  search/search-terms.ts MOST_HITS
  statements/statement-turns.ts MOST_BEHIND_MS
  statements/statements.manage.ts MOST_PDF_MOVEMENTS
  users/credentials/password-rule.ts MOST_CHARACTERS
  users/proofs/passkeys.ts MAX_ANSWER_CHARACTERS
  users/sessions.ts MAX_BROWSER_CHARACTERS
  users/token-days.ts MAX_TOKEN_DAYS`;

/** Each actor, merchant, network, address or row has its own. */
const OF_ONE_OWNER = `
  audit/lone-acts.ts MOST
  cashouts/cashout-changes.ts MAX_RESENDS
  cashouts/network/collection.ts MAX_WRONG_TRIES MAX_WRONG_TRIES_OF_DOCUMENT MAX_WRONG_TRIES_OF_NETWORK MAX_WRONG_TRIES_OF_POINT
  events/streams.ts MOST_OF_ACTOR MOST_OF_MERCHANT MOST_UNREAD
  kit/changes/batch.ts MAX_HELD
  kit/http.ts MAX_PIPELINED
  kit/limits/request-limits.ts MAX_LIMIT
  ledger/postings.ts MAX_FUND_MINOR
  kit/limits/gate.ts MOST_OF_NETWORK
  orders/payments/refused-payments.ts MOST_BEYOND MOST_OF_NETWORK
  orders/refunds/refund.ts MOST_REFUNDS
  requests/log/request-log.ts MOST
  statements/statement-turns.ts MOST_FILES_OF_OWNER MOST_WAITING
  users/credentials/passkey-rows.ts MOST_PASSKEYS
  users/credentials/password-hash.ts MOST_WAITING
  users/saved-views.ts MOST_VIEWS`;

/** Many share it: why nobody takes it from the others. */
const OF_ALL: Readonly<Record<string, string>> = {
  'audit/lone-acts.ts MOST_SENDERS': 'beyond, acts of one kind are summed',
  'checkout/served/page-log.ts MOST_KNOWN': 'a memory that is emptied: it costs a statement more',
  'checkout/served/page-log.ts MOST_WAITING': 'pages are counted by their link; who opens links has the limit of his address',
  'events/streams.ts MOST': 'each actor has twenty of them, and all actors of a merchant two hundred',
  'exports/shares.ts MOST_OPEN': 'each actor has two, and all actors of a merchant five',
  'kit/changes/batch.ts MAX_ITEMS': 'owners take turns, and have fair rows (kit/changes/queue.ts)',
  'kit/changes/batch.ts MAX_WAITING': 'a caller has a limit of concurrent requests, and owners take turns',
  'kit/db/lanes.ts MOST_READS': 'a lane of its own for each kind of work; views take turns by owner',
  'kit/limits/gate.ts MOST_AT_ONCE': 'a network of addresses has a third',
  'kit/limits/load-gauge.ts MOST_RUNNING': 'a caller has a limit of concurrent requests',
  'kit/limits/sum-floods.ts MOST_LINES': 'lines of the log: beyond, kinds are summed',
  'kit/limits/token-buckets.ts MOST_BUCKETS': 'those that were not used lately are forgotten, which were full again',
  'main/commands/open-operations.ts MAX_PAGE': 'of one command',
  'main/traces/open-tracer.ts MAX_LINKS': 'a span has no more links',
  'main/traces/open-tracer.ts MAX_WAITING': 'spans are dropped, never requests',
  'requests/limits/address-limit.ts MOST_ADDRESSES': 'the refusals of all addresses are answered at once again',
  'requests/limits/address-limit.ts MOST_HELD_MS': 'of one refusal',
  'requests/limits/tally.ts MOST_ADDRESSES': 'a count for the log',
  'requests/limits/tally.ts MOST_SENDERS': 'a count for the log: beyond, the reason is counted',
  'requests/log/request-log.ts MOST_MERCHANTS': 'those that ask least are forgotten; each merchant has lines of its own',
  'sandbox/inbox.ts MOST_ENTRIES': 'of a sandbox: nobody else is in it',
  'statements/statement-turns.ts MOST_FILES': 'an owner has three, and each ends within a quarter of an hour',
  'users/credentials/password-hash.ts MOST_AT_ONCE': 'users and networks of addresses take turns',
};

/** What only runs a few at a time, by owner: where the gates and turns are made. */
const TURNS: Readonly<Record<string, string>> = {
  'cashouts/network/look-up-cashout.ts openShares': 'networks take turns',
  'checkout/page-limit.ts createBuckets': 'of one address',
  'manage/serve-management.ts openShares': 'all actors of a merchant have two of the places',
  'requests/limits/address-limit.ts createBuckets': 'of one address',
  'statements/statement-turns.ts openShares': 'all actors of a merchant have two of the places',
  'users/credentials/password-hash.ts openShares': 'users and networks of addresses take turns',
  'users/index.ts openGate': 'a network of addresses has a third',
  'users/index.ts openLater': 'who fills it has gone through the gate, and has the limit of his address',
  'users/pages/openid.page.ts openGate': 'a network of addresses has a third',
};

const code = readCode().filter(({ path }) => /^server\/src\/(?!testing\/).*\.ts$/.test(path) && !path.endsWith('.test.ts'));
const found = (pattern: RegExp): string[] =>
  code.flatMap(({ path, bare }) => [...bare.matchAll(pattern)].map(([, name]) => `${path.replace('server/src/', '')} ${name}`));
const listed = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [file, ...names] = line.trim().split(' ');
      return names.map((name) => `${file} ${name}`);
    });

test('of every bound somebody has said whose it is', () => {
  const bounds = found(/\bconst ((?:MOST|MAX)(?:_[A-Z_]+)?)\b/g);
  expect(bounds.toSorted()).toEqual([...listed(OF_ONE_THING), ...listed(OF_ONE_OWNER), ...Object.keys(OF_ALL)].toSorted());
  expect(found(/(?<!function )\b(openGate|openShares|openLater|createBuckets)\(/g).toSorted()).toEqual(Object.keys(TURNS).toSorted());
});
