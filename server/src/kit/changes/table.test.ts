import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { openDb, type Db } from '../db.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import {
  amountIn,
  bigint,
  bool,
  countColumn,
  dayColumn,
  defaultsOf,
  fixed,
  given,
  givenOr,
  historyOf,
  instantColumn,
  int,
  key,
  nullable,
  stamp,
  textColumn,
  unrecorded,
  type RowOf,
} from './columns.ts';
import { changedRows, openTable } from './table.ts';

const COLUMNS = {
  shopId: key(textColumn()),
  parcelId: key(textColumn()),
  serialNumber: fixed(bigint()),
  version: stamp(int()),
  currency: unrecorded(given(textColumn())),
  priceMinor: given(amountIn('currency', 'price')),
  note: givenOr(null, nullable(textColumn())),
  isFragile: givenOr(false, bool()),
  weightG: nullable(int()),
  dueOn: dayColumn(),
  endsAt: nullable(instantColumn()),
  returns: countColumn(),
  changedAt: stamp(instantColumn()),
} as const;
type Parcel = RowOf<typeof COLUMNS>;

const PARCELS = openTable('testing_parcels', COLUMNS, { extra: { seal: 'bytea' }, often: 'priceMinor' });
const HISTORY = historyOf(COLUMNS);

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const parcel = (parcelId: string): Parcel => ({
  shopId: 'shop',
  parcelId,
  serialNumber: 9_007_199_254_740_993n,
  version: 1,
  currency: 'COP',
  priceMinor: 4_500_000n,
  note: null,
  isFragile: true,
  weightG: 250,
  dueOn: Temporal.PlainDate.from('2026-11-30'),
  endsAt: at('2027-01-01T04:59:59.999999Z'),
  returns: 0,
  changedAt: at('2026-11-21T15:00:00.123456Z'),
});

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 3_000 });
  await db.query(
    {
      name: 'testing.create_parcels',
      text: `create table testing_parcels (
        shop_id text collate "C", parcel_id text collate "C", serial_number bigint, version int, currency text, price_minor bigint, note text,
        is_fragile bool, weight_g int, due_on date, ends_at timestamptz, returns int, changed_at timestamptz, seal bytea,
        primary key (shop_id, parcel_id))`,
    },
    [],
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const read = async (parcelId: string): Promise<Parcel> => {
  const [row] = await db.query<Parcel>(
    { name: 'testing.read_parcel', text: `select ${PARCELS.selectList('p')} from testing_parcels p where parcel_id = $1` },
    [parcelId],
  );
  return row as Parcel;
};

test('a row is inserted, selected and locked as the object that it was, to the last digit', async () => {
  const inserted = parcel('P-1');
  await db.transaction(async (tx) => PARCELS.insert(tx, [{ ...inserted, seal: '\\x00ff' }]));
  expect(await read('P-1')).toEqual(inserted);
  const [row] = await db.transaction((tx) => PARCELS.lock(tx, [inserted], () => expect.unreachable()));
  expect(row?.before).toEqual(inserted);
  expect(Object.keys(row?.before ?? {})).toEqual(Object.keys(COLUMNS));
  const seals = await db.query({ name: 'testing.read_seal', text: `select seal from testing_parcels where parcel_id = $1` }, ['P-1']);
  expect(seals).toEqual([{ seal: Buffer.from([0, 255]) }]);
});

test('a save writes what differs, null included, and leaves the rest', async () => {
  await db.transaction(async (tx) =>
    PARCELS.insert(
      tx,
      ['P-2', 'P-3', 'P-4'].map((id) => ({ ...parcel(id), seal: '\\x' })),
    ),
  );
  const stamps = { version: 2, changedAt: at('2026-11-22T00:00:00Z') };
  const changes: Readonly<Record<string, Partial<Parcel>>> = {
    'P-2': { ...stamps, note: 'left \\ at "the" door', weightG: null, endsAt: null, priceMinor: 1n },
    'P-3': { ...stamps, isFragile: false, dueOn: Temporal.PlainDate.from('2026-12-01'), endsAt: at('2026-12-01T05:00:00Z'), returns: 1 },
  };
  await db.transaction(async (tx) => {
    const rows = await PARCELS.lock(
      tx,
      ['P-3', 'P-2', 'P-4', 'P-9', 'P-2'].map((parcelId) => ({ shopId: 'shop', parcelId })),
      () => expect.unreachable(),
    );
    expect(rows.map((row) => row?.after.parcelId)).toEqual(['P-3', 'P-2', 'P-4', undefined, 'P-2']);
    expect(rows[4]).toBe(rows[1]);
    for (const row of new Set(rows)) if (row !== undefined) row.after = { ...row.after, ...changes[row.after.parcelId] };
    PARCELS.save(
      tx,
      changedRows(rows).filter(({ after }) => after.parcelId in changes),
    );
  });
  expect(await read('P-2')).toEqual({ ...parcel('P-2'), ...changes['P-2'] });
  expect(await read('P-3')).toEqual({ ...parcel('P-3'), ...changes['P-3'] });
  expect(await read('P-4')).toEqual(parcel('P-4'));
});

test('a batch that changes one column alone has a statement of its own, and no other batch does', async () => {
  const ids = ['P-7', 'P-8'] as const;
  await db.transaction(async (tx) =>
    PARCELS.insert(
      tx,
      ids.map((id) => ({ ...parcel(id), seal: '\\x' })),
    ),
  );
  const sent: string[] = [];
  const save = (...changes: readonly [Partial<Parcel>, Partial<Parcel>]) =>
    db.transaction(async (tx) => {
      const rows = await PARCELS.lock(tx, ids.map(parcel), () => expect.unreachable());
      for (const [index, row] of rows.entries()) if (row !== undefined) row.after = { ...row.after, ...changes[index] };
      const send: typeof tx.send = (statement, values) => {
        sent.push(statement.name);
        tx.send(statement, values);
      };
      PARCELS.save({ ...tx, send }, changedRows(rows));
    });
  const stamps = { version: 2, changedAt: at('2026-11-22T00:00:00Z') };
  const first = { ...stamps, priceMinor: 7n };
  await save(first, { ...stamps, priceMinor: 8n });
  expect(await read('P-7')).toEqual({ ...parcel('P-7'), ...first });
  expect(await read('P-8')).toEqual({ ...parcel('P-8'), ...stamps, priceMinor: 8n });
  const both = { version: 3, priceMinor: 9n, currency: 'USD' };
  await save({ version: 3, priceMinor: 10n }, both);
  expect(await read('P-7')).toEqual({ ...parcel('P-7'), ...first, version: 3, priceMinor: 10n });
  expect(await read('P-8')).toEqual({ ...parcel('P-8'), ...stamps, ...both });
  await save({ version: 4, note: 'fragile' }, { version: 4, priceMinor: 11n });
  expect(await read('P-7')).toEqual({ ...parcel('P-7'), ...first, version: 4, priceMinor: 10n, note: 'fragile' });
  expect(sent).toEqual(['testing_parcels.save_price_minor', 'testing_parcels.save', 'testing_parcels.save']);
});

test('a row that another transaction holds is named, one that does not exist is not, and nothing waits', async () => {
  const other = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 3_000 });
  await db.transaction(async (tx) =>
    PARCELS.insert(
      tx,
      ['P-5', 'P-6'].map((id) => ({ ...parcel(id), seal: '\\x' })),
    ),
  );
  await other.transaction(async (tx) => {
    await PARCELS.lock(tx, [parcel('P-5')], () => expect.unreachable());
    const held: unknown[] = [];
    const wanted = ['P-5', 'P-6', 'P-9', 'P-5'].map(parcel);
    const rows = await db.transaction((mine) => PARCELS.lock(mine, wanted, (...of) => held.push(of)));
    expect(rows.map((row) => row?.before.parcelId)).toEqual([undefined, 'P-6', undefined, undefined]);
    expect(held).toEqual([0, 3].map((index) => [index, 'testing_parcels/shop/P-5']));
  });
  await other.close();
});

