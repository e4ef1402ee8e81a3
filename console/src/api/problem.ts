import type { ProblemName } from './generated/operations.ts';

/** What is wrong in one place of a request. `pointer` is a place in the body, as `/amount/currency`. */
export type ProblemPart = { readonly pointer?: string; readonly parameter?: string; readonly header?: string; readonly detail: string };

/** `offline`: no answer came. `unreadable`: the answer is not the management API's. */
type Name = ProblemName | 'offline' | 'unreadable';

/** A refusal of the management API (RFC 9457), or no answer at all. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** The end of its `type`. */
  readonly problem: Name;
  /** 0: no answer came. */
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: readonly ProblemPart[];
  readonly retryAfterSeconds: number | undefined;
  /** The version of what exists, for the next try. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;

  constructor(problem: Name, status: number, body: Partial<Pick<Problem, 'title' | 'detail' | 'errors'>> = {}, headers?: Headers) {
    super(body.title ?? problem);
    this.problem = problem;
    this.status = status;
    this.title = body.title ?? problem;
    this.detail = body.detail;
    this.errors = body.errors ?? [];
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    this.etag = headers?.get('etag') ?? undefined;
    this.requestId = headers?.get('x-request-id') ?? undefined;
  }
}

/** Reads a refusal. */
export async function readProblem(answer: Response): Promise<Problem> {
  try {
    const body = (await answer.json()) as { type?: string; title?: string; detail?: string; errors?: ProblemPart[] };
    if (typeof body.type === 'string')
      return new Problem(body.type.slice(body.type.lastIndexOf('/') + 1) as Name, answer.status, body, answer.headers);
  } catch {
    // A proxy in front of the service may answer by itself.
  }
  return new Problem('unreadable', answer.status, {}, answer.headers);
}

/** Whether the same request may be answered later, without a change of it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status === 429 || error.status === 503 || error.problem === 'key_in_flight');
