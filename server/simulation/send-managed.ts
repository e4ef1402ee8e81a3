import { formatAllDecimals } from '../src/kit/money.ts';
import { actorOf, type Actors, type By } from './model/actors.ts';
import { NULLIFY_REASON, type ManagedCashoutCommand } from './model/managed-cashouts.ts';
import { VOID_REASON, type ManagedOrderCommand } from './model/managed-orders.ts';
import type { Seen } from './model/model.ts';
import { flatten, inject } from './send-http.ts';
import type { Server } from './servers.ts';

/** Actors, and what each sends to show who it is. */
export type Credentials = { readonly actors: Actors; readonly headersOf: (name: string) => Readonly<Record<string, string>> };

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Request = {
  readonly method: Method;
  readonly path: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The statuses of decisions of the management API. */
const DECIDED = new Set([200, 201, 202, 204, 401, 403, 404, 409, 412, 422]);

/** Sends a request as an actor. The code of a refusal is the name of its problem. */
async function sendAs(credentials: Credentials, server: Server, by: By, request: Request): Promise<Seen> {
  const { method, path, body, headers = {} } = request;
  const all = { ...headers, ...credentials.headersOf(actorOf(credentials.actors, by).name), 'x-request-id': by.request };
  const reply = await inject(server, { method, url: `/manage/v1${path}`, headers: all, body }, DECIDED);
  if (reply === undefined) return undefined;
  const shown = (reply.body === '' ? {} : JSON.parse(reply.body)) as { readonly type?: string };
  const { etag, 'idempotency-replayed': replayed } = reply.headers;
  const isRefused = reply.statusCode >= 400;
  return {
    code: isRefused ? String(shown.type).replace('/docs/problems/', '') : '0000',
    status: String(reply.statusCode),
    replayed: replayed === undefined ? 'false' : 'true',
    ...(etag === undefined ? {} : { etag }),
    ...flatten(shown),
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
    case 'void order':
      return send({ method: 'POST', path: `${path}/void`, body: { reason: VOID_REASON, isClaim: command.isClaim } });
  }
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
