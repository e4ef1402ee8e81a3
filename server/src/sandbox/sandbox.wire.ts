import { sendJson, type Door, type HttpReply } from '../kit/http.ts';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject } from '../kit/json.ts';

// The doors of the sandbox have an envelope of their own, in the style of the cashouts' (contract §2.1, §7.6).

/** What is no business answer, under `/sandbox/`. */
export const sandboxDoor: Door = { prefix: '/sandbox/', renderFault: ({ code, text }) => ({ code, text, data: {} }) };

/** Sends a success with its data. */
export function sendDone(reply: HttpReply, data: object): HttpReply {
  return sendJson(reply, { code: '0000', text: 'OK', data });
}

/** Sends a refusal: HTTP 200 as every business answer. */
export function sendRefused(reply: HttpReply, code: string, text: string): HttpReply {
  return sendJson(reply, { code, text, data: {} });
}

/** A parameter is missing or misshapen (contract §4.4). */
export const PARAMETER_INVALID = '0019';

/** Reads the body of a request as a JSON object; undefined where it is none. */
export function readObject(body: unknown): JsonObject | undefined {
  const text = body instanceof Uint8Array ? decodeUtf8(body) : undefined;
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : undefined;
}
