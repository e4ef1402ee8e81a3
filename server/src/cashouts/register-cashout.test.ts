import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../kit/changes/engine.ts';
import { openDb } from '../kit/db.ts';
import { cashoutCalls, countsOf } from '../testing/cashout-calls.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { fixedKey } from '../testing/fixed-key.ts';
import { startCaudalForTest, startTestCaudal, type TestMerchant, type TestCaudal } from '../testing/test-caudal.ts';
import { hashOtp } from './password/one-time-password.ts';
import { createRegister } from './register-cashout.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let calls: ReturnType<typeof cashoutCalls>;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  calls = cashoutCalls(service, merchant);
});
afterAll(() => service.close());

let count = 0;
const nextOperation = (): string => `N-${++count}`;

const rows = <Row>(text: string, ...values: string[]): Promise<Row[]> =>
  service.db.query<Row>({ name: `testing.${text.length}${text}`.slice(0, 60), text }, values);

describe('registering a cashout', () => {
  test('answers all texts in the order of the contract, with the password', async () => {
    const answer = await calls.register(
      calls.registration({
        operation: 'FULL',
        transactionCost: '1500',
        description: 'Premio "único"',
        cellphone: '+57 300',
        expire: '2026-12-01',
      }),
    );
    expect(answer).toEqual({ code: '0000', text: 'OK', data: expect.any(Object) });
    expect(Object.entries(answer.data)).toEqual([
      ['amount', '45000.0'],
      ['transactionCost', '1500.0'],
      ['currency', 'COP'],
      ['description', 'Premio "único"'],
      ['document', '1020304050'],
      ['operation', 'FULL'],
      ['expire', '2026-12-01'],
      ['svCode', expect.stringMatching(/^[0-9]+$/)],
      ['balance', expect.stringMatching(/^[0-9]+\.[0-9]+$/)],
      ['otp', expect.stringMatching(/^[0-9]{6}$/)],
    ]);
  });

  test('takes thirty days, no cost and no description where they are not given', async () => {
    const { data } = await calls.register(
      calls.registration({ operation: nextOperation(), description: null, transactionCost: '', expire: '' }),
    );
    expect(data).toMatchObject({ transactionCost: '0.0', description: '', expire: '2026-12-21' });
  });

  test('keeps of the password a keyed hash alone, and answers it to nobody when it goes by SMS', async () => {
    const operation = nextOperation();
    const sent = await calls.register(calls.registration({ operation, sms: true, cellphone: 3001234567 }));
    expect(sent.data).not.toHaveProperty('otp');
    const given = await calls.register(calls.registration({ operation: nextOperation(), sms: 'false', otpLength: 12 }));
    expect(given.data['otp']).toMatch(/^[0-9]{12}$/);
    const [row] = await rows<{ otp_hash: Buffer }>('select * from cashouts where operation_id = $1', operation);
    expect(row?.otp_hash).toHaveLength(32);
  });

  test('binds the hash of a password to the cashout', () => {
    const key = Buffer.alloc(32, 7);
    const hash = hashOtp(key, { merchantId: 'a', operationId: 'b' }, '123456').toString('hex');
    expect(hashOtp(key, { merchantId: 'a', operationId: 'c' }, '123456').toString('hex')).not.toBe(hash);
    expect(hashOtp(Buffer.alloc(32, 8), { merchantId: 'a', operationId: 'b' }, '123456').toString('hex')).not.toBe(hash);
  });

  test('records what was registered, and counts it', async () => {
    const operation = nextOperation();
    const reply = await service.app.inject({
      method: 'POST',
      url: '/v1/operation/',
      headers: { 'x-request-id': 'r-1', 'content-type': 'application/x-www-form-urlencoded' },
      payload: JSON.stringify(calls.registration({ operation, amount: 11.85, currency: 'USD' })),
    });
    expect(reply.json()).toMatchObject({ code: '0000', data: { amount: '11.85' } });
    const history = await rows('select version, event, actor, request_id, changes from cashout_history where operation_id = $1', operation);
    expect(history).toEqual([
      {
        version: 1,
        event: 'cashout.registered',
        actor: 'merchant',
        request_id: 'r-1',
        changes: {
          state: [null, 'pending'],
          amountMinor: [null, '1185'],
          transactionCostMinor: [null, '0'],
          currency: [null, 'USD'],
          description: [null, ''],
          document: [null, '1020304050'],
          sms: [null, false],
          cellphone: [null, ''],
          expiresOn: [null, '2026-12-21'],
          feeMinor: [null, '0'],
          taxMinor: [null, '0'],
        },
      },
    ]);
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('signs the amount as it was sent, a number as its text', async () => {
    for (const amount of ['45000.00', '45000', '45000.0']) {
      const operation = nextOperation();
      const checksum = calls.sign(merchant.merchantId, operation, amount, 'COP', '99');
      const body = `{"merchant":"${merchant.merchantId}","operation":"${operation}","amount":${amount},"currency":"COP","document":99,"checksum":"${checksum.toUpperCase()}"}`;
      expect(await calls.register(body)).toMatchObject({ code: '0000', data: { amount: '45000.0', document: '99' } });
    }
  });
});

describe('refuses, the first of these that applies:', () => {
  const good = { operation: 'EXISTS' };
  beforeAll(async () => {
    expect(await calls.register(calls.registration(good))).toMatchObject({ code: '0000' });
  });

  /** Each step adds one more fault in front of those before it, so that its own must be the answer. */
  const steps: readonly [code: string, field: string, fault: Record<string, unknown>][] = [
    ['0042', 'operation', {}],
    ['0037', 'expire', { expire: '2026-11-20' }],
    ['0019', 'currency', { currency: 'PEN' }],
    ['0009', 'checksum', { checksum: 'f00' }],
    ['0036', 'expire', { expire: '2026-11-31' }],
    ['0004', 'amount', { amount: '0' }],
    ['0024', 'operation', { operation: 'no spaces' }],
    ['0019', 'document', { document: 'x' }],
    ['0023', 'merchant', { merchant: 'x'.repeat(31) }],
  ];
  test.each(
    steps.map((step, index) => [step[0], step[1], Object.assign({}, ...steps.slice(0, index + 1).map(([, , fault]) => fault))] as const),
  )('%s %s', async (code, field, faults) => {
    const answer = await calls.register(calls.registration({ ...good, ...faults }));
    expect(answer).toEqual({ code, text: expect.stringContaining(field), data: {} });
  });

  test.each([
    ['0019', 'not JSON', '{"merchant":'],
    ['0019', 'a duplicate key', '{"merchant":"a","merchant":"b"}'],
    ['0019', 'an array', '[]'],
    ['0019', 'invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['0023', 'no members', '{}'],
  ])('%s for %s', async (code, _what, body) => {
    expect(await calls.register(body)).toMatchObject({ code, data: {} });
  });

  test.each<[string, Record<string, unknown>]>([
    ['0023', { merchant: undefined }],
    ['0023', { merchant: 5 }],
    ['0023', { merchant: 'a b' }],
    ['0019', { operation: undefined }],
    ['0019', { operation: true }],
    ['0024', { operation: '' }],
    ['0024', { operation: 'x'.repeat(41) }],
    ['0024', { operation: '../x' }],
    ['0019', { amount: undefined }],
    ['0019', { amount: {} }],
    ['0019', { amount: '1'.repeat(33) }],
    ['0004', { amount: '-1' }],
    ['0004', { amount: '0.00' }],
    ['0004', { amount: '1e4' }],
    ['0004', { amount: '1,5' }],
    ['0004', { amount: '11.855' }],
    ['0004', { amount: '12345678901234' }],
    ['0019', { currency: undefined }],
    ['0019', { currency: 'cop' }],
    ['0019', { currency: 'ZZZ' }],
    ['0019', { document: undefined }],
    ['0019', { document: '' }],
    ['0019', { document: '1'.repeat(21) }],
    ['0019', { description: 'x'.repeat(51) }],
    ['0019', { description: 'a\nb' }],
    ['0019', { transactionCost: '-1' }],
    ['0019', { transactionCost: '0.001' }],
    ['0019', { sms: 'yes' }],
    ['0019', { sms: true }],
    ['0019', { sms: true, cellphone: '' }],
    ['0019', { sms: true, cellphone: '12' }],
    // A landline; numbers of no country; and one of another country without a sign.
    ['0019', { sms: true, cellphone: '6015550000' }],
    ['0019', { sms: true, cellphone: '+57 601 555 0000' }],
    ['0019', { sms: true, cellphone: '+999 300 555 0000' }],
    ['0019', { sms: true, cellphone: '+0 300 555 0000' }],
    ['0019', { sms: true, cellphone: '51987654321' }],
    ['0019', { cellphone: 'x'.repeat(21) }],
    ['0019', { cellphone: 'home' }],
    ['0019', { otpLength: 3 }],
    ['0019', { otpLength: 13 }],
    ['0019', { otpLength: '6.0' }],
    ['0036', { expire: '20261201' }],
    ['0036', { expire: '2026-02-29' }],
    ['0019', { expire: 20261201 }],
    ['0009', { checksum: undefined }],
    ['0009', { checksum: '' }],
    ['0009', { checksum: 'xyz' }],
    ['0009', { checksum: 'a'.repeat(513) }],
    ['0037', { expire: '2027-11-22' }],
  ])('%s for %j', async (code, fault) => {
    expect(await calls.register(calls.registration({ operation: nextOperation(), ...fault }))).toMatchObject({ code, data: {} });
  });

  test('accepts the first and the last day, and the bounds of the password', async () => {
    for (const members of [
      { expire: '2026-11-21' },
      { expire: '2027-11-21' },
      { otpLength: '4' },
      { otpLength: 12 },
      { operation: 'x'.repeat(40) },
    ]) {
      expect(await calls.register(calls.registration({ operation: nextOperation(), ...members })), JSON.stringify(members)).toMatchObject({
        code: '0000',
      });
    }
  });

  test('counts days in the zone of the merchant', async () => {
    const service = await startCaudalForTest();
    const calls = cashoutCalls(service, await service.merchant());
    service.clock.set('2026-11-22T04:59:59Z'); // still the 21st in Bogota
    expect(await calls.register(calls.registration({ operation: nextOperation(), expire: '2026-11-21' }))).toMatchObject({ code: '0000' });
    service.clock.set('2026-11-22T05:00:00Z');
    expect(await calls.register(calls.registration({ operation: nextOperation(), expire: '2026-11-21' }))).toMatchObject({ code: '0037' });
  });

  test("speaks the merchant's language once the checksum has proved it, and Spanish before", async () => {
    const abroad = await service.merchant({ language: 'en' });
    const theirs = cashoutCalls(service, abroad);
    expect((await theirs.register(theirs.registration({ currency: 'PEN' }))).text).toMatch(/^The currency/);
    expect((await theirs.register(theirs.registration({ checksum: 'f00' }))).text).toMatch(/^El checksum/);
    expect((await theirs.register(theirs.registration({ merchant: 'nobody' }))).text).toMatch(/^El checksum/);
  });
});

describe('under a race', () => {
  test('64 registrations of one cashout: one wins, the others see that it exists', async () => {
    const operation = nextOperation();
    const bodies = Array.from({ length: 64 }, (_, index) => calls.registration({ operation, amount: `${index + 1}.0` }));
    const answers = await Promise.all(bodies.map((body) => calls.register(body)));
    expect(answers.filter(({ code }) => code === '0000')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === '0042')).toHaveLength(63);
    const first = answers.find(({ code }) => code === '0000');
    const stored = await rows<{ amount_minor: bigint; in_history: bigint }>(
      'select amount_minor, (select count(*) from cashout_history h where h.operation_id = $1) as in_history from cashouts where operation_id = $1',
      operation,
    );
    expect(stored).toEqual([{ amount_minor: BigInt((first?.data['amount'] ?? '').replace('.0', '00')), in_history: 1n }]);
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });

  test('two servers on one database: one wins', async () => {
    const other = openDb({ url: service.url, log: service.log, connections: 1, statementTimeoutMs: 3_000 });
    const request = {
      merchant: await merchant.read(),
      amountMinor: 100n,
      transactionCostMinor: 0n,
      currency: 'COP',
      description: '',
      document: '1',
      sms: false,
      cellphone: '',
      expiresOn: undefined,
      otpLength: 6,
      requestId: 'r',
    };
    const messages = { writes: { mail: false, sms: false }, write: () => undefined };
    const servers = [service.db, other].map((db) =>
      createRegister({
        engine: openEngine({ db, clock: service.clock }),
        otpKey: fixedKey(Buffer.alloc(32)),
        messages,
        shortPasswordDays: 1,
      }),
    );
    for (let round = 0; round < 20; round++) {
      const operations = Array.from({ length: 8 }, nextOperation);
      const answers = await Promise.all(
        operations.flatMap((operationId, index) =>
          // Each server takes them in another order.
          servers.map((register, server) => {
            const chosen = operations[server === 0 ? index : 7 - index] ?? operationId;
            return register({ ...request, operationId: chosen, proof: checksumOf([chosen], '', 'sha256') });
          }),
        ),
      );
      expect(answers.filter((answer) => 'cashout' in answer)).toHaveLength(8);
      expect(answers.filter((answer) => 'refusal' in answer)).toHaveLength(8);
    }
    await other.close();
    const { kept, counted } = await countsOf(service, merchant.merchantId);
    expect(kept).toEqual(counted);
  });
});
