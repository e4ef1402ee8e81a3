import type { Random } from '../../simulation/random.ts';
import type { StagedCell, TorturedDatabase } from '../database.ts';
import { FAULTS, signal, type Heal, type Inject } from '../faults.ts';
import type { Link } from '../link.ts';
import type { Stage } from '../stage.ts';

/** Home, and the databases of cells beside it. */
export type Cells<Cell extends StagedCell = TorturedDatabase> = Omit<TorturedDatabase, 'cells'> & { readonly cells: readonly Cell[] };

/** The numbers of all cells, home first. */
export const numbersOf = ({ database }: Stage<Cells<StagedCell>>): readonly number[] => [
  0,
  ...database.cells.keys().map((index) => index + 1),
];

/** Merchants of these cells must be answered until the fault ends. */
export const whileServing = (serves: readonly number[], heal: Heal): Heal => Object.assign(() => heal(), { serves });

/** A fault of home, or of its networks: merchants of other cells create and change orders. */
const atHome =
  (inject: Inject): Inject<Cells<StagedCell>> =>
  async (stage, random) =>
    whileServing(numbersOf(stage).slice(1), await inject(stage, random));

/** A fault of one cell: home and the others are served. */
const inCell =
  (inject: (cell: TorturedDatabase, link: Link, stage: Stage<Cells>, random: Random) => Promise<Heal>): Inject<Cells> =>
  async (stage, random) => {
    const index = random.below(stage.database.cells.length);
    const heal = await inject(stage.database.cells[index] as TorturedDatabase, stage.cellLinks[index] as Link, stage, random);
    return whileServing(
      numbersOf(stage).filter((number) => number !== index + 1),
      heal,
    );
  };

const inDatabase = (inject: Inject) => inCell((database, _link, stage, random) => inject({ ...stage, database }, random));

const onLink = (harm: (link: Link, random: Random) => void) =>
  inCell(async (_cell, link, _stage, random) => {
    harm(link, random);
    return async () => link.heal();
  });

/** Faults by their names, of home and cells that are each an embedded PostgreSQL. */
export const CELL_FAULTS = {
  'kill home': atHome(FAULTS['kill database']),
  'stop home': atHome(FAULTS['stop database']),
  'cut home': atHome(FAULTS['cut network']),
  'kill cell': inDatabase(FAULTS['kill database']),
  'kill backend of cell': inDatabase(FAULTS['kill backend']),
  'stop cell': inDatabase(FAULTS['stop database']),
  'cut cell': onLink((link) => link.cut()),
  'silent cell': onLink((link) => link.silence()),
  'slow cell': onLink((link, random) => link.slow(5 + random.below(60))),
  'kill server': FAULTS['kill server'],
  'stop server': FAULTS['stop server'],
  // It serves the other cells at once, and this one when it is back.
  'restart without cell': inCell(async (cell, link, { servers }, random) => {
    const stopped = random.chance(0.5) ? cell.processes() : [];
    for (const processId of stopped) signal(processId, 'SIGSTOP');
    if (stopped.length === 0) link.cut();
    const server = random.pick(servers);
    server.signal('SIGKILL');
    const restarted = server.restart();
    restarted.catch(() => undefined); // It is thrown where the fault ends.
    return async () => {
      await restarted;
      for (const processId of stopped) signal(processId, 'SIGCONT');
      link.heal();
    };
  }),
  'kill all': async (stage, random) => {
    const killed = [stage.database, ...stage.database.cells].flatMap((database) => database.processes().slice(0, 1));
    for (const processId of killed) signal(processId, 'SIGKILL');
    return FAULTS['kill server'](stage, random);
  },
} satisfies Record<string, Inject<Cells>>;
