import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import * as fc from '../../server/src/testing/fast-check.ts';
import { toAmount, toMoney, webhooks } from '../src/index.ts';

test('money is read and written without loss', () => {
  const currencies = fc.constantFrom(['COP', 2], ['CLP', 0], ['KWD', 3], ['CLF', 4]) as fc.Arbitrary<[string, number]>;
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), currencies, (minor, [currency, decimals]) => {
      const text = toAmount({ minor, currency });
      expect(text).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
      expect(toMoney(text, currency)).toEqual({ minor, currency });
      expect(toMoney(`${text}${decimals === 0 ? '.0' : '0'}`, currency).minor).toBe(minor);
    }),
  );
  for (const wrong of ['1e3', '', '.5', '1,000', '1.001', ' 1', '0x1', `1.${'0'.repeat(200_000)}x`])
    expect(() => toMoney(wrong, 'COP')).toThrow(RangeError);
  expect(toMoney('11.8', 'COP').minor).toBe(1_180n);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Why a notice was refused; `none` where it was not. */
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ reason }: webhooks.NoticeError) => reason,
  );

describe('notices', () => {
  const notice = {
    type: 'order',
    order: 'A-1',
    status: 'approved',
    amount: '45000.0',
    money: 'COP',
    id: '5',
    payment: 'efectivo',
  } as const;
  const secret = 'c0ffee11aa22bb33cc44dd55ee66ff77';
  const oracle = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);

  test('that are signed here pass `standardwebhooks`, and what it signs passes here', async () => {
    const { body, headers } = await webhooks.sign(notice, secret);
    expect(oracle.verify(body, headers as Record<string, string>)).toMatchObject({ po_id: 'A-1' });
    const sentAt = new Date();
    const own = {
      'Webhook-Id': 'msg_1',
      'Webhook-Timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'Webhook-Signature': `v1,AAAA ${oracle.sign('msg_1', sentAt, body)}`,
    };
    for (const [form, key] of [
      [own, secret],
      [new Headers(own), `whsec_${btoa(secret)}`],
    ] as const)
      expect(await webhooks.verify(body, form, key)).toEqual({
        id: 'msg_1',
        sentAt: new Date(Math.floor(sentAt.getTime() / 1000) * 1000),
        notice,
      });
    const cashout = { type: 'cashout', operation: 'W-1', document: '7', status: 'VENCIDA', amount: '1.5', currency: 'COP' } as const;
    const expired = await webhooks.sign(cashout, secret);
    expect((await webhooks.verify(expired.body, {}, secret, { proof: 'checksum' })).notice).toEqual(cashout);
    const of = { settlement: '12', amount: '970.0', money: 'COP', updated: '2026-11-21T15:00:00Z' } as const;
    const paid = { ...of, type: 'settlement.paid', status: 'paid', bankReference: 'B-1', reason: undefined } as const;
    const returned = { ...of, type: 'settlement.returned', status: 'returned', bankReference: undefined, reason: 'closed' } as const;
    for (const settled of [paid, returned]) {
      const sent = await webhooks.sign(settled, secret);
      expect((await webhooks.verify(sent.body, sent.headers, secret)).notice).toEqual(settled);
      expect((await webhooks.verify(sent.body, {}, secret, { proof: 'checksum' })).notice).toEqual(settled);
      const other = sent.body.replace('"12"', '"13"');
      expect(await reasonOf(webhooks.verify(other, {}, secret, { proof: 'checksum' }))).toBe('checksum_wrong');
    }
  });

  test('that anything was changed in are refused', async () => {
    const { body, headers } = await webhooks.sign(notice, secret);
    expect(await reasonOf(webhooks.verify(body, {}, secret))).toBe('signature_missing');
    expect(await reasonOf(webhooks.verify(body.replace('45000', '45'), headers, secret))).toBe('signature_wrong');
    expect(await reasonOf(webhooks.verify(body, { ...headers, 'webhook-id': 'msg_2' }, secret))).toBe('signature_wrong');
    expect(await reasonOf(webhooks.verify(body, headers, ['other']))).toBe('signature_wrong');
    expect(await reasonOf(webhooks.verify(body, headers, []))).toBe('signature_wrong');
    for (const minutes of [-6, 6]) {
      const late = await webhooks.sign(notice, secret, { sentAt: new Date(Date.now() + minutes * 60_000) });
      expect(await reasonOf(webhooks.verify(late.body, late.headers, secret))).toBe('time_out_of_range');
      expect(await reasonOf(webhooks.verify(late.body, late.headers, secret, { toleranceSeconds: 400 }))).toBe('none');
    }
    expect(await reasonOf(webhooks.verify(body.replace('approved', 'cancelled'), {}, secret, { proof: 'checksum' }))).toBe(
      'checksum_wrong',
    );
    const noText = '{"toString":1}';
    for (const garbage of [
      '[]',
      '{}',
      'x',
      'null',
      `{"po_id":${noText}}`,
      `{"operation":"W","document":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    ])
      expect(await reasonOf(webhooks.verify(garbage, {}, secret, { proof: 'checksum' }))).toBe('body_unreadable');
    const members = JSON.parse(body) as object;
    const odd = { toString: 1 };
    for (const [more, reason] of [
      [{ type: 'order.updated', version: odd }, 'body_unreadable'],
      [{ sv_checksum: odd }, 'checksum_wrong'],
    ] as const)
      expect(await reasonOf(webhooks.verify(JSON.stringify({ ...members, ...more }), {}, secret, { proof: 'checksum' }))).toBe(reason);
  });

  test('are refused where the setting of the secret is missing, or the body was parsed', async () => {
    for (const empty of ['', 'whsec_'])
      for (const proof of ['signature', 'checksum'] as const) {
        const forged = { po_id: 'A-1', status: 'approved', amount: '1', iso_currency: 'COP', sv_checksum: sha256('A-1approved') };
        const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,' };
        await expect(webhooks.verify(JSON.stringify(forged), headers, [secret, empty], { proof })).rejects.toThrow(
          'a notice hash is empty',
        );
      }
    await expect(webhooks.verify({ length: 2 ** 40 } as never, {}, secret)).rejects.toThrow('as it came');
  });
});
