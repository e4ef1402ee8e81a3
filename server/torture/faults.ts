import type { Random } from '../simulation/random.ts';
import type { StagedDatabase, TorturedDatabase } from './database.ts';
import type { Link } from './link.ts';
import type { Manner } from './receiver.ts';
import type { TorturedServer } from './server-process.ts';
import type { Stage } from './stage.ts';

/**
 * Ends a fault. What is killed and never started by Caudal itself is started again.
 * `serves`: the cells whose merchants must be answered meanwhile.
 */
export type Heal = (() => Promise<void>) & { readonly serves?: readonly number[] };
export type Inject<Database extends StagedDatabase = TorturedDatabase> = (stage: Stage<Database>, random: Random) => Promise<Heal>;

const NOTHING: Heal = async () => undefined;

/** The process may have ended by itself since it was found. */
export function signal(processId: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(processId, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const killPostmaster = ({ database }: Pick<Stage, 'database'>): void => {
  for (const processId of database.processes().slice(0, 1)) signal(processId, 'SIGKILL');
};

/** Kills servers. Half of them are started at once, whatever has happened to the database. */
function killServers(servers: readonly TorturedServer[], random: Random): Heal {
  for (const server of servers) server.signal('SIGKILL');
  const restartAll = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.restart())));
  if (random.chance(0.5)) return restartAll;
  const restarted = restartAll();
  restarted.catch(() => undefined); // It is thrown where the fault ends.
  return () => restarted;
}

/** One of the servers, or both. */
const some = ({ servers }: Stage, random: Random): readonly TorturedServer[] => (random.chance(0.3) ? servers : [random.pick(servers)]);

const onLinks =
  (harm: (link: Link, random: Random) => void): Inject =>
  async (stage, random) => {
    const links = some(stage, random).map(({ link }) => link);
    for (const link of links) harm(link, random);
    return async () => links.forEach((link) => link.heal());
  };

const onReceiver =
  (manner: Manner): Inject =>
  async ({ receiver, merchants }, random) => {
    const { merchantId } = random.pick(merchants);
    receiver.behave(merchantId, manner);
    return async () => receiver.behave(merchantId, 'takes');
  };

/** All faults by their names. */
export const FAULTS = {
  'kill server': async (stage, random) => killServers(some(stage, random), random),
  'kill database': async (stage) => {
    killPostmaster(stage);
    return NOTHING;
  },
  // The postmaster then ends all others and recovers.
  'kill backend': async ({ database }, random) => {
    const children = database.processes().slice(1);
    if (children.length > 0) signal(random.pick(children), 'SIGKILL');
    return NOTHING;
  },
  'kill both': async (stage, random) => {
    killPostmaster(stage);
    return killServers(some(stage, random), random);
  },
  'stop server': async (stage, random) => {
    const stopped = some(stage, random);
    for (const server of stopped) server.signal('SIGSTOP');
    return async () => stopped.forEach((server) => server.signal('SIGCONT'));
  },
  'stop database': async ({ database }) => {
    const stopped = database.processes();
    for (const processId of stopped) signal(processId, 'SIGSTOP');
    return async () => stopped.forEach((processId) => signal(processId, 'SIGCONT'));
  },
  'full disk': async ({ database }) => {
    database.volumes?.data.fill();
    return async () => database.volumes?.data.empty();
  },
  // The next file of the log is begun at once: the database ends where it cannot have it.
  'full log volume': async ({ database }) => {
    database.volumes?.log.fill();
    await database.ask('select pg_switch_wal()').catch(() => undefined);
    return async () => database.volumes?.log.empty();
  },
  'cut network': onLinks((link) => link.cut()),
  'silent network': onLinks((link) => link.silence()),
  'slow network': onLinks((link, random) => link.slow(5 + random.below(60))),
  'hanging receiver': onReceiver('hangs'),
  'dripping receiver': onReceiver('drips'),
  'redirecting receiver': onReceiver('redirects'),
} satisfies Record<string, Inject>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** Those that need file systems of a set size. */
export const NEEDS_VOLUMES: readonly FaultName[] = ['full disk', 'full log volume'];
