import type { Clock } from '../../kit/clock.ts';
import type { HttpReply, HttpRequest } from '../../kit/http.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { isSigned } from '../callers.ts';
import type { Operation, Values } from '../operation.ts';

/** What a request leaves for the log while it is served. */
export type Noted = {
  readonly values: Values;
  /** Undefined: nobody is proved. */
  caller: unknown;
  /** The place of the refusal in the declaration, from 1. 0: none. */
  refusal: number;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it was answered before its fields were read. */
    noted: Noted | null;
  }
}

/** Notes on a request what its line will need. */
export const note = (request: HttpRequest, values: Values): Noted => (request.noted = { values, caller: undefined, refusal: 0 });

type Proof = 'none' | 'checksum' | 'signature';

/** One request of a merchant that was answered. No value of it but an id is kept. */
export type LoggedRequest = {
  readonly at: string;
  readonly operation: string;
  /** As the declaration names it. Null: success, or a fault. */
  readonly refusal: string | null;
  /** On the wire. Null: a fault. */
  readonly code: string | null;
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly proof: Proof;
  readonly subject: { readonly kind: 'order' | 'cashout'; readonly id: string } | null;
};

export type RequestLog = {
  /** Makes what writes a line for an answer of one operation. */
  writerOf(operation: Operation<never>): (request: HttpRequest, reply: HttpReply) => void;
  /** The last requests of a merchant that this process has answered, the newest first. */
  read(merchantId: string, isRefusedOnly: boolean): readonly LoggedRequest[];
};

/** A stranger cannot drive out what a merchant has proved: both have lines of their own. */
export const MOST = { proved: 100, unproved: 50 } as const;
/** Of more merchants those that ask least are forgotten. */
export const MOST_MERCHANTS = 256;
/** A longer request id is cut; of a longer order id nothing is kept. */
const ID_CHARACTERS = 64;
const SUCCESS = '0000';

/** What a line is printed from. */
type Line = Pick<Noted, 'refusal'> & {
  readonly operation: Operation<never>;
  readonly at: number;
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly proof: Proof;
  readonly subject: string | undefined;
};

/** The last lines, each at the place of its number. */
type Ring = { readonly most: number; written: number; lines: Line[] };
type Lines = { merchantId: string; readonly proved: Ring; readonly unproved: Ring; isRecent: boolean };

const newRing = (most: number): Ring => ({ most, written: 0, lines: [] });

/** Opens the log of one process. */
export function openRequestLog(clock: Clock, merchants: Pick<MerchantDirectory, 'find'>): RequestLog {
  const all: Lines[] = [];
  const byMerchant = new Map<string, Lines>();
  let hand = 0;

  /** The lines of a merchant. Where all are taken, those of one that did not ask since the last time round. */
  function linesOf(merchantId: string): Lines {
    const known = byMerchant.get(merchantId);
    if (known !== undefined) {
      known.isRecent = true;
      return known;
    }
    let lines = all[hand];
    if (all.length < MOST_MERCHANTS) {
      lines = { merchantId, proved: newRing(MOST.proved), unproved: newRing(MOST.unproved), isRecent: true };
      all.push(lines);
    } else {
      for (; (lines = all[hand] as Lines).isRecent; hand = (hand + 1) % MOST_MERCHANTS) lines.isRecent = false;
      byMerchant.delete(lines.merchantId);
      hand = (hand + 1) % MOST_MERCHANTS;
      lines.merchantId = merchantId;
      lines.isRecent = true;
      for (const ring of [lines.proved, lines.unproved]) Object.assign(ring, newRing(ring.most));
    }
    byMerchant.set(merchantId, lines);
    return lines;
  }

  return {
    writerOf: (operation) => (request, reply) => {
      const { noted } = request;
      if (noted === null) return;
      const caller = noted.caller as Merchant | undefined;
      const line = (proof: Proof): Line => lineOf(operation, clock.now(), proof, request, reply);
      if (caller !== undefined) return add(linesOf(caller.merchantId).proved, line(isSigned(request, caller) ? 'signature' : 'checksum'));
      const claimed = noted.values['merchant'];
      // Names that a stranger made up take no lines.
      if (typeof claimed === 'string')
        merchants.find(claimed).then(
          (found) => found && add(linesOf(claimed).unproved, line('none')),
          () => undefined,
        );
    },
    read: (merchantId, isRefusedOnly) => {
      const lines = byMerchant.get(merchantId);
      if (lines === undefined) return [];
      return [lines.proved, lines.unproved]
        .flatMap((ring) => newestFirst(ring).map(print))
        .filter(({ refusal, status }) => !isRefusedOnly || refusal !== null || status >= 400)
        .sort(byNewest);
    },
  };
}

/** A text of its own: a part of a text keeps the whole of it, and with it a body. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function lineOf(
  operation: Operation<never>,
  now: Temporal.Instant,
  proof: Proof,
  { id, noted }: HttpRequest,
  { elapsedTime, statusCode }: HttpReply,
): Line {
  const { values, refusal } = noted as Noted;
  const subject = values[operation.tag === 'Cashouts' ? 'operation' : 'order'];
  return {
    operation,
    refusal,
    at: now.epochMilliseconds,
    status: statusCode,
    milliseconds: elapsedTime,
    requestId: copyOf(id.slice(0, ID_CHARACTERS)),
    proof,
    subject: typeof subject === 'string' && subject !== '' && subject.length <= ID_CHARACTERS ? copyOf(subject) : undefined,
  };
}

function add(ring: Ring, line: Line): void {
  ring.lines[ring.written++ % ring.most] = line;
}

/** All instants have the same number of digits. */
export const byNewest = (one: LoggedRequest, other: LoggedRequest): number => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1);

const newestFirst = ({ written, most, lines }: Ring): readonly Line[] =>
  lines.map((_, back) => lines[(written - 1 - back + most) % most] as Line);

function print({
  operation: { name, tag, refusals },
  refusal: refused,
  at,
  status,
  milliseconds,
  requestId,
  proof,
  subject,
}: Line): LoggedRequest {
  const [refusal, declared] = Object.entries(refusals)[refused - 1] ?? [null];
  return {
    at: Temporal.Instant.fromEpochMilliseconds(at).toString({ fractionalSecondDigits: 3 }),
    operation: name,
    refusal,
    code: declared?.code ?? (status < 400 ? SUCCESS : null),
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
    requestId,
    proof,
    subject: subject === undefined ? null : { kind: tag === 'Cashouts' ? 'cashout' : 'order', id: subject },
  };
}
