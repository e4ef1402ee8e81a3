import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The form of contract/examples, as contract/README.md explains it.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonRecord = Readonly<Record<string, Json>>;

/** Which merchant an example is played by; each deployment has its own behind these words. */
export type Role = 'colombia' | 'second' | 'chile' | 'brazil' | 'disabled' | 'rotated';

export type ExampleRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body as JSON, or as the very text that is sent. */
  readonly body?: Json;
  readonly text?: string;
  readonly encoding?: 'utf8' | 'latin1';
};

export type ExampleAnswer = {
  readonly status: number;
  /** Null: the header must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
  readonly text?: string;
};

/** An earlier request: one operation of given.json with other fields, or a request in full. It succeeds, unless an answer is given. */
export type Step = { readonly request: ExampleRequest; readonly answer?: ExampleAnswer } | Readonly<Record<string, JsonRecord>>;

export type Example = {
  readonly why: string;
  readonly section: string;
  readonly merchant?: Role;
  readonly only?: 'sandbox';
  readonly given?: readonly Step[];
  readonly request: ExampleRequest;
  readonly answer: ExampleAnswer;
};

export type NamedExample = Example & { readonly operation: string; readonly file: string };

const EXAMPLES = join(import.meta.dirname, '..', '..', 'contract', 'examples');

/** The usual request of each operation, from which a short step of an example differs by a few fields. */
export const usualRequests = JSON.parse(readFileSync(join(EXAMPLES, 'given.json'), 'utf8')) as Readonly<Record<string, ExampleRequest>>;

/** All examples, by operation and file name. */
export function readExamples(): readonly NamedExample[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: operation }) =>
      readdirSync(join(EXAMPLES, operation)).map((file) => ({
        ...(JSON.parse(readFileSync(join(EXAMPLES, operation, file), 'utf8')) as Example),
        operation,
        file: `${operation}/${file}`,
      })),
    )
    .sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** Writes a step of an example out in full. */
export function requestOf(step: Step): ExampleRequest {
  if ('request' in step) return step.request as ExampleRequest;
  const [operation, fields] = Object.entries(step)[0] as [string, JsonRecord];
  const usual = usualRequests[operation];
  if (usual === undefined) throw new Error(`given.json has no operation ${operation}`);
  if (usual.body === undefined) return { ...usual, query: { ...usual.query, ...(fields as Record<string, string>) } };
  return { ...usual, body: { ...(usual.body as JsonRecord), ...fields } };
}
