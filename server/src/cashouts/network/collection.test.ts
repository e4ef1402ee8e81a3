import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cashoutChecks } from '../index.ts';
import { withSnapshot } from '../../kit/snapshot.ts';
import { setFees } from '../../ledger/fees.ts';
import { ledgerChecks } from '../../ledger/index.ts';
import { disableMerchant } from '../../merchants/change-merchant.ts';
import { cashoutCalls, countsOf } from '../../testing/cashout-calls.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { fillAccount } from '../../testing/full-account.ts';
import { networkCalls } from '../../testing/network-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: ReturnType<typeof cashoutCalls>;
let efectivo: ReturnType<typeof networkCalls>;
let otra: ReturnType<typeof networkCalls>;

afterEach(async () => {
  const found = await withSnapshot(service.url, async (snapshot) => {
    const findings: unknown[] = [];
    for (const { run } of [...ledgerChecks, ...cashoutChecks]) findings.push((await run(snapshot, service.clock.now())).finding);
    return findings.filter((finding) => finding !== undefined);
  });
  expect(found, 'what verify finds after the test').toEqual([]);
});

/** A fund of 1,000,000 pesos. A cashout costs 2 % and 500 pesos, and 19 % of that. For 45,000: 1,400 and 266. */
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());
beforeEach(async () => {
  merchant = await service.merchant({ fundMinor: 100_000_000n });
  await setFees(service, {
    merchantId: merchant.merchantId,
    kind: 'cashout',
    currency: 'COP',
    percentPpm: 20_000,
    fixedMinor: 50_000n,
    taxPpm: 190_000,
  });
  shop = cashoutCalls(service, merchant);
  efectivo = networkCalls(service, await service.network());
  otra = networkCalls(service, await service.network());
});

let count = 0;
type Registered = { readonly operation: string; readonly document: string; readonly otp: string };
/** Registers for a document of its own: people of other tests must not be in the way. */
async function registered(members: Record<string, unknown> = {}): Promise<Registered> {
  const [operation, document] = [`N-${++count}`, String(900_000 + count)];
  const answer = await shop.register(shop.registration({ operation, document, ...members }));
  expect(answer).toMatchObject({ code: '0000' });
  return { operation, document: answer.data['document'] as string, otp: answer.data['otp'] ?? '' };
}
const wrong = (otp: string): string => (otp === '000000' ? '111111' : '000000');
async function found({ otp, document }: Registered, network = efectivo): Promise<string> {
  const answer = await network.lookUp(otp, document);
  expect(answer).toMatchObject({ code: '0000' });
  return answer.data['idoperation'] as string;
}
const stateOf = async ({ operation, document }: Registered): Promise<string | undefined> =>
  (await shop.query(operation, document)).data['status'];
const advance = (seconds: number): void => service.clock.advance({ seconds });
/** The clock as networks read it: the time in Colombia. */
const shownNow = (): string =>
  service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
let transactions = 0;
const transaction = (): string => `TX-${++transactions}`;

