import type { HttpServer } from '../kit/http.ts';
import { addClock } from './clock.wire.ts';
import { addFaults } from './faults.ts';
import { addInboxPage } from './inbox.page.ts';
import type { InboxRoom } from './inbox.ts';
import { addInbox } from './inbox.wire.ts';
import { networkPlayer } from './play-network.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxNetworkRoom } from './sandbox-network.ts';
import { sandboxSchemas } from './sandbox-schemas.wire.ts';
import { addCollections, addPayments } from './simulate.wire.ts';

export { openSandboxClock, readSandboxClock, type SandboxClock } from './sandbox-clock.ts';
export { sandboxNetwork } from './sandbox-network.ts';
export { sandboxDoor } from './sandbox.wire.ts';

export type Sandbox = InboxRoom & SandboxNetworkRoom & { readonly clock: SandboxClock };

/** Adds what only a sandbox has. Main leaves all of it out in production mode (contract §7.6). */
export function registerSandbox(app: HttpServer, room: Sandbox): void {
  const schemas = sandboxSchemas(room.servicePrefix);
  addClock(app, room.clock, schemas);
  const playNetwork = networkPlayer(app, room);
  addPayments(app, { playNetwork, servicePrefix: room.servicePrefix }, schemas);
  addCollections(app, playNetwork, schemas);
  addInbox(app, room, schemas);
  addInboxPage(app, room, room.clock);
  addFaults(app);
}
