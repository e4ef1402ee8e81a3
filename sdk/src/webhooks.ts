import { authenticate, bytesOf, hash, isSame, joined, keyOf, newId, type Bytes } from './crypto.ts';

/** Headers of a request: those of `fetch`, or of Node's `request.headers`. */
export type HeadersLike = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** An order was paid, or its time ran out or its payment was given back. */
export type OrderNotice = {
  readonly type: 'order';
  /** The merchant's id of the order; of a recurrent one with `_` and the number of the payment. */
  readonly order: string;
  readonly status: 'approved' | 'cancelled';
  readonly amount: string;
  readonly money: string;
  /** The service's id of the order. */
  readonly id: string;
  /** How it was paid; empty where it was not. */
  readonly payment: string;
};
/** An order was updated. A merchant has such notices where the operator turned them on. */
export type OrderUpdatedNotice = Omit<OrderNotice, 'type' | 'status'> & {
  readonly type: 'order.updated';
  readonly status: 'updated';
  readonly version: number;
  /** In UTC. */
  readonly updated: string;
  readonly requestId: string;
  readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
};
type RefundStep = 'approved' | 'paid' | 'failed' | 'cancelled';
/** The operator has done something about a refund. A merchant has such notices where the operator turned update notices on. */
export type RefundNotice = Omit<OrderNotice, 'type' | 'status'> & {
  readonly type: `refund.${RefundStep}`;
  readonly status: `refund_${RefundStep}`;
  readonly refund: string;
  /** In UTC. */
  readonly updated: string;
};
/** A cashout was paid out, or nobody collected it in time. */
export type CashoutNotice = {
  readonly type: 'cashout';
  /** The merchant's id of the cashout. */
  readonly operation: string;
  readonly document: string;
  readonly status: 'APROBADA' | 'VENCIDA';
  readonly amount: string;
  readonly currency: string;
};
/** The bank has paid a settlement, or gave it back. A merchant has such notices where the operator turned update notices on. */
export type SettlementNotice = {
  readonly type: 'settlement.paid' | 'settlement.returned';
  /** The number of the settlement. */
  readonly settlement: string;
  readonly status: 'paid' | 'returned';
  readonly amount: string;
  readonly money: string;
  /** How the bank names the payment. Undefined: it was returned. */
  readonly bankReference: string | undefined;
  /** Why the bank gave it back. Undefined: it was paid. */
  readonly reason: string | undefined;
  /** In UTC. */
  readonly updated: string;
};
export type Notice = OrderNotice | OrderUpdatedNotice | RefundNotice | CashoutNotice | SettlementNotice;

/** A notice whose sender is proved. */
export type VerifiedNotice = {
  /** Belongs to one notice for ever: one that comes again has the same. Undefined where the checksum alone was asked for. */
  readonly id: string | undefined;
  /** When it was sent. */
  readonly sentAt: Date | undefined;
  readonly notice: Notice;
};

export type VerifyOptions = {
  /** `checksum` for a receiver that gets no headers. It covers a part of the body, and does not end replay. */
  readonly proof?: 'signature' | 'checksum' | undefined;
  /** How far the time of the signature may be from now; 300 where absent. */
  readonly toleranceSeconds?: number | undefined;
};

type NoticeFault = 'signature_missing' | 'signature_wrong' | 'time_out_of_range' | 'body_unreadable' | 'checksum_wrong';

/** A request that is not a notice of this merchant. Answer it with 400. */
export class NoticeError extends Error {
  override readonly name = 'NoticeError';
  readonly reason: NoticeFault;

  constructor(reason: NoticeFault) {
    super(reason);
    this.reason = reason;
  }
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Proves who sent a notice, and reads it. `raw` is the body as it came, before anything parsed it.
 * `secrets` is the notice hash; during a rotation the earlier one and the new one.
 * Throws: NoticeError.
 */
export async function verify(
  raw: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { proof = 'signature', toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<VerifiedNotice> {
  if (typeof raw !== 'string' && !(raw instanceof ArrayBuffer) && !ArrayBuffer.isView(raw))
    throw new TypeError('give the body as it came: a text or bytes, and nothing that was parsed');
  const body: Bytes = typeof raw === 'string' ? bytesOf(raw) : new Uint8Array(raw);
  const keys = [secrets].flat();
  // Everybody knows an empty secret. It comes from a setting that is missing.
  if (keys.some((key) => keyOf(key).length === 0)) throw new TypeError('a notice hash is empty');
  const proved = proof === 'signature' ? await proveSignature(body, headers, keys, toleranceSeconds) : undefined;
  const members = readBody(body);
  const notice = readNotice(members);
  if (proved === undefined && !(await hasChecksum(members, notice, keys))) throw new NoticeError('checksum_wrong');
  return { id: proved?.id, sentAt: proved && new Date(proved.seconds * 1000), notice };
}

/** A signed notice, as the service sends it. For tests of a receiver. */
export async function sign(
  notice: Notice,
  secret: string,
  { id, sentAt = new Date() }: { readonly id?: string | undefined; readonly sentAt?: Date | undefined } = {},
): Promise<{ readonly body: string; readonly headers: Readonly<Record<string, string>> }> {
  const body = JSON.stringify(await writeNotice(notice, secret));
  const [own, seconds] = [id ?? `msg_${await newId()}`, String(Math.floor(sentAt.getTime() / 1000))];
  const signature = await authenticate(keyOf(secret), bytesOf(`${own}.${seconds}.${body}`));
  const headers = { 'webhook-id': own, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', ...headers } };
}

type Signed = { readonly id: string; readonly seconds: number };

async function proveSignature(body: Bytes, headers: HeadersLike, secrets: readonly string[], toleranceSeconds: number): Promise<Signed> {
  const [id, time, sent] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name));
  if (!id || !time || !sent) throw new NoticeError('signature_missing');
  const seconds = /^\d{1,15}$/.test(time) ? Number(time) : NaN;
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds)) throw new NoticeError('time_out_of_range');
  const content = joined(`${id}.${time}.`, body);
  let isProved = false;
  for (const secret of secrets) {
    const expected = `v1,${await authenticate(keyOf(secret), content)}`;
    for (const one of sent.split(' ')) if (isSame(one, expected)) isProved = true;
  }
  if (!isProved) throw new NoticeError('signature_wrong');
  return { id, seconds };
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function readBody(body: Bytes): Members {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null) return value as Members;
  } catch {
    // Neither UTF-8 nor JSON: refused below.
  }
  throw new NoticeError('body_unreadable');
}

