import { auditManagement, chainManagement, openActing } from '../audit/index.ts';
import { brandManagement } from '../brands/index.ts';
import { cashoutManagement, limitManagement } from '../cashouts/index.ts';
import { pagesManagement } from '../checkout/index.ts';
import { eventManagement, openStreams, type Events } from '../events/index.ts';
import type { RecordLone } from '../kit/changes/act.ts';
import type { Engine } from '../kit/changes/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { figureManagement } from '../figures/index.ts';
import type { HttpServer } from '../kit/http.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { cashoutLists } from '../cashouts/index.ts';
import { orderLists } from '../orders/index.ts';
import { counterManagement, inboxManagement, type CounterDeps, type InboxRoom } from '../sandbox/index.ts';
import { searchManagement } from '../search/index.ts';
import { openViews, ownManagement, serveManagement, type ManagementOperation, type ManageGates } from '../manage/index.ts';
import { exportManagement } from '../exports/exports.manage.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { ledgerManagement } from '../ledger/index.ts';
import { commonZone, merchantManagement } from '../merchants/index.ts';
import { serveManageDocument } from './manage-document.ts';
import { messageManagement } from '../messages/index.ts';
import { networkManagement } from '../networks/index.ts';
import { noticeManagement, type NoticeRendering } from '../notices/index.ts';
import { orderManagement, refusedManagement, sandboxOrderManagement } from '../orders/index.ts';
import { personManagement, type OpenKinds } from '../people/index.ts';
import { openActorLimits, requestManagement, runAloneOnce, type Requests, type Tally } from '../requests/index.ts';
import { hasCodes, mailingManagement, userManagement, type Users } from '../users/index.ts';

/** All operations of the management API, by the room that declares them, in the order of the documents. */
const operationsByRoom = {
  manage: ownManagement,
  orders: orderManagement,
  refusedPayments: refusedManagement,
  checkout: pagesManagement,
  cashouts: cashoutManagement,
  cashoutLimits: limitManagement,
  events: eventManagement,
  figures: figureManagement,
  merchants: merchantManagement,
  requests: requestManagement,
  brands: brandManagement,
  audit: auditManagement,
  chain: chainManagement,
  networks: networkManagement,
  ledger: ledgerManagement,
  notices: noticeManagement,
  messages: messageManagement,
  orderLists,
  cashoutLists,
  search: searchManagement,
  users: userManagement,
  people: personManagement,
  exports: exportManagement(EXPORTED_LISTS),
  sandboxOrders: sandboxOrderManagement,
  sandbox: counterManagement,
  inbox: inboxManagement,
} as const satisfies Readonly<Record<string, readonly ManagementOperation<never>[]>>;

/** Rooms whose operations only a sandbox has. */
type SandboxRoom = 'sandboxOrders' | 'sandbox' | 'inbox';

/** All of them, whatever they depend on. */
export const managementOperations: readonly ManagementOperation<never>[] = Object.values(operationsByRoom).flat();

/** Those that only a sandbox has. */
export const sandboxOnly: ReadonlySet<object> = new Set<object>([...sandboxOrderManagement, ...counterManagement, ...inboxManagement]);

/** Those that depend on rooms which have to be opened. */
export const needsRooms: ReadonlySet<object> = new Set<object>([
  ...orderManagement,
  ...pagesManagement,
  ...cashoutManagement,
  ...sandboxOnly,
]);

/** Those on users and access tokens. */
export const ofUsers: ReadonlySet<object> = new Set<object>(userManagement);
/** Those of them that write a mail. */
export const mailsUsers: ReadonlySet<object> = new Set<object>(mailingManagement);

type DepsOf<Operations> = Operations extends readonly ManagementOperation<infer Deps>[] ? Deps : never;

/** What the operations of each room depend on. */
type ManageDeps = { readonly [Room in keyof typeof operationsByRoom]: DepsOf<(typeof operationsByRoom)[Room]> };

