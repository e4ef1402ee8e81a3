import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkActs, recordActs } from '../audit/index.ts';
import { connectClient, connectionConfig } from '../kit/db.ts';
import { setFees } from '../ledger/fees.ts';
import { CITUS_URL, createCitusCell, type CitusCell } from '../testing/citus-cell.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// What the database itself refuses of the ledger, of settlements and of the audit log, and what it does by itself: each trigger and each check by its name.

const ID = 'kept';
const COP = 'COP';
type Line = readonly [transaction: string, line: number, account: string, currency: string, amountMinor: number, kind?: string];
const entries = (...lines: readonly Line[]): string =>
  'insert into ledger_entries (merchant_id, transaction_id, line, account, currency, amount_minor, kind, posted_at) values ' +
  lines
    .map(
      ([transaction, line, account, currency, amountMinor, kind = 'top_up']) =>
        `('${ID}', '${transaction}', ${line}, '${account}', '${currency}', ${amountMinor}, '${kind}', now())`,
    )
    .join();
const fees = (kind: string, percentPpm: number, fixedMinor: number, taxPpm: number): string =>
  `insert into merchant_fees (merchant_id, operation_kind, currency, percent_ppm, fixed_minor, tax_ppm, set_at)
   values ('${ID}', '${kind}', 'COP', ${percentPpm}, ${fixedMinor}, ${taxPpm}, now())`;
type Values = Readonly<Record<string, string | number>>;
const inserted = (table: string, all: Values): string =>
  `insert into ${table} (${Object.keys(all).join()}) values (${Object.values(all).join()})`;
/** Two transactions of what was collected. */
const COLLECTED = entries(
  ['c', 1, 'collected', COP, 500],
  ['c', 2, 'service:bank', COP, -500],
  ['d', 1, 'collected', COP, 300],
  ['d', 2, 'service:bank', COP, -300],
);
const member = (transaction = 'c', line = 1): string => `insert into settlement_entries values ('${ID}', '${transaction}', ${line}, 7)`;
const settlement = (values: Values = {}): string =>
  inserted('settlements', {
    merchant_id: `'${ID}'`,
    settlement_id: 7,
    currency: `'COP'`,
    state: `'draft'`,
    cutoff_at: `now() + interval '1 hour'`,
    settled_on: `'2026-11-21'`,
    entries: 1,
    gross_minor: 500,
    net_minor: 500,
    made_at: 'now()',
    ...values,
  });
const line = (values: Values = {}): string =>
  inserted('settlement_lines', {
    merchant_id: `'${ID}'`,
    settlement_id: 7,
    line: 1,
    kind: `'fee'`,
    name: `'rule'`,
    base: `'payout'`,
    base_minor: 500,
    rate_ppm: 0,
    fixed_minor: 100,
    tax_ppm: 0,
    amount_minor: 100,
    tax_minor: 0,
    ...values,
  });
const all = (...statements: readonly string[]): string => statements.join(';\n');
const DRAFT = all(COLLECTED, member(), settlement());
const WITH_LINE = all(COLLECTED, member(), line(), settlement({ net_minor: 400 }));
const hold = (amountMinor: number): string =>
  `insert into held_money (merchant_id, currency, amount_minor, reason, held_at) values ('${ID}', 'COP', ${amountMinor}, 'r', now())`;
const rule = (values: Values): string =>
  inserted('settlement_rules', {
    name: `'rule'`,
    kind: `'withholding'`,
    base: `'payments'`,
    currency: `'COP'`,
    rate_ppm: 1,
    fixed_minor: 0,
    tax_ppm: 0,
    since: `'2026-11-21'`,
    set_at: 'now()',
    ...values,
  });
const schedule = (values: Values): string =>
  inserted('settlement_schedules', {
    merchant_id: `'${ID}'`,
    currency: `'COP'`,
    period: `'daily'`,
    delay_days: 1,
    calendar: `'colombia'`,
    minimum_minor: 0,
    reserve_ppm: 0,
    reserve_days: 0,
    bank_code: `'1007'`,
    bank_name: `'bank'`,
    account_type: `'savings'`,
    account_number: `'1234'`,
    holder_name: `'shop'`,
    holder_document_type: `'NIT'`,
    holder_document: `'900123456'`,
    set_at: 'now()',
    looked_to: `'2026-11-21'`,
    ...values,
  });
const file = (values: Values = {}): string =>
  inserted('settlement_files', {
    file_id: `'F-1'`,
    layout: `'bank'`,
    layout_version: 1,
    format: `'csv'`,
    currency: `'COP'`,
    pay_on: `'2026-11-21'`,
    payments: 1,
    total_minor: 500,
    sha256: `encode(sha256('a'), 'hex')`,
    content: `'a'`,
    made_at: 'now()',
    ...values,
  });
