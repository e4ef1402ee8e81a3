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

const PROOFS = ['none', 'checksum', 'signature'] as const;
const [NONE, CHECKSUM, SIGNATURE] = [0, 1, 2];

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
  readonly proof: (typeof PROOFS)[number];
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
/** With them all lines of a process take 6 MB. Of more merchants those that ask least are forgotten. */
export const MOST_MERCHANTS = 256;
/** A longer request id is cut; of a longer order id nothing is kept. */
const ID_BYTES = 64;
const SUCCESS = '0000';

/** Numbers go into arrays that are there already, and ids into bytes. So a line costs no memory, and keeps no request alive. */
type Ring = {
  readonly most: number;
  written: number;
  readonly at: Float64Array;
  readonly milliseconds: Float32Array;
  /** Operation, refusal, status, proof. */
  readonly numbers: Uint16Array;
  /** Of the request id and of the subject, one after the other. */
  readonly ids: Buffer;
  readonly lengths: Uint8Array;
};
type Lines = { merchantId: string; readonly proved: Ring; readonly unproved: Ring; isRecent: boolean };

const newRing = (most: number): Ring => ({
  most,
  written: 0,
  at: new Float64Array(most),
  milliseconds: new Float32Array(most),
  numbers: new Uint16Array(4 * most),
  ids: Buffer.alloc(2 * ID_BYTES * most),
  lengths: new Uint8Array(2 * most),
});

/** Opens the log of one process. */
export function openRequestLog(clock: Clock, merchants: Pick<MerchantDirectory, 'find'>): RequestLog {
  const operations: Operation<never>[] = [];
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
      lines.proved.written = lines.unproved.written = 0;
    }
    byMerchant.set(merchantId, lines);
    return lines;
  }

  return {
    writerOf: (operation) => {
      const index = operations.push(operation) - 1;
      const subjectField = operation.tag === 'Cashouts' ? 'operation' : 'order';
      return (request, reply) => {
        const { noted } = request;
        if (noted === null) return;
        const at = clock.now().epochMilliseconds;
        const caller = noted.caller as Merchant | undefined;
        if (caller !== undefined) {
          const proof = isSigned(request, caller) ? SIGNATURE : CHECKSUM;
          return writeLine(linesOf(caller.merchantId).proved, { at, index, proof, subjectField }, request, reply);
        }
        const claimed = noted.values['merchant'];
        // Names that a stranger made up take no lines.
        if (typeof claimed === 'string')
          merchants.find(claimed).then(
            (found) => found && writeLine(linesOf(claimed).unproved, { at, index, proof: NONE, subjectField }, request, reply),
            () => undefined,
          );
      };
    },
    read: (merchantId, isRefusedOnly) => {
      const lines = byMerchant.get(merchantId);
      if (lines === undefined) return [];
      return [lines.proved, lines.unproved]
        .flatMap((ring) => newestFirst(ring).map((slot) => lineAt(ring, slot, operations)))
        .filter(({ refusal, status }) => !isRefusedOnly || refusal !== null || status >= 400)
        .sort(byNewest);
    },
  };
}

type Line = { readonly at: number; readonly index: number; readonly proof: number; readonly subjectField: string };

function writeLine(ring: Ring, { at, index, proof, subjectField }: Line, { id, noted }: HttpRequest, reply: HttpReply): void {
  const { values, refusal } = noted as Noted;
  const slot = ring.written++ % ring.most;
  ring.at[slot] = at;
  ring.milliseconds[slot] = reply.elapsedTime;
  ring.numbers[4 * slot] = index;
  ring.numbers[4 * slot + 1] = refusal;
  ring.numbers[4 * slot + 2] = reply.statusCode;
  ring.numbers[4 * slot + 3] = proof;
  const subject = values[subjectField];
  const isKept = typeof subject === 'string' && subject.length <= ID_BYTES;
  const place = 2 * ID_BYTES * slot;
  ring.lengths[2 * slot] = ring.ids.write(id, place, ID_BYTES, 'latin1');
  ring.lengths[2 * slot + 1] = isKept ? ring.ids.write(subject, place + ID_BYTES, ID_BYTES, 'latin1') : 0;
}

/** All instants have the same number of digits. */
export const byNewest = (one: LoggedRequest, other: LoggedRequest): number => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1);

const newestFirst = ({ written, most }: Ring): readonly number[] =>
  Array.from({ length: Math.min(written, most) }, (_, back) => (written - 1 - back) % most);

function lineAt({ at, milliseconds, numbers, ids, lengths }: Ring, slot: number, operations: readonly Operation<never>[]): LoggedRequest {
  const [index = 0, refused = 0, status = 0, proof = 0] = numbers.subarray(4 * slot);
  const { name, tag, refusals } = operations[index] as Operation<never>;
  const [refusal, declared] = Object.entries(refusals)[refused - 1] ?? [null];
  const place = 2 * ID_BYTES * slot;
  const id = ids.toString('latin1', place + ID_BYTES, place + ID_BYTES + (lengths[2 * slot + 1] as number));
  return {
    at: Temporal.Instant.fromEpochMilliseconds(at[slot] as number).toString({ fractionalSecondDigits: 3 }),
    operation: name,
    refusal,
    code: declared?.code ?? (status < 400 ? SUCCESS : null),
    status,
    milliseconds: Math.round((milliseconds[slot] as number) * 100) / 100,
    requestId: ids.toString('latin1', place, place + (lengths[2 * slot] as number)),
    proof: PROOFS[proof] ?? 'none',
    subject: id === '' ? null : { kind: tag === 'Cashouts' ? 'cashout' : 'order', id },
  };
}
