import { createHmac } from 'node:crypto';
import { Type, type TObject, type TSchema } from 'typebox';
import { checksum } from '../kit/checksum.ts';
import { amountNumber, formatAmount } from '../kit/money.ts';
import type { NoticeHashes } from '../merchants/index.ts';
import { underPrefixes, type Dialect } from '../requests/index.ts';
import {
  isOfRefund,
  REFUND_STEPS,
  SETTLEMENT_STEPS,
  TEST_SUBJECT,
  type NewCashoutNotice,
  type NewNotice,
  type NewOrderNotice,
  type NewRefundNotice,
  type NewSettlementNotice,
  type NewUpdateNotice,
  type Notice,
  type ReportedUpdate,
  type TestNotice,
} from './notice.ts';

// The bodies and headers of the requests that merchants receive, and their description: contract §3.6, §4.5, §7.5.

const shown = (description: string, example: string) => ({ description, examples: [example] });
/** The checksums of the examples are made with it, so that a receiver can test its own. */
const EXAMPLE_HASH = 'c0ffee11aa22bb33cc44dd55ee66ff77';
/** The checksum of `A-1001` and `refund_approved`. */
const EXAMPLE_OF_REFUND = '9e454bacc3350dc922aab301f26a4759687c9cb621acc644dffcc8d03cb56b76';
/** The checksum of `12` and `paid`. */
const EXAMPLE_OF_SETTLEMENT = '0338c250f3b0a2d4ee9b951ae5cde8aaf666c06e5d08bc9f96c6621294c8d97d';
const amount = Type.String({ pattern: '^[0-9]+\\.[0-9]+$', ...shown('The amount.', '150000.0') });
const currency = Type.String({ pattern: '^[A-Z]{3}$', ...shown('ISO 4217.', 'COP') });

/** A number, where the dialect is the family's. */
const cashoutAmount = ({ noticeBodies }: Dialect): TSchema =>
  noticeBodies === 'contract' ? amount : Type.Number({ description: 'The amount.', examples: [150000] });

/** The body of a cashout's notice. */
const cashoutNotice = (dialect: Dialect) =>
  Type.Object({
    amount: cashoutAmount(dialect),
    document: Type.String(shown('The document of the person who collects.', '1020304050')),
    operation: Type.String(shown('The merchant’s id of the cashout.', 'W-77')),
    currency,
    status: Type.Union([Type.Literal('APROBADA'), Type.Literal('VENCIDA')], {
      description: 'APROBADA: it was paid out. VENCIDA: nobody collected it in time, and the money went back to the fund.',
    }),
    checksum: Type.String({
      pattern: '^[0-9a-f]{128}$',
      ...shown(
        'SHA-512 over `operation`, `document`, the digits of `amount` before its point, `currency`, `status`, then the notice hash; lower-case hexadecimal.',
        'f7086081d2cd7fe9f5a2e9b2a80b5d412b48de9a7b0bcce10543cff1065ca5bff74c887b250726cafadb0c8bb019327ab184c87e5bdf57dcec33768cf039d66f',
      ),
    }),
  });

const paidOrNot = Type.Union([Type.Literal('approved'), Type.Literal('cancelled')], {
  description: 'approved: it was paid. cancelled: its time ran out unpaid, or the payment was given back.',
});

const inLowerCase = ({ servicePrefixes }: Dialect): Pick<Dialect, 'servicePrefixes'> => ({
  servicePrefixes: servicePrefixes.map((prefix) => prefix.toLowerCase()),
});

/** The body of an order's notice. Three of its names begin with the service's prefix in lower case. */
const orderNotice = (
  dialect: Dialect,
  status: TSchema = paidOrNot,
  checksumExample = 'a4303f092f432738f3845a5db31dd0dcbd8dabe04fcd7c08b5e087022488eda8',
  more: Record<string, TSchema> = {},
): TObject =>
  Type.Object({
    ...underPrefixes(inLowerCase(dialect), '_po_id', Type.Integer({ description: 'The service’s id of the order.', examples: [5] })),
    po_id: Type.String(shown('The merchant’s id of the order; of a recurrent one with `_` and the number of the payment.', 'A-1001')),
    status,
    ...underPrefixes(
      inLowerCase(dialect),
      '_checksum',
      Type.String({
        pattern: '^(?:[0-9a-f]{64}|[0-9a-f]{128})$',
        ...shown(
          'SHA-256 over `po_id`, `status`, then the notice hash; lower-case hexadecimal. SHA-512 for merchants that ask for it.',
          checksumExample,
        ),
      }),
    ),
    amount,
    iso_currency: currency,
    ...underPrefixes(inLowerCase(dialect), '_payment', paymentSchema(dialect)),
    ...more,
  });

