import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openActing } from '../../audit/index.ts';
import type { Act } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { topUp } from '../../ledger/index.ts';
import { createMerchant, setNoticeUrl, untilKnown } from '../../merchants/index.ts';
import { sandboxNetwork } from '../../sandbox/index.ts';
import type { Caudal } from '../rooms.ts';
import {
  cancelCashoutPath,
  cashoutBody,
  DEMO_MERCHANT,
  DEMO_ORDERS,
  DEMO_TIME_ZONE,
  demoCashout,
  orderBody,
  orderPath,
  passwordOf,
  referenceOf,
  type DemoCashout,
  type DemoOrder,
} from './demo.wire.ts';

/** A list of the last 30 days has all of these, in every time zone. */
const DAYS = 28;
const CASHOUTS_A_DAY = 6;
/** Whole weeks have so many, whatever day they begin with. */
const ORDERS = 110;
/** The last one: where it is there, the month was played. */
export const LAST_ORDER = 'A-1000';

/** What the fund for cashouts gets, by how many days ago. The reference of a top-up is that of its day. */
const TOP_UPS: Readonly<Record<number, bigint>> = { 28: 50_000_000_00n, 21: 10_000_000_00n, 14: 15_000_000_00n, 7: 10_000_000_00n };

const FUNDING: Act = {
  actor: { kind: 'service', id: 'demo', name: 'demo' },
  source: 'localhost',
  requestId: null,
  operation: 'ledger top-up',
  merchantId: DEMO_MERCHANT,
  target: `merchant ${DEMO_MERCHANT}`,
};

/** What is due within so many hours is sent together: one after the other, the first start would take three times as long. */
const TOGETHER_HOURS = 2;
const TICK_SECONDS = 1;

/** In minutes: some pay at once, and some on another day. */
const UNTIL_PAID = [1, 12, 47, 320, 1_530] as const;
/** What becomes of an order, by its number. The last one stays as it is. */
const ORDER_ENDS = ['paid', 'paid', 'paid', 'expired', 'paid', 'paid', 'cancelled', 'paid', 'paid', 'open'] as const;
const CASHOUT_ENDS = ['paid', 'paid', 'paid', 'expired', 'paid', 'cancelled', 'paid', 'open'] as const;

/** In this order: what has expired is notified. */
const JOBS = ['orders.expire', 'cashouts.expire', 'notices.deliver'] as const;

/** Something that happens at a time. It may lead to something later. */
type Step = { readonly at: Temporal.Instant; readonly run: () => Promise<readonly Step[] | void> };

/**
 * Plays the last four weeks of the demo merchant: each day some orders and cashouts, by the requests that every client sends, as of then.
 * Shape: a function that opens the service with another clock; the time until which is played.
 * Effects: creates the merchant, the network of the sandbox and all that they did. Jobs of other servers must not run meanwhile: by their
 * clock the first orders are over.
 */
export async function playMonth(openAsOf: (clock: Clock) => Promise<Caudal>, keys: MasterKeys, until: Temporal.Instant): Promise<void> {
  const today = until.toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate();
  let now = today.subtract({ days: DAYS }).toZonedDateTime(DEMO_TIME_ZONE).toInstant();
  // It goes on with each look at it, so that what comes together differs by seconds.
  const past = await openAsOf({ now: () => (now = now.add({ seconds: TICK_SECONDS })) });
  // Of a sandbox whose clock was moved.
  const ahead = past.clock.now().since(now);
  const shop = await openShop();
  try {
    const { db, clock } = past;
    await createMerchant({ db, keys, clock }, { merchantId: DEMO_MERCHANT, country: '343', name: 'Demo shop' });
    // It may be there from a start that was cut off, with the address of a server that is gone.
    await setNoticeUrl({ db }, DEMO_MERCHANT, shop.url);
    await sandboxNetwork({ ...past, keys });
    const jobs = JOBS.flatMap((name) => past.jobs.filter((job) => job.name === name));
    let steps = await openDays(past, today);
    for (;;) {
      const [next] = steps.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
      if (next === undefined || !isBefore(next.at, until)) break;
      const together = next.at.add({ hours: TOGETHER_HOURS });
      const due = steps.filter(({ at }) => isBefore(at, together) && isBefore(at, until));
      const begins = next.at.subtract(ahead);
      if (isBefore(now, begins)) now = begins;
      const followed = await Promise.all(due.map(({ run }) => run()));
      steps = [...steps.filter((step) => !due.includes(step)), ...followed.flatMap((more) => more ?? [])];
      for (const { step } of jobs) while (await step());
    }
    // Nobody is there any more.
    await setNoticeUrl({ db }, DEMO_MERCHANT, null);
  } finally {
    await past.close();
    shop.close();
  }
}

