import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { openDb, statement, type Db } from '../db.ts';
import { createLog } from '../log.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = open();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const open = (): Db => openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: 10_000 });

describe('values of the database', () => {
  test('come out exact: whole numbers, decimals, days and instants to the microsecond', async () => {
    const [row] = await db.query(
      statement(
        'db_test.types',
        `select 9007199254740993::bigint as "bigint", '0001-01-01'::date as "ancient", '2026-02-28'::date as "day",
                '2026-11-21 15:00:00.123456+00'::timestamptz as "instant", '2026-11-21 10:00:00-05'::timestamptz as "offset",
                12345678901234567890.120::numeric as "numeric", null::bigint as "absent", 7::int as "int", true as "flag",
                '{"a": [1, "x"]}'::jsonb as "json", '\\x00ff'::bytea as "bytes", array['a', null, 'b,"c'] as "texts"`,
      ),
      [],
    );
    expect(row).toEqual({
      bigint: 9007199254740993n,
      ancient: Temporal.PlainDate.from('0001-01-01'),
      day: Temporal.PlainDate.from('2026-02-28'),
      instant: Temporal.Instant.from('2026-11-21T15:00:00.123456Z'),
      offset: Temporal.Instant.from('2026-11-21T15:00:00Z'),
      numeric: '12345678901234567890.120',
      absent: null,
      int: 7,
      flag: true,
      json: { a: [1, 'x'] },
      bytes: Buffer.from([0, 255]),
      texts: ['a', null, 'b,"c'],
    });
  });

  test('come out exact in arrays too', async () => {
    const [row] = await db.query(
      statement(
        'db_test.arrays',
        `select array[9007199254740993, null]::bigint[] as "bigints", array['2026-02-28']::date[] as "days",
                array['2026-11-21 15:00:00.123456+00']::timestamptz[] as "instants", array[0.10]::numeric[] as "numerics"`,
      ),
      [],
    );
    expect(row).toEqual({
      bigints: [9007199254740993n, null],
      days: [Temporal.PlainDate.from('2026-02-28')],
      instants: [Temporal.Instant.from('2026-11-21T15:00:00.123456Z')],
      numerics: ['0.10'],
    });
  });

  test('go in exact, alone and in arrays', async () => {
    const instant = Temporal.Instant.from('2026-11-21T15:00:00.123456Z');
    const day = Temporal.PlainDate.from('2028-02-29');
    const odd = `a 'quoted' "text", {braces} \\ back \u{1F600}`;
    const [row] = await db.query(
      statement(
        'db_test.parameters',
        `select $1::bigint = 9007199254740993 and $2::timestamptz = '2026-11-21 15:00:00.123456+00' and $3::date = '2028-02-29'
                and $13::timestamptz = '10000-01-01 05:00:00+00'
                and $4::bytea = '\\x00ff' and $5::text is null and $6::bool as "alone", $7::text as "text", $8::text[] as "texts",
                ($9::bigint[])[1] = 9007199254740993 and ($10::timestamptz[])[1] = $2 and ($11::date[])[2] = $3
                and ($12::bytea[])[1] = $4 and ($8::text[])[2] is null as "arrays"`,
      ),
      [
        9007199254740993n,
        instant,
        day,
        Uint8Array.of(0, 255),
        null,
        true,
        odd,
        [odd, null, ''],
        [9007199254740993n],
        [instant],
        [null, day],
        [Uint8Array.of(0, 255)],
        Temporal.Instant.from('+010000-01-01T05:00:00Z'), // The end of 9999 in Bogotá.
      ],
    );
    expect(row).toEqual({ alone: true, text: odd, texts: [odd, null, ''], arrays: true });
  });

  test('do not depend on how the server writes dates', async () => {
    await db.query(
      statement(
        'db_test.style',
        `do $$ begin execute format('alter database %I set datestyle = ''SQL, DMY''', current_database()); end $$`,
      ),
      [],
    );
    await db.query(
      statement(
        'db_test.zone',
        `do $$ begin execute format('alter database %I set timezone = ''Asia/Kolkata''', current_database()); end $$`,
      ),
      [],
    );
    const other = open();
    const [row] = await other.query(
      statement('db_test.styled', `select '2026-02-03'::date as day, '2026-11-21 15:00:00+00'::timestamptz as instant`),
      [],
    );
    await other.close();
    expect(row).toEqual({ day: Temporal.PlainDate.from('2026-02-03'), instant: Temporal.Instant.from('2026-11-21T15:00:00Z') });
  });
});