const paymentSchema = ({ noticeBodies }: Dialect): TSchema =>
  noticeBodies === 'contract'
    ? Type.String(shown('How it was paid; empty where it was not.', 'sandbox'))
    : Type.Optional(Type.String(shown('How it was paid, or was to be paid; absent where nobody knows.', 'sandbox')));

const valueOrNull = Type.Union([Type.String(), Type.Null()]);
/** The body of the notice of an update: that of an order's notice, and what changed. */
const updateNotice = (dialect: Dialect): TObject =>
  orderNotice(dialect, Type.Literal('updated'), '7d4fed3f2c5df60dfcb4cae8cb1542715e80117fdeee108b0137c5c527841b39', {
    type: Type.Literal('order.updated'),
    version: Type.Integer({ description: 'The version of the order that the update made (§7.1).', examples: [2] }),
    updated_at: Type.String(shown('When it was updated, in UTC.', '2026-11-21T15:00:00Z')),
    request_id: Type.String(shown('The `X-Request-Id` of the update: its sender’s word, or ours where it sent none.', 'r-52b1')),
    changes: Type.Record(Type.String(), Type.Object({ from: valueOrNull, to: valueOrNull }), {
      description: 'Each field that changed, by its name in requests: an object of `from` and `to`, which are texts or null (§7.2).',
    }),
  });

/** The body of the notice of a refund: that of an order's notice with the amount of the refund, and which refund it is. */
const refundNotice = (dialect: Dialect): TObject =>
  orderNotice(dialect, Type.Union(REFUND_STEPS.map((step) => Type.Literal(`refund_${step}`))), EXAMPLE_OF_REFUND, {
    type: Type.Union(
      REFUND_STEPS.map((step) => Type.Literal(`refund.${step}`)),
      {
        description:
          'What the operator has done, or the payer at a counter. approved: it is to be paid. paid: the payer has the money. failed: nobody was paid.',
      },
    ),
    refund: Type.String(shown('The id of the refund. A query shows all of it.', 'R-1001')),
    updated_at: Type.String(shown('When that was, in UTC.', '2026-11-21T15:00:00Z')),
  });

/** The body of the notice of a settlement. Its checksum has the name that those of orders have. */
const settlementNotice = (dialect: Dialect): TObject =>
  Type.Object({
    settlement: Type.String(shown('The number of the settlement.', '12')),
    status: Type.Union(
      SETTLEMENT_STEPS.map((step) => Type.Literal(step)),
      { description: 'paid: the bank has paid it. returned: the bank gave it back, also after it was paid.' },
    ),
    ...underPrefixes(
      inLowerCase(dialect),
      '_checksum',
      Type.String({
        pattern: '^(?:[0-9a-f]{64}|[0-9a-f]{128})$',
        ...shown('As of the notice of an order, over `settlement` and `status`.', EXAMPLE_OF_SETTLEMENT),
      }),
    ),
    amount: Type.String({ ...amount, description: 'What the merchant gets, or what did not reach it.' }),
    iso_currency: currency,
    type: Type.Union(SETTLEMENT_STEPS.map((step) => Type.Literal(`settlement.${step}`))),
    bank_reference: Type.Optional(Type.String(shown('Of one that was paid: how the bank names the payment.', 'TRX-90311'))),
    reason: Type.Optional(Type.String({ description: 'Of one that was returned: why.' })),
    updated_at: Type.String(shown('When that was recorded, in UTC.', '2026-11-21T15:00:00Z')),
  });

