import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracer, Work } from './tracer.ts';

export type Handler = (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => unknown;

/** Records the requests of all routes that follow. Shape: → makes a handler that is not a route record too. Without a tracer nothing changes. */
export function traceRoutes(app: FastifyInstance, tracer: Tracer | undefined): (handle: Handler) => Handler {
  if (tracer === undefined) return (handle) => handle;
  const traced = tracing(tracer);
  app.addHook('onRoute', (route) => void (route.handler = traced(route.handler)));
  return traced;
}

/**
 * Records requests. What their handlers do is part of them.
 * Shape: a handler → one that records. It is not a hook: those are called for each request, and most are not recorded.
 * Not earlier: a body arrives in events of its connection, which belong to no request.
 */
const tracing =
  (tracer: Tracer) =>
  (handle: Handler): Handler =>
    function traced(request, reply) {
      const describe = (): Work => ({
        name: `${request.method} ${request.routeOptions.url ?? ''}`.trim(),
        sinceMs: performance.now() - reply.elapsedTime,
        traceparent: request.headers['traceparent'],
      });
      const span = tracer.begin('server', describe);
      if (span === undefined) return handle.call(this, request, reply);
      reply.raw.once('finish', () => endRequest(span, request, reply));
      // Without an answer before it: the caller went away, and what its handler does later ends nothing.
      reply.raw.once('close', () => endRequest(span, request, reply, isStream(reply) ? undefined : 'aborted'));
      return tracer.within(span, () => handle.call(this, request, reply));
    };

/** A stream of events lasts as long as somebody listens. Its caller ends it. */
export const isStream = (reply: FastifyReply): boolean => reply.getHeader('content-type') === 'text/event-stream';

/** The status counts where it was sent. `cut`: why the answer did not go out whole. */
function endRequest(
  span: Span,
  { method, routeOptions: { url, schema } }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
  cut?: 'aborted',
): void {
  const { operationId } = (schema ?? {}) as { readonly operationId?: string };
  span.note({
    'http.request.method': method,
    ...(raw.headersSent && { 'http.response.status_code': statusCode }),
    ...(cut !== undefined && { 'error.type': cut }),
    ...(url !== undefined && { 'http.route': url }),
    ...(operationId !== undefined && { 'caudal.operation': operationId }),
  });
  span.end(cut !== undefined || statusCode >= 500);
}