/** The merchant's own server, which takes every notice. */
async function openShop(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => void request.resume().once('end', () => response.writeHead(204).end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    close: () => server.close().closeAllConnections(),
  };
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0;

/** What begins on each day: the rest follows from it. */
async function openDays({ app, db, merchants, clock }: Caudal, today: Temporal.PlainDate): Promise<readonly Step[]> {
  const fixedHash = (await untilKnown(merchants, DEMO_MERCHANT)).fixedHashes[0]?.secret ?? '';
  const send = async (method: 'POST' | 'DELETE', url: string, payload?: object | string): Promise<string> =>
    (await app.inject({ method, url, ...(payload === undefined ? {} : { payload }) })).body;
  const later = (minutes: number, run: Step['run']): Step => ({ at: clock.now().add({ minutes }), run });

  async function createOrder(order: DemoOrder, number: number): Promise<readonly Step[]> {
    const end = ORDER_ENDS[number % ORDER_ENDS.length];
    const today = clock.now().toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate();
    const lastDay = end === 'expired' ? today.add({ days: 2 }) : undefined;
    const created = await send('POST', '/api/v3/porders', orderBody(fixedHash, order, lastDay));
    const reference = referenceOf(created);
    if (end === 'cancelled') return [later(200, async () => void (await send('DELETE', orderPath(fixedHash, order.order))))];
    if (end !== 'paid' || reference === undefined) return [];
    const minutes = UNTIL_PAID[number % UNTIL_PAID.length] as number;
    return [later(minutes, async () => void (await send('POST', '/sandbox/v1/payments', { reference })))];
  }

  async function register(cashout: DemoCashout, number: number): Promise<readonly Step[]> {
    const end = CASHOUT_ENDS[number % CASHOUT_ENDS.length];
    const today = clock.now().toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate();
    const lastDay = end === 'expired' ? today : undefined;
    const registered = await send('POST', '/cashout/v1/operation', cashoutBody(fixedHash, cashout, lastDay));
    const otp = passwordOf(registered);
    if (end === 'cancelled') return [later(95, async () => void (await send('DELETE', cancelCashoutPath(fixedHash, cashout))))];
    if (end !== 'paid' || otp === undefined) return [];
    const { document } = cashout;
    return [later(20 + ((number * 37) % 300), async () => void (await send('POST', '/sandbox/v1/collections', { document, otp })))];
  }

  async function fund(amountMinor: bigint, day: Temporal.PlainDate): Promise<void> {
    const order = { merchantId: DEMO_MERCHANT, currency: 'COP', amountMinor, reference: `demo-${day.toString()}` };
    const funded = await topUp({ db: openActing(db, clock)(FUNDING), clock }, order);
    if (isRefusal(funded)) throw new Error(`the demo merchant was not funded: ${funded.refusal}`);
  }

  const days = Array.from({ length: DAYS + 1 }, (_, index) => DAYS - index);
  let orders = 0;
  return days.flatMap((daysAgo): Step[] => {
    const day = today.subtract({ days: daysAgo });
    const at = (hour: number, minutes: number): Temporal.Instant =>
      day.toZonedDateTime(DEMO_TIME_ZONE).add({ hours: hour, minutes }).toInstant();
    // What ended with the day before is found then.
    const started = [{ at: at(0, 1), run: () => Promise.resolve() }];
    if (daysAgo === 0) return started;
    const amount = TOP_UPS[daysAgo];
    const funding = amount === undefined ? [] : [{ at: at(5, 0), run: () => fund(amount, day) }];
    // A weekend sells less.
    const ordersOfDay = 3 + ((daysAgo * 5) % 4) - (day.dayOfWeek > 5 ? 2 : 0);
    return [
      ...started,
      ...funding,
      ...Array.from({ length: ordersOfDay }, (_, index) => {
        const number = orders++;
        return { at: at(8, index * 137 + ((daysAgo * 23) % 60)), run: () => createOrder(demoOrder(number), number) };
      }),
      ...Array.from({ length: CASHOUTS_A_DAY }, (_, index) => {
        const number = (DAYS - daysAgo) * CASHOUTS_A_DAY + index;
        return { at: at(8, index * 103 + ((daysAgo * 17) % 45)), run: () => register(demoCashout(number), number) };
      }),
    ];
  });
}

/** Numbered up to the last one. Those of today come after it. */
const demoOrder = (number: number): DemoOrder => {
  const { amount, description } = DEMO_ORDERS[number % DEMO_ORDERS.length] as (typeof DEMO_ORDERS)[number];
  return { order: `A-${1001 - ORDERS + number}`, amount, description };
};
