import { dayOf, endOfDay, formatLocal, parseIsoDay } from '../../src/kit/calendar.ts';

// What the model of orders and that of cashouts share. It is written from docs/contract.md; of the service it takes the arithmetic of money
// and calendar only, never a decision.

/** What is taken for an operation: a part in millionths and a fixed sum, and a tax on both. */
export type Terms = { readonly percentPpm: number; readonly fixedMinor: bigint; readonly taxPpm: number };

/** A merchant as the model knows it: everything that decides about its orders and cashouts. */
export type ModelMerchant = {
  readonly merchantId: string;
  readonly name: string;
  readonly country: string;
  readonly timeZone: string;
  readonly currencies: readonly string[];
  /** In Colombia only (contract §3.5). */
  readonly mayRecur: boolean;
  readonly fees: { readonly order: Terms; readonly cashout: Terms };
  /** Of cashouts in each currency; undefined: none. */
  readonly limits: { readonly leastMinor: bigint; readonly mostMinor: bigint; readonly perDocumentAndDay: number } | undefined;
  /** A fund that is never too small. */
  readonly isAmple: boolean;
};

export type Merchants = ReadonlyMap<string, ModelMerchant>;

export function merchantOf(merchants: Merchants, merchantId: string): ModelMerchant {
  const merchant = merchants.get(merchantId);
  if (merchant === undefined) throw new Error(`the model knows no merchant ${merchantId}`);
  return merchant;
}

/**
 * What an operation answers: its code, and all texts that the contract fixes. Of what the service chooses itself (its own ids, one-time
 * passwords, references that it makes) the model takes over what was seen first and holds the service to it.
 */
export type Answer = Readonly<Record<string, string>>;
/** What was seen; undefined: the answer was lost, and nobody knows whether the command was carried out. */
export type Seen = Answer | undefined;

export type Outcome<State> = { readonly answer: Answer; readonly state: State };

/** The answer under an Idempotency-Key, and to what (contract §7.3). */
export type Kept = { readonly body: string; readonly answer: Answer };

/** A notice that a merchant has to get: the body but for its checksum (contract §3.6, §4.5). */
export type ModelNotice = { readonly merchantId: string; readonly subject: string; readonly body: Answer };

/** What things that touch each other are like together: nothing outside decides about them, but for the fund. */
export type CellState = { readonly kept: Readonly<Record<string, Kept>>; readonly notices: readonly ModelNotice[] };

/** The law of a kind of cells. */
export type Law<State extends CellState, Command> = {
  /** All that may come of a command: one outcome, but where the rest of the world has a say. */
  readonly apply: (state: State, command: Command, now: number, seen: Seen) => readonly Outcome<State>[];
  /** Keys of what has run out and is not written so yet. */
  readonly due: (state: State, now: number) => readonly string[];
  /** What the sweep makes of one of them. */
  readonly sweep: (state: State, key: string, now: number) => State;
  /** When the next thing runs out; Infinity: nothing will. */
  readonly nextDue: (state: State) => number;
  readonly money: (state: State) => Money;
};

/** Balances by `merchant account currency`. */
export type Money = ReadonlyMap<string, bigint>;

export function addTo(balances: Map<string, bigint>, moved: Money, sign: 1n | -1n = 1n): void {
  for (const [account, amountMinor] of moved) balances.set(account, (balances.get(account) ?? 0n) + sign * amountMinor);
}

/** Sums what belongs to each account. */
export function sumUp(all: readonly (readonly [account: string, amountMinor: bigint])[]): Money {
  const sums = new Map<string, bigint>();
  for (const [account, amountMinor] of all) sums.set(account, (sums.get(account) ?? 0n) + amountMinor);
  return sums;
}

/** A part in millionths, half up. Source: contract §4.3 by way of docs/operations.md: once for the fee, once for the tax on the rounded fee. */
const part = (amountMinor: bigint, ppm: number): bigint => (2n * amountMinor * BigInt(ppm) + 1_000_000n) / 2_000_000n;

export function feeFor({ percentPpm, fixedMinor, taxPpm }: Terms, amountMinor: bigint): { readonly fee: bigint; readonly tax: bigint } {
  const fee = part(amountMinor, percentPpm) + fixedMinor;
  return { fee, tax: part(fee, taxPpm) };
}

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

/** Days from one to the other. */
export const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number => from.until(to, { largestUnit: 'days' }).days;

/** True where everything that the model says was seen; what begins with `#` is the model's own. */
export function agrees(answer: Answer, seen: Answer): boolean {
  for (const name in answer) if (!name.startsWith('#') && answer[name] !== seen[name]) return false;
  return true;
}

/**
 * The outcome under an Idempotency-Key: the first one again, or that of `decide`, which is kept. `learn`: what a first answer that was lost
 * had told comes with the second. Source: contract §7.3.
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
    state: { ...outcome.state, kept: { ...outcome.state.kept, [key.name]: { body: key.body, answer: outcome.answer } } },
  }));
}

/** A request under an Idempotency-Key: keys belong to a merchant, and to an operation (contract §7.3). */
export const keyed = (
  merchantId: string,
  key: string | undefined,
  body: { readonly do: string },
): { readonly name: string; readonly body: string } | undefined =>
  key === undefined ? undefined : { name: `${body.do} ${merchantId} ${key}`, body: toText(body) };

/** JSON, with money as digits. */
export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
