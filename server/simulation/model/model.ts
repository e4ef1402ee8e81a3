import type { ModelAct } from './acts.ts';
import { dayOf, endOfDay, formatLocal, parseIsoDay } from '../../src/kit/calendar.ts';

// Shared by the models of orders and cashouts. The model is written from docs/contract.md. It uses the service's arithmetic of money and
// calendar, and none of its decisions.

/** The fee for an order or a cashout: a part in millionths, a fixed sum, and a tax on both. */
export type Terms = { readonly percentPpm: number; readonly fixedMinor: bigint; readonly taxPpm: number };

/** A merchant: everything that decides about its orders and cashouts. */
export type ModelMerchant = {
  readonly merchantId: string;
  /** The database that holds it; 0: home. */
  readonly cell: number;
  readonly name: string;
  readonly country: string;
  readonly timeZone: string;
  readonly currencies: readonly string[];
  /** In Colombia only (contract §3.5). */
  readonly mayRecur: boolean;
  readonly fees: { readonly order: Terms; readonly cashout: Terms };
  /** Limits of its cashouts in each currency; undefined: none. */
  readonly limits: { readonly leastMinor: bigint; readonly mostMinor: bigint; readonly perDocumentAndDay: number } | undefined;
  /** A fund that is never too small. */
  readonly isAmple: boolean;
  /** The office changes these two, between rounds only. */
  isFrozen: boolean;
  isDisabled: boolean;
  /** How often it changed the hash that it signs with. With another hash a request has another body. */
  signsWith: number;
  /** Since when. */
  readonly stoppedAt: { isFrozen: number | undefined; isDisabled: number | undefined };
};

export type Merchants = ReadonlyMap<string, ModelMerchant>;

/** Whether databases or servers may go away in this round. In a service of several cells that leaves tries of passwords counted. */
export type Weather = { readonly hasCells: boolean; isStormy: boolean };

export function merchantOf(merchants: Merchants, merchantId: string): ModelMerchant {
  const merchant = merchants.get(merchantId);
  if (merchant === undefined) throw new Error(`the model knows no merchant ${merchantId}`);
  return merchant;
}

/**
 * The answer of an operation: its code, and all texts that the contract fixes. The service itself chooses its ids, one-time passwords and
 * the references that it makes. The model takes these over when it first sees them, and expects the same from then on.
 */
export type Answer = Readonly<Record<string, string>>;
/** The answer that was seen. Undefined: it was lost, so the command may or may not have been carried out. */
export type Seen = Answer | undefined;

export type Outcome<State> = { readonly answer: Answer; readonly state: State };

/** The answer under an Idempotency-Key, and the body that it answered (contract §7.3). */
type Kept = { readonly body: string; readonly answer: Answer };

/** A notice that a merchant must get: the body without its checksum (contract §3.6, §4.5). */
export type ModelNotice = { readonly merchantId: string; readonly subject: string; readonly body: Answer };

/** The state of a cell. Nothing outside the cell decides about it, except the fund. */
export type CellState = { readonly kept: Readonly<Record<string, Kept>>; readonly notices: readonly ModelNotice[] } & {
  /** By the ids of requests. */
  readonly acts: Readonly<Record<string, ModelAct>>;
};

/** The rules of a kind of cell. */
export type Rules<State extends CellState, Command> = {
  /** The possible outcomes of a command: one, unless the fund decides too. */
  readonly apply: (state: State, command: Command, now: number, seen: Seen) => readonly Outcome<State>[];
  /** Keys of what is due and not swept yet. */
  readonly due: (state: State, now: number) => readonly string[];
  /** The state after the sweep of one of them. */
  readonly sweep: (state: State, key: string, now: number) => State;
  /** The next instant at which something is due; Infinity: nothing will be. */
  readonly nextDue: (state: State) => number;
  readonly money: (state: State) => Money;
};

/** Balances by `merchant account currency`. */
export type Money = ReadonlyMap<string, bigint>;

export function addTo(balances: Map<string, bigint>, moved: Money, sign: 1n | -1n = 1n): void {
  for (const [account, amountMinor] of moved) balances.set(account, (balances.get(account) ?? 0n) + sign * amountMinor);
}