const act = (values: Readonly<Record<string, string>> = {}): string => {
  const all = { acted_at: 'now()', actor_kind: `'nobody'`, operation: `'x'`, outcome: `'done'`, ...values };
  return `insert into acts (actor_id, actor_name, source, ${Object.keys(all).join()}) values ('', '', '', ${Object.values(all).join()})`;
};

/** What refuses, what it refuses, and what it says. A check says its name. */
const REFUSED: readonly (readonly [name: string, sql: string, says?: string])[] = [
  // Sums that are not zero, two that are off by the same, one over two currencies, and a transaction that begins anywhere.
  ['ledger_entries_apply', entries(['a', 1, 'collected', COP, 5], ['a', 2, 'service:bank', COP, -4]), 'is not whole'],
  ['ledger_entries_apply', entries(['a', 1, 'collected', COP, 5], ['b', 1, 'service:bank', COP, -5]), 'is not whole'],
  ['ledger_entries_apply', entries(['a', 1, 'collected', COP, 5], ['a', 2, 'service:bank', 'USD', -5]), 'is not whole'],
  ['ledger_entries_apply', entries(['a', 2, 'collected', COP, 5], ['a', 3, 'service:bank', COP, -5]), 'is not whole'],
  ['ledger_entries_amount_minor_check', entries(['a', 1, 'collected', COP, 0])],
  ['ledger_entries_adjustment_has_reason', entries(['a', 1, 'collected', COP, 5, 'adjustment'], ['a', 2, 'service:bank', COP, -5])],
  ['ledger_entries_are_append_only', 'update ledger_entries set amount_minor = 1', 'UPDATE of ledger_entries is refused'],
  ['ledger_entries_are_append_only', 'delete from ledger_entries', 'DELETE of ledger_entries is refused'],
  ['ledger_entries_are_append_only', 'truncate ledger_entries', 'TRUNCATE of ledger_entries is refused'],
  ['ledger_balances_account_check', entries(['a', 1, 'colected', COP, 5], ['a', 2, 'service:bank', COP, -5])],
  [
    'ledger_balances_never_below_zero',
    entries(['a', 1, 'available', COP, -101], ['a', 2, 'service:bank', COP, 101]),
    'would be below zero',
  ],
  ['ledger_balances_never_below_zero', entries(['a', 1, 'settlements', COP, -1], ['a', 2, 'service:bank', COP, 1]), 'would be below zero'],
  ['ledger_balances_never_below_zero', entries(['a', 1, 'held', COP, -1], ['a', 2, 'service:bank', COP, 1]), 'would be below zero'],
  ['ledger_balances_never_below_zero', entries(['a', 1, 'reserved', COP, -1], ['a', 2, 'service:bank', COP, 1]), 'would be below zero'],
  ['ledger_balances_follow_entries', 'update ledger_balances set balance_minor = balance_minor + 1', 'it follows the entries'],
  [
    'ledger_balances_follow_entries',
    `insert into ledger_balances select merchant_id, 'collected', 'USD', 1 from merchants`,
    'it follows the entries',
  ],
  ['ledger_balances_follow_entries', 'delete from ledger_balances', 'it follows the entries'],
  ['ledger_balances_follow_entries', 'truncate ledger_balances', 'it follows the entries'],
  // From within a trigger, where the owner of the tables may change them. A node of a cluster makes one where it does not tell the others.
  [
    'ledger_balances_keep_key',
    `set local citus.enable_ddl_propagation = off;
     create temporary table written (at int);
     create function pg_temp.change_key() returns trigger language plpgsql as
       'begin update ledger_balances set currency = ''EUR''; return null; end';
     create trigger changes_key after insert on written for each row execute function pg_temp.change_key();
     insert into written values (1)`,
    'UPDATE of ledger_balances is refused: a key stays',
  ],
  ['ledger_balance_keys_stay', `update ledger_balance_keys set currency = 'EUR'`, 'UPDATE of ledger_balance_keys is refused'],
  ['ledger_balance_keys_stay', 'truncate ledger_balance_keys cascade', 'TRUNCATE of ledger_balance_keys is refused'],
  ['ledger_summed_only_row_check', 'insert into ledger_summed (only_row, summed_to) values (false, now())'],
  ['merchant_fees_are_append_only', 'update merchant_fees set percent_ppm = 0', 'UPDATE of merchant_fees is refused'],
  ['merchant_fees_are_append_only', 'delete from merchant_fees', 'DELETE of merchant_fees is refused'],
  ['merchant_fees_are_append_only', 'truncate merchant_fees', 'TRUNCATE of merchant_fees is refused'],
  ['merchant_fees_operation_kind_check', fees('other', 0, 0, 0)],
  ['merchant_fees_percent_ppm_check', fees('order', -1, 0, 0)],
  ['merchant_fees_percent_ppm_check', fees('order', 1_000_001, 0, 0)],
  ['merchant_fees_fixed_minor_check', fees('order', 0, -1, 0)],
  ['merchant_fees_tax_ppm_check', fees('order', 0, 0, -1)],
  ['merchant_fees_tax_ppm_check', fees('order', 0, 0, 1_000_001)],
  // Without its entry, with more, with an entry that is of another account, or was posted later; with another amount, or in another state.
  ['settlements_are_whole', all(COLLECTED, settlement()), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), member('d'), settlement()), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member('c', 2), settlement()), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member('e'), settlement()), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), settlement({ cutoff_at: `now() - interval '1 hour'` })), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), settlement({ currency: `'USD'` })), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), settlement({ gross_minor: 501, net_minor: 501 })), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), line(), settlement()), 'is not what its entries'],
  ['settlements_are_whole', all(COLLECTED, member(), settlement({ state: `'approved'`, approved_at: 'now()' })), 'is not what its entries'],
  ['settlements_amounts_check', all(COLLECTED, member(), line({ amount_minor: 500 }), settlement({ net_minor: 0 }))],
  ['settlements_times_check', all(DRAFT, `update settlements set state = 'approved'`)],
  ['settlements_texts_check', all(DRAFT, `update settlements set state = 'approved', approved_at = now(), bank_reference = 'B-1'`)],
  ['settlements_move_on', all(DRAFT, `update settlements set state = 'paid', paid_at = now()`), 'goes on from state to state'],
  [
    'settlements_move_on',
    all(DRAFT, `update settlements set state = 'approved', approved_at = now(), net_minor = 1`),
    'and its amounts stay',
  ],
  ['settlements_stay', 'delete from settlements', 'DELETE of settlements is refused'],
  ['settlements_stay', 'truncate settlements cascade', 'TRUNCATE of settlements is refused'],
  ['settlement_entries_come_first', all(DRAFT, member('d')), 'nothing is added to it'],
  ['settlement_entries_leave_cancelled', all(DRAFT, 'delete from settlement_entries'), 'it keeps its entries'],
  ['settlement_entries_stay', 'update settlement_entries set settlement_id = 8', 'UPDATE of settlement_entries is refused'],
  ['settlement_entries_stay', 'truncate settlement_entries', 'TRUNCATE of settlement_entries is refused'],
  ['settlement_lines_come_first', all(WITH_LINE, line({ line: 2 })), 'nothing is added to it'],
  ['settlement_lines_stay', 'update settlement_lines set amount_minor = 1', 'UPDATE of settlement_lines is refused'],
  ['settlement_lines_stay', 'delete from settlement_lines', 'DELETE of settlement_lines is refused'],
  ['settlement_lines_stay', 'truncate settlement_lines', 'TRUNCATE of settlement_lines is refused'],
  ['settlement_lines_base_check', line({ base: `'other'` })],
  ['settlement_lines_kind_check', line({ kind: `'other'` })],
  ['settlement_lines_reserve_check', line({ kind: `'reserve'` })],
  ['settlement_lines_tax_check', line({ kind: `'withholding'`, tax_minor: 1 })],
  ['held_money_amount_minor_check', hold(0)],
  ['held_money_is_only_released', all(hold(5), 'update held_money set released_at = null'), 'is only released'],
  ['held_money_is_only_released', all(hold(5), 'update held_money set released_at = now(), amount_minor = 1'), 'is only released'],
  ['held_money_stays', 'delete from held_money', 'DELETE of held_money is refused'],
  ['held_money_stays', 'truncate held_money', 'TRUNCATE of held_money is refused'],
  ['acts_actor_kind_check', act({ actor_kind: `'somebody'` })],
  ['acts_outcome_check', act({ outcome: `'perhaps'` })],
  ['acts_are_append_only', `update acts set source = 'elsewhere'`, 'UPDATE of acts is refused'],
  ['acts_are_append_only', 'truncate acts cascade', 'TRUNCATE of acts is refused'],
  ['acts_stay', 'delete from acts', 'delete of acts is refused'],
  ['act_details_are_only_erased', `update act_details set content = '{}'`, 'details are only erased'],
  ['act_details_are_only_erased', 'update act_details set act_id = act_id + 1000000', 'details are only erased'],
  ['act_details_are_whole_or_erased', `insert into act_details (act_id, content) select act_id, '{}' from acts`],
  ['act_details_are_not_truncated', 'truncate act_details', 'TRUNCATE of act_details is refused'],
  ['act_details_stay', 'delete from act_details', 'delete of act_details is refused'],
  ['act_links_place_check', `insert into act_links (place, act_id, link_hash) values (0, 0, '')`],
  ['act_links_are_append_only', `update act_links set link_hash = ''`, 'UPDATE of act_links is refused'],
  ['act_links_are_append_only', 'truncate act_links', 'TRUNCATE of act_links is refused'],
  ['act_links_stay', 'delete from act_links', 'delete of act_links is refused'],
  ['act_stubs_place_check', `insert into act_stubs (place, link_hash, pruned_at, signature) values (0, '', now(), '')`],
  ['settlement_rules_base_check', rule({ base: `'all'` })],
  ['settlement_rules_fixed_minor_check', rule({ fixed_minor: -1 })],
  ['settlement_rules_kind_check', rule({ kind: `'reserve'` })],
  ['settlement_rules_rate_ppm_check', rule({ rate_ppm: 1_000_001 })],
  ['settlement_rules_source_check', rule({ base: `'payout'`, source: `'network:cash'` })],
  ['settlement_rules_tax_ppm_check', rule({ tax_ppm: 1 })],
  ['settlement_rules_until_check', rule({ until: `'2026-11-19'` })],
  ['settlement_schedules_account_type_check', schedule({ account_type: `'gold'` })],
  ['settlement_schedules_delay_days_check', schedule({ delay_days: 0 })],
  ['settlement_schedules_minimum_minor_check', schedule({ minimum_minor: -1 })],
  ['settlement_schedules_month_day_check', schedule({ period: `'monthly'` })],
  ['settlement_schedules_month_day_check', schedule({ month_day: 1 })],
  ['settlement_schedules_period_check', schedule({ period: `'hourly'` })],
  ['settlement_schedules_reserve_check', schedule({ reserve_ppm: 1 })],
  ['settlement_schedules_weekday_check', schedule({ period: `'weekly'`, weekday: 8 })],
  ['settlement_files_payments_check', file({ payments: 0 })],
  ['settlement_files_sha256_check', file({ content: `'b'` })],
  ['settlement_files_stay', all(file(), `update settlement_files set total_minor = 1`), 'UPDATE of settlement_files is refused'],
  ['settlement_files_stay', all(file(), 'delete from settlement_files'), 'DELETE of settlement_files is refused'],
  ['settlement_files_stay', all(file(), 'truncate settlement_files'), 'TRUNCATE of settlement_files is refused'],
  ['act_stubs_are_append_only', `update act_stubs set signature = ''`, 'UPDATE of act_stubs is refused'],
  ['act_stubs_are_append_only', 'delete from act_stubs', 'DELETE of act_stubs is refused'],
  ['act_stubs_are_append_only', 'truncate act_stubs', 'TRUNCATE of act_stubs is refused'],
];

