import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestMerchant, type TestService } from '../testing/test-service.ts';
import { orderClient, type OrderClient } from './test-orders.ts';

let service: TestService;
let merchant: TestMerchant;
let shop: OrderClient;
let count = 0;
const newId = (): string => `U-${++count}`;

beforeAll(async () => {
  service = await startTestService();
  merchant = await service.merchant();
  shop = orderClient(service, merchant);
});
afterAll(() => service.close());

test('updates a pending order and answers with what it is then', async () => {
  const order = newId();
  expect(await shop.create({ order, reference: '900100' })).toMatchObject({
    status: 200,
    code: '0000',
    data: { Operacion: 'CREADA' },
    etag: '"1"',
  });
  const answer = await shop.update({ order, amount: 45000.5, description: 'Books' });
  expect(answer).toMatchObject({ status: 200, code: '0000', text: 'OK', etag: '"2"' });
  expect(answer.data).toEqual({
    OrdenID: order,
    Monto: '45000.5',
    SVordenID: expect.stringMatching(/^[0-9]+$/) as string,
    Referencia: '900100',
    Operacion: 'ACTUALIZADO',
    checkout: expect.stringMatching(/^https:\/\/pay\.example\/checkout\?token=[\w-]+\.[\w-]+\.[\w-]+$/) as string,
  });
});
