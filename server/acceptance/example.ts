import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The form of contract/examples, as contract/README.md explains it.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonRecord = Readonly<Record<string, Json>>;

/** The merchant that sends an example's requests. Each deployment has its own merchant for each role. */
export type Role = 'colombia' | 'second' | 'chile' | 'brazil' | 'disabled' | 'rotated';

export type ExampleRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON; `text`: the exact text that is sent. */
  readonly body?: Json;
  readonly text?: string;
  readonly encoding?: 'utf8' | 'latin1';
};

export type ExampleAnswer = {
  readonly status: number;
  /** Null: the header must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
  readonly text?: string;
};

/** An earlier request: one operation of given.json with other fields, or a full request. It must succeed, unless an answer is given. */
export type Step = { readonly request: ExampleRequest; readonly answer?: ExampleAnswer } | Readonly<Record<string, JsonRecord>>;

export type Example = {
  readonly why: string;
  readonly section: string;
  readonly merchant?: Role;
  readonly only?: 'sandbox';
  readonly given?: readonly Step[];
  readonly request: ExampleRequest;
  readonly answer: ExampleAnswer;
  /** Where it differs: the answer of a service that speaks the dialect of the family. It is replayed against both. */
  readonly family?: ExampleAnswer;
};

type NamedExample = Example & { readonly operation: string; readonly file: string };

const EXAMPLES = join(import.meta.dirname, '..', '..', 'contract', 'examples');

/** The usual request of each operation. A short step of an example changes a few of its fields. */
const usualRequests = JSON.parse(readFileSync(join(EXAMPLES, 'given.json'), 'utf8')) as Readonly<Record<string, ExampleRequest>>;

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

/** Makes the full request of a step. */
export function requestOf(step: Step): ExampleRequest {
  if ('request' in step) return step.request as ExampleRequest;
  const [operation, fields] = Object.entries(step)[0] as [string, JsonRecord];
  const usual = usualRequests[operation];
  if (usual === undefined) throw new Error(`given.json has no operation ${operation}`);
  if (usual.body === undefined) return { ...usual, query: { ...usual.query, ...(fields as Record<string, string>) } };
  return { ...usual, body: { ...(usual.body as JsonRecord), ...fields } };
}
