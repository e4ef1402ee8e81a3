import type { HttpServer } from '../kit/http.ts';
import type { JsonObject } from '../kit/json.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { ClockRefusal, ClockWish } from './clock-offset.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxSchemas } from './sandbox-schemas.wire.ts';
import { PARAMETER_INVALID, readObject, sendDone, sendRefused } from './sandbox.wire.ts';

// GET and POST /sandbox/v1/clock: contract §7.6.

const PATH = '/sandbox/v1/clock';
const SHAPE =
  'The body is {"now": an instant such as "2026-12-24T15:00:00Z"} or {"advance": an ISO 8601 duration such as "P3D" or "PT10M"}';
const TEXTS: Readonly<Record<ClockRefusal, string>> = {
  clock_would_go_back: 'The clock only goes forward: what was written later than now would come from the future',
  clock_too_far_ahead: 'The clock runs at most ten years ahead of the machine’s',
};

/** Adds the clock: GET tells it, POST sets or advances it. */
export function addClock(app: HttpServer, clock: SandboxClock, schemas: SandboxSchemas): void {
  const show = (now: Temporal.Instant): object => ({
    now: now.toString({ smallestUnit: 'millisecond' }),
    ahead: Temporal.Duration.from({ milliseconds: clock.offsetMs() }).round({ largestUnit: 'day' }).toString(),
  });
  app.get(PATH, { schema: schemas.readClock }, (_request, reply) => sendDone(reply, show(clock.now())));
  app.post(PATH, { schema: schemas.moveClock }, async (request, reply) => {
    const body = readObject(request.body);
    const wish = body && readWish(body);
    if (wish === undefined) return sendRefused(reply, PARAMETER_INVALID, SHAPE);
    const now = await clock.move(wish);
    return isRefusal(now) ? sendRefused(reply, PARAMETER_INVALID, TEXTS[now.refusal]) : sendDone(reply, show(now));
  });
}

/** Exactly one of the two, as a text that means something. */
function readWish(body: JsonObject): ClockWish | undefined {
  const [now, advance] = [body.get('now') ?? null, body.get('advance') ?? null];
  try {
    if (typeof now === 'string' && advance === null) return { now: Temporal.Instant.from(now) };
    if (typeof advance === 'string' && now === null) return { advance: Temporal.Duration.from(advance) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}
