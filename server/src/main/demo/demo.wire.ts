import { formatCompactDay } from '../../kit/calendar.ts';
import { checksum } from '../../kit/checksum.ts';

// What a client of the demo merchant sends: contract §3.1 – §3.3, §4.1.

export const DEMO_MERCHANT = 'demo';
export const DEMO_TIME_ZONE = 'America/Bogota';

const EMAIL = 'customer@example.com';
const COUNTRY = '343';
const CURRENCY = 'COP';

/** The orders of a first start. */
export const DEMO_ORDERS = [
  { order: 'A-1005', amount: '18500', description: 'Phone top-up' },
  { order: 'A-1004', amount: '239900', description: 'Running shoes' },
  { order: 'A-1003', amount: '1250000.50', description: 'Refrigerator, second instalment' },
  { order: 'A-1002', amount: '64000', description: 'Two tickets, balcony' },
  { order: 'A-1001', amount: '45000', description: 'Monthly plan' },
] as const;
/** The order that the printed command changes, and the one that it pays. */
export const ORDER_TO_CHANGE = DEMO_ORDERS[4];
export const ORDER_TO_PAY = DEMO_ORDERS[3];

export type DemoOrder = { readonly order: string; readonly amount: string; readonly description: string };

/** The body of a creation or an update, with its checksum. `lastDay`: of a creation alone. */
export function orderBody(fixedHash: string, { order, amount, description }: DemoOrder, lastDay?: Temporal.PlainDate): string {
  return JSON.stringify({
    merchant: DEMO_MERCHANT,
    email: EMAIL,
    country: COUNTRY,
    order,
    money: CURRENCY,
    amount,
    description,
    ...(lastDay && { expiration: lastDay.toString().split('-').toReversed().join('/') }),
    checksum: checksum('sha512', [EMAIL, COUNTRY, order, CURRENCY, amount], fixedHash),
  });
}

/** The address of the query of one order, and of its cancellation. */
export function orderPath(fixedHash: string, order: string): string {
  return `/api/v3/porders/${order}?merchant=${DEMO_MERCHANT}&checksum=${checksum('sha512', [order, DEMO_MERCHANT], fixedHash)}`;
}

export type OpenOrder = { readonly order: string; readonly reference: string; readonly checkout: string };

/** Reads the answer to the query of one order. Undefined: it does not exist or is not open. */
export function readOpenOrder(answer: string): OpenOrder | undefined {
  const { ORDER, STATE, REFERENCE, checkout } = (JSON.parse(answer) as { DATA: Readonly<Record<string, string>> }).DATA;
  return STATE === 'PENDIENTE' ? { order: ORDER as string, reference: REFERENCE as string, checkout: checkout as string } : undefined;
}

/** The address of the list of cashouts over some days. */
export function listPath(fixedHash: string, startOn: Temporal.PlainDate, endOn: Temporal.PlainDate): string {
  const [start, end] = [formatCompactDay(startOn), formatCompactDay(endOn)];
  return `/cashout/v1/operation/${DEMO_MERCHANT}?start=${start}&end=${end}&checksum=${checksum('sha512', [DEMO_MERCHANT, start, end], fixedHash)}`;
}

export type DemoCashout = { readonly operation: string; readonly document: string; readonly amount: string; readonly description: string };

/** The n-th cashout of the demo. */
export const demoCashout = (number: number): DemoCashout => ({
  operation: `W-${1001 + number}`,
  document: String(10_200_300 + (number % 40)),
  amount: String(20_000 + ((number * 7_919) % 400) * 1_000),
  description: 'Prize payment',
});

/** The body of a registration, with its checksum. Its answer has the one-time password. */
export function cashoutBody(fixedHash: string, cashout: DemoCashout, lastDay?: Temporal.PlainDate): string {
  const { operation, document, amount } = cashout;
  return JSON.stringify({
    merchant: DEMO_MERCHANT,
    ...cashout,
    currency: CURRENCY,
    sms: false,
    ...(lastDay && { expire: lastDay.toString() }),
    checksum: checksum('sha512', [DEMO_MERCHANT, operation, amount, CURRENCY, document], fixedHash),
  });
}

/** The address of the cancellation of one cashout. */
export function cancelCashoutPath(fixedHash: string, { operation, document }: DemoCashout): string {
  const proof = checksum('sha512', [DEMO_MERCHANT, operation], fixedHash);
  return `/cashout/v1/operation/${DEMO_MERCHANT}/${operation}?document=${document}&checksum=${proof}`;
}

/** What a success carries. Undefined: the answer is another one. */
function dataOf(answer: string): Readonly<Record<string, string>> | undefined {
  const { CODE, DATA, code, data } = JSON.parse(answer) as Readonly<Record<string, unknown>>;
  return (CODE ?? code) === '0000' ? ((DATA ?? data) as Readonly<Record<string, string>>) : undefined;
}

export const isDone = (answer: string): boolean => dataOf(answer) !== undefined;
/** The reference of an order that was created. */
export const referenceOf = (answer: string): string | undefined => dataOf(answer)?.['Referencia'];
/** The one-time password of a cashout that was registered. */
export const passwordOf = (answer: string): string | undefined => dataOf(answer)?.['otp'];
