import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span as LibrarySpan,
  type Tracer as LibraryTracer,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { systemClock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { SpanFacts, Span, SpanKind, Tracer } from '../../kit/traces/tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

// Only a service that traces loads this file, and with it the library.

type TracerOptions = {
  readonly settings: TraceSettings;
  readonly log: Log;
  /** Draws a number of at least 0 and below 1. */
  readonly chance: () => number;
  readonly onDropped: (spans: number) => void;
  /** How long spans wait for others, so that they are sent together. */
  readonly pauseMs?: number;
};

export type OpenTracer = Tracer & {
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
};

/** Spans that wait for the receiver, or are on their way. One more is dropped: they take some kilobytes each. */
const MAX_WAITING = 2_048;
const PAUSE_MS = 5_000;
/** For all tries to send the same spans. */
const SEND_MS = 5_000;
const CLOSE_MS = 2_000;
/** More than a batch has requests. */
const MAX_LINKS = 1_000;

const KINDS = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL } as const;

/** Opens what records spans and sends them. Nothing waits for the receiver. */
export function openTracer({ settings, log, chance, onDropped, pauseMs = PAUSE_MS }: TracerOptions): OpenTracer {
  const { url, headers, serviceName, ratio, followsCaller } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid })),
    // What is recorded is drawn here, before anything is made for it.
    sampler: new AlwaysOnSampler(),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [boundedProcessor(exporter, pauseMs, reporter(log, onDropped))],
  });
  const library = provider.getTracer('caudal');
  const running = new AsyncLocalStorage<RecordedSpan | undefined>();
  const isDrawn = (): boolean => chance() < ratio;
  let closing: Promise<unknown> | undefined;
  return {
    begin: (kind, describe) => {
      // Most requests are not recorded. Nothing is made for them.
      if (!followsCaller && !isDrawn()) return undefined;
      const { name, sinceMs = performance.now(), traceparent } = describe();
      // Anybody may send it, so it decides nothing unless an operator says so.
      const caller = traceparent === undefined ? null : parseTraceParent(String(traceparent));
      if (followsCaller && !(caller === null ? isDrawn() : (caller.traceFlags & TraceFlags.SAMPLED) !== 0)) return undefined;
      const context = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
      // The clock has whole milliseconds, and the library asks it for each span: a statement would end after its request.
      const of = { library, originMs: systemClock.now().epochMilliseconds - performance.now() };
      return new RecordedSpan(of, library.startSpan(name, { kind: KINDS[kind], startTime: of.originMs + sinceMs }, context));
    },
    current: () => {
      const span = running.getStore();
      return span?.isOpen === true ? span : undefined;
    },
    // Most requests are not recorded, and run for none already.
    within: (span, work) => (span === running.getStore() ? work() : running.run(span as RecordedSpan | undefined, work)),
    close: async () => {
      await (closing ??= Promise.race([provider.shutdown(), delay(CLOSE_MS, undefined, { ref: false })]));
    },
  };
}

/** What the spans of a trace share. `originMs`: what is added to performance.now(). */
type Recording = { readonly library: LibraryTracer; readonly originMs: number };

class RecordedSpan implements Span {
  readonly #of: Recording;
  readonly #span: LibrarySpan;

  constructor(of: Recording, span: LibrarySpan) {
    this.#of = of;
    this.#span = span;
  }

  get isOpen(): boolean {
    return this.#span.isRecording();
  }

  child(name: string, kind: SpanKind, beside: readonly Span[] = []): Span {
    const others = (beside as readonly RecordedSpan[]).map((other) => other.#span);
    const links = others.map((other) => ({ context: other.spanContext() }));
    const { library } = this.#of;
    const span = library.startSpan(name, { kind: KINDS[kind], links, startTime: this.#nowMs() }, trace.setSpan(ROOT_CONTEXT, this.#span));
    for (const other of others) other.addLink({ context: span.spanContext() });
    return new RecordedSpan(this.#of, span);
  }

  note(facts: SpanFacts): void {
    this.#span.setAttributes({ ...facts });
  }

  end(hasFailed = false): void {
    if (!this.isOpen) return;
    if (hasFailed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(this.#nowMs());
  }

  #nowMs(): number {
    return this.#of.originMs + performance.now();
  }
}

type Sent = (spans: number, error?: Error) => void;

/** Sends spans in portions, one after the other. Those on their way count with those that wait. The library's queue does not say what it drops. */
function boundedProcessor(exporter: SpanExporter, pauseMs: number, sent: Sent): SpanProcessor {
  let held = 0;
  const portions = new BatchSpanProcessor({
    maxQueueSize: MAX_WAITING,
    scheduledDelayMillis: pauseMs,
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, ({ code, error }) => {
          held -= spans.length;
          sent(spans.length, code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('not taken')));
          done({ code: ExportResultCode.SUCCESS });
        }),
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (held >= MAX_WAITING) return sent(1, new Error('too many spans wait'));
      held++;
      portions.onEnd(span);
    },
    forceFlush: () => portions.forceFlush(),
    shutdown: () => portions.shutdown(),
  };
}

/** Counts what is dropped. The log says when that begins and when it is over. */
function reporter(log: Log, onDropped: (spans: number) => void): Sent {
  let isAway = false;
  return (spans, error) => {
    if (error !== undefined) onDropped(spans);
    if (isAway === (error !== undefined)) return;
    isAway = error !== undefined;
    if (error === undefined) log.info('the receiver of traces takes spans again');
    else log.warn({ reason: error.message }, 'the receiver of traces takes no spans: they are dropped');
  };
}
