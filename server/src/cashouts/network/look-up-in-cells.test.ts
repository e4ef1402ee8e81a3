import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, statement, Unavailable } from '../../kit/db.ts';
import { HOME, mapCells, perCell, type PerCell } from '../../kit/per-cell.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { dyingAfter, steppedBy, takeAway } from '../../testing/cell-outage.ts';
import type { CreatedNetwork, WhereServed } from '../../networks/index.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { openServiceKeys } from '../../kit/keys/service-keys.ts';
import { createLookUp } from './look-up-cashout.ts';
import { cashoutClaimChecks } from './verify-claims.ts';

// A document may have cashouts in several cells. What networks may try, and what they are answered, is that of one database.

const CELLS = [0, 1, 2] as const;
const [WRONG, TRIED, LOCKED, FOUND] = ['0002', '0013', '0013', '0000'];

type Till = ReturnType<typeof networkCalls>;
let caudal: TestCaudal;
let alone: TestCaudal;
/** The same merchants, in three cells and in one. */
let spread: Scene;
let together: Scene;
let count = 0;
let document: string;

type Scene = {
  readonly caudal: TestCaudal;
  readonly merchants: readonly TestMerchant[];
  readonly networks: readonly CreatedNetwork[];
  readonly tills: readonly Till[];
};

async function open(caudal: TestCaudal, cells: readonly number[]): Promise<Scene> {
  const merchants = [];
  for (const cell of cells) merchants.push(await caudal.merchant({ cell }));
  const networks = [];
  for (let one = 0; one < 3; one++) networks.push(await caudal.network());
  return { caudal, merchants, networks, tills: networks.map((network) => networkCalls(caudal, network)) };
}

beforeAll(async () => {
  caudal = await startTestCaudal({ cells: 2 });
  alone = await startTestCaudal();
  spread = await open(caudal, CELLS);
  together = await open(alone, [0, 0, 0]);
});
afterAll(async () => {
  await caudal.close();
  await alone.close();
});
beforeEach(() => {
  document = `10${++count}`;
});

const LEFT = statement('test.look_ups_left', 'select document from cashout_look_ups');
afterEach(async () => expect(await caudal.db.query(LEFT, [])).toEqual([]));

const till = (scene: Scene, which = 0): Till => scene.tills[which] as Till;

/** Registers a cashout of the document in a cell; gives its password. */
async function register({ caudal, merchants }: Scene, cell: number, of = document): Promise<string> {
  const payer = cashoutCalls(caudal, merchants[cell] as TestMerchant);
  const { code, data } = await payer.register(payer.registration({ operation: `W-${++count}`, document: of, otpLength: 8 }));
  expect(code).toBe('0000');
  return data['otp'] as string;
}

const TRIES = statement('test.tries_of_document', 'select otp_wrong_tries as tries from cashouts where document = $1 order by cashout_id');
const triesOf = async (cells: PerCell<{ readonly db: TestCaudal['db'] }>): Promise<readonly number[]> => {
  const rows = await Promise.all(cells.all.map(([, { db }]) => db.query<{ tries: number }>(TRIES, [document])));
  return rows.flat().map(({ tries }) => tries);
};
const OF_NETWORK = statement(
  'test.tries_at_home',
  `select coalesce((select tries from cashout_wrong_tries where network_id = $1 and document = $2), 0) as document,
          coalesce((select tries from cashout_wrong_tries_of_places where network_id = $1 and place = $3), 0) as place`,
);
const countedAtHome = async (which = 0, point = ''): Promise<{ readonly document: number; readonly place: number } | undefined> =>
  (await caudal.db.query<{ document: number; place: number }>(OF_NETWORK, [till(spread, which).netname, document, point]))[0];

/** Plays the same in three cells and in one database, and gives both sequences of codes. */
async function both(
  play: (scene: Scene) => Promise<readonly string[]>,
): Promise<{ readonly spread: readonly string[]; readonly together: readonly string[] }> {
  return { spread: await play(spread), together: await play(together) };
}

