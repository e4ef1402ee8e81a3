import { formatDayFirst } from '../src/kit/calendar.ts';
import { Unavailable } from '../src/kit/db.ts';
import { formatAmount } from '../src/kit/money.ts';
import type { Refusal } from '../src/kit/outcome.ts';
import { openEngine } from '../src/kit/changes/engine.ts';
import { createNullify } from '../src/cashouts/operator/nullify-cashout.ts';
import { signingSecretOf } from '../src/networks/index.ts';
import { signatureHeaders } from '../src/requests/index.ts';
import { checksumOf } from '../src/testing/checksum-of.ts';
import { isManagedCashout } from './model/cashout-model.ts';
import type { CashoutCommand } from './model/cashout-state.ts';
import { day, merchantOf, type Merchants, type Seen, type Weather } from './model/model.ts';
import { isManagedOrder } from './model/order-model.ts';
import type { OrderCommand } from './model/order-state.ts';
import { flatten, inject } from './send-http.ts';
import { PASSWORD_LENGTH, sendManagedCashout, sendManagedOrder, type Credentials } from './send-managed.ts';
import type { Server } from './servers.ts';

/** The fixed hashes of merchants and the secrets of networks, by their names. */
export type Secrets = { readonly merchants: ReadonlyMap<string, string>; readonly networks: ReadonlyMap<string, string> };
export type Callers = Credentials & { readonly merchants: Merchants; readonly secrets: Secrets; readonly weather: Weather };

/** Sends a command as a merchant, a network, an operator or an actor does. Source: contract §3, §4.3. */
export function sendOrder(callers: Callers, server: Server, command: OrderCommand): Promise<Seen> {
  if (isManagedOrder(command)) return sendManagedOrder(callers, server, command);
  const { merchants, secrets } = callers;
  const signature = (merchantId: string, ...values: readonly string[]): string => sign(secrets.merchants, merchantId, values);
  switch (command.do) {
    case 'create order':
    case 'update order': {
      const { merchantId, orderId, currency, expiresOn, description, method, recurrent, reference } = command;
      const email = 'ana@example.com';
      const { country } = merchantOf(merchants, merchantId);
      const amount = formatAmount(command.amountMinor, currency);
      const body = {
        merchant: merchantId,
        email,
        country,
        order: orderId,
        money: currency,
        amount,
        description,
        method,
        recurrent,
        reference,
        ...(expiresOn === undefined ? {} : { expiration: formatDayFirst(day(expiresOn)) }),
        checksum: signature(merchantId, email, country, orderId, currency, amount),
      };
      const isCreation = command.do === 'create order';
      const headers = isCreation ? keyHeader(command.key) : matchHeader(command.ifMatch);
      return ask(server, isCreation ? 'POST' : 'PATCH', '/api/v3/porders', body, headers);
    }
    case 'read order history':
    case 'cancel order':
    case 'query order': {
      const { merchantId, orderId } = command;
      const path = `/api/v3/porders/${orderId}${command.do === 'read order history' ? '/history' : ''}`;
      const url = `${path}?merchant=${merchantId}&checksum=${signature(merchantId, orderId, merchantId)}`;
      if (command.do === 'cancel order') return ask(server, 'DELETE', url, undefined, matchHeader(command.ifMatch));
      return ask(server, 'GET', url);
    }
    case 'query order by reference': {
      const { merchantId, reference } = command;
      const proof = signature(merchantId, reference, merchantId);
      return ask(server, 'GET', `/api/v3/porders?reference=${reference}&merchant=${merchantId}&checksum=${proof}`);
    }
    case 'look up order': {
      const { netname, reference } = command;
      const body = { reference, checksum: sign(secrets.networks, netname, [netname, reference]) };
      return injectSigned(server, secrets, netname, 'POST', `/api/v3/references/${netname}`, body);
    }
    case 'pay order': {
      const { netname, transaction, serviceId: idorder, currency: money } = command;
      const amount = formatAmount(command.amountMinor, money);
      const proof = sign(secrets.networks, netname, [netname, transaction, amount, money, idorder]);
      const body = { transaction, amount, money, idorder, checksum: proof };
      return injectSigned(server, secrets, netname, 'POST', `/api/v3/payments/${netname}`, body);
    }
    case 'reverse order payment': {
      const { netname, transaction, serviceId: idorder } = command;
      const proof = sign(secrets.networks, netname, [netname, transaction, idorder]);
      const body = { idorder, checksum: proof };
      return injectSigned(server, secrets, netname, 'PATCH', `/api/v3/payments/${netname}/${transaction}`, body);
    }
    default:
      return sendRefund(callers, server, command);
  }
}

type RefundCommand = Extract<OrderCommand, { readonly do: 'request refund' | 'change refund' | 'void order' }>;

/** Runs the operator's commands on money that goes back. */
function sendRefund({ merchants }: Callers, server: Server, command: RefundCommand): Promise<Seen> {
  const givingBack = server.givingBack(merchantOf(merchants, command.merchantId).cell);
  switch (command.do) {
    case 'request refund': {
      const { do: _, ...asked } = command;
      const by = { paymentNumber: null, reason: 'Simulated', requestId: null, actor: 'operator' } as const;
      return byOperator(() => givingBack.requestRefund({ ...asked, ...by }) as Promise<OperatorsOutcome>);
    }
    case 'change refund': {
      const { merchantId, refundId, to, refundedBy } = command;
      const key = { merchantId, refundId, requestId: null, actor: 'operator' } as const;
      const how =
        to === 'failed'
          ? { to, problem: 'Simulated' }
          : to === 'cancelled'
            ? { to, isWithdrawn: false }
            : to === 'paid'
              ? { to, refundedBy }
              : { to };
      return byOperator(() => givingBack.changeRefund({ ...key, ...how }));
    }
    case 'void order': {
      const { merchantId, orderId, isClaim, refundedBy } = command;
      return byOperator(() =>
        givingBack.voidOrder({ merchantId, orderId, paymentNumber: null, refundedBy, isClaim, reason: 'Simulated', requestId: null }),
      );
    }
  }
}

