import { formatAllDecimals } from '../src/kit/money.ts';
import { actorOf, type Actors, type By } from './model/actors.ts';
import { NULLIFY_REASON, type ManagedCashoutCommand } from './model/managed-cashouts.ts';
import { VOID_REASON, type ManagedOrderCommand } from './model/managed-orders.ts';
import type { Seen } from './model/model.ts';
import type { RegisterRefundCashout } from './model/refund-cashouts.ts';
import { flatten, inject } from './send-http.ts';
import type { Server } from './servers.ts';

/** Actors, and what each sends to show who it is. */
export type Credentials = { readonly actors: Actors; readonly headersOf: (name: string) => Readonly<Record<string, string>> };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Request = {
  readonly method: Method;
  readonly path: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The statuses of decisions of the management API. */
const DECIDED = new Set([200, 201, 202, 204, 401, 403, 404, 409, 412, 422]);

export type ManagedAnswer = {
  /** The name of the problem, or 0000. */
  readonly code: string;
  readonly status: number;
  readonly text: string;
  /** Empty where the answer is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
};

/** Sends a request as an actor. Undefined: the answer was lost. */
export async function requestAs(credentials: Credentials, server: Server, by: By, request: Request): Promise<ManagedAnswer | undefined> {
  const { method, path, body, headers = {} } = request;
  const all = { ...headers, ...credentials.headersOf(actorOf(credentials.actors, by).name), 'x-request-id': by.request };
  const reply = await inject(server, { method, url: `/manage/v1${path}`, headers: all, body }, DECIDED);
  if (reply === undefined) return undefined;
  const isJson = /^application\/(?:problem[+])?json/.test(String(reply.headers['content-type']));
  const shown = (isJson ? JSON.parse(reply.body) : {}) as { readonly type?: string };
  const code = reply.statusCode < 400 ? '0000' : String(shown.type).replace('/docs/problems/', '');
  return { code, status: reply.statusCode, text: reply.body, body: { ...shown }, headers: reply.headers };
}

/** The same, as a command of a cell is answered. */
async function sendAs(credentials: Credentials, server: Server, by: By, request: Request): Promise<Seen> {
  const answer = await requestAs(credentials, server, by, request);
  if (answer === undefined) return undefined;
  const { etag, 'idempotency-replayed': replayed } = answer.headers;
  return {
    code: answer.code,
    status: String(answer.status),
    replayed: replayed === undefined ? 'false' : 'true',
    ...(etag === undefined ? {} : { etag: etag as string }),
    ...flatten(answer.body),
  };
}

const keyHeader = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });
const money = (amountMinor: bigint, currency: string) => ({ amount: formatAllDecimals(amountMinor, currency), currency });

export function sendManagedOrder(credentials: Credentials, server: Server, command: ManagedOrderCommand): Promise<Seen> {
  const { merchantId: merchant, orderId: order } = command;
  const path = `/orders/${merchant}/${order}`;
  const send = (request: Request): Promise<Seen> => sendAs(credentials, server, command.by, request);
  switch (command.do) {
    case 'create order':
    case 'update order': {
      const { description, method, recurrent, expiresOn, reference } = command;
      const amount = money(command.amountMinor, command.currency);
      const terms = { email: 'ana@example.com', amount, description, method, recurrent, expiresOn, reference };
      if (command.do === 'create order')
        return send({ method: 'POST', path: '/orders', body: { merchant, order, ...terms }, headers: keyHeader(command.key) });
      const ifMatch = command.ifMatch === undefined ? '*' : `"${command.ifMatch}"`;
      return send({ method: 'PATCH', path, body: terms, headers: { 'if-match': ifMatch } });
    }
    case 'cancel order': {
      const headers = command.ifMatch === undefined ? {} : { 'if-match': `"${command.ifMatch}"` };
      return send({ method: 'POST', path: `${path}/cancel`, headers });
    }
    case 'query order':
      return send({ method: 'GET', path });
    case 'void order': {
      const { isClaim, refundedBy } = command;
      return send({ method: 'POST', path: `${path}/void`, body: { reason: VOID_REASON, isClaim, refundedBy } });
    }
  }
}

export function sendRefundCashout(credentials: Credentials, server: Server, command: RegisterRefundCashout): Promise<Seen> {
  const { merchantId, refundId, operationId: operation, document, description, expiresOn } = command;
  const body = { operation, document, description, expiresOn, otpLength: PASSWORD_LENGTH };
  const path = `/refunds/${merchantId}/${refundId}/cashout`;
  return sendAs(credentials, server, command.by, { method: 'POST', path, body, headers: keyHeader(command.key) });
}

/** Digits of every one-time password. */
export const PASSWORD_LENGTH = 12;

export function sendManagedCashout(credentials: Credentials, server: Server, command: ManagedCashoutCommand): Promise<Seen> {
  const { merchantId: merchant, operationId: operation } = command;
  const path = `/cashouts/${merchant}/${operation}`;
  const send = (request: Request): Promise<Seen> => sendAs(credentials, server, command.by, request);
  switch (command.do) {
    case 'register cashout': {
      const { document, description, expiresOn } = command;
      const amount = money(command.amountMinor, command.currency);
      const body = { merchant, operation, amount, document, description, expiresOn, otpLength: PASSWORD_LENGTH };
      return send({ method: 'POST', path: '/cashouts', body, headers: keyHeader(command.key) });
    }
    case 'cancel cashout':
      return send({ method: 'POST', path: `${path}/cancel` });
    case 'query cashout':
      return send({ method: 'GET', path });
    case 'renew password':
      return send({ method: 'POST', path: `${path}/resend`, headers: keyHeader(command.key) });
    case 'nullify cashout':
      return send({ method: 'POST', path: `${path}/nullify`, body: { reason: NULLIFY_REASON } });
  }
}
