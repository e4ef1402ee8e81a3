import type { Log } from '../kit/log.ts';
import type { SmsSettings } from './channel-settings.ts';
import type { Delivery, MessageChannel } from './message.ts';
import { MESSAGE_PROBLEMS } from './message-problems.ts';

/** Opens the channel for SMS that the settings name. */
export function openSmsChannel(settings: SmsSettings, log: Log): MessageChannel {
  return settings.kind === 'http' ? openHttpSmsChannel(settings) : openSmppChannel(settings, log);
}

/** Loaded with the first message, as the client of the other channel. */
function openSmppChannel(settings: Extract<SmsSettings, { kind: 'smpp' }>, log: Log): MessageChannel {
  const open = async () => (await import('./sms-over-smpp.ts')).openSmppSmsChannel(settings, log);
  let channel: ReturnType<typeof open> | undefined;
  return {
    send: async (...message) => (await (channel ??= open())).send(...message),
    close: async () => (await channel)?.close(),
  };
}

const TIMEOUT_MS = 10_000;
/** The gateway has read the message and will never take it. Anything else may pass, or an operator can repair it. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 410, 413, 422]);

/**
 * Opens the channel for SMS through an HTTP gateway: POST {"to": "+573001234567", "text": "…"}.
 * The token is sent as `Authorization: Bearer`. `Idempotency-Key` is the same in all attempts of one message.
 * Any 2xx means taken. Redirects are not followed.
 */
function openHttpSmsChannel({ url, token }: Extract<SmsSettings, { kind: 'http' }>): MessageChannel {
  let client: ReturnType<typeof openClient> | undefined;
  return {
    send: async ({ to, text }, id) => {
      try {
        const { request, dispatcher } = await (client ??= openClient());
        const { statusCode, body } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': id.text,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify({ to: `+${to}`, text }),
          signal: AbortSignal.timeout(2 * TIMEOUT_MS),
        });
        await body.dump();
        return classify(statusCode);
      } catch (error) {
        return { outcome: 'later', problem: problemOf(error) };
      }
    },
    close: async () => (await client)?.dispatcher.close(),
  };
}

/** Node's own limit of time ends a request with a `TimeoutError`. Its code is a number of the DOM, 23, which says nothing. */
function problemOf(error: unknown): string {
  const { code, name } = error as { code?: string; name: string };
  return name === 'TimeoutError' ? MESSAGE_PROBLEMS.timeout : (code ?? name);
}

/** Loaded with the first message: a server that sends none saves its memory. */
async function openClient() {
  const { Agent, request } = await import('undici');
  return { request, dispatcher: new Agent({ connect: { timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS }) };
}

function classify(status: number): Delivery {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  return { outcome: FINAL_STATUSES.has(status) ? 'never' : 'later', problem: `HTTP ${status}` };
}
