import { openOrder } from './order-subject.ts';
import { Contradiction } from './possible.ts';
import type { Play, Subject } from './subject.ts';

/** What merchants were answered whom a fault leaves alone, and the longest time without an acknowledgement. */
export type Elsewhere = { readonly acknowledged: number; readonly longestSilenceMs: number };

/** They are answered while it lasts. One that is shorter may end before the next answer. */
const ANSWERED_WITHIN_MS = 1_000;

/**
 * Has clients work until the fault ends, each for the merchants of one cell, in ways for which its own database is enough.
 * Shape: → what ends them. It throws Contradiction where one was answered nothing. Undefined: there was none.
 */
export function startWitnesses(plays: readonly Play[], subjects: Subject[], fault: string): () => Promise<Elsewhere | undefined> {
  const isOver = new AbortController();
  const witnessed = Promise.all(plays.map((play) => witness(play, subjects, isOver.signal)));
  witnessed.catch(() => undefined); // It is thrown where the fault ends.
  return async () => {
    isOver.abort();
    return sumUp(await witnessed, fault);
  };
}

/** What the merchants of one cell were answered during a fault. */
type Witnessed = Elsewhere & { readonly merchantId: string; readonly lastedMs: number };

async function witness(play: Play, subjects: Subject[], isOver: AbortSignal): Promise<Witnessed> {
  const beganAt = performance.now();
  const answeredAt = [beganAt];
  const noted: Play = {
    ...play,
    goesOn: () => !isOver.aborted,
    send: async (request) => {
      const answer = await play.send(request);
      if (answer?.code === '0000' && !isOver.aborted) answeredAt.push(performance.now());
      return answer;
    },
  };
  const ended = new Promise<number>((resolve) => isOver.addEventListener('abort', () => resolve(performance.now()), { once: true }));
  while (noted.goesOn()) {
    const { subject, play: work } = openOrder(noted, { isOfAll: false });
    subjects.push(subject);
    await work();
  }
  const endedAt = await ended;
  return {
    merchantId: play.merchants[0]?.merchantId ?? '',
    lastedMs: endedAt - beganAt,
    acknowledged: answeredAt.length - 1,
    longestSilenceMs: Math.max(...[...answeredAt.slice(1), endedAt].map((at, index) => at - (answeredAt[index] ?? at))),
  };
}

function sumUp(all: readonly Witnessed[], fault: string): Elsewhere | undefined {
  for (const { merchantId, lastedMs, acknowledged } of all)
    if (acknowledged === 0 && lastedMs > ANSWERED_WITHIN_MS)
      throw new Contradiction(
        `${merchantId} was answered nothing for the ${Math.round(lastedMs)} ms of ${fault}, which is not in its cell`,
      );
  if (all.length === 0) return undefined;
  return {
    acknowledged: all.reduce((sum, one) => sum + one.acknowledged, 0),
    longestSilenceMs: Math.max(...all.map(({ longestSilenceMs }) => longestSilenceMs)),
  };
}
