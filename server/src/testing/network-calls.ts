import { checksum } from '../kit/checksum.ts';
import type { CreatedNetwork } from '../networks/index.ts';
import type { CashoutAnswer } from './cashout-calls.ts';
import type { TestCaudal } from './test-caudal.ts';

type Members = Readonly<Record<string, unknown>>;

/** Signed calls of one network's cashout operations. A member that is undefined is left out; `checksum` given replaces the right one. */
export function networkCalls({ app }: Pick<TestCaudal, 'app'>, { netname, secret }: CreatedNetwork) {
  const sign = (...values: readonly unknown[]): string => checksum('sha512', [netname, ...values.map(String)], secret);
  const send = async (method: 'POST' | 'PATCH', url: string, members: Members): Promise<CashoutAnswer> => {
    const reply = await app.inject({ method, url, payload: JSON.stringify(members) });
    if (reply.statusCode !== 200) throw new Error(`HTTP ${reply.statusCode}: ${reply.body}`);
    return reply.json();
  };
  return {
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
