import { createHmac } from 'node:crypto';
import { checksum } from '../kit/checksum.ts';
import { formatAmount } from '../kit/money.ts';
import type { NewCashoutNotice, NewNotice, NewOrderNotice, Notice } from './notice.ts';
import type { CashoutNoticeBody } from './notice-schemas.wire.ts';

// Contract §3.6, §4.5: the bodies that we POST to merchants. Contract §7.5: their Standard Webhooks headers.

const CASHOUT_STATUSES: Readonly<Record<NewCashoutNotice['status'], CashoutNoticeBody['status']>> = {
  approved: 'APROBADA',
  expired: 'VENCIDA',
};

/**
 * Renders the body of a notice.
 * Shape: the facts, the merchant's notice hash, the service prefix of any case → JSON text.
 * Source: contract §2.2, §3.6, §4.5.
 */
export function renderNotice(notice: NewNotice, noticeHash: string, servicePrefix: string): string {
  const body = notice.kind === 'order' ? orderBody(notice, noticeHash, servicePrefix.toLowerCase()) : cashoutBody(notice, noticeHash);
  return JSON.stringify(body);
}

function orderBody({ poId, serviceOrderId, status, amountMinor, currency, payment }: NewOrderNotice, noticeHash: string, prefix: string) {
  return {
    [`${prefix}_po_id`]: Number(serviceOrderId),
    po_id: poId,
    status,
    [`${prefix}_checksum`]: checksum('sha256', [poId, status], noticeHash),
    amount: formatAmount(amountMinor, currency),
    iso_currency: currency,
    [`${prefix}_payment`]: payment,
  };
}

function cashoutBody(
  { operationId, document, amountMinor, currency, status: state }: NewCashoutNotice,
  noticeHash: string,
): CashoutNoticeBody {
  const amount = formatAmount(amountMinor, currency);
  const status = CASHOUT_STATUSES[state];
  return {
    amount,
    document,
    operation: operationId,
    currency,
    status,
    checksum: checksum('sha512', [operationId, document, wholeUnits(amount), currency, status], noticeHash),
  };
}

/** Decimals are cut off, as receivers do that read the amount as an integer. The signature of the headers covers them. */
const wholeUnits = (amount: string): string => amount.slice(0, amount.indexOf('.'));

/** One notice, one id: that of all its retries and redeliveries. The time keeps it apart from one that a restored backup numbers anew. */
export const noticeIdOnWire = ({ noticeId, at }: Pick<Notice, 'noticeId' | 'at'>): string => `msg_${noticeId}_${at.epochMilliseconds}`;

/** Reads the number out of an id as a merchant quotes it, or as the command line lists it. */
export function parseNoticeId(text: string): bigint | undefined {
  const [, digits] = /^(?:msg_)?([0-9]{1,18})(?:_[0-9]{1,15})?$/.exec(text) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/**
 * Makes the Standard Webhooks headers of a body.
 * Shape: the key is the notice hash as UTF-8 bytes; the command line also prints it in the `whsec_` form that libraries take.
 * Source: contract §7.5, the Standard Webhooks specification.
 */
export function webhookHeaders(id: string, body: string, at: Temporal.Instant, noticeHash: string): Record<string, string> {
  const timestamp = Math.floor(at.epochMilliseconds / 1000).toString();
  const signature = createHmac('sha256', noticeHash).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