describe('a cashout', () => {
  test('is registered, found by its password and paid: amount to the network, fee and tax to the service', async () => {
    const one = await registered({ description: 'Prize', expire: '2026-12-01' });
    expect(await shop.balance()).toEqual({ balance: '953334.0', reserved: '46666.0' });
    const look = await efectivo.lookUp(one.otp, one.document, { netcode: 'P-14' });
    expect(look).toEqual({
      code: '0000',
      text: 'OK',
      data: {
        idoperation: expect.stringMatching(/^[0-9]+$/),
        operation: one.operation,
        merchant: merchant.merchantId,
        amount: '45000.0',
        transactionCost: '0.0',
        currency: 'COP',
        description: 'Prize',
        document: one.document,
        expire: '2026-12-01',
      },
    });
    const tx = transaction();
    expect(await efectivo.pay(look.data['idoperation'], tx)).toEqual({
      code: '0000',
      text: 'OK',
      data: {
        idoperation: look.data['idoperation'],
        transaction: tx,
        operation: one.operation,
        amount: '45000.0',
        currency: 'COP',
        document: one.document,
        date: '2026-11-21 10:00:00',
        status: 'APROBADA',
      },
    });
    expect(await stateOf(one)).toBe('APROBADA');
    expect(await shop.balance()).toEqual({ balance: '953334.0', reserved: '0.0' });
    expect(await noticesOf(one)).toEqual(['approved']);
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('is paid once: the same transaction again is answered the same, another is refused, other values are 0016', async () => {
    const one = await registered();
    const id = await found(one);
    const tx = transaction();
    const answers = await Promise.all(Array.from({ length: 32 }, () => efectivo.pay(id, tx)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: '0000' });
    expect(await efectivo.pay(id, transaction())).toMatchObject({ code: '0021' });
    expect(await efectivo.pay(id, tx, { teller: 'C-4' })).toMatchObject({ code: '0016' });
    expect(await efectivo.pay(id, tx, { danecode: '11002' })).toMatchObject({ code: '0016' });
    const other = await registered();
    expect(await efectivo.pay(await found(other), tx)).toMatchObject({ code: '0016' });
    expect(await stateOf(other)).toBe('PENDIENTE');
    advance(60 * 60);
    expect(await efectivo.pay(id, tx)).toEqual(answers[0]);
    expect(await noticesOf(one)).toEqual(['approved']);
  });

  test('waits where an account cannot hold its money, and moves once that is settled', async () => {
    const { merchantId } = merchant;
    const [held, paid, back] = [await registered(), await registered(), await registered()];
    const full = { code: '0953' };
    const settled = await fillAccount(service, { merchantId, account: 'reserved' });
    const next = shop.registration({ operation: `${held.operation}-next`, document: held.document });
    expect(await shop.register(next)).toMatchObject(full);
    await settled();
    expect(await shop.register(next)).toMatchObject({ code: '0000' });

    const emptied = await fillAccount(service, { merchantId, account: 'available' });
    expect(await shop.cancel(held.operation, held.document)).toMatchObject(full);
    const [id, other] = [await found(paid), await found(back, otra)];
    const [tx, otherTx] = [transaction(), transaction()];
    expect(await otra.pay(other, otherTx)).toMatchObject({ code: '0000' });
    const reversals = [otra.reverse(other, otherTx), ...['A', 'B', 'C'].map((unknown) => otra.reverse(other, unknown))];
    const [isFull, ...others] = await Promise.allSettled(reversals);
    expect(isFull).toMatchObject({ reason: { message: expect.stringContaining('HTTP 503') as string } });
    expect(others.map((one) => 'value' in one && one.value.code)).toEqual(['0001', '0001', '0001']);
    await emptied();
    expect(await otra.reverse(other, otherTx)).toMatchObject({ code: '0000' });
    expect(await shop.cancel(held.operation, held.document)).toMatchObject({ code: '0000' });

    const paidOff = await fillAccount(service, { merchantId, account: `network:${efectivo.netname}` });
    await expect(efectivo.pay(id, tx)).rejects.toThrow('HTTP 503');
    expect(await stateOf(paid)).toBe('PENDIENTE');
    await paidOff();
    expect(await efectivo.pay(id, tx)).toMatchObject({ code: '0000' });
  });

  test('goes back to the fund when its payment is reversed in 50 seconds, and nobody hands out money for it again', async () => {
    const one = await registered();
    const id = await found(one);
    const tx = transaction();
    await efectivo.pay(id, tx);
    advance(50);
    const reversed = await efectivo.reverse(id, tx);
    expect(reversed).toMatchObject({ code: '0000', data: { transaction: tx, status: 'ANULADA', date: shownNow() } });
    expect(await shop.balance()).toEqual({ balance: '1000000.0', reserved: '0.0' });
    advance(60);
    expect(await efectivo.reverse(id, tx)).toEqual(reversed);
    expect(await efectivo.pay(id, tx)).toMatchObject({ code: '0021' });
    expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
    expect(await stateOf(one)).toBe('ANULADA');
    expect(await noticesOf(one)).toEqual(['approved']);
  });

  test('is collected and reversed also when its merchant was disabled meanwhile', async () => {
    const one = await registered();
    await disableMerchant(service, merchant.merchantId);
    await eventually(SOON_MS, async () => expect((await shop.query(one.operation, one.document)).code).toBe('0009'));
    const [id, tx] = [await found(one), transaction()];
    expect(await efectivo.pay(id, tx)).toMatchObject({ code: '0000' });
    expect(await efectivo.reverse(id, tx)).toMatchObject({ code: '0000', data: { status: 'ANULADA' } });
  });

  test('stays paid after 50 seconds; a reversal by anybody else finds no transaction', async () => {
    const one = await registered();
    const id = await found(one);
    const tx = transaction();
    await efectivo.pay(id, tx);
    expect(await otra.reverse(id, tx)).toMatchObject({ code: '0001' });
    expect(await efectivo.reverse('999', tx)).toMatchObject({ code: '0001' });
    service.clock.advance({ milliseconds: 50_001 });
    expect(await efectivo.reverse(id, tx)).toMatchObject({ code: '0018' });
    expect(await stateOf(one)).toBe('APROBADA');
  });
});

describe('a network', () => {
  test('holds what it has found for five minutes, against other networks, its merchant and the operator', async () => {
    const one = await registered();
    const id = await found(one);
    expect(await otra.lookUp(one.otp, one.document)).toMatchObject({ code: '0013' });
    expect(await otra.pay(id, transaction())).toMatchObject({ code: '0013' });
    expect(await shop.cancel(one.operation, one.document)).toMatchObject({ code: '0013' });
    expect(await shop.renew(one.operation, one.document)).toMatchObject({ code: '0013' });
    advance(5 * 60);
    expect(await efectivo.pay(id, transaction())).toMatchObject({ code: '0013' });
    expect(await otra.pay(id, transaction())).toMatchObject({ code: '0014' });
    await found(one, otra);
    expect(await otra.pay(id, transaction())).toMatchObject({ code: '0000' });
  });

  test('that pays and a merchant that cancels at once: one of both, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await registered();
      const id = await found(one);
      advance(5 * 60 - 1 + (round % 2));
      const [paid, cancelled] = await Promise.all([efectivo.pay(id, transaction()), shop.cancel(one.operation, one.document)]);
      expect([paid.code, cancelled.code].filter((code) => code === '0000')).toHaveLength(1);
      expect(await stateOf(one)).toBe(paid.code === '0000' ? 'APROBADA' : 'CANCELADA');
    }
  });

  test('holds nothing beyond the last day', async () => {
    service.clock.set('2026-11-22T04:58:00Z');
    const one = await registered({ expire: '2026-11-21' });
    const id = await found(one);
    advance(2 * 60);
    expect(await efectivo.pay(id, transaction())).toMatchObject({ code: '0021' });
    expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
  });

  test('finds of several cashouts of one person the one whose password it is', async () => {
    const person = { document: '77001' };
    const many = [];
    for (let index = 0; index < 5; index++) many.push(await registered(person));
    for (const one of many.toReversed()) {
      expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ data: { operation: one.operation } });
    }
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['0019', 'otp', { otp: undefined }],
    ['0019', 'otp', { otp: '123' }],
    ['0019', 'document', { document: 'x' }],
    ['0019', 'netcode', { netcode: 'a\nb' }],
    ['0009', 'checksum', { checksum: 'f00' }],
    ['0009', 'checksum', { checksum: undefined }],
  ])('is refused with %s for a look-up with a fault in %s', async (code, field, members) => {
    expect(await efectivo.lookUp('123456', '1', members)).toEqual({ code, text: expect.stringContaining(field), data: {} });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['0019', 'idoperation', { idoperation: '9'.repeat(19) }],
    ['0019', 'transaction', { transaction: 'a/b' }],
    ['0019', 'teller', { teller: 'x'.repeat(41) }],
    ['0009', 'checksum', { checksum: 'f00' }],
  ])('is refused with %s for a payment with a fault in %s', async (code, field, members) => {
    expect(await efectivo.pay('1', 'T', members)).toEqual({ code, text: expect.stringContaining(field), data: {} });
  });

  test('that does not exist, is disabled or signs wrongly gets one answer; a name that none can have another', async () => {
    const nobody = networkCalls(service, { netname: 'nobody', secret: 'x' });
    const refused = { code: '0009', text: 'El checksum no corresponde a los valores enviados', data: {} };
    expect(await nobody.lookUp('123456', '1')).toEqual(refused);
    expect(await networkCalls(service, { ...(await service.network()), secret: 'x' }).lookUp('123456', '1')).toEqual(refused);
    expect(await networkCalls(service, { netname: 'No', secret: 'x' }).lookUp('123456', '1')).toMatchObject({ code: '0010' });
    expect(await efectivo.pay('999999999999999999', 'T')).toMatchObject({ code: '0014' });
  });
});