const WHOLE = entries(['a', 1, 'collected', COP, 5], ['a', 2, 'service:bank', COP, -5]);
/** What a trigger does by itself: its name, what is written, and whether it was done. */
const DONE: readonly (readonly [name: string, sql: string, isDone: string])[] = [
  ['ledger_entries_apply', WHOLE, `select balance_minor = 5 as done from ledger_balances where account = 'collected'`],
  ['ledger_balances_take_key', WHOLE, `select true as done from ledger_balance_keys where account = 'collected'`],
  ['ledger_changes_are_told', WHOLE, `select true as done from changes where kind = 'ledger' and ids = '{a}'`],
  ['settlements_are_told', DRAFT, `select true as done from changes where kind = 'settlement' and ids = '{7}' and states = '{draft}'`],
  ['acts_are_queued', act(), `select true as done from acts_to_link join acts using (act_id) where operation = 'x'`],
  [
    'acts_have_their_time',
    act({ recorded_at: `timestamptz '2000-01-01Z'` }),
    `select recorded_at > '2020-01-01Z' as done from acts where operation = 'x'`,
  ],
  [
    'act_details_erased_are_named',
    `update act_details set salt = null, content = null, erased_as = 'erased-1'`,
    `select true as done from acts where operation = 'eraseActDetails'`,
  ],
];

