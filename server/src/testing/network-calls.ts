import { signingSecretOf, type CreatedNetwork } from '../networks/index.ts';
import { signatureHeaders } from '../requests/index.ts';
import type { CashoutAnswer } from './cashout-calls.ts';
import { checksumOf } from './checksum-of.ts';
import type { Caudal } from '../main/rooms.ts';

type Members = Readonly<Record<string, unknown>>;
type Caller = Pick<CreatedNetwork, 'netname' | 'secret'>;

/** Sends a request that a network has signed. Throws: where it gets no business answer. */
async function sendSigned(
  { app, clock }: Pick<Caudal, 'app' | 'clock'>,
  { secret }: Caller,
  method: 'POST' | 'PATCH',
  url: string,
  members: Members,
) {
  const payload = JSON.stringify(members);
  const headers = signatureHeaders(signingSecretOf(secret), { method, url, body: Buffer.from(payload) }, clock.now());
  const reply = await app.inject({ method, url, payload, headers });
  if (reply.statusCode !== 200) throw new Error(`HTTP ${reply.statusCode}: ${reply.body}`);
  return reply;
}

/** Signed calls of one network's cashout operations. A member that is undefined is left out; `checksum` given replaces the right one. */
export function networkCalls(service: Pick<Caudal, 'app' | 'clock'>, { netname, secret }: Caller) {
  const sign = (...values: readonly unknown[]): string => checksumOf([netname, ...values], secret);
  const send = async (method: 'POST' | 'PATCH', url: string, members: Members): Promise<CashoutAnswer> =>
    (await sendSigned(service, { netname, secret }, method, url, members)).json();
  return {
    netname,
    lookUp: (otp: unknown, document: unknown, members: Members = {}) =>
      send('POST', `/cashout/v1/order/${netname}`, { otp, document, checksum: sign(otp, document), ...members }),
    pay: (idoperation: unknown, transaction: string, members: Members = {}) =>
      send('POST', `/cashout/v1/transaction/${netname}`, {
        idoperation,
        transaction,
        teller: 'C-3',
        danecode: '11001',
        checksum: sign(idoperation, transaction),
        ...members,
      }),
    reverse: (idoperation: unknown, transaction: string, members: Members = {}) =>
      send('PATCH', `/cashout/v1/transaction/${netname}/${transaction}`, {
        idoperation,
        checksum: sign(transaction, idoperation),
        ...members,
      }),
  };
}

/** What the networks' operations on orders answer. */
export type NetworkOrderAnswer = { readonly code: string; readonly text: string; readonly data: Readonly<Record<string, string>> };

/** Signed calls of one network's operations on orders. A member that is undefined is left out; `checksum` given replaces the right one. */
export function networkOrderCalls(service: Pick<Caudal, 'app' | 'clock'>, { netname, secret }: Caller) {
  const sign = (...values: readonly unknown[]): string => checksumOf([netname, ...values], secret);
  const send = async (method: 'POST' | 'PATCH', url: string, members: Members): Promise<NetworkOrderAnswer> => {
    const reply = await sendSigned(service, { netname, secret }, method, url, members);
    const { CODE, DESC, DATA } = reply.json<{ CODE: string; DESC: string; DATA: NetworkOrderAnswer['data'] }>();
    return { code: CODE, text: DESC, data: DATA };
  };
  return {
    lookUp: (reference: unknown, members: Members = {}) =>
      send('POST', `/api/v3/references/${netname}`, { reference, checksum: sign(reference), ...members }),
    pay: (idorder: unknown, transaction: unknown, amount: unknown = '45000.0', members: Members = {}) => {
      const body = { idorder, transaction, amount, money: 'COP', ...members };
      const sum = sign(body.transaction, body.amount, body.money, body.idorder);
      return send('POST', `/api/v3/payments/${netname}`, { ...body, checksum: sum, ...members });
    },
    reverse: (idorder: unknown, transaction: string, members: Members = {}) =>
      send('PATCH', `/api/v3/payments/${netname}/${transaction}`, { idorder, checksum: sign(transaction, idorder), ...members }),
  };
}