/** Sends a command as a merchant, a network, an operator or an actor does. Source: contract §4. */
export function sendCashout(callers: Callers, server: Server, command: CashoutCommand): Promise<Seen> {
  if (isManagedCashout(command)) return sendManagedCashout(callers, server, command);
  const { merchants, secrets } = callers;
  const signature = (merchantId: string, ...values: readonly string[]): string => sign(secrets.merchants, merchantId, values);
  const proof = (netname: string, ...values: readonly string[]): string => sign(secrets.networks, netname, [netname, ...values]);
  switch (command.do) {
    case 'register cashout': {
      const { merchantId, operationId: operation, currency, description, document, expiresOn: expire } = command;
      const amount = formatAmount(command.amountMinor, currency);
      const body = {
        merchant: merchantId,
        operation,
        amount,
        currency,
        description,
        document,
        otpLength: PASSWORD_LENGTH,
        ...(expire === undefined ? {} : { expire }),
        checksum: signature(merchantId, merchantId, operation, amount, currency, document),
      };
      return ask(server, 'POST', '/cashout/v1/operation', body, keyHeader(command.key));
    }
    case 'cancel cashout': {
      const { merchantId, operationId, document } = command;
      const body = { document, checksum: signature(merchantId, merchantId, operationId) };
      return ask(server, 'DELETE', `/cashout/v1/operation/${merchantId}/${operationId}`, body);
    }
    case 'query cashout': {
      const { merchantId, operationId, document } = command;
      const query = `checksum=${signature(merchantId, merchantId, operationId, document)}&document=${document}`;
      return ask(server, 'GET', `/cashout/v1/operation/${merchantId}/${operationId}?${query}`);
    }
    case 'renew password': {
      const { merchantId, operationId, document, renewal } = command;
      const checksum = signature(merchantId, document, operationId, merchantId, String(renewal));
      const body = { document, renewal, otpLength: PASSWORD_LENGTH, checksum };
      return ask(server, 'POST', `/cashout/v1/operation/${merchantId}/${operationId}/otp`, body, keyHeader(command.key));
    }
    case 'look up cashout': {
      const { netname, otp, document } = command;
      const body = { otp, document, checksum: proof(netname, otp, document) };
      return injectSigned(server, secrets, netname, 'POST', `/cashout/v1/order/${netname}`, body);
    }
    case 'pay cashout': {
      const { netname, transaction, serviceId: idoperation, teller } = command;
      const body = { idoperation, transaction, teller, checksum: proof(netname, idoperation, transaction) };
      return injectSigned(server, secrets, netname, 'POST', `/cashout/v1/transaction/${netname}`, body);
    }
    case 'reverse cashout payment': {
      const { netname, transaction, serviceId: idoperation } = command;
      const body = { idoperation, checksum: proof(netname, transaction, idoperation) };
      return injectSigned(server, secrets, netname, 'PATCH', `/cashout/v1/transaction/${netname}/${transaction}`, body);
    }
    case 'nullify cashout': {
      const { merchantId, operationId } = command;
      const { timeZone, cell } = merchantOf(merchants, merchantId);
      const { cells, clock } = server.service;
      const by = { timeZone, actor: 'operator', requestId: null, reason: 'simulated' } as const;
      return byOperator(() => createNullify({ engine: openEngine({ db: cells.of(cell).db, clock }) })({ merchantId, operationId, ...by }));
    }
  }
}

function sign(secrets: ReadonlyMap<string, string>, name: string, values: readonly string[]): string {
  return checksumOf(values, secrets.get(name) ?? '');
}

/** Sends a request as a network does: it signs each. */
function injectSigned(
  server: Server,
  secrets: Secrets,
  netname: string,
  method: 'POST' | 'PATCH',
  url: string,
  body: object,
): Promise<Seen> {
  const content = { method, url, body: Buffer.from(JSON.stringify(body)) };
  const secret = signingSecretOf(secrets.networks.get(netname) ?? '');
  return ask(server, method, url, body, signatureHeaders(secret, content, server.service.clock.now()));
}

const keyHeader = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });
const matchHeader = (version: number | undefined): Record<string, string> => (version === undefined ? {} : { 'if-match': `"${version}"` });

/** The statuses of decisions: contract §2.6. */
const DECIDED = new Set([200, 409, 412, 422]);

async function ask(
  server: Server,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const reply = await inject(server, { method, url, headers, body }, DECIDED);
  if (reply === undefined) return undefined;
  const parsed = reply.json<{ CODE?: string; code?: string; DATA?: object; data?: object }>();
  const { etag, 'idempotency-replayed': replayed } = reply.headers;
  return {
    code: String(parsed.CODE ?? parsed.code),
    status: String(reply.statusCode),
    replayed: replayed === undefined ? 'false' : 'true',
    ...(etag === undefined ? {} : { etag }),
    ...flatten(parsed.DATA ?? parsed.data ?? {}),
  };
}

type OperatorsOutcome = Refusal | { readonly payment?: { readonly paymentNumber: number }; readonly event?: unknown };

/** Runs an operator's command: the refusal's name, or success and the number of the payment. */
async function byOperator(run: () => Promise<OperatorsOutcome>): Promise<Seen> {
  try {
    const outcome = await run();
    if ('refusal' in outcome) return { code: outcome.refusal };
    return { code: '0000', ...(outcome.payment === undefined ? {} : { payment: String(outcome.payment.paymentNumber) }) };
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
