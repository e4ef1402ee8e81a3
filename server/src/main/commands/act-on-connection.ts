import { hostname, userInfo } from 'node:os';
import { linkActs, openActingDb, openReadingDb, recordActs, type ActingDb } from '../../audit/index.ts';
import { merchantBrandFacts, networkBrandFacts } from '../../brands/index.ts';
import { CommandRefused, type ConnectedCells, type Connection } from '../../kit/command-line.ts';
import type { Act, DoneAct } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import { merchantFacts } from '../../merchants/index.ts';
import { networkFacts } from '../../networks/index.ts';
import { layoutFacts } from '../../settlements/index.ts';
import { cellOfMerchant } from '../../cells/index.ts';
import { HOME, HOME_NAME, mapCells, perCell, type PerCell } from '../../kit/per-cell.ts';
import type { OpenedCells } from '../cells/open-cells.ts';
import type { Doing } from './command-acts.ts';

/** A connection that records nothing yet. */
export type OwnConnection = Omit<Connection, 'dbOn' | 'ownDb' | 'actor' | 'recordIn' | 'cells' | 'close'> & {
  /** The cells beside home. Absent: the command works on home alone. */
  readonly others?: OpenedCells;
  close(): Promise<void>;
};

const FACTS = {
  merchant: merchantFacts,
  network: networkFacts,
  merchantBrand: merchantBrandFacts,
  networkBrand: networkBrandFacts,
  bankFileLayout: layoutFacts,
} as const;

/** What a command works on in one cell. */
type OwnCell = { readonly url: string; readonly db: Db };
/** The same, where transactions record the act. `acting` undefined: the command reads. */
type Working = OwnCell & { readonly acting: ActingDb | undefined };

/**
 * Makes the connection of a command that is about to do something. Its database records the act in each of its transactions: in the cell
 * where it changes something.
 * What no transaction has recorded is recorded before the connection closes, and then the acts are linked.
 * A command that reads gets a database that refuses to write.
 */
export function connectionFor(connection: OwnConnection, { act: command, as }: Doing): Connection {
  const { others, close: closeOwn, ...shared } = connection;
  const { clock, url, db } = shared;
  const user = systemUser();
  const name = as ?? user;
  const actor = `command:${name}` as const;
  const { opened = [], away = [] } = others ?? {};
  const cells = perCell(
    new Map<number, OwnCell>([[HOME, { url, db }], ...opened.map((one) => [one.cell, one] as const)]),
    () => away.length === 0,
  );
  const { shows, ...deed } = command ?? {};
  const act = command && ({ ...deed, actor: { kind: 'command', id: user, name }, source: hostname(), requestId: null } as Act);
  const work = mapCells(cells, ({ db: ownDb, url: ownUrl }): Working => ({
    url: ownUrl,
    db: ownDb,
    acting: act && openActingDb({ db: ownDb, clock, facts: shows && FACTS[shows.kind](shows.id) }, act),
  }));
  const cellOf = (merchantId: string): Promise<number> => cellOfMerchant(db, merchantId);
  const close = async (failure?: unknown): Promise<void> => {
    try {
      if (act !== undefined) await finishAct(work, cellOf, { ...act, at: clock.now() }, failure);
    } finally {
      await closeOwn();
    }
  };
  const connections = mapCells(work, ({ url: ownUrl, db: ownDb, acting }): Connection => ({
    ...shared,
    url: ownUrl,
    db: acting?.db ?? openReadingDb(ownDb),
    ownDb,
    actor,
    ...(acting && { dbOn: acting.on, recordIn: acting.recordIn }),
    close,
  }));
  if (opened.length + away.length === 0) return connections.home;
  const names = new Map([[HOME, HOME_NAME], ...[...opened, ...away].map((one) => [one.cell, one.name] as const)]);
  // Each connection knows all of them.
  const withCells: PerCell<Connection & { cells?: ConnectedCells }> = connections;
  const of = (cell: number): Connection => {
    const missing = away.find((one) => one.cell === cell);
    if (missing !== undefined) throw new CommandRefused(`The cell ${missing.name} cannot be used: ${missing.reason}`);
    return connections.of(cell);
  };
  for (const [, own] of withCells.all) own.cells = { connections: { ...connections, of }, names, away, cellOf };
  return connections.home;
}

/** The name of the system's user. A container may have a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * A command that failed for another reason than a refusal is not recorded: nobody knows what it did.
 * One that no cell has recorded is recorded in that of its merchant.
 */
async function finishAct(
  cells: PerCell<Working>,
  cellOf: (merchantId: string) => Promise<number>,
  act: Omit<DoneAct, 'outcome'>,
  failure: unknown,
): Promise<void> {
  const recorded = cells.all.filter(([, { acting }]) => acting?.isRecorded()).map(([, { db }]) => db);
  if (recorded.length === 0) {
    if (failure !== undefined && !(failure instanceof CommandRefused)) return;
    const cell = act.merchantId === null || cells.all.length === 1 ? HOME : await cellOf(act.merchantId);
    const { db } = cells.all.find(([number]) => number === cell)?.[1] ?? cells.home;
    const refusal = cells.all.map(([, own]) => own.acting?.refusal()).find((one) => one !== undefined);
    const outcome = failure === undefined ? 'done' : (`refused:${refusal ?? 'command'}` as const);
    await db.transaction(async (tx) => recordActs(tx, [{ ...act, outcome }]));
    recorded.push(db);
  }
  for (const db of recorded) await linkActs(db);
}