/** The body of a test notice: that of an order's notice about no order. */
const testNotice = (dialect: Dialect): TObject =>
  orderNotice(dialect, Type.Literal('test'), '355ec147057310189747811cb4d2be0ef880cf8823ea0b715649cbeb06af35aa', {
    type: Type.Literal('notice.test'),
  });

const header = (name: string, pattern: string, description: string, example: string) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  example,
  schema: { type: 'string', pattern },
});
const HEADERS = [
  header(
    'webhook-id',
    '^msg_[0-9]+_[0-9]+$',
    'Belongs to one notice for ever: one that comes again has the same. Keep the ids that you have seen.',
    'msg_42_1795273200123',
  ),
  header('webhook-timestamp', '^[0-9]+$', 'When it was sent, in seconds since 1970.', '1795273200'),
  header(
    'webhook-signature',
    '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$',
    '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body with full stops between them; the key is the notice hash. While it is rotated there are two with a space, of the earlier hash and of the new one: one must be right.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Taken. The first 500 characters of the answer are kept.' },
  default: {
    description:
      'Any other status, a redirect too, or none within ten seconds: the notice comes again after growing pauses, for seven days.',
  },
};

const webhook = (operationId: string, summary: string, description: string, schema: TSchema) => ({
  post: {
    operationId,
    summary,
    description: `${description} The checksum of the example is made with the notice hash \`${EXAMPLE_HASH}\`.`,
    tags: ['Notices'],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: RESPONSES,
  },
});

/**
 * Describes the notices for the OpenAPI document, as webhooks by their names.
 * Shape: the dialect → path items of OpenAPI 3.1.
 * Source: contract §3.6, §4.5.
 */
export const noticeWebhooks = (dialect: Dialect) => ({
  orderNotice: webhook(
    'receiveOrderNotice',
    'An order was paid, or will not be',
    'Sent when an order is paid, when its time runs out, and when its payment is reversed, or given back at the payer’s claim. Contract §3.6.',
    orderNotice(dialect),
  ),
  orderUpdatedNotice: webhook(
    'receiveOrderUpdatedNotice',
    'An order was updated',
    'Sent after each update that changes something, where the operator has turned update notices on for the merchant. It says what changed, so that a merchant sees an update that it did not send. Contract §3.6.',
    updateNotice(dialect),
  ),
  refundNotice: webhook(
    'receiveRefundNotice',
    'An operator has done something about a refund',
    'Sent when the operator approves a refund, pays it, says that it failed, or cancels it, where the operator has turned update notices on for the merchant. What the merchant does itself sends none. Contract §3.6.',
    refundNotice(dialect),
  ),
  settlementNotice: webhook(
    'receiveSettlementNotice',
    'The bank has paid a settlement, or gave it back',
    'Sent when the operator records what the bank did, where the operator has turned update notices on for the merchant. Contract §3.6.',
    settlementNotice(dialect),
  ),
  testNotice: webhook(
    'receiveTestNotice',
    'Somebody tests the address',
    'Sent when somebody asks for it, for one minute. It is about no order: change nothing and answer 2xx. Contract §3.6.',
    testNotice(dialect),
  ),
  cashoutNotice: webhook(
    'receiveCashoutNotice',
    'A cashout was paid out, or ran out of time',
    'Sent when a cashout is paid out, and when nobody collected it in time. Contract §4.5.',
    cashoutNotice(dialect),
  ),
});

const CASHOUT_STATUSES: Readonly<Record<NewCashoutNotice['status'], string>> = {
  approved: 'APROBADA',
  expired: 'VENCIDA',
};

/** What the checksum of a notice is made with. */
export type ProvingHashes = Pick<NoticeHashes, 'algorithm' | 'ofChecksum'>;

/**
 * Renders the body of a notice.
 * Shape: the facts, what proves the merchant's notices, the dialect, what an update changed → JSON text.
 * Source: contract §2.2, §3.6, §4.5.
 */
