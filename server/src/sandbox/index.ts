import type { HttpServer } from '../kit/http.ts';
import { addClock } from './clock.wire.ts';
import { addFaults } from './faults.ts';
import type { SandboxClock } from './sandbox-clock.ts';

export { openSandboxClock, readSandboxClock, type SandboxClock } from './sandbox-clock.ts';
export { sandboxNetwork } from './sandbox-network.ts';
export { sandboxDoor } from './sandbox.wire.ts';

export type Sandbox = { readonly clock: SandboxClock };

/** Adds what only a sandbox has: its clock and faults on request. Main leaves all of it out in production mode (contract §7.6). */
export function registerSandbox(app: HttpServer, { clock }: Sandbox): void {
  addClock(app, clock);
  addFaults(app);
}