/** A text, or a number as a text. Nothing else is looked into before the sender is proved. */
const textIn = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

/** The value whose name has the prefix of the service in front: two letters, as in `sv_po_id`. */
const prefixed = (members: Members, ending: string): string => {
  const value = Object.entries(members).find(([name]) => name.slice(2) === ending)?.[1];
  return textIn(value) ?? '';
};

function readNotice(members: Members): Notice {
  const text = (name: string): string => {
    const value = textIn(members[name]);
    if (value === undefined) throw new NoticeError('body_unreadable');
    return value;
  };
  if ('operation' in members) {
    const status = text('status') as CashoutNotice['status'];
    const [operation, document] = [text('operation'), text('document')];
    return { type: 'cashout', operation, document, status, amount: text('amount'), currency: text('currency') };
  }
  if ('settlement' in members) {
    const [type, status] = [text('type') as SettlementNotice['type'], text('status') as SettlementNotice['status']];
    const [bankReference, reason] = [textIn(members['bank_reference']), textIn(members['reason'])];
    const of = { settlement: text('settlement'), amount: text('amount'), money: text('iso_currency'), updated: text('updated_at') };
    return { type, status, ...of, bankReference, reason };
  }
  if (!('po_id' in members)) throw new NoticeError('body_unreadable');
  const payment = prefixed(members, '_payment');
  const common = {
    order: text('po_id'),
    amount: text('amount'),
    money: text('iso_currency'),
    id: prefixed(members, '_po_id'),
    payment,
  };
  const type = members['type'];
  if (typeof type === 'string' && type.startsWith('refund.')) {
    const status = text('status') as RefundNotice['status'];
    return { type: type as RefundNotice['type'], status, ...common, refund: text('refund'), updated: text('updated_at') };
  }
  if (type !== 'order.updated') return { type: 'order', status: text('status') as OrderNotice['status'], ...common };
  const changes = members['changes'] as OrderUpdatedNotice['changes'];
  const [version, updated, requestId] = [Number(text('version')), text('updated_at'), text('request_id')];
  return { type: 'order.updated', status: 'updated', ...common, version, updated, requestId, changes };
}

async function writeNotice(notice: Notice, secret: string): Promise<Members> {
  const checksum = await checksumOf(notice, secret, 'SHA-256');
  if (notice.type === 'cashout') {
    const { amount, document, operation, currency, status } = notice;
    return { amount, document, operation, currency, status, checksum };
  }
  if ('settlement' in notice) {
    const { type, settlement, status, amount, money, bankReference, reason, updated } = notice;
    const of = { settlement, status, sv_checksum: checksum, amount, iso_currency: money, type };
    return { ...of, bank_reference: bankReference, reason, updated_at: updated };
  }
  const { order, status, amount, money, id, payment } = notice;
  const common = { sv_po_id: Number(id), po_id: order, status, sv_checksum: checksum, amount, iso_currency: money, sv_payment: payment };
  if (notice.type === 'order') return common;
  if ('refund' in notice) return { ...common, type: notice.type, refund: notice.refund, updated_at: notice.updated };
  const { version, updated, requestId, changes } = notice;
  return { ...common, type: notice.type, version, updated_at: updated, request_id: requestId, changes };
}

/** The checksum of a notice (contract §3.6, §4.5). A cashout's covers the digits of the amount in front of the point. */
async function checksumOf(notice: Notice, secret: string, ofOrders: 'SHA-256' | 'SHA-512'): Promise<string> {
  const key = new TextDecoder().decode(keyOf(secret));
  if ('settlement' in notice) return hash(ofOrders, notice.settlement + notice.status + key);
  if (notice.type !== 'cashout') return hash(ofOrders, notice.order + notice.status + key);
  const { operation, document, amount, currency, status } = notice;
  return hash('SHA-512', operation + document + amount.split('.', 1)[0] + currency + status + key);
}

async function hasChecksum(members: Members, notice: Notice, secrets: readonly string[]): Promise<boolean> {
  const sent = ((notice.type === 'cashout' ? textIn(members['checksum']) : prefixed(members, '_checksum')) ?? '').toLowerCase();
  const ofOrders = sent.length === 128 ? 'SHA-512' : 'SHA-256';
  const expected = await Promise.all(secrets.map((secret) => checksumOf(notice, secret, ofOrders)));
  return expected.filter((one) => isSame(sent, one)).length > 0;
}
