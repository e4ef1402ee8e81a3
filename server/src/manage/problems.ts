import { FAULTS, type FaultName } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import type { CommandLine } from '../kit/remote/client-commands.ts';

/** One kind of refusal. Its name is the end of its `type`, and the name of its page. */
export type Problem = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 416 | 422 | 428 | 429 | 431 | 500 | 503;
  readonly title: string;
  /** What it means and what to do, for its page. */
  readonly meaning: string;
  /** What people read in the console. Absent: none of its pages meets it. */
  readonly words?: Readonly<Record<Language, string>>;
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
    words: { es: 'Su sesión terminó', en: 'Your session has ended', pt: 'Sua sessão terminou' },
  },
  permission_missing: {
    status: 403,
    title: 'Permission denied',
    meaning: 'Your role or token lacks the permission that this operation requires. Nothing was looked up.',
    words: { es: 'Usted no puede hacer esto', en: 'You may not do this', pt: 'Você não pode fazer isto' },
  },
  origin_foreign: {
    status: 403,
    title: 'Cross-site request',
    meaning: 'A write with a session needs an `Origin` header that names this server. Browsers send it; programs use an access token.',
    words: { es: 'La solicitud viene de otro sitio', en: 'The request comes from another site', pt: 'A solicitação vem de outro site' },
  },
  step_up_required: {
    status: 403,
    title: 'Confirm your identity',
    meaning: 'This action is sensitive: the user must have confirmed their identity within the last ten minutes.',
    words: {
      es: 'Confirme su identidad y repita la acción',
      en: 'Prove who you are, and do it again',
      pt: 'Confirme sua identidade e repita a ação',
    },
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The resource does not exist, or you may not see it. The response is the same either way.',
    words: {
      es: 'No existe, o usted no tiene permiso para verlo',
      en: 'It does not exist, or you may not see it',
      pt: 'Não existe, ou você não tem acesso',
    },
  },
  request_malformed: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The query string is malformed, or the body is not a JSON object in UTF-8. Each name may occur only once.',
    words: {
      es: 'El servicio no pudo leer la solicitud. Recargue la página',
      en: 'The service could not read the request. Reload the page',
      pt: 'O serviço não conseguiu ler a solicitação. Recarregue a página',
    },
  },
  fields_invalid: {
    status: 422,
    title: 'Invalid fields',
    meaning: '`errors` names each field and its rule. Unknown parameters and members are refused too.',
    words: { es: 'Algunos campos no son válidos', en: 'Some fields are wrong', pt: 'Alguns campos não são válidos' },
  },
  if_match_missing: {
    status: 428,
    title: 'If-Match is required',
    meaning: 'Send `If-Match` with the `ETag` you read. `If-Match: *` matches any version.',
    words: {
      es: 'Esta página no dijo qué versión cambia. Recárguela',
      en: 'This page did not say which version it changes. Reload it',
      pt: 'Esta página não disse qual versão altera. Recarregue-a',
    },
  },
  version_mismatch: {
    status: 412,
    title: 'The version has changed',
    meaning: '`If-Match` does not match the current version. Nothing was written. Read it again.',
    words: {
      es: 'Cambió entretanto. No se escribió nada',
      en: 'It has changed meanwhile. Nothing was written',
      pt: 'Mudou nesse meio tempo. Nada foi gravado',
    },
  },
  key_in_flight: {
    status: 409,
    title: 'The same request is still running',
    meaning: 'A request with the same `Idempotency-Key` has not finished yet. Try again.',
    words: {
      es: 'La misma solicitud está en curso',
      en: 'The same request is being carried out',
      pt: 'A mesma solicitação está em andamento',
    },
  },
  key_reused: {
    status: 422,
    title: 'The key was already used',
    meaning: 'This `Idempotency-Key` was used for a different request. Use a new one for each new request.',
    words: {
      es: 'Lo que envió antes, con otros datos, pudo llegar. Revise si ya está hecho. Si no, envíe otra vez',
      en: 'What you sent before, with other data, may have arrived. See whether it is done. If not, send again',
      pt: 'O que você enviou antes, com outros dados, pode ter chegado. Veja se já está feito. Se não, envie de novo',
    },
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type SharedProblem = keyof typeof SHARED_PROBLEMS;

const FAULT_WORDS = {
  malformed: { title: 'Malformed HTTP request', meaning: 'The bytes are not an HTTP request, or it has no `Host`.' },
  unknown_route: {
    title: 'Unknown path',
    meaning: 'No operation has this path.',
    words: {
      es: 'El servicio no conoce esta función. Recargue la página',
      en: 'The service does not know this function. Reload the page',
      pt: 'O serviço não conhece esta função. Recarregue a página',
    },
  },
  wrong_method: {
    title: 'Method not allowed',
    meaning: '`Allow` lists the methods of this path.',
    words: {
      es: 'El servicio no hace esto de esta manera. Recargue la página',
      en: 'The service does not do this in this way. Reload the page',
      pt: 'O serviço não faz isto desta maneira. Recarregue a página',
    },
  },
  too_slow: {
    title: 'The request took too long',
    meaning: 'The whole request must arrive within ten seconds.',
    words: {
      es: 'La solicitud llegó muy despacio. Revise su conexión',
      en: 'The request came too slowly. Check your connection',
      pt: 'A solicitação chegou devagar demais. Verifique sua conexão',
    },
  },
  too_large: {
    title: 'The request is too large',
    meaning: 'The limits are 256 KiB for the body and 8 KiB for the URL.',
    words: { es: 'La solicitud es demasiado grande', en: 'The request is too large', pt: 'A solicitação é grande demais' },
  },
  headers_too_large: { title: 'The headers are too large', meaning: 'The limit is 24 KiB.' },
  too_many_requests: {
    title: 'Too many requests',
    meaning: 'Retry after the number of seconds in `Retry-After`.',
    words: {
      es: 'Demasiadas solicitudes. Espere unos segundos',
      en: 'Too many requests. Wait a few seconds',
      pt: 'Solicitações demais. Espere alguns segundos',
    },
  },
  internal: {
    title: 'Internal error',
    meaning: 'The outcome of the request is unknown. The log has its id.',
    words: {
      es: 'Un fallo del servicio. No se sabe qué fue de la solicitud',
      en: 'Something failed in the service. It is not known whether the request was carried out',
      pt: 'Uma falha do serviço. Não se sabe o que foi da solicitação',
    },
  },
  unavailable: {
    title: 'Service unavailable',
    meaning: 'Retry after the number of seconds in `Retry-After`.',
    words: {
      es: 'El servicio no puede atender en este momento',
      en: 'The service is not available right now',
      pt: 'O serviço não está disponível agora',
    },
  },
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
