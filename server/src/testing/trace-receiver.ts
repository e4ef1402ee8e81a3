import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type OtlpValue = { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };
type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[];
type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttributes;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
};
type OtlpRequest = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
};

/** A span as it arrived. */
export type ReceivedSpan = Omit<OtlpSpan, 'attributes' | 'links'> & {
  readonly facts: Readonly<Record<string, unknown>>;
  /** The ids of the spans that it is linked to. */
  readonly links: readonly string[];
  readonly service: unknown;
};

/** A receiver of traces: a real HTTP server that reads OTLP in JSON. */
export type TraceReceiver = {
  /** The endpoint, below which traces have a path of their own. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Each request as it came. */
  readonly requests: readonly { readonly path: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Answers so from now on. A response that is not ended keeps its sender waiting. */
  answer(how: (response: ServerResponse) => void): void;
};

const factsOf = (attributes: OtlpAttributes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]));

const takeAll = (response: ServerResponse): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

/** Starts a receiver for one test, on any free port of this machine. */
export async function receiveTraces(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  let how = takeAll;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { headers, url: path } = request;
      requests.push({ path, headers, body });
      for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpRequest).resourceSpans)
        for (const { attributes, links = [], ...span } of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            ...span,
            facts: factsOf(attributes),
            links: links.map(({ spanId }) => spanId),
            service: factsOf(resource.attributes)['service.name'],
          });
      how(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, spans, requests, answer: (next) => void (how = next) };
}