describe('the answers are those of one database', () => {
  test.each(CELLS)('a password opens its cashout in cell %i, whatever the others hold', async (cell) => {
    const passwords = [];
    for (const one of CELLS) passwords.push(await register(spread, one));
    const found = await till(spread).lookUp(passwords[cell], document);
    expect(found.code).toBe(FOUND);
    expect(await triesOf(caudal.cells), 'nothing counts').toEqual([0, 0, 0]);
    expect(await countedAtHome()).toMatchObject({ document: 0 });
    expect((await till(spread).pay(found.data['idoperation'], `T-${count}`)).code).toBe(FOUND);
    expect((await till(spread).reverse(found.data['idoperation'], `T-${count}`)).code).toBe(FOUND);
  });

  test('five wrong passwords end all cashouts of the document, in all cells', async () => {
    const played = await both(async (scene) => {
      const passwords = [];
      for (const cell of CELLS) passwords.push(await register(scene, cell));
      const codes = [];
      for (let tries = 0; tries < 5; tries++) codes.push((await till(scene).lookUp('0000', document)).code);
      for (const password of passwords) codes.push((await till(scene, 1).lookUp(password, document)).code);
      return codes;
    });
    expect(played.spread).toEqual(Array(8).fill(WRONG));
    expect(played.spread).toEqual(played.together);
  });

  test('ten wrong ones at a network are enough for a quarter of an hour, and a right one between them does not count', async () => {
    const played = await both(async (scene) => {
      const codes = [];
      for (let tries = 0; tries < 12; tries++) {
        codes.push((await till(scene).lookUp('0000', document)).code);
        if (tries % 3 === 0) codes.push((await till(scene).lookUp(await register(scene, tries % 3), document)).code);
      }
      scene.caudal.clock.advance({ minutes: 15, seconds: 1 });
      codes.push((await till(scene).lookUp('0000', document)).code);
      return codes;
    });
    expect(played.spread).toEqual(played.together);
    expect(played.spread.filter((code) => code === TRIED).length).toBeGreaterThan(1);
  });

  test('a right one begins no window', async () => {
    const played = await both(async (scene) => {
      const password = await register(scene, 1);
      const codes = [(await till(scene, 2).lookUp(password, document)).code];
      scene.caudal.clock.advance({ minutes: 10 });
      for (let tries = 0; tries < 10; tries++) codes.push((await till(scene, 2).lookUp('0000', document)).code);
      scene.caudal.clock.advance({ minutes: 10 });
      codes.push((await till(scene, 2).lookUp('0000', document)).code);
      return codes;
    });
    expect(played.spread).toEqual(played.together);
    expect(played.spread.at(-1)).toBe(TRIED);
  });

  test('twenty wrong ones at a point are enough, whatever the documents', async () => {
    const played = await both(async (scene) => {
      const codes = [];
      const netcode = `P-${document}`;
      for (let tries = 0; tries < 22; tries++) {
        const own = `${document}00${tries}`;
        const otp = tries % 4 === 3 ? await register(scene, tries % 3, own) : '0000';
        codes.push((await till(scene, 1).lookUp(otp, own, { netcode })).code);
      }
      for (let more = 0; more < 8; more++) codes.push((await till(scene, 1).lookUp('0000', `${document}99${more}`, { netcode })).code);
      return codes;
    });
    expect(played.spread).toEqual(played.together);
    expect(played.spread.at(-1)).toBe(TRIED);
  });

  test('one that another network holds is locked, and nothing counts', async () => {
    const played = await both(async (scene) => {
      const password = await register(scene, 2);
      const asked = [till(scene), till(scene, 1), till(scene)];
      const codes = [];
      for (const one of asked) codes.push((await one.lookUp(password, document)).code);
      return codes;
    });
    expect(played.spread).toEqual([FOUND, LOCKED, FOUND]);
    expect(played.spread).toEqual(played.together);
    expect(await countedAtHome(1)).toMatchObject({ document: 0 });
  });

  const WRITTEN = statement(
    'test.written_by_look_up',
    `select count(*)::int as rows from cashout_wrong_tries where network_id = '' and document = $1`,
  );
  test('a document with nothing makes each cell write and wait for its disk, as one that has money there', async () => {
    expect((await till(spread, 1).lookUp('0000', document)).code).toBe(WRONG);
    for (const [cell, { db }] of caudal.cells.all)
      expect((await db.query<{ rows: number }>(WRITTEN, [document]))[0]?.rows, `cell ${cell}`).toBe(1);
  });

  test('many right ones at once, with four wrong ones before: all find it', async () => {
    const password = await register(spread, 1);
    await register(spread, 2);
    for (let tries = 0; tries < 4; tries++) await till(spread).lookUp('0000', document);
    const answers = await Promise.all(Array.from({ length: 8 }, () => till(spread).lookUp(password, document)));
    expect(answers.map(({ code }) => code)).toEqual(Array(8).fill(FOUND));
    expect(await triesOf(caudal.cells)).toEqual([4, 4]);
  });

  test('32 guesses at once, by three networks on two servers, are five guesses', async () => {
    await register(spread, 1);
    await register(spread, 2);
    const another = await caudal.openAnother();
    try {
      const tills = [caudal, another].flatMap((server) => spread.networks.map((network) => networkCalls(server, network)));
      await Promise.all(
        Array.from({ length: 32 }, async (_, index) => {
          const answer = tills[index % tills.length]?.lookUp(String(1000 + index), document);
          // Some wait too long for the others.
          await answer?.catch(() => undefined);
        }),
      );
    } finally {
      await another.close();
    }
    expect(await triesOf(caudal.cells)).toEqual([5, 5]);
  });
});

