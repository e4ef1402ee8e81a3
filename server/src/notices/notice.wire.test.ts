import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CONTRACT_DIALECT, FAMILY_DIALECT } from '../requests/index.ts';
import type { Notice } from './notice.ts';
import { noticeIdOnWire, parseNoticeId } from './notice-id.wire.ts';
import { noticeWebhooks, renderNotice, webhookHeaders } from './notice.wire.ts';

const contract = JSON.parse(readFileSync(new URL('../../../contract/vectors.json', import.meta.url), 'utf8')) as {
  secrets: { notice: string };
  vectors: { name: string; checksum: string }[];
};
const NOTICE_HASH = contract.secrets.notice;
const HASHES = { algorithm: 'sha256', ofChecksum: NOTICE_HASH } as const;
const vector = (name: string): string => contract.vectors.find((one) => one.name === name)!.checksum;

const at = Temporal.Instant.from('2026-11-21T15:00:00.123Z');
const order: Notice = {
  kind: 'order',
  merchantId: 'acme',
  noticeId: 42n,
  orderId: 'A-1001',
  poId: 'A-1001',
  serviceOrderId: 9007n,
  status: 'approved',
  amountMinor: 4_500_000n,
  currency: 'COP',
  payment: 'efectivo',
  at,
};
const cashout: Notice = {
  kind: 'cashout',
  merchantId: 'acme',
  noticeId: 43n,
  operationId: 'W-77',
  document: '1020304050',
  amountMinor: 15_000_099n,
  currency: 'COP',
  status: 'approved',
  at,
};

afterEach(() => void vi.useRealTimers());

describe('the body of a notice', () => {
  test('of an order is the family’s, with the checksum of the vector', () => {
    expect(renderNotice(order, HASHES, CONTRACT_DIALECT)).toBe(
      `{"sv_po_id":9007,"po_id":"A-1001","status":"approved","sv_checksum":"${vector('order-notice')}",` +
        '"amount":"45000.0","iso_currency":"COP","sv_payment":"efectivo"}',
    );
    expect(Object.keys(JSON.parse(renderNotice(order, HASHES, { ...CONTRACT_DIALECT, servicePrefixes: ['PV'] })) as object)).toEqual(
      expect.arrayContaining(['pv_po_id', 'pv_checksum', 'pv_payment']),
    );
  });

  test('of an order has a SHA-512 checksum where its merchant asks for it', () => {
    const body = JSON.parse(renderNotice(order, { ...HASHES, algorithm: 'sha512' }, CONTRACT_DIALECT)) as Record<string, string>;
    expect(body['sv_checksum']).toBe(createHash('sha512').update(`A-1001approved${NOTICE_HASH}`).digest('hex'));
  });

  test('of the family’s dialect has numbers, and no payment where nobody knows one', () => {
    const render = (notice: Notice) => JSON.parse(renderNotice(notice, HASHES, FAMILY_DIALECT)) as Record<string, unknown>;
    expect(render(cashout)).toMatchObject({ amount: 150_000.99, checksum: vector('cashout-notice') });
    expect(render({ ...order, status: 'cancelled', payment: '' })).not.toHaveProperty('pv_payment');
    expect(render({ ...order, status: 'cancelled', payment: 'PSE' })).toMatchObject({ pv_payment: 'PSE', pv_po_id: 9007 });
    const both = renderNotice(order, HASHES, { ...FAMILY_DIALECT, servicePrefixes: ['SV', 'PV'] });
    expect(JSON.parse(both)).toMatchObject({ sv_po_id: 9007, pv_po_id: 9007, sv_payment: 'efectivo', pv_payment: 'efectivo' });
  });

  test('of a recurrent order is signed over the id with its counter', () => {
    const [first, second] = ['A-1001', 'A-1001_2'].map(
      (poId) => JSON.parse(renderNotice({ ...order, poId }, HASHES, CONTRACT_DIALECT)) as Record<string, string>,
    );
    expect(second).toMatchObject({ po_id: 'A-1001_2' });
    expect(second?.['sv_checksum']).not.toBe(first?.['sv_checksum']);
  });

  test('of a cashout is signed over the amount as an integer, with the checksum of the vector', () => {
    expect(JSON.parse(renderNotice(cashout, HASHES, CONTRACT_DIALECT))).toEqual({
      amount: '150000.99',
      document: '1020304050',
      operation: 'W-77',
      currency: 'COP',
      status: 'APROBADA',
      checksum: vector('cashout-notice'),
    });
    expect(JSON.parse(renderNotice({ ...cashout, status: 'expired' }, HASHES, CONTRACT_DIALECT))).toMatchObject({ status: 'VENCIDA' });
  });
});

test('the examples of the OpenAPI document have the checksums of the vectors', () => {
  const document = JSON.stringify(noticeWebhooks(CONTRACT_DIALECT));
  const names = ['order-notice', 'order-updated-notice', 'test-notice', 'cashout-notice', 'settlement-notice'];
  const shown = [NOTICE_HASH, ...names.map(vector)];
  for (const text of shown) expect(document).toContain(text);
});

describe('the headers of a notice', () => {
  const body = renderNotice({ ...order, payment: 'café ☕' }, HASHES, CONTRACT_DIALECT);
  const headers = webhookHeaders(noticeIdOnWire(order), body, at, [NOTICE_HASH]);
  const webhook = new Webhook(`whsec_${Buffer.from(NOTICE_HASH).toString('base64')}`);

  test('verify with the library of Standard Webhooks', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: at.epochMilliseconds });
    expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => webhook.verify(body.replace('45000', '45001'), headers)).toThrow('No matching signature');
  });

  test('carry an id that is the same for every retry and reads back as the number', () => {
    expect(headers['webhook-id']).toBe('msg_42_1795273200123');
    expect(['msg_42_1795273200123', 'msg_42', '42', 'msg_', 'x42', `${10n ** 18n}`].map(parseNoticeId)).toEqual([
      42n,
      42n,
      42n,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
