import type { AnswerCheck } from './api-document.ts';
import { requestOf, type Example, type ExampleAnswer, type Json } from './example.ts';
import type { Answer, HttpClient } from './http-client.ts';
import { differences } from './matching.ts';
import { NoLeadingZero, Placeholders, type Accounts } from './placeholders.ts';

export type Target = { readonly client: HttpClient; readonly accounts: Accounts; readonly checkAnswer: AnswerCheck };

/** One checksum in sixteen begins with zero: two hundred tries always find one. */
const MAX_TRIES = 200;
const SUCCESS: Json = '0000';

/**
 * Runs one example: its earlier requests, then the one that it shows.
 * Returns what differs from the example or from the OpenAPI document; nothing when all is as expected.
 * A run that crosses midnight with findings is repeated: its days were those of yesterday.
 */
export async function runExample(example: Example, target: Target): Promise<readonly string[]> {
  const placeholders = drawValues(example, target.accounts);
  const findings = await sendAll(placeholders, example, target);
  const isOverMidnight = findings.length > 0 && !placeholders.day().equals(placeholders.today);
  return isOverMidnight ? sendAll(drawValues(example, target.accounts), example, target) : findings;
}

/** Draws ids until the example's checksum begins as it must. Nothing is sent meanwhile. */
function drawValues(example: Example, accounts: Accounts): Placeholders {
  for (let tries = 1; ; tries += 1) {
    const placeholders = new Placeholders(accounts, example.merchant ?? 'colombia');
    try {
      placeholders.fillRequest(example.request);
      return placeholders;
    } catch (error) {
      if (!(error instanceof NoLeadingZero) || tries === MAX_TRIES) throw error;
    }
  }
}

async function sendAll(placeholders: Placeholders, example: Example, { client, checkAnswer }: Target): Promise<readonly string[]> {
  for (const step of example.given ?? []) {
    const request = placeholders.fillRequest(requestOf(step));
    const answer = await client.send(request);
    const expected = 'request' in step ? (step.answer as ExampleAnswer | undefined) : undefined;
    const findings = expected === undefined ? refusalOf(answer) : compare(expected, answer, placeholders, false);
    if (findings.length > 0) return findings.map((finding) => `given, ${request.method} ${request.path}: ${finding}`);
    placeholders.remember(answer.text);
  }
  const request = placeholders.fillRequest(example.request);
  const answer = await client.send(request);
  const isOrdered = request.path.includes('/operation/');
  return [
    ...compare(example.answer, answer, placeholders, isOrdered),
    ...checkHeaders(answer),
    ...checkAnswer(request.method, request.path, answer).map((finding) => `OpenAPI document: ${finding}`),
  ];
}

function refusalOf({ status, text }: Answer): readonly string[] {
  const body = JSON.parse(text) as { CODE?: string; code?: string };
  return status === 200 && (body.CODE ?? body.code) === SUCCESS ? [] : [`expected success, got ${status} ${text}`];
}

function compare(
  expected: ExampleAnswer,
  { status, headers, text }: Answer,
  placeholders: Placeholders,
  isOrdered: boolean,
): readonly string[] {
  const findings = status === expected.status ? [] : [`status: expected ${expected.status}, got ${status} ${text}`];
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = headers[name.toLowerCase()];
    if (value === null) findings.push(...(actual === undefined ? [] : [`header ${name}: expected none, got ${String(actual)}`]));
    else findings.push(...differences(placeholders.fillExpected(value), actual, false, `header ${name}`));
  }
  if (expected.text !== undefined && expected.text !== text) findings.push(`body: expected ${expected.text}, got ${text}`);
  if (expected.body === undefined || findings.length > 0) return findings;
  return differences(fill(expected.body, placeholders), JSON.parse(text), isOrdered);
}

function fill(value: Json, placeholders: Placeholders): Json {
  if (typeof value === 'string') return placeholders.fillExpected(value);
  if (Array.isArray(value)) return value.map((item) => fill(item as Json, placeholders));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, placeholders)]));
}

/** Checks what contract §2 says about every answer. */
function checkHeaders({ headers }: Answer): readonly string[] {
  const findings: string[] = [];
  if (headers['content-type'] !== 'application/json; charset=utf-8') findings.push(`content-type: ${String(headers['content-type'])}`);
  if (headers['cache-control'] !== 'no-store') findings.push(`cache-control: ${String(headers['cache-control'])}`);
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(String(headers['x-request-id']))) findings.push(`x-request-id: ${String(headers['x-request-id'])}`);
  return findings;
}
