import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { MessageChannel } from './channel.ts';
import type { SmsSettings } from './channel-settings.ts';
import type { Delivery } from './message.ts';

const TIMEOUT_MS = 10_000;
/** The gateway has read the message and will never take it; everything else may pass, or an operator can mend it. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 410, 413, 422]);

/**
 * Opens the way for SMS through an HTTP gateway: POST {"to": "+573001234567", "text": "…"}, the token as `Authorization: Bearer`,
 * `Idempotency-Key` the same over all tries of one message. Any 2xx means taken; redirects are not followed.
 */
export function openHttpSmsChannel({ url, token }: Extract<SmsSettings, { kind: 'http' }>, key: Buffer): MessageChannel {
  const dispatcher = new Agent({ connect: { timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return {
    send: async ({ to, text }, messageId) => {
      try {
        const { statusCode, body } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': createHmac('sha256', key).update(`idempotency-key/${messageId}`).digest('base64url').slice(0, 22),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify({ to: `+${to}`, text }),
          signal: AbortSignal.timeout(2 * TIMEOUT_MS),
        });
        await body.dump();
        return judge(statusCode);
      } catch (error) {
        const { code, name } = error as { code?: string; name: string };
        return { outcome: 'later', problem: code ?? name };
      }
    },
    close: () => dispatcher.close(),
  };
}

function judge(status: number): Delivery {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  return { outcome: FINAL_STATUSES.has(status) ? 'never' : 'later', problem: `HTTP ${status}` };
}
