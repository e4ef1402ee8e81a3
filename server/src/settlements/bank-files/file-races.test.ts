import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement, type Db } from '../../kit/db.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { Caudal } from '../../main/rooms.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { findings } from '../../testing/findings.ts';
import { holdRows } from '../../testing/held-rows.ts';
import { openSettledShop } from '../../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { settlementChecks } from '../index.ts';
import { makeFile } from './make-file.ts';

// Two servers on one database ask for files at once. The test holds a settlement, so that both have gone as far as they get.

let service: TestCaudal;
let other: Caudal;
beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4 } });
  other = await service.openAnother({ databaseConnections: 4 });
});
afterAll(async () => {
  expect(await findings(service, settlementChecks)).toEqual([]);
  await other.close();
  await service.close();
});

const ACCOUNT = {
  bankCode: '1051',
  bankName: 'Banco',
  type: 'savings',
  number: '0047001234',
  holderName: 'Panadería Ñandú',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const WAITING = statement(
  'test.makers_that_wait',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/** A machine that is busy takes longer than a lock is waited for. */
const WAIT_LONG = statement('test.wait_long_for_locks', 'set local lock_timeout = 0');
const patient = (db: Pick<Db, 'transaction'>): Pick<Db, 'transaction'> => ({
  transaction: (work) =>
    db.transaction(async (tx) => {
      await tx.query(WAIT_LONG, []);
      return work(tx);
    }),
});

/** A merchant with one approved settlement, that nobody can lock until the test lets go of it. */
async function heldSettlement() {
  const shop = await openSettledShop(service);
  const { owner, merchantId } = shop;
  for (const [path, body] of [
    ['/calendars/colombia', {}],
    ['/bank-file-layouts/bank', { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: ACCOUNT }],
  ] as const)
    expect(await owner.send('PUT', path, body)).toMatchObject({ status: 200 });
  const schedule = { period: 'on_demand', calendar: 'colombia', account: ACCOUNT };
  expect(await owner.send('PATCH', `/settlement-schedules/${merchantId}/COP`, schedule)).toMatchObject({ status: 200 });
  const approved = async () => {
    await shop.pay();
    const { settlementId } = await shop.run();
    await shop.step({ settlementId }, { to: 'approved' });
    return settlementId;
  };
  const settlementId = await approved();
  const letGo = await holdRows(service.url, 'select from settlements where merchant_id = $1 for update', [merchantId]);
  const make = ({ db }: Pick<Caudal, 'db'>, fileId: string, settlementIds?: readonly bigint[], most?: number) =>
    makeFile(
      { ...shop.deps, db: patient(db), ...(most && { most }) },
      { fileId, layout: 'bank', currency: 'COP', settlementIds, payOn: undefined },
    );
  /** Waits until so many transactions wait for a lock. */
  const whenWaiting = (count: number) => eventually(SOON_MS, async () => expect(await service.db.query(WAITING, [])).toHaveLength(count));
  return { settlementId, approved, letGo, make, whenWaiting };
}

test('of two that make one file at once, the second gets the bytes of the first', async () => {
  const { settlementId, letGo, make, whenWaiting } = await heldSettlement();
  const first = make(service, 'F-1');
  await whenWaiting(1);
  const second = make(other, 'F-1');
  await whenWaiting(2);
  await letGo();
  const [one, two] = await Promise.all([first, second]);
  expect(one).toMatchObject({ file: { settlementIds: [settlementId] }, isRepeated: false });
  expect(two).toEqual({ ...one, isRepeated: true });
});

test.each(['all that is approved', 'a list'])(
  'of two that put one settlement into files of theirs at once, by %s, one has it',
  async (by) => {
    const { settlementId, letGo, make, whenWaiting } = await heldSettlement();
    const listed = by === 'a list' ? [settlementId] : undefined;
    const makers = [make(service, `${by} 1`, listed), make(other, `${by} 2`, listed)];
    await whenWaiting(2);
    await letGo();
    const made = await Promise.all(makers);
    expect(made.filter((one) => !isRefusal(one))).toMatchObject([{ file: { settlementIds: [settlementId] }, isRepeated: false }]);
    const refused = listed ? { refusal: 'settlements_unfit', unfit: [`${settlementId} is sent`] } : { refusal: 'nothing_to_send' };
    expect(made.filter(isRefusal)).toEqual([refused]);
  },
);

test('of two that make files at once of all that is approved, the second has what does not fit into the first', async () => {
  const { settlementId, approved, letGo, make, whenWaiting } = await heldSettlement();
  const next = await approved();
  const first = make(service, 'P-1', undefined, 1);
  await whenWaiting(1);
  const second = make(other, 'P-2', undefined, 1);
  await whenWaiting(2);
  await letGo();
  expect(await first).toMatchObject({ file: { settlementIds: [settlementId] }, isMore: true });
  expect(await second).toMatchObject({ file: { settlementIds: [next] }, isMore: false });
});
