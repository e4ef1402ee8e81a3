import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FaultAskedFor, type HttpServer } from '../kit/http.ts';

/** How long a slow answer takes, and how long a missing answer keeps its connection: longer than most clients wait. */
const FAULT_TIMES = { slowMs: 3_000, silentMs: 30_000 };

const HEADER = 'x-sandbox-fault';
/** The operations of merchants and networks, whose faults a client must handle. */
const OPERATIONS = /^\/(api|cashout|v1)\//;

/** The text for an unknown fault. It is refused, so that nobody believes they have tested something. */
const UNKNOWN_FAULT = 'El encabezado X-Sandbox-Fault admite 503, slow o timeout';

/**
 * Makes operations fail on request by X-Sandbox-Fault. `503` is refused before any work. `slow` is answered late. `timeout` does the work
 * and sends no answer; its connection closes after `silentMs`, or when the server closes.
 * Source: contract §7.6.
 */
export function addFaults(app: HttpServer, { slowMs, silentMs } = FAULT_TIMES): void {
  const silent = new Set<Socket>();

  app.addHook('onRequest', (request, _reply, done) => {
    const fault = request.headers[HEADER];
    if (fault === undefined || !OPERATIONS.test(request.url)) return done();
    if (fault === '503') return done(new FaultAskedFor('unavailable'));
    done(fault === 'slow' || fault === 'timeout' ? undefined : new FaultAskedFor('malformed', UNKNOWN_FAULT));
  });

  app.addHook('onSend', async (request, _reply, answer) => {
    const fault = request.headers[HEADER];
    if ((fault !== 'slow' && fault !== 'timeout') || !OPERATIONS.test(request.url)) return answer;
    if (fault === 'slow') await delay(slowMs);
    else await holdBack(request.raw.socket);
    return answer;
  });

  /** Resolves when the connection is closed. */
  async function holdBack(socket: Socket): Promise<void> {
    if (socket.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => socket.destroy(), silentMs);
    silent.add(socket.once('close', resolve));
    await promise;
    clearTimeout(timer);
    silent.delete(socket);
  }

  app.addHook('preClose', (done) => {
    for (const socket of silent) socket.destroy();
    done();
  });
}
