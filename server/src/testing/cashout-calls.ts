import { checksumOf } from './checksum-of.ts';
import type { TestMerchant, TestCaudal } from './test-caudal.ts';

/** What the cashout operations answer; `data` as it came. */
export type CashoutAnswer = { readonly code: string; readonly text: string; readonly data: Record<string, string> };

type Members = Readonly<Record<string, unknown>>;

let renewals = 0;

/** Signed calls of one merchant's cashout operations. A member that is undefined is left out; `checksum` given replaces the right one. */
export function cashoutCalls({ app }: Pick<TestCaudal, 'app'>, { merchantId, fixedHash }: Pick<TestMerchant, 'merchantId' | 'fixedHash'>) {
  const sign = (...values: readonly unknown[]): string => checksumOf(values, fixedHash);
  return {
    sign,
    /** The body of a registration, signed over what is in it. */
    registration: (members: Members = {}): Members => {
      const body = { merchant: merchantId, operation: 'W-1', amount: '45000.00', currency: 'COP', document: '1020304050', ...members };
      return { ...body, checksum: sign(body.merchant, body.operation, body.amount, body.currency, body.document), ...members };
    },
    register: async (body: unknown, path = '/cashout/v1/operation'): Promise<CashoutAnswer> => {
      const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      const reply = await app.inject({ method: 'POST', url: path, payload });
      return { ...reply.json<CashoutAnswer>(), ...(reply.statusCode === 200 ? {} : { text: `HTTP ${reply.statusCode}` }) };
    },
    query: async (operation: string, document: string): Promise<CashoutAnswer> => {
      const url = `/cashout/v1/operation/${merchantId}/${operation}?checksum=${sign(merchantId, operation, document)}&document=${document}`;
      return (await app.inject({ method: 'GET', url })).json();
    },
    /** Another one-time password. Each renewal has an id of its own, unless one is given. */
    renew: async (operation: string, document: string, members: Members = {}): Promise<CashoutAnswer> => {
      const { renewal } = { renewal: `otp.${++renewals}`, ...members };
      const payload = JSON.stringify({ document, renewal, checksum: sign(document, operation, merchantId, renewal ?? ''), ...members });
      return (await app.inject({ method: 'POST', url: `/cashout/v1/operation/${merchantId}/${operation}/otp`, payload })).json();
    },
    /** What the fund of a currency holds and keeps aside. */
    balance: async (currency = 'COP'): Promise<{ readonly balance: string; readonly reserved: string } | undefined> => {
      const reply = await app.inject(`/cashout/v1/operation/available/${merchantId}?checksum=${sign(merchantId)}`);
      const { data } = reply.json<{ data: { balances: { currency: string; balance: string; reserved: string }[] } }>();
      const { currency: _, ...held } = data.balances.find((one) => one.currency === currency) ?? { currency, balance: '', reserved: '' };
      return held;
    },
    cancel: async (operation: string, document: string): Promise<CashoutAnswer> => {
      const payload = JSON.stringify({ checksum: sign(merchantId, operation), document });
      return (await app.inject({ method: 'DELETE', url: `/cashout/v1/operation/${merchantId}/${operation}`, payload })).json();
    },
  };
}

type Counted = { readonly day: Temporal.PlainDate; readonly state: string; readonly operations: bigint };

/** The kept counts that are not zero, and the same counted one by one: they must be equal. */
export async function countsOf({ db }: Pick<TestCaudal, 'db'>, merchantId: string): Promise<{ kept: string[]; counted: string[] }> {
  const states = ['pending', 'approved', 'expired', 'cancelled', 'nullified'];
  const kept = await db.query<Counted>(
    {
      name: 'testing.kept_counts',
      text: `select updated_on as day, state, operations from cashout_counts
               cross join lateral (values ${states.map((state) => `('${state}', ${state})`).join(', ')}) as one (state, operations)
              where merchant_id = $1 and operations <> 0 order by 1, 2`,
    },
    [merchantId],
  );
  const counted = await db.query<Counted>(
    {
      name: 'testing.counted',
      text: 'select updated_on as day, state, count(*) as operations from cashouts where merchant_id = $1 group by 1, 2 order by 1, 2',
    },
    [merchantId],
  );
  const write = ({ day, state, operations }: Counted): string => `${day.toString()} ${state} ${operations}`;
  return { kept: kept.map(write).toSorted(), counted: counted.map(write).toSorted() };
}
