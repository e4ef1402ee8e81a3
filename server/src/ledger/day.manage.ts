import { Type } from 'typebox';
import { dayOf, parseIsoDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { refuse } from '../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas } from '../manage/index.ts';
import { showMerchant, zoneOfMerchant } from '../merchants/index.ts';
import { statementOf } from './day-statement.ts';
import { LEDGER_KINDS, type OWN_ACCOUNTS } from './postings.ts';
import { readFunds, readMerchantDay, type LedgerDay } from './read-day.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const { amount, currency, day, instant, merchantId, oneOf, answerObject, showAmount, showInstant } = schemas;

const dayOrToday = Type.String({
  maxLength: 10,
  pattern: '^(today|2[0-9]{3}-[0-9]{2}-[0-9]{2})$',
  description: 'A day of the merchant’s time zone, or `today`.',
  examples: ['2026-11-21'],
});
const account = Type.String({ maxLength: 60, examples: ['available'] });
const transactions = Type.Integer({ minimum: 0 });
const kind = oneOf(LEDGER_KINDS, 'What happened.');
const balances = Type.Array(answerObject({ account, balance: amount }));
const line = answerObject({
  kind,
  transactions,
  amount,
  fees: amount,
  tax: amount,
  net: amount,
  parts: Type.Array(answerObject({ account, transactions, amount }), { description: 'What each network, or the bank, had a part in.' }),
});

function show(ofDay: LedgerDay) {
  const { currency: code, start, movements, end, faults } = ofDay;
  const { openingMinor, lines, closingMinor } = statementOf(ofDay);
  const money = (minor: bigint) => showAmount(minor, code);
  const balancesOf = (amounts: ReadonlyMap<string, bigint>) =>
    Array.from(amounts, ([of, minor]) => ({ account: of, balance: money(minor) }));
  return {
    currency: code,
    opening: money(openingMinor),
    lines: lines.map((one) => ({
      kind: one.kind,
      transactions: Number(one.transactions),
      amount: money(one.amountMinor),
      fees: money(one.feesMinor),
      tax: money(one.taxMinor),
      net: money(one.netMinor),
      parts: one.parts.map((part) => ({ account: part.account, transactions: Number(part.transactions), amount: money(part.amountMinor) })),
    })),
    closing: money(closingMinor),
    start: balancesOf(start),
    movements: movements.map((one) => ({
      kind: one.kind,
      transactions: Number(one.transactions),
      amounts: Array.from(one.amounts, ([of, minor]) => ({ account: of, amount: money(minor) })),
    })),
    end: balancesOf(end),
    faults,
  };
}

/** A merchant's day as the API and the command show it. */
const showDay = (merchant: string, { day: date, zone, from, until, days, addsUp }: Awaited<ReturnType<typeof readMerchantDay>>) => ({
  merchant,
  day: date.toString(),
  timeZone: zone,
  from: from.toString(),
  until: until.toString(),
  currencies: days.map(show),
  addsUp,
});

export const readStatement = managementOperation({
  name: 'readStatement',
  route: 'GET /manage/v1/ledger/{merchant}/days/{day}',
  tag: 'Ledger',
  summary: 'Show a merchant’s money on one day',
  description: 'In each line amount, fees and tax add up to the net. Opening and all nets add up to closing.',
  permission: 'ledger:read',
  scope: 'merchant',
  path: Type.Object({ merchant: merchantId, day: dayOrToday }),
  missing: NO_MERCHANT,
  shows: answerObject({
    merchant: merchantId,
    day,
    timeZone: Type.String({ description: 'Of the day: that of the merchant.', examples: ['America/Bogota'] }),
    from: instant,
    until: instant,
    currencies: Type.Array(
      answerObject({
        currency,
        opening: amount,
        lines: Type.Array(line),
        closing: amount,
        start: balances,
        movements: Type.Array(answerObject({ kind, transactions, amounts: Type.Array(answerObject({ account, amount })) })),
        end: balances,
        faults: Type.Array(Type.String(), { description: 'What does not add up. Empty, unless the ledger is damaged.' }),
      }),
    ),
    addsUp: Type.Boolean(),
  }),
  run: async ({ path: { merchant, day: text } }, deps: Deps) => {
    const date = text === 'today' ? undefined : parseIsoDay(text);
    if ((date === undefined && text !== 'today') || (await showMerchant(deps, merchant, deps.clock.now())) === undefined)
      return refuse('not_found');
    return { merchant, ...(await readMerchantDay(deps, merchant, date)) };
  },
  answer: ({ merchant, ...read }) => ({ body: showDay(merchant, read) }),
});

/** A month, with today. */
const USUAL_DAYS = 30;

export const readFundsByDay = managementOperation({
  name: 'readFunds',
  route: 'GET /manage/v1/ledger/{merchant}/funds',
  tag: 'Ledger',
  summary: 'Show what a merchant had at the end of each day',
  description:
    'By currency, the oldest first. Up to 62 days are of the merchant’s time zone, more are of UTC; `timeZone` says which. The last point is ' +
    'now where its day has not ended. Without `to` the last day is today, without `from` there are 30 days.',
  permission: 'ledger:read',
  scope: 'merchant',
  path: Type.Object({ merchant: merchantId }),
  query: Type.Object({ from: Type.Optional(day), to: Type.Optional(day) }),
  refusals: { days_out_of_range: ROOM_PROBLEMS.days_out_of_range },
  shows: answerObject({
    timeZone: Type.String({ maxLength: 40 }),
    points: Type.Array(
      answerObject({ at: instant, available: amount, reserved: amount, collected: amount, held: amount, settlements: amount }),
    ),
  }),
  run: async ({ path: { merchant }, query }, deps: Deps) => {
    if ((await showMerchant(deps, merchant, deps.clock.now())) === undefined) return refuse('not_found');
    const zone = await zoneOfMerchant(deps, merchant);
    const to = query.to === undefined ? dayOf(deps.clock.now(), zone) : parseIsoDay(query.to);
    const from = query.from === undefined ? to?.subtract({ days: USUAL_DAYS - 1 }) : parseIsoDay(query.from);
    if (from === undefined || to === undefined) return refuse('days_out_of_range');
    return readFunds(deps, merchant, { from, to, zone });
  },
  answer: ({ zone, points }) => ({
    body: {
      timeZone: zone,
      points: points.map(({ at, currency: code, amounts }) => {
        const own = (account: (typeof OWN_ACCOUNTS)[number]) => showAmount(amounts.get(account) ?? 0n, code);
        return {
          at: showInstant(at),
          available: own('available'),
          reserved: own('reserved'),
          collected: own('collected'),
          held: own('held'),
          settlements: own('settlements'),
        };
      }),
    },
  }),
});
