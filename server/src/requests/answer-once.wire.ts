import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { Texts } from '../kit/fields.ts';
import type { HttpRequest } from '../kit/http.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { openSealer, type Sealer } from '../kit/keys/sealer.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import {
  MAX_KEY,
  readKey,
  type Answer,
  type AnswerOnce,
  type KeyRefusal,
  type Once,
  type ProvedRequest,
  type SettledAnswer,
} from '../kit/once.ts';
import type { DeclaredRefusal } from './operation.ts';

/** The header's name in texts for people: contract §7.3. */
const KEY_FIELD = 'Idempotency-Key';
export const KEY_FORM: Readonly<Record<string, Texts>> = {
  [KEY_FIELD]: {
    es: '1 a 255 caracteres ASCII visibles',
    en: '1 to 255 visible ASCII characters',
    pt: '1 a 255 caracteres ASCII visíveis',
  },
};

/** The refusals of a key, for the declaration of each operation that takes one. */
export const KEY_REFUSALS = {
  key_in_flight: {
    code: '0909',
    status: 409,
    text: {
      es: 'Una solicitud con el mismo Idempotency-Key está en curso; intente de nuevo',
      en: 'A request with the same Idempotency-Key is being carried out; try again',
      pt: 'Uma solicitação com o mesmo Idempotency-Key está em andamento; tente novamente',
    },
  },
  key_reused: {
    code: '0922',
    status: 422,
    text: {
      es: 'Idempotency-Key ya fue usado con otro contenido',
      en: 'Idempotency-Key was used before with other content',
      pt: 'Idempotency-Key já foi usado com outro conteúdo',
    },
  },
} as const satisfies Readonly<Record<KeyRefusal, DeclaredRefusal>>;

/**
 * Reads the Idempotency-Key of a request.
 * Shape: 1–255 visible ASCII characters, or undefined where there is none.
 * Refuses: with the envelope's refusal of a malformed field.
 * Source: contract §7.3.
 */
export function readIdempotencyKey<Name extends string>(request: HttpRequest, name: Name): string | Refusal<Name> | undefined {
  const key = readKey(request);
  if (typeof key !== 'object') return key;
  return refuse(name, key.breaks === 'length' ? { field: KEY_FIELD, rule: 'length', limit: MAX_KEY } : { field: KEY_FIELD, rule: 'shape' });
}

/** Where an answer is kept. None of the three holds a space. */
export const keptAnswerPlace = (owner: string, operation: string, key: string): string => `kept_answers/${owner} ${operation} ${key}`;

/** Opens a kept answer. Throws: SecretUnreadable. */
export function unsealAnswer(sealer: Sealer, sealed: Buffer, place: string): Answer {
  const text = sealer.unseal(sealed, place).toString('utf8');
  const [status, etag, body] = JSON.parse(text) as [number, string | null, string];
  return { status, etag, body };
}

/** Opens what repeats first answers. `answerKey` is the service's own. It seals kept answers, which may name people. */
export function openAnswerOnce(answerKey: ServiceKey, clock: Clock): AnswerOnce {
  const sealer = openSealer(answerKey);
  const fingerprintKeys = new WeakMap<Buffer, Buffer>();
  const inFlight = new Set<string>();

  function fingerprintKeyOf(key: Buffer): Buffer {
    const known = fingerprintKeys.get(key);
    if (known !== undefined) return known;
    const made = Buffer.from(hkdfSync('sha256', key, '', 'caudal fingerprint of a request', 32));
    fingerprintKeys.set(key, made);
    return made;
  }

  function makeOnce<Outcome>(
    { request, owner, operation, key }: Required<ProvedRequest>,
    place: string,
  ): Omit<Once<Outcome>, 'render' | 'renderKept'> {
    // The values of the path and not its text: a slash at the end does not make another request.
    const values = JSON.stringify(Object.values(request.params as object));
    const fingerprintUnder = (key: Buffer): Buffer =>
      createHmac('sha256', fingerprintKeyOf(key))
        .update(`${values}\n`)
        .update((request.body as Buffer | undefined) ?? '')
        .digest();
    return {
      owner,
      operation,
      key: key as string,
      seal: ({ status, etag, body }) => {
        const sealed = sealer.seal(JSON.stringify([status, etag, body]), place);
        return { fingerprint: fingerprintUnder(sealer.keyOf(sealed)), sealed, keptAt: clock.now() };
      },
      recall: (kept) => {
        // The key may have changed since the first time.
        if (!timingSafeEqual(kept.fingerprint, fingerprintUnder(sealer.keyOf(kept.sealed))))
          return refuse('key_reused', { field: KEY_FIELD });
        return { answer: unsealAnswer(sealer, kept.sealed, place), isReplay: true };
      },
    };
  }

  return async (proved, render, execute, renderKept) => {
    const settle = (outcome: Parameters<typeof render>[0] | SettledAnswer): SettledAnswer =>
      'isReplay' in outcome ? outcome : { answer: render(outcome), isReplay: false };
    if (proved.key === undefined) return settle(await execute(undefined));
    const place = keptAnswerPlace(proved.owner, proved.operation, proved.key);
    if (inFlight.has(place)) return settle(refuse('key_in_flight', { field: KEY_FIELD }));
    inFlight.add(place);
    try {
      return settle(await execute({ ...makeOnce(proved as Required<ProvedRequest>, place), render, renderKept }));
    } finally {
      inFlight.delete(place);
    }
  };
}