/** The triggers and checks of these tables, those of shards without their number. */
const NAMES = `
  with held as (
    select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and relname ~ '^(ledger_|merchant_fees|settlement|held_money|acts|act_)' and (relname ~ '_\\d{6,}$') = $1)
  select table_name::text as "table", regexp_replace(name, '_\\d{6,}$', '') as name, kind from (
    select tgrelid as oid, tgrelid::regclass as table_name, tgname as name, 'trigger' as kind from pg_trigger where not tgisinternal
    union all
    select conrelid, conrelid::regclass, conname, 'constraint' from pg_constraint where contype = 'c') as named
   where oid in (select oid from held) order by name`;
type Named = { readonly table: string; readonly name: string; readonly kind: 'trigger' | 'constraint' };
type Client = Awaited<ReturnType<typeof connectClient>>;

const connect = (url: string): Promise<Client> => connectClient(connectionConfig(url, 10_000));

/** Does work in a transaction, and takes it back. */
async function takingBack<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}

/** Carries statements out. Shape: → the rows of the last one, or what refused it. */
async function outcomeOf(client: Client, statements: readonly string[]): Promise<unknown> {
  try {
    let rows: unknown;
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } catch (error) {
    return (error as Error).message.replaceAll(/_\d{6,}\b/g, '');
  }
}

