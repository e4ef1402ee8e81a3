import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { NOTIFY_NETWORK_CHANGE, signingSecretOf, type NetworkSigning } from '../networks/network-rows.ts';
import type { CreatedNetwork } from '../networks/index.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import * as fc from '../testing/fast-check.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { networkCalls, networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { signatureHeaders } from './index.ts';

const SET = statement('test.set_signing_of_network', 'update networks set signing = $2 where network_id = $1');
const DOCUMENT = '1020304050';

let service: TestCaudal;
let merchant: TestMerchant;
let count = 0;

beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  await asOwner('alter table networks drop constraint networks_signing_check');
});
afterAll(() => service.close());

/** As a migration of a later release does. */
async function asOwner(sql: string): Promise<void> {
  const owner = new Client(service.url);
  await owner.connect();
  await owner.query(sql);
  await owner.end();
}

/** A network with a setting. */
async function networkThat(signing: NetworkSigning): Promise<CreatedNetwork> {
  const network = await service.network();
  await service.db.query(SET, [network.netname, signing]);
  await service.db.query(NOTIFY_NETWORK_CHANGE, [network.netname]);
  const isKnown = (): Promise<unknown> => service.networks.find(network.netname);
  await eventually(SOON_MS, async () => expect(await isKnown()).toMatchObject({ signing }));
  return network;
}

/** Sends what somebody can send who saw a network's requests and has no secret. */
async function unsigned(method: 'POST' | 'PATCH', url: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const reply = await service.app.inject({ method, url, payload: JSON.stringify(body), headers });
  const { CODE, code } = reply.json<Record<string, string>>();
  return (CODE ?? code) as string;
}

const lookUp = ({ netname, secret }: CreatedNetwork, otp: string, document: string): Promise<string> =>
  unsigned('POST', `/cashout/v1/order/${netname}`, { otp, document, checksum: checksumOf([netname, otp, document], secret) });
const pay = ({ netname }: CreatedNetwork, idoperation: string, transaction: string, checksum: string): Promise<string> =>
  unsigned('POST', `/cashout/v1/transaction/${netname}`, { idoperation, transaction, teller: 'C-3', danecode: '11001', checksum });
const sumOf = ({ netname, secret }: CreatedNetwork, ...values: string[]): string => checksumOf([netname, ...values], secret);

async function registered(): Promise<{ readonly otp: string; readonly document: string }> {
  const payer = cashoutCalls(service, merchant);
  const document = `${DOCUMENT}${++count}`;
  const { data } = await payer.register(payer.registration({ operation: `W-${count}`, document }));
  return { otp: data['otp'] as string, document };
}

/** A cashout that the network has found and may pay. */
async function held(network: CreatedNetwork): Promise<string> {
  const { otp, document } = await registered();
  return (await networkCalls(service, network).lookUp(otp, document)).data['idoperation'] as string;
}

const LATER = 'of a later release' as NetworkSigning;

test('a setting of a later release is as strict as require', async () => {
  const { otp, document } = await registered();
  expect(await lookUp(await networkThat('checksum'), otp, document)).not.toBe('0009');
  expect(await lookUp(await networkThat(LATER), otp, document)).toBe('0009');
});

