import { defineWords, useWords } from '../shell/language.ts';

const STATUS = defineWords({
  es: {
    taken: 'recibido',
    moved: 'lleva a otra dirección',
    invalid: 'solicitud no válida',
    denied: 'acceso denegado',
    missing: 'no existe',
    slow: 'no respondió a tiempo',
    conflict: 'conflicto',
    large: 'demasiado grande',
    many: 'demasiadas solicitudes',
    refused: 'rechazado',
    away: 'no disponible',
    broken: 'error del servidor',
  },
  en: {
    taken: 'accepted',
    moved: 'redirected',
    invalid: 'invalid request',
    denied: 'access denied',
    missing: 'not found',
    slow: 'timed out',
    conflict: 'conflict',
    large: 'too large',
    many: 'too many requests',
    refused: 'refused',
    away: 'not available',
    broken: 'server error',
  },
  pt: {
    taken: 'recebido',
    moved: 'leva a outro endereço',
    invalid: 'solicitação inválida',
    denied: 'acesso negado',
    missing: 'não existe',
    slow: 'não respondeu a tempo',
    conflict: 'conflito',
    large: 'grande demais',
    many: 'solicitações demais',
    refused: 'recusado',
    away: 'indisponível',
    broken: 'erro do servidor',
  },
});

const NAMES: Readonly<Record<number, keyof (typeof STATUS)['en']>> = {
  400: 'invalid',
  401: 'denied',
  403: 'denied',
  404: 'missing',
  408: 'slow',
  409: 'conflict',
  410: 'missing',
  413: 'large',
  422: 'invalid',
  429: 'many',
  502: 'away',
  503: 'away',
  504: 'slow',
};
const OF_CLASS = { 2: 'taken', 3: 'moved', 4: 'refused', 5: 'broken' } as const;

/** Says what the status of an answer means: `HTTP 503 · no disponible`. */
export function useStatusText(): (status: number) => string {
  const words = useWords(STATUS);
  return (status) => {
    const name = NAMES[status] ?? OF_CLASS[Math.trunc(status / 100) as keyof typeof OF_CLASS];
    return name === undefined ? `HTTP ${status}` : `HTTP ${status} · ${words[name]}`;
  };
}
