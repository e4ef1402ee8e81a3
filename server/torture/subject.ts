import type { Random } from '../simulation/random.ts';
import { Contradiction, type Act, type Possible } from './possible.ts';
import type { Answer, Request } from './send.ts';

/** `cell`: the number of the database that holds it. */
export type Merchant = { readonly merchantId: string; readonly fixedHash: string; readonly cell: number };
export type Network = { readonly netname: string; readonly secret: string };

/** What the clients of a round share. */
export type Play = {
  readonly random: Random;
  /** Those that this client works for. */
  readonly merchants: readonly Merchant[];
  readonly network: Network;
  /** An access token that may top up funds, refund and settle. */
  readonly officeToken: string;
  /** Settlements that a client works on. */
  readonly adopted: Set<string>;
  /** Sends to any of the servers. */
  send(request: Request): Promise<Answer | undefined>;
  pause(ms: number): Promise<void>;
  /** False from the end of the round on. */
  goesOn(): boolean;
  /** Numbers orders, cashouts, amounts and transactions. */
  count(): number;
};

/** An order, a cashout, a top-up, a refund or a settlement whose every request is known. */
export type Subject = {
  readonly name: string;
  readonly merchantId: string;
  /** Writes that were answered with success. */
  readonly acknowledged: number;
  readonly lost: number;
  /** What it takes from the merchant's fund, and what of it is kept aside, as it was last read. */
  readonly taken: number;
  readonly reserved: number;
  /** True where a notice must have come, as it was last read. */
  readonly isPaid: boolean;
  /** Reads it over the API. Throws: Contradiction, where it is not what was acknowledged. */
  check(ask: (request: Request) => Promise<Answer>): Promise<void>;
};

/** A request of a subject with its act. */
export type Step<State> = { readonly act: Act<State>; readonly request: Request };

/** Requests of one subject without an answer after which its client gives it up. */
const MOST_LOST = 4;
const PAUSE_MS = 100;

/** Counts what became of the requests of a subject. */
export type Ledger = { acknowledged: number; readonly ids: Map<string, string> };

/**
 * Carries a step out. A lost answer is mostly followed by the same request again, as clients do.
 * Shape: → the answer, or undefined where the client gave up.
 */
export async function carryOut<State>(
  play: Play,
  possible: Possible<State>,
  ledger: Ledger,
  { act, request }: Step<State>,
): Promise<Answer | undefined> {
  while (true) {
    const answer = await play.send(request);
    if (answer !== undefined) {
      const isDone = answer.code === '0000';
      possible.answered(act, isDone, answer.code);
      if (isDone) ledger.acknowledged++;
      return answer;
    }
    possible.lost(act);
    await play.pause(PAUSE_MS);
    if (possible.lostActs() >= MOST_LOST || play.random.chance(0.3)) return undefined;
  }
}

/** The id that the service gave. Throws: Contradiction, where a repeated request shows another one. */
export function sameId(ledger: Ledger, name: string, answer: Answer, member: string): string {
  const id = String(answer.data[member]);
  const first = ledger.ids.get(name) ?? id;
  if (first !== id) throw new Contradiction(`${name}: its id is ${id}. Before that it could be ${first}`);
  ledger.ids.set(name, id);
  return id;
}

/** So many draws of numbers have one contested name. */
const CONTESTED = 300;

/** A name that clients of all merchants ask for at about the same time. One of them gets it. */
export const contested = ({ count }: Pick<Play, 'count'>): string => String(Math.floor(count() / CONTESTED));