test('a history holds every recorded field first, then what differs, and leads back to the entity', () => {
  const first = parcel('P-1');
  const created = HISTORY.diff(undefined, first);
  expect(created).toEqual({
    serialNumber: [null, '9007199254740993'],
    price: [null, '4500000 COP'],
    note: [null, null],
    isFragile: [null, true],
    weightG: [null, 250],
    dueOn: [null, '2026-11-30'],
    endsAt: [null, '2027-01-01T04:59:59.999999Z'],
    returns: [null, null],
  });
  expect(Object.keys(created)).toEqual(HISTORY.fields);
  const second = { ...first, currency: 'USD', endsAt: null, returns: 2, dueOn: Temporal.PlainDate.from('2026-11-30') };
  expect(HISTORY.diff(first, second)).toEqual({
    price: ['4500000 COP', '4500000 USD'],
    endsAt: ['2027-01-01T04:59:59.999999Z', null],
    returns: [null, 2],
  });
  const state = Object.fromEntries(Object.entries({ ...created, ...HISTORY.diff(first, second) }).map(([field, [, to]]) => [field, to]));
  const { shopId: _shop, parcelId: _parcel, version: _version, changedAt: _changed, ...recorded } = second;
  expect(HISTORY.recall(state)).toEqual(recorded);
});

test('what is not given has the default of its column', () => {
  expect(defaultsOf(COLUMNS)).toEqual({ note: null, isFragile: false });
});