const attempt = (client: Client, ...statements: readonly string[]): Promise<unknown> =>
  takingBack(client, () => outcomeOf(client, statements));

const PLACES = [
  { place: 'on plain PostgreSQL', isSharded: false },
  { place: 'on the shard of a cell on Citus', isSharded: true },
];

describe.each(PLACES.slice(0, CITUS_URL === undefined ? 1 : 2))('$place', ({ isSharded }) => {
  let caudal: TestCaudal;
  /** As the service connects: to the worker that holds the shard. */
  let service: Client;
  /** Connects there as well, as the owner of the tables, whom no right keeps from anything. */
  let owner: Client;
  let named: readonly Named[];

  beforeAll(async () => {
    const cells: CitusCell[] = isSharded ? [await createCitusCell()] : [];
    caudal = await startTestCaudal({ cells });
    const { clock } = caudal;
    const { db } = caudal.cells.of(cells.length);
    await caudal.merchant({ merchantId: ID, cell: cells.length, fundMinor: 100n });
    await setFees({ db, clock }, { merchantId: ID, kind: 'order', currency: COP, percentPpm: 1, fixedMinor: 1n, taxPpm: 1 });
    const actor = { kind: 'command', id: 'ana', name: 'ana' } as const;
    const recorded = { actor, source: 'host-1', requestId: null, operation: 'merchants disable', merchantId: ID, target: ID } as const;
    await db.transaction(async (tx) => recordActs(tx, [{ ...recorded, details: { reason: 'a' }, at: clock.now(), outcome: 'done' }]));
    while (await linkActs(db));
    const { url, serviceUrl } = cells[0] ?? caudal;
    const [login] = /\/\/[^@]*@/.exec(url) as unknown as [string];
    [service, owner] = [await connect(serviceUrl), await connect(serviceUrl.replace(/\/\/[^@]*@/, login))];
    if (isSharded) await owner.query(`set citus.show_shards_for_app_name_prefixes = '*'`);
    named = (await owner.query<Named>(NAMES, [isSharded])).rows;
  });
  afterAll(async () => {
    await Promise.all([service.end(), owner.end()]);
    await caudal.close();
  });

  test('every trigger and every check of these tables is tried', () => {
    expect(named.map(({ name }) => name)).toEqual([...new Set([...REFUSED, ...DONE].map(([name]) => name))].toSorted());
  });

  /** Without the one that is named the attempt meets nothing, or another. */
  async function attemptWithout(wanted: string, ...statements: readonly string[]): Promise<unknown> {
    const { table, name, kind } = named.find((one) => one.name === wanted) as Named;
    return takingBack(owner, async () => {
      await owner.query(`alter table ${table} ${kind === 'trigger' ? 'disable' : 'drop'} ${kind} ${name}`);
      return outcomeOf(owner, statements);
    });
  }

  test.each(REFUSED.map(([name, sql, says = name]) => ({ name, sql, says })))('$name refuses: $sql', async ({ name, sql, says }) => {
    expect(await attempt(owner, sql)).toContain(says);
    expect(await attempt(service, sql)).toMatch(new RegExp(`^permission denied|is refused: it follows|${says}`));
    if (!isSharded) expect(String(await attemptWithout(name, sql))).not.toContain(says);
  });

  test.each(DONE)('%s acts on: %s', async (name, sql, isDone) => {
    for (const client of [service, owner]) expect(await attempt(client, sql, isDone)).toEqual([{ done: true }]);
    if (!isSharded) expect(await attemptWithout(name, sql, isDone)).not.toEqual([{ done: true }]);
  });
});