/** What a process does that looks cashouts up on these connections. */
async function lookUpOn(dbs: PerCell<TestCaudal['db']>) {
  const { byName } = await openServiceKeys(caudal, ['one-time-password']);
  return createLookUp({ db: dbs.home, clock: caudal.clock, otpKey: byName['one-time-password'], shortPasswordDays: 1, dbs });
}
const served: WhereServed = { countries: ['343'], currencies: null };

/** Looks up with a right password. `meanwhile` is done before the step, counted from 0 on. */
async function lookUpWhile(step: number, otp: string, point: string, meanwhile: () => Promise<unknown>) {
  const dbs = steppedBy(
    async (at) => {
      if (at === step) await meanwhile();
    },
    mapCells(caudal.cells, ({ db }) => db),
  );
  return (await lookUpOn(dbs))({ netname: till(spread).netname, document, otp, point, served });
}

describe('what happens while a look-up is between two steps', () => {
  /** Home, each cell, and then the hold. */
  const BEFORE_HOLD = 1 + CELLS.length;

  test('a cashout that is cancelled before it is held is not found any more: the password is wrong now, and counts for another one', async () => {
    await register(spread, 1);
    const otp = await register(spread, 2);
    const payer = cashoutCalls(caudal, spread.merchants[2] as TestMerchant);
    const found = await lookUpWhile(BEFORE_HOLD, otp, '', () => payer.cancel(`W-${count}`, document));
    expect(found).toMatchObject({ refusal: 'password_wrong' });
    expect(await triesOf(caudal.cells), 'it was decided again').toEqual([1, 0]);
  });

  test('the try of a right one does not keep others from a point that has had nineteen wrong ones', async () => {
    const netcode = `Q-${document}`;
    for (let tries = 0; tries < 19; tries++) await till(spread).lookUp('0000', `${document}00${tries}`, { netcode });
    const own = `${document}01`;
    const [otp, otherOtp] = [await register(spread, 1), await register(spread, 2, own)];
    let meanwhile: string | undefined;
    const found = await lookUpWhile(BEFORE_HOLD, otp, netcode, async () => {
      meanwhile = (await till(spread).lookUp(otherOtp, own, { netcode })).code;
    });
    expect({ meanwhile, found }).toMatchObject({ meanwhile: FOUND, found: { document } });
    expect(await countedAtHome(0, netcode)).toMatchObject({ place: 19 });
  });
});

test('a process that began before there was another cell says of no password that it is wrong, once there is one', async () => {
  let isWhole = true;
  const lookUp = await lookUpOn(perCell(new Map([[HOME, caudal.db]]), () => isWhole));
  const command = { netname: till(spread).netname, document, otp: '0000', point: '', served };
  expect(await lookUp(command)).toMatchObject({ refusal: 'password_wrong' });
  isWhole = false;
  await expect(lookUp(command)).rejects.toBeInstanceOf(Unavailable);
});

describe('a process that is killed', () => {
  const END = statement('test.end_look_ups', `update cashout_look_ups set until = clock_timestamp() - interval '1 second'`);

  test('before any step compares nothing that was not counted, and leaves at most a try too many', async () => {
    for (let steps = 0, isOver = false; !isOver; steps++) {
      document = `66${count}${steps}`;
      await register(spread, 1);
      const password = await register(spread, 2);
      const { netname } = till(spread, 2);
      const dbs = dyingAfter(
        steps,
        mapCells(caudal.cells, ({ db }) => db),
      );
      const lookUp = await lookUpOn(dbs);
      const asked = { netname, document, point: '', served };
      const wrong = await lookUp({ ...asked, otp: '0000' }).catch(() => undefined);
      await caudal.db.query(END, []);
      isOver = wrong !== undefined && steps > 4;
      if (wrong !== undefined) {
        expect(wrong).toMatchObject({ refusal: 'password_wrong' });
        expect(await triesOf(caudal.cells), `an answer after ${steps} steps`).toEqual([1, 1]);
        expect((await countedAtHome(2))?.document).toBe(1);
      }
      const before = await triesOf(caudal.cells);
      for (const tries of before) expect(tries).toBeLessThanOrEqual(1);
      expect((await till(spread, 2).lookUp(password, document)).code, 'it still opens').toBe(FOUND);
      expect(await triesOf(caudal.cells)).toEqual(before);
      expect(steps).toBeLessThan(12);
    }
    expect((await caudal.db.query(LEFT, [])).length).toBe(0);
  });
});

