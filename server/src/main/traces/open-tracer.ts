import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isSpanContextValid, SpanKind as Kind, SpanStatusCode, TraceFlags, type HrTime, type SpanContext } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { systemClock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { SpanFacts, Span, SpanKind, Tracer } from '../../kit/traces/tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

// Only a service that traces loads this file, and with it the library. The library sends spans. We make them, because its own cost more than
// twice as much. Of a batch of thirty requests one is traced in four times. Then each of its statements is a span.

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

/** Spans of one request to the receiver. */
const PORTION = 512;

const KINDS = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL } as const;

/** Opens what records spans and sends them. Nothing waits for the receiver. */
export function openTracer({ settings, log, chance, onDropped, pauseMs = PAUSE_MS }: TracerOptions): OpenTracer {
  const { url, headers, serviceName, ratio, followsCaller } = settings;
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }));
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS });
  const queue = openQueue(exporter, resource, pauseMs, reporter(log, onDropped));
  const running = new AsyncLocalStorage<RecordedSpan | undefined>();
  const isDrawn = (): boolean => chance() < ratio;
  let closing: Promise<unknown> | undefined;
  return {
    begin: (kind, describe) => {
      // Most requests are not recorded. Nothing is made for them.
      if (!followsCaller && !isDrawn()) return undefined;
      const { name, sinceMs = performance.now(), traceparent } = describe();
      const caller = parseTraceparent(traceparent);
      if (followsCaller && !(caller === undefined ? isDrawn() : (caller.traceFlags & TraceFlags.SAMPLED) !== 0)) return undefined;
      const originMs = systemClock.now().epochMilliseconds - performance.now();
      return new RecordedSpan({ queue, traceId: caller?.traceId ?? randomHex(16), parent: caller, originMs }, name, kind, sinceMs);
    },
    current: () => {
      const span = running.getStore();
      return span?.isOpen === true ? span : undefined;
    },
    // Most requests are not recorded, and run for none already.
    within: (span, work) => (span === running.getStore() ? work() : running.run(span as RecordedSpan | undefined, work)),
    close: async () => {
      await (closing ??= Promise.race([queue.close(), delay(CLOSE_MS, undefined, { ref: false })]));
    },
  };
}

/** Random bytes for many ids, asked from the system at once. */
const pool = Buffer.alloc(4_096);
let drawn = pool.length;

/** A number that is not zero, as OpenTelemetry demands it. */
function randomHex(bytes: 8 | 16): string {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const text = pool.toString('hex', drawn, (drawn += bytes));
  return /[^0]/.test(text) ? text : randomHex(bytes);
}

/** What all spans of a trace share, and what a span is part of. */
type Origin = {
  readonly queue: Queue;
  readonly traceId: string;
  readonly parent: SpanContext | undefined;
  /** What is added to performance.now(). By the clock alone each span would begin at a whole millisecond. */
  readonly originMs: number;
};

class RecordedSpan implements Span {
  readonly #origin: Origin;
  readonly #name: string;
  readonly #kind: SpanKind;
  readonly #sinceMs: number;
  readonly #context: SpanContext;
  #links: { readonly context: SpanContext }[] = [];
  #facts: SpanFacts = {};
  #untilMs: number | undefined;
  #hasFailed = false;

  constructor(origin: Origin, name: string, kind: SpanKind, sinceMs: number) {
    this.#origin = origin;
    this.#name = name;
    this.#kind = kind;
    this.#sinceMs = sinceMs;
    this.#context = { traceId: origin.traceId, spanId: randomHex(8), traceFlags: TraceFlags.SAMPLED };
  }

  get isOpen(): boolean {
    return this.#untilMs === undefined;
  }

  child(name: string, kind: SpanKind, beside: readonly Span[] = []): Span {
    const span = new RecordedSpan({ ...this.#origin, parent: this.#context }, name, kind, performance.now());
    for (const other of beside as readonly RecordedSpan[]) {
      span.#links.push({ context: other.#context });
      if (other.isOpen) other.#links.push({ context: span.#context });
    }
    return span;
  }

  note(facts: SpanFacts): void {
    if (this.isOpen) this.#facts = { ...this.#facts, ...facts };
  }

  end(hasFailed = false): void {
    if (!this.isOpen) return;
    this.#hasFailed = hasFailed;
    this.#untilMs = performance.now();
    this.#origin.queue.add(this);
  }

  /** As the library sends it, once it has ended. */
  print(resource: Resource): Printed {
    const { originMs, parent } = this.#origin;
    const untilMs = this.#untilMs ?? this.#sinceMs;
    return {
      name: this.#name,
      kind: KINDS[this.#kind],
      spanContext: () => this.#context,
      ...(parent !== undefined && { parentSpanContext: parent }),
      startTime: hrTimeOf(originMs + this.#sinceMs),
      endTime: hrTimeOf(originMs + untilMs),
      duration: hrTimeOf(untilMs - this.#sinceMs),
      status: { code: this.#hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: this.#facts,
      links: this.#links,
      events: [],
      ended: true,
      resource,
      instrumentationScope: SCOPE,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

/** A span as the exporter of the library takes it. */
type Printed = Parameters<OTLPTraceExporter['export']>[0][number];

const SCOPE = { name: 'caudal' };

/** Seconds and nanoseconds. */
function hrTimeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1e6)];
}

/** What a caller says of its trace. Anybody may send it, so it decides nothing unless an operator says so. */
function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (header === undefined) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? [];
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(caller) ? caller : undefined;
}

type Sent = (spans: number, error?: Error) => void;

type Queue = {
  /** Takes a span that has ended, or drops it. */
  add(span: RecordedSpan): void;
  /** Sends what waits. */
  close(): Promise<void>;
};

/** Spans wait for others, so that they are sent together: one portion after the other. Those on their way count with those that wait. */
function openQueue(exporter: OTLPTraceExporter, resource: Resource, pauseMs: number, sent: Sent): Queue {
  let waiting: RecordedSpan[] = [];
  let onTheirWay = 0;
  let pause: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const exported = (portion: readonly RecordedSpan[]): Promise<void> =>
    new Promise((resolve) =>
      exporter.export(
        portion.map((span) => span.print(resource)),
        ({ code, error }) => {
          onTheirWay = 0;
          sent(portion.length, code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('not taken')));
          resolve();
        },
      ),
    );

  /** Sends portions while there are whole ones, or all that waits. */
  async function send(isAll: boolean): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    do {
      const portion = waiting.slice(0, PORTION);
      waiting = waiting.slice(PORTION);
      onTheirWay = portion.length;
      await exported(portion);
    } while (waiting.length >= (isAll ? 1 : PORTION));
    sending = undefined;
    rest();
  }

  const start = (isAll: boolean): void => void (sending ??= send(isAll));

  function rest(): void {
    if (waiting.length >= PORTION) start(false);
    else if (waiting.length > 0) pause ??= setTimeout(start, pauseMs, false).unref();
  }

  return {
    add: (span) => {
      if (waiting.length + onTheirWay >= MAX_WAITING) return sent(1, new Error('too many spans wait'));
      waiting.push(span);
      if (sending === undefined) rest();
    },
    close: async () => {
      await sending;
      if (waiting.length > 0) start(true);
      await sending;
      await exporter.shutdown();
    },
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
