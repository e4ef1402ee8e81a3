import { auditManagement, chainManagement, openActing } from '../audit/index.ts';
import { brandManagement } from '../brands/index.ts';
import { cellManagement } from '../cells/index.ts';
import { cashoutManagement, limitManagement } from '../cashouts/index.ts';
import { pagesManagement } from '../checkout/index.ts';
import { eventManagement, openStreams, type Events, type Streams } from '../events/index.ts';
import type { RecordLone } from '../kit/changes/act.ts';
import type { Engine } from '../kit/changes/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { figureManagement } from '../figures/index.ts';
import type { HttpServer } from '../kit/http.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { migrationCheck } from '../kit/migrate.ts';
import { mapCells, type PerCell } from '../kit/per-cell.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { cashoutLists } from '../cashouts/index.ts';
import { orderLists } from '../orders/index.ts';
import { counterManagement, inboxManagement, type CounterDeps, type InboxRoom } from '../sandbox/index.ts';
import { bankFileManagement, settlementManagement } from '../settlements/index.ts';
import { searchManagement } from '../search/index.ts';
import { openViews, ownManagement, serveManagement, type KnownCells, type ManagementOperation, type ManageGates } from '../manage/index.ts';
import { exportManagement } from '../exports/exports.manage.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { ledgerManagement } from '../ledger/index.ts';
import { MERCHANT_READS, merchantManagement, openPlacing, type MerchantDirectory, type TimeZoneOf } from '../merchants/index.ts';
import { MIGRATIONS } from './migrations.ts';
import { serveManageDocument } from './manage-document.ts';
import { openStatementTurns, statementManagement, type StatementTurns } from '../statements/index.ts';
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
  cells: cellManagement,
  requests: requestManagement,
  brands: brandManagement,
  audit: auditManagement,
  chain: chainManagement,
  networks: networkManagement,
  ledger: ledgerManagement,
  settlements: settlementManagement,
  statements: statementManagement,
  bankFiles: bankFileManagement,
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

/** What operations depend on in one cell. */
type CellOptions = {
  readonly name: string;
  readonly db: Db;
  readonly url: string;
  /** Of rooms that main has opened: what their operations depend on. */
  readonly rooms: Pick<ManageDeps, 'orders' | 'cashouts' | 'checkout' | 'requests'>;
  /** What the bodies of notices are made with. */
  readonly rendering: NoticeRendering;
  /** What a sandbox depends on beside the others. Undefined: this is not a sandbox, and its operations do not exist. */
  readonly sandbox: (InboxRoom & Omit<CounterDeps, 'acting'>) | undefined;
  /** Of the audit log. */
  readonly chain: ManageDeps['chain'];
};

export type ManageOptions = {
  readonly app: HttpServer;
  readonly clock: Clock;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly known: KnownCells;
  readonly timeZoneOf: TimeZoneOf;
  readonly ofCells: PerCell<CellOptions>;
  readonly requests: Pick<Requests, 'answerOnce' | 'limits'> & { readonly tally: Tally };
  readonly cursorKey: ServiceKey;
  readonly keys: MasterKeys;
  readonly users: Pick<Users, 'authenticate' | 'lookAgain' | 'room'>;
  readonly events: Events;
  readonly openKinds: OpenKinds;
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
  const { app, clock, merchants, known, ofCells, requests, cursorKey, users } = options;
  const { answerOnce, limits, tally } = requests;
  const gates: ManageGates = {
    authenticate: users.authenticate,
    lookAgain: users.lookAgain,
    recordAct: options.recordLone,
    answerOnce,
    admit: openActorLimits(limits, merchants),
    countUnproved: limits.countUnproved,
    countOverload: (address) => tally('overload', undefined, address),
    view: openViews(() => isBusy(options.load())),
    cursorKey,
    clock,
  };
  const ofService = {
    streams: openStreams(options.events),
    turns: openStatementTurns(),
    place: openPlacing({ db: ofCells.home.db, clock, served: ofCells }),
  };
  const deps = mapCells(ofCells, (own, cell) => depsOf({ ...options, ...ofService }, own, cell));
  const operationsOf = (room: keyof ManageDeps): readonly ManagementOperation<never>[] => operationsByRoom[room];
  const rooms = (Object.keys(operationsByRoom) as (keyof ManageDeps)[]).filter((room) => deps.home[room] !== undefined);
  for (const room of rooms)
    serveManagement(app, gates, { ...known, deps: mapCells(deps, (own) => own[room] as never) }, operationsOf(room));
  const operations = rooms.flatMap(operationsOf);
  serveManageDocument(app, operations);
  return operations;
}

/** What all cells share. */
type OfService = {
  readonly streams: Streams;
  readonly turns: StatementTurns;
  readonly place: ReturnType<typeof openPlacing>;
};

/** What the operations of each room depend on, in one cell. */
function depsOf(
  { clock, keys, users, streams, turns, timeZoneOf, place, ofCells, openKinds, recordLone, mostStoredBytes }: ManageOptions & OfService,
  { name: cellName, db, url, rooms, rendering, sandbox, chain }: CellOptions,
  cell: number,
): Omit<ManageDeps, SandboxRoom> & Partial<Pick<ManageDeps, SandboxRoom>> {
  const shared = { db, clock, keys, acting: openActing(db, clock), runOnce: runAloneOnce, timeZoneOf, cell };
  return {
    manage: {
      clock,
      isSandbox: sandbox !== undefined,
      hasCodes: (userId) => hasCodes(db, userId),
      timeZoneOf,
    },
    events: { streams },
    figures: { db, clock, timeZoneOf },
    cashoutLimits: shared,
    merchants: { ...shared, isSandbox: sandbox !== undefined, place },
    cells: { ...shared, url, served: ofCells, isServer: true, ofHome: MERCHANT_READS, isBehind: migrationCheck(MIGRATIONS) },
    brands: shared,
    audit: { db, cellName },
    chain,
    networks: shared,
    ledger: shared,
    settlements: {
      ...shared,
      recordLone,
      home: ofCells.home.db,
      inCell: (which) => {
        const { db: own } = ofCells.isAlone ? ofCells.home : ofCells.of(which);
        return { db: own, acting: openActing(own, clock) };
      },
    },
    statements: { db, url, clock, turns },
    bankFiles: { ...shared, served: ofCells, cellName },
    refusedPayments: shared,
    notices: { ...shared, ...rendering },
    messages: shared,
    orderLists: { db, clock, timeZoneOf },
    cashoutLists: { db, clock, timeZoneOf },
    search: { db, clock, timeZoneOf },
    users: users.room,
    people: { clock, actingIn: (which) => openActing(ofCells.of(which).db, clock), openKinds },
    ...rooms,
    exports: { ...shared, mostStoredBytes },
    ...(sandbox && { sandboxOrders: rooms.orders, sandbox: { ...shared, ...sandbox }, inbox: sandbox }),
  };
}
