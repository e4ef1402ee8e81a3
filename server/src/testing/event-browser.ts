import { CHANGE_KINDS } from '../events/change.ts';
import type { Events } from '../events/open-events.ts';

/** A change, as a client hears of it. */
export type HeardChange = {
  readonly kind: string;
  readonly merchant: string;
  readonly id: string;
  readonly version: number;
  readonly event: string;
};

/** A client of live events, as a browser is one. It keeps the id of the last whole event, and sends it when it comes again. */
export function openBrowser<Heard>(hear: (change: HeardChange) => Heard, merchantId?: string) {
  const heard: Heard[] = [];
  const signals: string[] = [];
  let many = 0;
  let whole = '';
  let lastEventId: string | undefined;
  let leave: (() => void) | undefined;
  return {
    heard,
    signals,
    many: () => many,
    text: () => whole,
    lastEventId: () => lastEventId,
    come: async (server: Events, from = lastEventId) => {
      let isHere = true;
      const stop = await server.listen(
        {
          merchantId,
          kinds: new Set(CHANGE_KINDS),
          send: (text) => {
            if (!isHere) return;
            whole += text;
            for (const event of text.split('\n\n').filter(Boolean)) {
              const fields = Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/, 2)));
              lastEventId = fields.id ?? lastEventId;
              if (fields.data === undefined) continue;
              const data = JSON.parse(fields.data) as { changes?: HeardChange[]; many?: { count: number }[] };
              if (fields.event !== 'changes') signals.push(fields.event);
              heard.push(...(data.changes ?? []).map(hear));
              for (const { count } of data.many ?? []) many += count;
            }
          },
          end: () => undefined,
        },
        from,
      );
      leave = () => {
        isHere = false;
        stop();
      };
    },
    leave: () => leave?.(),
  };
}