export function renderNotice(notice: NewNotice | TestNotice, hashes: ProvingHashes, dialect: Dialect, reported?: ReportedUpdate): string {
  if (notice.kind === 'cashout') return JSON.stringify(cashoutBody(notice, hashes.ofChecksum, dialect));
  if (notice.kind === 'settlement') return JSON.stringify(settlementBody(notice, hashes, dialect));
  if (notice.kind === 'test') return JSON.stringify({ ...orderBody({ ...notice, ...NO_ORDER }, hashes, dialect), type: 'notice.test' });
  const body = orderBody(notice, hashes, dialect);
  if (isOfRefund(notice)) return JSON.stringify({ ...body, ...refundOf(notice) });
  return JSON.stringify(notice.status === 'updated' ? { ...body, ...updateOf(notice, reported) } : body);
}

/** A test notice is about no order. */
const NO_ORDER = { poId: TEST_SUBJECT, serviceOrderId: 0n, payment: '' };

const updateOf = ({ version, at }: NewUpdateNotice, reported: ReportedUpdate | undefined) => ({
  type: 'order.updated',
  version,
  updated_at: at.toString(),
  request_id: reported?.requestId ?? '',
  changes: reported?.changes ?? {},
});

const refundOf = ({ status, refundId, at }: NewRefundNotice) => ({
  type: status.replace('_', '.'),
  refund: refundId,
  updated_at: at.toString(),
});

function orderBody(
  {
    poId,
    serviceOrderId,
    status,
    amountMinor,
    currency,
    payment,
  }: Pick<NewOrderNotice, 'poId' | 'serviceOrderId' | 'amountMinor' | 'currency' | 'payment'> & Pick<Notice, 'status'>,
  { algorithm, ofChecksum }: ProvingHashes,
  dialect: Dialect,
) {
  const prefixes = inLowerCase(dialect);
  const isSilent = payment === '' && dialect.noticeBodies === 'family';
  return {
    ...underPrefixes(prefixes, '_po_id', Number(serviceOrderId)),
    po_id: poId,
    status,
    ...underPrefixes(prefixes, '_checksum', checksum(algorithm, [poId, status], ofChecksum)),
    amount: formatAmount(amountMinor, currency),
    iso_currency: currency,
    ...(isSilent ? {} : underPrefixes(prefixes, '_payment', payment)),
  };
}

function settlementBody(
  { settlementId, status, amountMinor, currency, bankText, at }: NewSettlementNotice,
  { algorithm, ofChecksum }: ProvingHashes,
  dialect: Dialect,
): object {
  const settlement = String(settlementId);
  return {
    settlement,
    status,
    ...underPrefixes(inLowerCase(dialect), '_checksum', checksum(algorithm, [settlement, status], ofChecksum)),
    amount: formatAmount(amountMinor, currency),
    iso_currency: currency,
    type: `settlement.${status}`,
    ...(status === 'paid' ? { bank_reference: bankText } : { reason: bankText }),
    updated_at: at.toString(),
  };
}

function cashoutBody(
  { operationId, document, amountMinor, currency, status: state }: NewCashoutNotice,
  noticeHash: string,
  { noticeBodies }: Dialect,
): object {
  const amount = formatAmount(amountMinor, currency);
  const status = CASHOUT_STATUSES[state];
  return {
    amount: noticeBodies === 'contract' ? amount : amountNumber(amountMinor, currency),
    document,
    operation: operationId,
    currency,
    status,
    checksum: checksum('sha512', [operationId, document, wholeUnits(amount), currency, status], noticeHash),
  };
}

/** Decimals are cut off, because some receivers read the amount as an integer. The signature in the headers covers them. */
const wholeUnits = (amount: string): string => amount.slice(0, amount.indexOf('.'));

/**
 * Makes the Standard Webhooks headers of a body, with a signature for each notice hash.
 * Shape: a key is a notice hash as UTF-8 bytes; the command line also prints it in the `whsec_` form that libraries take.
 * Source: contract §7.5, the Standard Webhooks specification.
 */
export function webhookHeaders(id: string, body: string, at: Temporal.Instant, noticeHashes: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(at.epochMilliseconds / 1000).toString();
  const sign = (noticeHash: string): string => createHmac('sha256', noticeHash).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': noticeHashes.map((noticeHash) => `v1,${sign(noticeHash)}`).join(' '),
  };
}
