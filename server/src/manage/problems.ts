import { FAULTS, type FaultName } from '../kit/http.ts';
import type { CommandLine } from '../kit/remote/client-commands.ts';

/** One kind of answer that says no. Its name is the end of its `type`, and the name of its page. */
export type Problem = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 416 | 422 | 428 | 429 | 431 | 500 | 503;
  readonly title: string;
  /** What it means and what to do, for its page. */
  readonly meaning: string;
  /** What a command says. The title where absent. */
  readonly line?: CommandLine;
};

/** What is wrong in one place of a request. A pointer is a place in the body (RFC 6901). */
export type ProblemPart = ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string }) & {
  readonly detail: string;
};

/** Every operation can answer these. */
export const SHARED_PROBLEMS = {
  not_signed_in: {
    status: 401,
    title: 'Not signed in',
    meaning: 'The request has no session or access token, or it has expired. Sign in, or send `Authorization: Bearer TOKEN`.',
  },
  permission_missing: {
    status: 403,
    title: 'Permission denied',
    meaning: 'Your role or token lacks the permission that this operation requires. Nothing was looked up.',
  },
  origin_foreign: {
    status: 403,
    title: 'Cross-site request',
    meaning: 'A write with a session needs an `Origin` header that names this server. Browsers send it; programs use an access token.',
  },
  step_up_required: {
    status: 403,
    title: 'Confirm your identity',
    meaning: 'This action is sensitive: the user must have confirmed their identity within the last ten minutes.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The resource does not exist, or you may not see it. The response is the same either way.',
  },
  request_malformed: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The query string is malformed, or the body is not a JSON object in UTF-8. Each name may occur only once.',
  },
  fields_invalid: {
    status: 422,
    title: 'Invalid fields',
    meaning: '`errors` names each field and its rule. Unknown parameters and members are refused too.',
  },
  if_match_missing: {
    status: 428,
    title: 'If-Match is required',
    meaning: 'Send `If-Match` with the `ETag` you read. `If-Match: *` matches any version.',
  },
  version_mismatch: {
    status: 412,
    title: 'The version has changed',
    meaning: '`If-Match` does not match the current version. Nothing was written. Read it again.',
  },
  key_in_flight: {
    status: 409,
    title: 'The same request is still running',
    meaning: 'A request with the same `Idempotency-Key` has not finished yet. Try again.',
  },
  key_reused: {
    status: 422,
    title: 'The key was already used',
    meaning: 'This `Idempotency-Key` was used for a different request. Use a new one for each new request.',
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type SharedProblem = keyof typeof SHARED_PROBLEMS;

const FAULT_WORDS = {
  malformed: { title: 'Malformed HTTP request', meaning: 'The bytes are not an HTTP request, or it has no `Host`.' },
  unknown_route: { title: 'Unknown path', meaning: 'No operation has this path.' },
  wrong_method: { title: 'Method not allowed', meaning: '`Allow` lists the methods of this path.' },
  too_slow: { title: 'The request took too long', meaning: 'The whole request must arrive within ten seconds.' },
  too_large: { title: 'The request is too large', meaning: 'The limits are 256 KiB for the body and 8 KiB for the URL.' },
  headers_too_large: { title: 'The headers are too large', meaning: 'The limit is 24 KiB.' },
  too_many_requests: { title: 'Too many requests', meaning: 'Retry after the number of seconds in `Retry-After`.' },
  internal: { title: 'Internal error', meaning: 'The outcome of the request is unknown. The log has its id.' },
  unavailable: { title: 'Service unavailable', meaning: 'Retry after the number of seconds in `Retry-After`.' },
} as const satisfies Readonly<Record<FaultName, Omit<Problem, 'status'>>>;

/** What answers before an operation is found, or instead of it. */
export const FAULT_PROBLEMS = Object.fromEntries(
  Object.entries(FAULT_WORDS).map(([name, words]) => [name, { status: FAULTS[name as FaultName].status, ...words }]),
) as Readonly<Record<FaultName, Problem>>;

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export type ProblemDetail = { readonly detail?: string | undefined; readonly errors?: readonly ProblemPart[] | undefined };

/** Makes the body of a problem: RFC 9457. `instance` is the id of the request. */
export function renderProblem(name: string, { status, title }: Problem, { detail, errors }: ProblemDetail, requestId?: string): object {
  return {
    type: `/docs/problems/${name}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(requestId === undefined ? {} : { instance: `urn:caudal:request:${requestId}` }),
    ...(errors === undefined ? {} : { errors }),
  };
}
