/**
 * What a span may say of its work. Nothing else leaves the service.
 * Never a value of a request or of a statement, the query of an address, or a caller.
 */
export type SpanFacts = {
  readonly 'http.request.method'?: string;
  /** As it is declared, with the names of its parameters. */
  readonly 'http.route'?: string;
  /** Of an answer that was sent. */
  readonly 'http.response.status_code'?: number;
  /** The caller went away before its answer was whole. */
  readonly 'error.type'?: 'aborted';
  readonly 'caudal.operation'?: string;
  /** The wire code of a refusal. */
  readonly 'caudal.code'?: string;
  readonly 'caudal.batch.size'?: number;
  readonly 'caudal.notice.attempts'?: number;
  readonly 'db.system.name'?: 'postgresql';
};

export type SpanKind = 'server' | 'client' | 'internal';

/**
 * `sinceMs`: when it began, where that is not now, as performance.now() counts.
 * `traceparent`: the header of a caller that traces.
 */
export type Work = { readonly name: string; readonly sinceMs?: number; readonly traceparent?: string | string[] | undefined };

/** A piece of work that is recorded, from its making to its end. */
export type Span = {
  /** Begins a part of this work. It is linked to the works that it is done for beside this one, and they to it. */
  child(name: string, kind: SpanKind, beside?: readonly Span[]): Span;
  note(facts: SpanFacts): void;
  /** What comes after the first end says nothing. */
  end(hasFailed?: boolean): void;
};

/** Decides what is recorded, and knows for which span code runs. Without a tracer nothing is recorded. */
export type Tracer = {
  /** Begins work of its own. Undefined where this one is not recorded: then `describe` is not called, unless the caller decides. */
  begin(kind: SpanKind, describe: () => Work): Span | undefined;
  /** The span for which the code runs that asks. Undefined: none, or it has ended. */
  current(): Span | undefined;
  /** Runs work for a span, or for none. */
  within<T>(span: Span | undefined, work: () => T): T;
};
