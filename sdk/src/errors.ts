import { FAULTS, type AnswerCode, type AnswerReason } from './generated/operations.ts';

/** What prevents an answer: the connection broke, none came in time, or the answer is not Caudal's. */
type OwnReason = 'no_answer' | 'timed_out' | 'unreadable';

/** The result code of an answer, as the reference has it; a word where there was no answer. */
export type Code = AnswerCode | OwnReason;
/** What a code means in an operation. */
export type Reason = AnswerReason | OwnReason;

type ErrorParts = {
  readonly code: string;
  readonly text: string;
  /** The refusals of the operation, as `0041 order_not_open,0910 version_mismatch`. */
  readonly refusals?: string;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
};

/** A refusal, a fault, or no answer at all. */
export class CaudalError extends Error {
  override readonly name = 'CaudalError';
  /** The result code of the answer, as `0041`; `no_answer`, `timed_out` or `unreadable` where there is none. */
  readonly code: Code;
  /** What the code means in this operation. A few codes have several reasons there. */
  readonly reasons: readonly Reason[];
  /** The words of the answer, for people: the field and the rule. */
  readonly text: string;
  /** The HTTP status; 0 without an answer. A refusal has 200. */
  readonly status: number;
  /** The id under which the service has logged the request. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ code, text, refusals = '', status = 0, requestId, retryAfter, cause }: ErrorParts) {
    super(`${code} ${text}`, { cause });
    const own = status === 200 || status === 412 || status === 409 || status === 422 ? reasonsOf(refusals, code) : [];
    const reasons = own.length > 0 ? own : reasonsOf(FAULTS, code);
    this.code = code as Code;
    this.reasons = reasons.length > 0 ? reasons : [code as OwnReason];
    this.text = text;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** True where this may be the reason. */
  is(reason: Reason): boolean {
    return this.reasons.includes(reason);
  }
}

/** Gives back the data of a success. An answer without the data of a success is not Caudal's. */
export function whole<Data extends object>(data: Data, ...names: readonly (keyof Data & string)[]): Data {
  const missing = names.find((name) => (data as Data | null)?.[name] === undefined);
  if (missing !== undefined) throw new CaudalError({ code: 'unreadable', text: `the answer has no ${missing}` });
  return data;
}

const reasonsOf = (refusals: string, code: string): readonly Reason[] =>
  refusals.split(',').flatMap((pair) => (pair.startsWith(`${code} `) ? [pair.slice(code.length + 1) as Reason] : []));