/** Adds up the amounts of each account. */
export function sumUp(all: readonly (readonly [account: string, amountMinor: bigint])[]): Money {
  const sums = new Map<string, bigint>();
  for (const [account, amountMinor] of all) sums.set(account, (sums.get(account) ?? 0n) + amountMinor);
  return sums;
}

/** A part in millionths, half up. Source: contract §4.3 by way of docs/operations/commands.md: once for the fee, once for the tax on the rounded fee. */
const part = (amountMinor: bigint, ppm: number): bigint => (2n * amountMinor * BigInt(ppm) + 1_000_000n) / 2_000_000n;

export function feeFor({ percentPpm, fixedMinor, taxPpm }: Terms, amountMinor: bigint): { readonly fee: bigint; readonly tax: bigint } {
  const fee = part(amountMinor, percentPpm) + fixedMinor;
  return { fee, tax: part(fee, taxPpm) };
}

/** As the management API shows instants. */
export const instantText = (ms: number): string => instant(ms).toString();

const instant = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

export const today = (now: number, timeZone: string): Temporal.PlainDate => dayOf(instant(now), timeZone);
export const localTime = (at: number, timeZone: string): string => formatLocal(instant(at), timeZone);

export function day(text: string): Temporal.PlainDate {
  const parsed = parseIsoDay(text);
  if (parsed === undefined) throw new Error(`the model was given no day: ${text}`);
  return parsed;
}

const ends = new Map<string, number>();
/** The first instant after a day. */
export function endOf(text: string, timeZone: string): number {
  const key = `${text} ${timeZone}`;
  let end = ends.get(key);
  if (end === undefined) ends.set(key, (end = endOfDay(day(text), timeZone).epochMilliseconds));
  return end;
}

/** Days from one day to another. */
export const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number => from.until(to, { largestUnit: 'days' }).days;

/** True when everything in the model's answer was seen. Names that begin with `#` are the model's own. */
export function agrees(answer: Answer, seen: Answer): boolean {
  for (const name in answer) if (!name.startsWith('#') && answer[name] !== seen[name]) return false;
  return true;
}

/**
 * The outcome under an Idempotency-Key: the kept one, or that of `decide`, which is kept from then on.
 * `learn` takes over what the service chose, in case the first answer was lost.
 * Source: contract §7.3.
 */
export function once<State extends CellState>(
  state: State,
  key: { readonly name: string; readonly body: string } | undefined,
  decide: () => readonly Outcome<State>[],
  learn: (state: State, first: Answer) => State,
): readonly Outcome<State>[] {
  if (key === undefined) return decide();
  const kept = state.kept[key.name];
  if (kept !== undefined && kept.body !== key.body) return [{ state, answer: { code: '0922', status: '422' } }];
  if (kept !== undefined) return [{ state: learn(state, kept.answer), answer: { ...kept.answer, replayed: 'true' } }];
  return decide().map((outcome) => ({
    answer: { ...outcome.answer, replayed: 'false' },
    state: {
      ...outcome.state,
      kept: {
        ...outcome.state.kept,
        [key.name]: { body: key.body, answer: { ...outcome.answer, otp: undefined, oneTimePassword: undefined } },
      },
    },
  }));
}

/** The name of an Idempotency-Key and the body under it. A key belongs to a merchant and an operation (contract §7.3). */
export const keyed = (
  owner: string,
  key: string | undefined,
  body: { readonly do: string; readonly signsWith?: number },
): { readonly name: string; readonly body: string } | undefined =>
  key === undefined ? undefined : { name: `${body.do} ${owner} ${key}`, body: toText(body) };

/** The same for a request of an actor. Each database keeps those that concern its merchants, so the key is another one in each. */
export const keyedByActor = (
  merchants: Merchants,
  by: { readonly name: string },
  key: string | undefined,
  body: { readonly do: string; readonly merchantId: string },
): ReturnType<typeof keyed> => keyed(`${by.name}@${merchantOf(merchants, body.merchantId).cell}`, key, body);

/** JSON with money as digits. */
export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