describe('while a cell is away', () => {
  test('a password of the others opens its cashout. One that fits none is answered 503, and counts', async () => {
    const here = await register(spread, 2);
    const there = await register(spread, 1);
    const bringBack = await takeAway(caudal.cells.of(1).url);
    try {
      expect((await till(spread).lookUp(here, document)).code).toBe(FOUND);
      await expect(till(spread).lookUp(there, document)).rejects.toThrow('HTTP 503');
      await expect(till(spread).lookUp('0000', document)).rejects.toThrow('HTTP 503');
    } finally {
      await bringBack();
    }
    expect(await triesOf(caudal.cells)).toEqual([0, 2]);
    expect(await countedAtHome()).toMatchObject({ document: 2 });
    expect((await till(spread).lookUp(there, document)).code).toBe(FOUND);
  });

  test('while home is away nothing is looked up', async () => {
    const there = await register(spread, 1);
    const bringBack = await takeAway(caudal.serviceUrl);
    try {
      await expect(till(spread).lookUp(there, document)).rejects.toThrow('HTTP 503');
    } finally {
      await bringBack();
    }
    expect((await till(spread).lookUp(there, document)).code).toBe(FOUND);
  });
});

describe('a transaction of a network', () => {
  const pairs = CELLS.flatMap((one) => CELLS.filter((other) => other !== one).map((other) => [one, other] as const));
  test.each(pairs)('that paid a cashout in cell %i is used in cell %i, and its claim is nowhere else', async (one, two) => {
    const [first, second] = [await register(spread, one), await register(spread, two)];
    const ids = [];
    for (const password of [first, second]) ids.push((await till(spread).lookUp(password, document)).data['idoperation']);
    const transaction = `C-${count}`;
    expect((await till(spread).pay(ids[0], transaction)).code).toBe('0000');
    expect((await till(spread).pay(ids[0], transaction)).code, 'the same again').toBe('0000');
    expect((await till(spread).pay(ids[1], transaction)).code).toBe('0016');
    expect((await till(spread).reverse(ids[1], transaction)).code).toBe('0001');
    expect((await till(spread).pay(ids[1], `${transaction}-2`)).code).toBe('0000');
    expect((await till(spread).pay(ids[1], transaction)).code, 'it is paid: the transaction comes first').toBe('0016');
    expect((await till(spread).pay('999999999999999999', transaction)).code).toBe('0016');
    expect((await till(spread).pay('999999999999999999', `${transaction}-3`)).code).toBe('0014');
    const dbs = mapCells(caudal.cells, ({ db }) => db);
    for (const { run } of cashoutClaimChecks) expect((await run(dbs)).finding).toBeUndefined();
  });

  test('that paid a cashout in a cell is claimed again at a home that has lost the claim, and what home paid itself is named', async () => {
    const lose = statement('test.lose_collection', 'delete from cashout_payments where transaction_id = $1');
    const owner = openDb({ url: caudal.url, log: caudal.log, connections: 1, statementTimeoutMs: null });
    const dbs = mapCells(caudal.cells, ({ db }) => db);
    const [check] = cashoutClaimChecks;
    const ids: unknown[] = [];
    for (const cell of [1, 2, 0]) ids.push((await till(spread).lookUp(await register(spread, cell), document)).data['idoperation']);
    const pay = async (which: number): Promise<string> => (await till(spread).pay(ids[which], `L-${count}`)).code;
    const claimed = await pay(0);
    await owner.query(lose, [`L-${count}`]);
    expect([claimed, (await check?.run(dbs))?.finding?.problem]).toEqual(['0000', expect.stringContaining(`L-${count}`)]);
    expect(await check?.claimAgain(dbs, {})).toEqual({ claimed: 1, left: [] });
    expect([await pay(0), await pay(1), (await check?.run(dbs))?.finding]).toEqual(['0000', '0016', undefined]);
    await owner.query(lose, [`L-${count}`]);
    expect(await pay(2)).toBe('0000');
    expect(await check?.claimAgain(dbs, {})).toMatchObject({ claimed: 0, left: [{ cell: 1, owner: HOME }] });
    await owner.query(lose, [`L-${count}`]);
    await check?.claimAgain(dbs, {});
    await owner.close();
  });

  test('that comes for cashouts of all cells at once pays one', async () => {
    const ids = [];
    for (const cell of CELLS) ids.push((await till(spread).lookUp(await register(spread, cell), document)).data['idoperation']);
    const codes = await Promise.all(ids.map(async (id) => (await till(spread).pay(id, `R-${count}`)).code));
    expect(codes.toSorted()).toEqual(['0000', '0016', '0016']);
  });
});
