import type { HttpServer } from '../kit/http.ts';
import { homeAlone } from '../kit/per-cell.ts';
import { serveOperations, type Gates, type Dialect } from '../requests/index.ts';
import { moveClockOperation, readClockOperation } from './clock.wire.ts';
import { addFaults } from './faults.ts';
import { addInboxPage } from './inbox.page.ts';
import type { CellsOf } from '../manage/index.ts';
import type { TimeZoneOf } from '../merchants/index.ts';
import type { InboxRoom } from './inbox.ts';
import { readInboxOperation } from './inbox.wire.ts';
import { requireOwnRequests, type SandboxNames } from './own-requests.ts';
import { addPublicNotice } from './public-notice.ts';
import { networkPlayer } from './play-network.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxNetworkRoom } from './sandbox-network.ts';
import {
  simulateCollectionOperation,
  simulateCollectionReversalOperation,
  simulatePaymentOperation,
  simulateReversalOperation,
} from './simulate.wire.ts';

export { inboxManagement } from './inbox.manage.ts';
export type { InboxRoom } from './inbox.ts';
export { counterManagement, type CounterDeps } from './sandbox.manage.ts';
export { openSandboxClock, readSandboxClock } from './sandbox-clock.ts';
export { isFromHere } from './own-requests.ts';
export { PAGE_STYLE } from './page-style.ts';
export { sandboxNetwork } from './sandbox-network.ts';
export { sandboxFaults } from './sandbox.wire.ts';

/** The operations of the room, in the order of the documents. */
export const sandboxOperations = [
  readClockOperation,
  moveClockOperation,
  simulatePaymentOperation,
  simulateReversalOperation,
  simulateCollectionOperation,
  simulateCollectionReversalOperation,
  readInboxOperation,
] as const;

export type Sandbox = SandboxNetworkRoom & {
  readonly clock: SandboxClock;
  readonly gates: Gates;
  readonly dialect: Dialect;
  readonly names: SandboxNames;
  readonly inboxes: CellsOf<InboxRoom>;
  readonly timeZoneOf: TimeZoneOf;
};

/** Adds what only a sandbox has. Main leaves all of it out in production mode (contract §7.6). */
export function registerSandbox(app: HttpServer, room: Sandbox): void {
  const { gates, dialect, names } = room;
  serveOperations({ app, gates, deps: homeAlone({ ...room, playNetwork: networkPlayer(app, room) }), dialect }, sandboxOperations);
  addInboxPage(app, room);
  addFaults(app);
  requireOwnRequests(app, names);
  if (names.isPublic) addPublicNotice(app);
}
