import { Type } from 'typebox';
import { operation } from '../requests/index.ts';
import type { ClockWish } from './clock-offset.ts';
import type { ClockReading, SandboxClock } from './sandbox-clock.ts';
import { asSent, doneAnswer, PARAMETER_INVALID_CODE, sandboxEnvelope, textSchema } from './sandbox.wire.ts';

type Deps = { readonly clock: SandboxClock };

const clockSchema = Type.Object({
  now: textSchema('The time of the whole service.', '2026-12-24T15:00:00.000Z'),
  ahead: textSchema('How far it is ahead of the machine’s.', 'P33D'),
});

/** The clock as answers show it. */
export const renderClock = ({ now, offsetMs }: ClockReading): object => ({
  now: now.toString({ smallestUnit: 'millisecond' }),
  ahead: Temporal.Duration.from({ milliseconds: offsetMs }).round({ largestUnit: 'day' }).toString(),
});

export const readClockOperation = operation({
  name: 'readClock',
  route: 'GET /sandbox/v1/clock',
  tag: 'Sandbox',
  summary: 'Read the clock',
  description: 'The one clock that the whole service goes by.',
  section: '§7.6',
  envelope: sandboxEnvelope,
  from: 'none',
  fields: {},
  caller: 'anyone',
  proof: [],
  refusals: {},
  run: (_request, { clock }: Deps) => ({ now: clock.now(), offsetMs: clock.offsetMs() }),
  answer: (read) => doneAnswer(renderClock(read)),
  data: () => clockSchema,
});

export const moveClockOperation = operation({
  name: 'moveClock',
  route: 'POST /sandbox/v1/clock',
  tag: 'Sandbox',
  summary: 'Move the clock',
  description:
    'Sets the clock with `now`, or advances it with `advance`: expiry, locks, one-time passwords, retries and tokens follow. It only goes forward.',
  section: '§7.6',
  envelope: sandboxEnvelope,
  from: 'body',
  fields: {
    now: asSent('An instant, such as `2026-12-24T15:00:00Z`.', '2026-12-24T15:00:00Z'),
    advance: asSent('An ISO 8601 duration instead of `now`, such as `P3D`. Its days, months and years are those of UTC.', 'P3D'),
  },
  caller: 'anyone',
  proof: [],
  refusals: {
    parameter_invalid: {
      code: PARAMETER_INVALID_CODE,
      text: {
        es: 'El cuerpo es {"now": un instante como "2026-12-24T15:00:00Z"} o {"advance": una duración ISO 8601 como "P3D" o "PT10M"}',
        en: 'The body is {"now": an instant such as "2026-12-24T15:00:00Z"} or {"advance": an ISO 8601 duration such as "P3D" or "PT10M"}',
        pt: 'O corpo é {"now": um instante como "2026-12-24T15:00:00Z"} ou {"advance": uma duração ISO 8601 como "P3D" ou "PT10M"}',
      },
      meaning: 'The body holds neither `now` nor `advance`, or both, or a value that is neither an instant nor a duration.',
    },
    clock_would_go_back: {
      code: PARAMETER_INVALID_CODE,
      text: {
        es: 'El reloj solo avanza: lo escrito después de esa hora vendría del futuro',
        en: 'The clock only goes forward: what was written later than that would come from the future',
        pt: 'O relógio só avança: o que foi escrito depois dessa hora viria do futuro',
      },
    },
    clock_too_far_ahead: {
      code: PARAMETER_INVALID_CODE,
      text: {
        es: 'El reloj se adelanta como máximo diez años al de la máquina',
        en: 'The clock runs at most ten years ahead of the machine’s',
        pt: 'O relógio se adianta no máximo dez anos ao da máquina',
      },
    },
  },
  parse: ({ now, advance }, refuse) => readWish(now, advance) ?? refuse('parameter_invalid', 'body'),
  run: ({ parsed }, { clock }: Deps) => clock.move(parsed),
  answer: (moved) => doneAnswer(renderClock(moved)),
  data: () => clockSchema,
});

/** Reads exactly one of the two; undefined where both or neither is given, or one has no meaning. */
export function readWish(now: string | undefined, advance: string | undefined): ClockWish | undefined {
  try {
    if (now !== undefined && advance === undefined) return { now: Temporal.Instant.from(now) };
    if (advance !== undefined && now === undefined) return { advance: Temporal.Duration.from(advance) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}
