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

/** The body of a creation or an update, with its checksum. */
export function orderBody(
  fixedHash: string,
  { order, amount, description }: { order: string; amount: string; description: string },
): string {
  return JSON.stringify({
    merchant: DEMO_MERCHANT,
    email: EMAIL,
    country: COUNTRY,
    order,
    money: CURRENCY,
    amount,
    description,
    checksum: checksum('sha512', [EMAIL, COUNTRY, order, CURRENCY, amount], fixedHash),
  });
}

/** The address of the query of one order. */
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

/** The address of the query of the demo's newest cashout. */
export function cashoutPath(fixedHash: string): string {
  const { operation, document } = idsOf(0);
  const proof = checksum('sha512', [DEMO_MERCHANT, operation, document], fixedHash);
  return `/cashout/v1/operation/${DEMO_MERCHANT}/${operation}?document=${document}&checksum=${proof}`;
}

/** True if the answer to the query of one cashout has a cashout. */
export function isFound(answer: string): boolean {
  return (JSON.parse(answer) as { code: string }).code === '0000';
}

const DEMO_CASHOUTS = 300;
const DEMO_WEEKS = 5;
/** The states of older cashouts. The latest ones are pending. */
const ENDS = ['APROBADA', 'APROBADA', 'APROBADA', 'VENCIDA', 'APROBADA', 'CANCELADA', 'APROBADA', 'ANULADA'] as const;

const idsOf = (index: number): { readonly operation: string; readonly document: string } => ({
  operation: `W-${1000 + DEMO_CASHOUTS - index}`,
  document: String(10_200_300 + (index % 40)),
});

/** Cashouts of the last weeks, one line of NDJSON each, in the form of the import. Only the first day varies. */
export function* demoCashouts(now: Temporal.Instant): Generator<string> {
  const minutes = DEMO_WEEKS * 7 * 24 * 60;
  for (let index = 0; index < DEMO_CASHOUTS; index++) {
    // Newest first, spread over the weeks, no two at the same moment.
    const update = now.subtract({ minutes: Math.trunc((index * minutes) / DEMO_CASHOUTS) + (index % 7) + 1 });
    const day = update.toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate();
    const isWaiting = index < DEMO_CASHOUTS / 5;
    yield `${JSON.stringify({
      ...idsOf(index),
      amount: String(20_000 + ((index * 7_919) % 400) * 1_000),
      transactionCost: index % 4 === 0 ? '1500' : '0',
      currency: CURRENCY,
      description: 'Prize payment',
      sms: index % 2 === 0 ? 'true' : 'false',
      cellphone: `300${String(5_550_000 + (index % 40)).padStart(7, '0')}`,
      expire: formatCompactDay(day.add({ days: 30 })),
      update: update.toString(),
      status: isWaiting ? 'PENDIENTE' : ENDS[index % ENDS.length],
    })}\n`;
  }
}