describe.each<NetworkSigning>(['require', 'checksum'])('of a network with the setting %s', (signing) => {
  test('the checksum of looking up a reference pays no cashout', async () => {
    const network = await networkThat(signing);
    const idoperation = await held(network);
    const reference = `${idoperation}7788990011`;
    const checksum = sumOf(network, reference);
    await unsigned('POST', `/api/v3/references/${network.netname}`, { reference, checksum });
    expect(await pay(network, idoperation, '7788990011', checksum)).toBe('0009');
  });

  test('the checksum of looking up a cashout pays none', async () => {
    const network = await networkThat(signing);
    const idoperation = await held(network);
    const [otp, document] = [`${idoperation}1234`, '5566778899'];
    await lookUp(network, otp, document);
    expect(await pay(network, idoperation, '12345566778899', sumOf(network, otp, document))).toBe('0009');
  });

  test('the checksum of reversing a payment of an order pays no cashout, though its values are the same', async () => {
    const network = await networkThat(signing);
    const idoperation = await held(network);
    const checksum = sumOf(network, idoperation, '7788');
    await unsigned('PATCH', `/api/v3/payments/${network.netname}/${idoperation}`, { idorder: '7788', checksum });
    expect(await pay(network, idoperation, '7788', checksum)).toBe('0009');
  });

  test('the checksum of a payment makes no second payment of the same text', async () => {
    const network = await networkThat(signing);
    const { data } = await orderCalls(service, merchant).create({ order: `R-${++count}`, recurrent: true });
    const idorder = String(data['SVordenID']);
    const values = { transaction: 'T-10', amount: '45000', money: 'COP', idorder };
    const checksum = sumOf(network, 'T-10', '45000', 'COP', idorder);
    const url = `/api/v3/payments/${network.netname}`;
    expect(await unsigned('POST', url, { ...values, checksum })).toBe('0025');
    expect((await networkOrderCalls(service, network).pay(idorder, 'T-10', '45000')).code).toBe('0000');
    expect(await unsigned('POST', url, { ...values, transaction: 'T-1', amount: '045000', checksum })).toMatch(/0021|0025/);
  });

  test('no second cut of the text of a payment is accepted', async () => {
    const network = await networkThat(signing);
    const own = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(own, fc.nat(), async (transaction, at) => {
        const idoperation = await held(network);
        const text = idoperation + transaction;
        const checksum = sumOf(network, text);
        await pay(network, idoperation, transaction, checksum);
        const cut = 1 + (at % (text.length - 1));
        if (cut === idoperation.length) return;
        expect(await pay(network, text.slice(0, cut), text.slice(cut), checksum)).toMatch(/0009|0019/);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a network signs', () => {
  test('and without a signature nothing of it is carried out', async () => {
    const network = await networkThat('require');
    const { otp, document } = await registered();
    expect(await lookUp(network, otp, document)).toBe('0009');
    const { netname } = network;
    const reply = await service.app.inject({
      method: 'POST',
      url: `/api/v3/references/${netname}`,
      payload: JSON.stringify({ reference: '1', checksum: sumOf(network, '1'), language: 'en' }),
    });
    expect(reply.json()).toMatchObject({ CODE: '0025', DESC: expect.stringContaining('webhook-signature') as string });
  });

  test('each request with an id of its own, for its method, address and body, within five minutes', async () => {
    const network = await networkThat('require');
    const { otp, document } = await registered();
    const url = `/cashout/v1/order/${network.netname}`;
    const body = { otp, document, checksum: sumOf(network, otp, document) };
    const content = { method: 'POST', url, body: Buffer.from(JSON.stringify(body)) };
    const headers = (now = service.clock.now(), of = content): Record<string, string> => signatureHeaders(network.signingSecret, of, now);
    expect(network.signingSecret).toBe(signingSecretOf(network.secret));
    expect(await unsigned('POST', url, body, headers(service.clock.now().subtract({ seconds: 301 })))).toBe('0009');
    expect(await unsigned('POST', url, { ...body, netcode: 'P-1' }, headers())).toBe('0009');
    expect(await unsigned('POST', url, body, headers(undefined, { ...content, url: `${url}x` }))).toBe('0009');
    const right = headers();
    expect(await unsigned('POST', url, body, right)).toBe('0000');
    expect(await unsigned('POST', url, body, right)).toBe('0009');
  });
});

test('with the setting checksum a network collects without a signature, and only orders need one', async () => {
  const network = await networkThat('checksum');
  const { netname } = network;
  const { otp, document } = await registered();
  expect(await lookUp(network, otp, document)).toBe('0000');
  expect(await lookUp(network, otp, document)).toBe('0000');
  const idoperation = (await networkCalls(service, network).lookUp(otp, document)).data['idoperation'] as string;
  const checksum = sumOf(network, idoperation, 'T-1');
  expect(await pay(network, idoperation, 'T-1', checksum)).toBe('0000');
  expect(await pay(network, idoperation, 'T-1', checksum)).toBe('0000');
  const reversal = { idoperation, checksum: sumOf(network, 'T-1', idoperation) };
  expect(await unsigned('PATCH', `/cashout/v1/transaction/${netname}/T-1`, reversal)).toBe('0000');
  const reference = { reference: '1', checksum: sumOf(network, '1') };
  expect(await unsigned('POST', `/api/v3/references/${netname}`, reference)).toBe('0025');
});
