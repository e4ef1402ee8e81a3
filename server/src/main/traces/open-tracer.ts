import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import * as otel from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { systemClock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Facts, Span, SpanKind, Tracer } from '../../kit/traces/tracer.ts';
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

const KINDS = { server: otel.SpanKind.SERVER, client: otel.SpanKind.CLIENT, internal: otel.SpanKind.INTERNAL } as const;

/** Opens what records spans and sends them. Nothing waits for the receiver. */
export function openTracer({ settings, log, chance, onDropped, pauseMs = PAUSE_MS }: TracerOptions): OpenTracer {
  const { url, headers, serviceName, ratio, followsCaller } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS });
  const own = resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(own),
    // What is recorded is decided below, before anything is made for it.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [countingProcessor(exporter, pauseMs, reporter(log, onDropped))],
  });
  const tracer = provider.getTracer('caudal');
  let closing: Promise<unknown> | undefined;
  const running = new AsyncLocalStorage<RecordedSpan | undefined>();
  return {
    begin: (kind, describe, traceparent) => {
      const caller = traceparent === undefined ? undefined : parseTraceparent(traceparent);
      const isRecorded = followsCaller && caller !== undefined ? (caller.traceFlags & otel.TraceFlags.SAMPLED) !== 0 : chance() < ratio;
      if (!isRecorded) return undefined;
      const context = caller === undefined ? otel.ROOT_CONTEXT : otel.trace.setSpanContext(otel.ROOT_CONTEXT, caller);
      const { name, sinceMs = performance.now() } = describe();
      const originMs = systemClock.now().epochMilliseconds - performance.now();
      return new RecordedSpan(tracer, tracer.startSpan(name, { kind: KINDS[kind], startTime: originMs + sinceMs }, context), originMs);
    },
    current: () => {
      const span = running.getStore();
      return span?.isOpen === true ? span : undefined;
    },
    // Most requests are not recorded, and run for none already.
    within: (span, work) => (span === running.getStore() ? work() : running.run(span as RecordedSpan | undefined, work)),
    close: async () => {
      await (closing ??= Promise.race([provider.shutdown().catch(() => undefined), delay(CLOSE_MS, undefined, { ref: false })]));
    },
  };
}

class RecordedSpan implements Span {
  readonly #tracer: otel.Tracer;
  readonly #span: otel.Span;
  /** What is added to performance.now(). All spans of a trace share it: the library alone would begin each at a whole millisecond. */
  readonly #originMs: number;

  constructor(tracer: otel.Tracer, span: otel.Span, originMs: number) {
    this.#tracer = tracer;
    this.#span = span;
    this.#originMs = originMs;
  }

  get isOpen(): boolean {
    return this.#span.isRecording();
  }

  child(name: string, kind: SpanKind, beside: readonly Span[] = []): Span {
    const links = (beside as readonly RecordedSpan[]).map((other) => ({ context: other.#span.spanContext() }));
    const options = { kind: KINDS[kind], links, startTime: this.#originMs + performance.now() };
    const span = this.#tracer.startSpan(name, options, otel.trace.setSpan(otel.ROOT_CONTEXT, this.#span));
    const link = { context: span.spanContext() };
    for (const other of beside as readonly RecordedSpan[]) if (other.isOpen) other.#span.addLink(link);
    return new RecordedSpan(this.#tracer, span, this.#originMs);
  }

  note(facts: Facts): void {
    if (this.isOpen) this.#span.setAttributes(facts);
  }

  end(hasFailed = false): void {
    if (!this.isOpen) return;
    if (hasFailed) this.#span.setStatus({ code: otel.SpanStatusCode.ERROR });
    this.#span.end(this.#originMs + performance.now());
  }
}

/** What a caller says of its trace. Anybody may send it, so it decides nothing unless an operator says so. */
function parseTraceparent(header: string | string[]): otel.SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? [];
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return otel.isSpanContextValid(caller) ? caller : undefined;
}

type Sent = (spans: number, error?: Error) => void;

/** The library's queue and exporter, with a bound on both together. The library alone does not say what it drops. */
function countingProcessor(exporter: OTLPTraceExporter, scheduledDelayMillis: number, sent: Sent): SpanProcessor {
  let waiting = 0;
  const counted = {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void): void =>
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        sent(spans.length, result.code === ExportResultCode.SUCCESS ? undefined : (result.error ?? new Error('not taken')));
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const queue = new BatchSpanProcessor({ exporter: counted, maxQueueSize: MAX_WAITING, scheduledDelayMillis });
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (waiting >= MAX_WAITING) return sent(1, new Error('too many spans wait'));
      waiting++;
      queue.onEnd(span);
    },
    forceFlush: () => queue.forceFlush(),
    shutdown: () => queue.shutdown(),
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
