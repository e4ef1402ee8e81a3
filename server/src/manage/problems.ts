import { FAULTS, type FaultName } from '../kit/http.ts';

/** One kind of answer that says no. Its name is the end of its `type`, and the name of its page. */
export type Problem = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 416 | 422 | 428 | 429 | 431 | 500 | 503;
  readonly title: string;
  /** What it means and what to do, for its page. */
  readonly meaning: string;
};

/** What is wrong in one place of a request. A pointer is a place in the body (RFC 6901). */
export type ProblemPart = ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string }) & {
  readonly detail: string;
};

/** Every operation can answer these. */
export const SHARED_PROBLEMS = {
  not_signed_in: {
    status: 401,
    title: 'Nobody is signed in',
    meaning: 'The request carries no session and no access token, or one that has ended. Sign in, or send `Authorization: Bearer TOKEN`.',
  },
  permission_missing: {
    status: 403,
    title: 'You may not do this',
    meaning: 'The role or the token lacks the permission that the operation names. Nothing was looked up.',
  },
  origin_foreign: {
    status: 403,
    title: 'The request comes from another site',
    meaning: 'A write with a session needs the header `Origin` of this very server. Browsers send it. Programs use an access token.',
  },
  step_up_required: {
    status: 403,
    title: 'Prove again who you are',
    meaning: 'The act is sensitive: the session must have proved its user within the last ten minutes.',
  },
  not_found: {
    status: 404,
    title: 'There is no such thing',
    meaning: 'What the path names does not exist, or you may not see it. The answer is the same.',
  },
  request_malformed: {
    status: 400,
    title: 'The request cannot be read',
    meaning: 'The query is no list of parameters, or the body is no JSON object in UTF-8. Each name may occur once.',
  },
  fields_invalid: {
    status: 422,
    title: 'Some fields are wrong',
    meaning: '`errors` names each field and its rule. A parameter or a member that the operation does not know is refused too.',
  },
  if_match_missing: {
    status: 428,
    title: 'The request must say which version it changes',
    meaning: 'Send `If-Match` with the `ETag` that you have read. `If-Match: *` changes any version.',
  },
  version_mismatch: {
    status: 412,
    title: 'It has changed meanwhile',
    meaning: '`If-Match` names another version than the present one. Nothing was written. Read it again.',
  },
  key_in_flight: {
    status: 409,
    title: 'The same request is being carried out',
    meaning: 'A request with the same `Idempotency-Key` has no answer yet. Try again.',
  },
  key_reused: {
    status: 422,
    title: 'The key was used before',
    meaning: 'The `Idempotency-Key` came before with other content. Use a new one for a new request.',
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type SharedProblem = keyof typeof SHARED_PROBLEMS;

const FAULT_WORDS = {
  malformed: { title: 'This is no HTTP request', meaning: 'The bytes are no HTTP request, or it names no `Host`.' },
  unknown_route: { title: 'There is no such path', meaning: 'No operation has this path.' },
  wrong_method: { title: 'The path has other methods', meaning: '`Allow` names them.' },
  too_slow: { title: 'The request came too slowly', meaning: 'A whole request must arrive within ten seconds.' },
  too_large: { title: 'The request is too large', meaning: 'It may have 256 KiB of body and 8 KiB of address.' },
  headers_too_large: { title: 'The headers are too large', meaning: 'They may have 24 KiB.' },
  too_many_requests: { title: 'Too many requests', meaning: 'Try again after the seconds that `Retry-After` names.' },
  internal: { title: 'A fault of the service', meaning: 'What became of the request is not known. The log names its id.' },
  unavailable: { title: 'The service cannot serve now', meaning: 'Try again after the seconds that `Retry-After` names.' },
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