export type ManageOptions = {
  readonly app: HttpServer;
  readonly db: Db;
  readonly clock: Clock;
  /** Of rooms that main has opened: what their operations depend on. */
  readonly rooms: Pick<ManageDeps, 'orders' | 'cashouts' | 'checkout' | 'requests'>;
  readonly requests: Pick<Requests, 'answerOnce' | 'limits'> & { readonly tally: Tally };
  readonly cursorKey: ServiceKey;
  readonly keys: MasterKeys;
  /** What the bodies of notices are made with. */
  readonly rendering: NoticeRendering;
  /** What a sandbox depends on beside the others. Undefined: this is not a sandbox, and its operations do not exist. */
  readonly sandbox: (InboxRoom & Omit<CounterDeps, 'acting'>) | undefined;
  readonly users: Pick<Users, 'authenticate' | 'lookAgain' | 'room'>;
  readonly events: Events;
  readonly openKinds: OpenKinds;
  /** Of the audit log. */
  readonly chain: ManageDeps['chain'];
  /** Records an act that changes nothing. */
  readonly recordLone: RecordLone;
  /** What is written now, and what waits for it. */
  readonly load: Engine['load'];
  /** All kept exports together may have so many bytes in the database. */
  readonly mostStoredBytes: number;
};

/** So many changes wait or are written at once where the service has much to do: heavy reads hold back. */
const MANY_CHANGES = 8;
const isBusy = ({ waiting, written }: ReturnType<Engine['load']>): boolean => waiting + written >= MANY_CHANGES;

/** Adds the routes of the management API. Returns the operations that this server has. */
export function serveManage(options: ManageOptions): readonly ManagementOperation<never>[] {
  const { app, db, clock, rooms, requests, cursorKey, keys, sandbox, users, events, openKinds, mostStoredBytes } = options;
  const shared = { db, clock, keys, acting: openActing(db, clock), runOnce: runAloneOnce };
  const { answerOnce, limits, tally } = requests;
  const gates: ManageGates = {
    authenticate: users.authenticate,
    lookAgain: users.lookAgain,
    recordAct: options.recordLone,
    answerOnce,
    admit: openActorLimits(limits, rooms.requests.merchants),
    countUnproved: limits.countUnproved,
    countOverload: (address) => tally('overload', undefined, address),
    view: openViews(() => isBusy(options.load())),
    cursorKey,
    clock,
  };
  const deps: Omit<ManageDeps, SandboxRoom> & Partial<Pick<ManageDeps, SandboxRoom>> = {
    manage: {
      clock,
      isSandbox: sandbox !== undefined,
      hasCodes: (userId) => hasCodes(db, userId),
      timeZoneOf: (merchantId) => commonZone({ db }, merchantId),
    },
    events: { streams: openStreams(events) },
    figures: { db, clock },
    cashoutLimits: shared,
    merchants: { ...shared, isSandbox: sandbox !== undefined },
    brands: shared,
    audit: { db },
    chain: options.chain,
    networks: shared,
    ledger: shared,
    refusedPayments: shared,
    notices: { ...shared, ...options.rendering },
    messages: shared,
    orderLists: { db, clock },
    cashoutLists: { db, clock },
    search: { db, clock },
    users: users.room,
    people: { ...shared, openKinds },
    ...rooms,
    exports: { ...shared, mostStoredBytes },
    ...(sandbox && { sandboxOrders: rooms.orders, sandbox: { ...shared, ...sandbox }, inbox: sandbox }),
  };
  const operationsOf = (room: keyof ManageDeps): readonly ManagementOperation<never>[] => operationsByRoom[room];
  const served = (Object.keys(operationsByRoom) as (keyof ManageDeps)[]).filter((room) => deps[room] !== undefined);
  for (const room of served) serveManagement(app, gates, deps[room] as never, operationsOf(room));
  const operations = served.flatMap(operationsOf);
  serveManageDocument(app, operations);
  return operations;
}
