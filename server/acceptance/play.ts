import type { AnswerJudge } from './api-document.ts';
import { requestOf, type Example, type ExampleAnswer, type Json } from './example.ts';
import type { Answer, HttpClient } from './http-client.ts';
import { differences } from './matching.ts';
import { NoLeadingZero, Stage, type Cast } from './stage.ts';

export type Theatre = { readonly client: HttpClient; readonly cast: Cast; readonly judge: AnswerJudge };

/** A checksum begins with zero once in sixteen tries: two hundred never fail all of them. */
const MAX_TRIES = 200;
const SUCCESS: Json = '0000';

/**
 * Plays one example: the requests that set the stage, then the one it is about.
 * Gives what is not as the example, or as the OpenAPI document, has it; nothing where all is well.
 */
export async function play(example: Example, theatre: Theatre): Promise<readonly string[]> {
  const stage = setStage(example, theatre.cast);
  const findings = await playOn(stage, example, theatre);
  const isOverMidnight = findings.length > 0 && !stage.day().equals(stage.today);
  return isOverMidnight ? playOn(setStage(example, theatre.cast), example, theatre) : findings;
}

/** Draws ids until the example's checksums are as it wants them, before anything is sent. */
function setStage(example: Example, cast: Cast): Stage {
  for (let tries = 1; ; tries += 1) {
    const stage = new Stage(cast, example.merchant ?? 'colombia');
    try {
      stage.fillRequest(example.request);
      return stage;
    } catch (error) {
      if (!(error instanceof NoLeadingZero) || tries === MAX_TRIES) throw error;
    }
  }
}

async function playOn(stage: Stage, example: Example, { client, judge }: Theatre): Promise<readonly string[]> {
  for (const step of example.given ?? []) {
    const request = stage.fillRequest(requestOf(step));
    const answer = await client.send(request);
    const expected = 'request' in step ? (step.answer as ExampleAnswer | undefined) : undefined;
    const findings = expected === undefined ? refusalOf(answer) : compare(expected, answer, stage, false);
    if (findings.length > 0) return findings.map((finding) => `given, ${request.method} ${request.path}: ${finding}`);
    stage.remember(answer.text);
  }
  const request = stage.fillRequest(example.request);
  const answer = await client.send(request);
  const isOrdered = request.path.includes('/operation/');
  return [
    ...compare(example.answer, answer, stage, isOrdered),
    ...ofEveryAnswer(answer),
    ...judge(request.method, request.path, answer).map((finding) => `OpenAPI document: ${finding}`),
  ];
}

function refusalOf({ status, text }: Answer): readonly string[] {
  const body = JSON.parse(text) as { CODE?: string; code?: string };
  return status === 200 && (body.CODE ?? body.code) === SUCCESS ? [] : [`expected success, got ${status} ${text}`];
}

function compare(expected: ExampleAnswer, { status, headers, text }: Answer, stage: Stage, isOrdered: boolean): readonly string[] {
  const findings = status === expected.status ? [] : [`status: expected ${expected.status}, got ${status} ${text}`];
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = headers[name.toLowerCase()];
    if (value === null) findings.push(...(actual === undefined ? [] : [`header ${name}: expected none, got ${String(actual)}`]));
    else findings.push(...differences(stage.fillExpected(value), actual, false, `header ${name}`));
  }
  if (expected.text !== undefined && expected.text !== text) findings.push(`body: expected ${expected.text}, got ${text}`);
  if (expected.body === undefined || findings.length > 0) return findings;
  return differences(fill(expected.body, stage), JSON.parse(text), isOrdered);
}

function fill(value: Json, stage: Stage): Json {
  if (typeof value === 'string') return stage.fillExpected(value);
  if (Array.isArray(value)) return value.map((item) => fill(item as Json, stage));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, stage)]));
}

/** What contract §2 says of every answer. */
function ofEveryAnswer({ headers }: Answer): readonly string[] {
  const findings: string[] = [];
  if (headers['content-type'] !== 'application/json; charset=utf-8') findings.push(`content-type: ${String(headers['content-type'])}`);
  if (headers['cache-control'] !== 'no-store') findings.push(`cache-control: ${String(headers['cache-control'])}`);
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(String(headers['x-request-id']))) findings.push(`x-request-id: ${String(headers['x-request-id'])}`);
  return findings;
}
