import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { topUp } from '../ledger/index.ts';
import { setOpenAmounts } from '../merchants/family/set-open-amounts.ts';
import { checksumOf } from '../testing/checksum-of.ts';
import { openDatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { postingDb } from '../testing/posting-db.ts';

let service: TestCaudal;
let merchant: TestMerchant;
let shop: OrderCalls;
beforeAll(async () => {
  service = await startTestCaudal();
  merchant = await service.merchant();
  shop = orderCalls(service, merchant);
  const funded = await topUp(
    { db: postingDb(service.db, service.clock, merchant.merchantId), clock: service.clock },
    { merchantId: merchant.merchantId, currency: 'COP', amountMinor: 1_000_000_00n },
  );
  if (isRefusal(funded)) throw new Error(funded.refusal);
});
afterAll(() => service.close());

type Answer = { code: string; CODE: string; data: Record<string, string>; DATA: Record<string, string> };
type InboxMessage = Readonly<Record<'channel' | 'about' | 'kind' | 'to' | 'text' | 'html' | 'id' | 'state' | 'otp', string>> & {
  readonly headers: Record<string, string> | null;
};

async function call(method: 'POST' | 'PATCH', path: string, payload?: object | string): Promise<Answer> {
  const response = await service.app.inject({ method, url: `/sandbox/v1/${path}`, ...(payload === undefined ? {} : { payload }) });
  expect(response.statusCode).toBe(200);
  return response.json<Answer>();
}

async function inbox(parameters = ''): Promise<readonly InboxMessage[]> {
  const response = await service.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}${parameters}`);
  return response.json<{ data: { messages: InboxMessage[] } }>().data.messages;
}

const sendAgain = (notice: string) => service.app.inject({ method: 'POST', url: `/sandbox/inbox/notices/${notice}` });

async function register(fields: Readonly<Record<string, string | boolean>>): Promise<Record<string, string>> {
  const { merchantId, fixedHash } = merchant;
  const body = {
    merchant: merchantId,
    operation: 'W-1',
    amount: '45000',
    currency: 'COP',
    document: '1020304050',
    description: 'Prize',
    ...fields,
  };
  const signed = [body.merchant, body.operation, body.amount, body.currency, body.document] as string[];
  const payload = { cellphone: '3005550101', ...body, checksum: checksumOf(signed, fixedHash) };
  const response = await service.app.inject({ method: 'POST', url: '/cashout/v1/operation', payload });
  expect(response.json()).toMatchObject({ code: '0000' });
  return response.json<Answer>().data;
}

describe('a simulated payment', () => {
  test('pays the order of a reference as a network does, and can be reversed for a while', async () => {
    const { data } = await shop.create({ order: 'A-1', amount: '45000' });
    const paid = await call('POST', 'payments', { reference: data['Referencia'] });
    expect(paid).toMatchObject({ CODE: '0000', DATA: { OrdenID: 'A-1', Monto: '45000.0', Operacion: 'PAGADA' } });
    expect((await shop.query('A-1')).data).toMatchObject({ STATE: 'APROBADA' });
    const reversed = await call('PATCH', `payments/${paid.DATA['Transaccion']}`);
    expect(reversed).toMatchObject({ CODE: '0000', DATA: { Operacion: 'REVERSADA' } });
    expect((await shop.query('A-1')).data).toMatchObject({ STATE: 'ANULADA' });
  });

  test('pays what the payer of an open amount chose, and of another order nothing but its own amount', async () => {
    await setOpenAmounts(service, merchant.merchantId, [{ currency: 'COP', least: '1000', most: '500000' }]);
    const { data } = await eventually(SOON_MS, async () => {
      const answer = await shop.create({ order: 'A-0', amount: '0' });
      expect(answer.code).toBe('0000');
      return answer;
    });
    const reference = data['Referencia'];
    expect((await call('POST', 'payments', { reference })).CODE).toBe('0021');
    expect((await call('POST', 'payments', { reference, amount: '999' })).CODE).toBe('0905');
    for (const amount of ['5.000', '7000.000']) expect((await call('POST', 'payments', { reference, amount })).CODE).toBe('0021');
    expect(await call('POST', 'payments', { reference, amount: 7000 })).toMatchObject({ CODE: '0000', DATA: { Monto: '7000.0' } });
    const fixed = (await shop.create({ order: 'A-00', amount: '45000' })).data['Referencia'];
    expect((await call('POST', 'payments', { reference: fixed, amount: '44000' })).CODE).toBe('0905');
  });

  test('is refused as a network is: not open, unknown, too late, malformed', async () => {
    const { data } = await shop.create({ order: 'A-2' });
    const paid = await call('POST', 'payments', { reference: data['Referencia'] });
    expect((await call('POST', 'payments', { reference: data['Referencia'] })).CODE).toBe('0001');
    expect((await call('POST', 'payments', { reference: 1 })).CODE).toBe('0001');
    expect((await call('POST', 'payments', {})).CODE).toBe('0011');
    expect((await call('POST', 'payments', '[]')).code).toBe('0019');
    expect((await call('POST', 'payments')).code).toBe('0019');
    for (const transaction of ['nothing', '1-x', 'a%20b', '%00', '99999999999999999999-1'])
      expect((await call('PATCH', `payments/${transaction}`)).CODE).toMatch(/^00(01|11)$/);
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/clock', payload: { advance: 'PT51S' } });
    expect((await call('PATCH', `payments/${paid.DATA['Transaccion']}`)).CODE).toBe('0907');
  });
});

describe('a simulated collection', () => {
  test('hands out the cash of a document and its one-time password, and can be reversed for a while', async () => {
    const { otp } = await register({ operation: 'W-1', sms: false });
    const wrong = await call('POST', 'collections', { document: '1020304050', otp: otp === '000000' ? '111111' : '000000' });
    expect(wrong).toMatchObject({ code: '0002' });
    const paid = await call('POST', 'collections', { document: '1020304050', otp });
    expect(paid).toMatchObject({ code: '0000', data: { operation: 'W-1', amount: '45000.0', status: 'APROBADA' } });
    const reversed = await call('PATCH', `collections/${paid.data['transaction']}`);
    expect(reversed).toMatchObject({ code: '0000', data: { status: 'ANULADA' } });
    expect((await call('PATCH', 'collections/nothing')).code).toBe('0001');
    expect((await call('POST', 'collections', {})).code).toBe('0019');
  });

  test('takes the password out of the inbox when it went by SMS', async () => {
    await register({ operation: 'W-2', document: '77', sms: true });
    const sms = (await inbox()).find(({ channel, about }) => channel === 'sms' && about === 'W-2');
    expect(sms).toMatchObject({ kind: 'one_time_password', to: '573005550101' });
    const otp = sms?.otp;
    expect(sms?.text).toContain(otp);
    expect(await call('POST', 'collections', { document: '77', otp })).toMatchObject({ code: '0000' });
  });
});

test('answers have the members of the OpenAPI document', async () => {
  type Schema = { readonly properties?: Record<string, Schema>; readonly anyOf?: readonly Schema[]; readonly items?: Schema };
  type Document = {
    paths: Record<string, Record<string, { responses: { 200: { content: { 'application/json': { schema: Schema } } } } }>>;
  };
  const { paths } = (await service.app.inject('/openapi.json')).json<Document>();
  const schemaOf = (path: string, method: string): Schema => {
    const { properties = {} } = paths[`/sandbox/v1/${path}`]![method]!.responses[200].content['application/json'].schema;
    return (properties['DATA'] ?? properties['data'])!.anyOf![0]!;
  };
  const same = (shown: object, { properties = {} }: Schema): void =>
    expect(Object.keys(shown).toSorted()).toEqual(Object.keys(properties).toSorted());

  const { data } = await shop.create({ order: 'M-1' });
  const paid = await call('POST', 'payments', { reference: data['Referencia'] });
  same(paid.DATA, schemaOf('payments', 'post'));
  same((await call('PATCH', `payments/${paid.DATA['Transaccion']}`)).DATA, schemaOf('payments/{transaction}', 'patch'));
  const { otp } = await register({ operation: 'M-2', document: '88', sms: false });
  const collected = await call('POST', 'collections', { document: '88', otp });
  same(collected.data, schemaOf('collections', 'post'));
  same((await call('PATCH', `collections/${collected.data['transaction']}`)).data, schemaOf('collections/{transaction}', 'patch'));
  same((await call('POST', 'clock', { advance: 'PT0S' })).data, schemaOf('clock', 'post'));
  same((await inbox())[0]!, schemaOf('inbox', 'get').properties!['messages']!.items!);
});

test('a simulation without its database says when to try again, as every operation', async () => {
  const proxy = await openDatabaseProxy(service.url);
  const cutOff = await service.openAnother({}, proxy.url);
  await cutOff.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: '1' } }); // Makes the network.
  proxy.refuse(true);
  proxy.cut();
  for (const [path, payload] of [
    ['payments', { reference: '1' }],
    ['collections', { document: '1', otp: '1' }],
  ] as const) {
    const answer = await cutOff.app.inject({ method: 'POST', url: `/sandbox/v1/${path}`, payload });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json<Answer>().code]).toEqual([503, '1', '0953']);
  }
  await cutOff.close();
  await proxy.close();
});

describe('the inbox', () => {
  test('shows mail, SMS and notices, the newest first, to programs and to people', async () => {
    const { data } = await shop.create({ order: 'I-1', email: 'ana@example.com', description: '<b>Socks & "shoes"</b>' });
    service.clock.advance({ seconds: 1 });
    await call('POST', 'payments', { reference: data['Referencia'] });
    const messages = (await inbox('&limit=500')).filter(({ about }) => about === 'I-1');
    expect(messages.map(({ channel, kind }) => `${channel} ${kind}`).toSorted()).toEqual([
      'mail order_created',
      'mail order_paid',
      'notice order_approved',
    ]);
    expect(messages.at(-1)).toMatchObject({ kind: 'order_created', to: 'ana@example.com' });
    const notice = messages.find(({ channel }) => channel === 'notice');
    expect(JSON.parse(notice?.text ?? '')).toMatchObject({
      po_id: 'I-1',
      status: 'approved',
      sv_checksum: checksumOf(['I-1', 'approved'], merchant.noticeHash, 'sha256'),
    });

    const page = await service.app.inject(`/sandbox/inbox?merchant=${merchant.merchantId}`);
    const style = /<style>([^]*)<\/style>/.exec(page.body)?.[1] ?? '';
    const styleHash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; img-src data:; frame-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(page.body).toContain('ana@example.com');
    expect(page.body).toContain('&lt;b&gt;Socks &amp; &quot;shoes&quot;&lt;/b&gt;');
    expect(page.body).not.toContain('<b>Socks');
    const mail = await service.app.inject(`/sandbox/inbox/mail/${messages.at(-1)?.id}`);
    expect(mail.headers['content-security-policy']).toContain("default-src 'none'");
    expect(mail.body).toBe(messages.at(-1)?.html);
  });

  test('shows a mail as long as it is kept, also behind more entries than it lists', async () => {
    const calls = orderCalls(service, await service.merchant());
    await calls.create({ order: 'OLD', email: 'old@example.com' });
    const listed = await service.app.inject('/sandbox/v1/inbox?limit=1');
    const [{ about, id, html }] = listed.json<{ data: { messages: [InboxMessage] } }>().data.messages;
    expect(about).toBe('OLD');
    service.clock.advance({ seconds: 1 });
    await Promise.all(Array.from({ length: 500 }, (_, index) => calls.create({ order: `NEW-${index}` })));
    const mail = await service.app.inject(`/sandbox/inbox/mail/${id}`);
    expect([mail.statusCode, mail.body]).toEqual([200, html]);
    const gone = await service.app.inject('/sandbox/inbox/mail/999999999999999999');
    expect([gone.statusCode, gone.body]).toEqual([404, expect.stringContaining('Este correo no existe')]);
  });

  test('a notice has the headers that prove it, and is sent again', async () => {
    const [notice] = await inbox('&channel=notice&about=I-1');
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '', 'webhook-signature': signature } = notice?.headers ?? {};
    const signer = new Webhook(Buffer.from(merchant.noticeHash).toString('base64'));
    expect(signature).toBe(signer.sign(id, new Date(Number(seconds) * 1000), notice?.text ?? ''));
    expect((await sendAgain(notice?.id ?? '')).statusCode).toBe(303);
    expect((await sendAgain(notice?.id ?? '')).statusCode, 'it waits already').toBe(303);
    expect(await inbox('&channel=notice&about=I-1')).toMatchObject([{ id: notice?.id, state: 'waiting' }]);
    for (const number of ['0', 'x', '999999999']) expect((await sendAgain(number)).statusCode, number).toBe(404);
  });

  test('shows one order or one channel', async () => {
    expect(new Set((await inbox('&about=I-1')).map(({ about }) => about))).toEqual(new Set(['I-1']));
    expect(new Set((await inbox('&channel=mail')).map(({ channel }) => channel))).toEqual(new Set(['mail']));
    const { body } = await service.app.inject({
      url: `/sandbox/inbox?channel=mail&about=I-1&merchant=${merchant.merchantId}`,
      headers: { 'accept-language': 'pt-BR' },
    });
    expect(body).toMatch(/<iframe\s+src="\/sandbox\/inbox\/mail\/[0-9]+"\s+title="[^"]+"\s+sandbox/);
    expect(body).toContain('guardado aqui: não há servidor de e-mail nem de SMS');
  });

  test('has only what was asked for', async () => {
    expect(await inbox('&limit=1')).toHaveLength(1);
    const other = await service.app.inject('/sandbox/v1/inbox?merchant=nobody');
    expect(other.json()).toEqual({ code: '0000', text: 'OK', data: { messages: [] } });
    for (const query of [
      'channel=fax',
      'about=%00',
      'limit=0',
      'limit=501',
      'limit=x',
      'merchant=%00',
      'merchant=a%20b',
      'limit=1&limit=2',
      '%',
    ])
      expect((await service.app.inject(`/sandbox/v1/inbox?${query}`)).json(), query).toMatchObject({ code: '0019' });
    for (const path of [
      '/sandbox/inbox?limit=x',
      '/sandbox/inbox/mail/0',
      '/sandbox/inbox/mail/9999999999999999999',
      '/sandbox/inbox/mail/%00',
    ])
      expect((await service.app.inject(path)).statusCode, path).toBe(404);
    expect((await service.app.inject('/sandbox/inbox?merchant=nobody')).body).toContain('Nada coincide');
  });
});