const triesOf = (operation: string) =>
  service.db.query<{ readonly tries: number }>(
    { name: 'testing.tries_of_cashout', text: 'select otp_wrong_tries as tries from cashouts where operation_id = $1' },
    [operation],
  );

describe('passwords', () => {
  test('five wrong ones end a cashout, until it gets a new one', async () => {
    const one = await registered();
    for (let tries = 0; tries < 5; tries++) expect(await efectivo.lookUp(wrong(one.otp), one.document)).toMatchObject({ code: '0002' });
    expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
    advance(24 * 60 * 60);
    expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
    const renewed = await shop.renew(one.operation, one.document, { otpLength: 8 });
    expect(renewed).toEqual({
      code: '0000',
      text: 'OK',
      data: { operation: one.operation, document: one.document, otp: expect.stringMatching(/^[0-9]{8}$/) },
    });
    expect(await efectivo.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
    expect(await efectivo.lookUp(renewed.data['otp'], one.document)).toMatchObject({ code: '0000' });
  });

  test('a document with money and one without get the same answers to every wrong one', async () => {
    const one = await registered();
    const ask = (document: string) => efectivo.lookUp(wrong(one.otp), document);
    for (let tries = 0; tries < 12; tries++) expect(await ask(one.document)).toEqual(await ask('88002'));
    // Its own password is then answered as a wrong one, at every network.
    expect(await otra.lookUp(one.otp, one.document)).toEqual(await otra.lookUp(one.otp, '88003'));
  });

  test('32 guesses at once, on two servers, are five guesses', async () => {
    const other = await service.openAnother();
    await other.app.ready();
    // Each is a transaction of its own, and they take turns at the cashout.
    const elsewhere = networkCalls(other, await service.network());
    for (let round = 0; round < 5; round++) {
      const one = await registered({ otpLength: 4 });
      const guesses = Array.from({ length: 32 }, (_, index) => String(index).padStart(4, '0')).filter((otp) => otp !== one.otp);
      const answers = await Promise.all(guesses.map((otp, index) => (index % 2 === 0 ? efectivo : elsewhere).lookUp(otp, one.document)));
      expect(answers.filter(({ code }) => code === '0002')).toHaveLength(20);
      expect(answers.filter(({ code }) => code === '0013')).toHaveLength(guesses.length - 20);
      expect(await triesOf(one.operation)).toEqual([{ tries: 5 }]);
      expect(await otra.lookUp(one.otp, one.document)).toMatchObject({ code: '0002' });
    }
    await other.close();
  });

  test('ten wrong ones of a document at a network in a quarter of an hour are enough, whatever the document has', async () => {
    const document = '88001';
    // Zeros before a number are no other number.
    for (let tries = 0; tries < 10; tries++)
      expect(await efectivo.lookUp('123456', `${'0'.repeat(tries)}${document}`)).toMatchObject({ code: '0002' });
    const one = await registered({ document });
    expect(await efectivo.lookUp(one.otp, document)).toMatchObject({ code: '0013' });
    await found(one, otra);
    advance(15 * 60);
    expect(await efectivo.lookUp(wrong(one.otp), document)).toMatchObject({ code: '0002' });
    expect(await efectivo.lookUp(one.otp, document)).toMatchObject({ code: '0000' });
    advance(15 * 60);
    await service.runJobs();
    expect(await service.db.query({ name: 'testing.tries', text: `select from cashout_wrong_tries where document = '88001'` }, [])).toEqual(
      [],
    );
  });

  test('twenty wrong ones at a point of sale are enough, whatever the documents; other points go on', async () => {
    const one = await registered();
    for (let tries = 0; tries < 20; tries++)
      expect(await efectivo.lookUp('123456', `99${tries}`, { netcode: 'P-1' })).toMatchObject({ code: '0002' });
    expect(await efectivo.lookUp(one.otp, one.document, { netcode: 'P-1' })).toMatchObject({ code: '0013' });
    expect(await efectivo.lookUp(one.otp, one.document, { netcode: 'P-2' })).toMatchObject({ code: '0000' });
    advance(15 * 60);
    expect(await efectivo.lookUp(one.otp, one.document, { netcode: 'P-1' })).toMatchObject({ code: '0000' });
    await service.runJobs();
    expect(await service.db.query({ name: 'testing.places', text: 'select from cashout_wrong_tries_of_places' }, [])).toEqual([]);
  });

  test('three new ones and no more; a cancelled cashout gets none', async () => {
    const one = await registered();
    for (let times = 0; times < 3; times++) expect(await shop.renew(one.operation, one.document)).toMatchObject({ code: '0000' });
    expect(await shop.renew(one.operation, one.document)).toMatchObject({ code: '0013' });
    await shop.cancel(one.operation, one.document);
    expect(await shop.renew(one.operation, one.document)).toMatchObject({ code: '0021' });
    expect(await shop.renew(one.operation, '1')).toMatchObject({ code: '0014' });
    expect(await shop.balance()).toEqual({ balance: '1000000.0', reserved: '0.0' });
  });

  test('go by SMS in the transaction of what they open, and into no answer', async () => {
    const one = await registered({ sms: true, cellphone: '3001234567' });
    expect(one.otp).toBe('');
    expect(await shop.renew(one.operation, one.document)).toEqual({
      code: '0000',
      text: 'OK',
      data: { operation: one.operation, document: one.document },
    });
    const sent = await service.db.query({ name: 'testing.sms', text: `select kind from messages where subject_id = $1` }, [one.operation]);
    expect(sent).toEqual([{ kind: 'one_time_password' }, { kind: 'one_time_password' }]);
  });
});

const noticesOf = async ({ operation }: Registered): Promise<string[]> =>
  (
    await service.db.query<{ status: string }>(
      { name: 'testing.notices', text: `select status from notices where kind = 'cashout' and subject_id = $1 order by notice_id` },
      [operation],
    )
  ).map(({ status }) => status);
