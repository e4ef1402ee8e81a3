import { statfs } from 'node:fs/promises';
import type { Examined } from '../../kit/checks/doctor.ts';
import { MOST_SECONDS_APART } from '../../kit/db/clock-guard.ts';
import type { Config } from '../config.ts';

/** Where a check begins to find something. */
export const BOUNDS = {
  oldestPostgres: 150_000,
  /** Seconds between the database's clock and ours. Beyond the first, production writes nothing. */
  clockFault: MOST_SECONDS_APART,
  clockWarning: 2,
  longMinutes: 5,
  lagSeconds: 30,
  /** Of two thousand million transaction numbers. Beyond, PostgreSQL stops writes. */
  wraparoundFault: 1_500_000_000,
  wraparoundWarning: 500_000_000,
  /** Old versions of rows, and their share of the rows. */
  deadRows: 100_000,
  deadShare: 0.3,
  /** Of a disk. PostgreSQL stops where it is full, and reads stop with it. */
  freeFault: 0.05,
  freeWarning: 0.15,
  /** Of the newest backup. One is made each day. */
  backupFaultDays: 7,
  backupWarningDays: 2,
  /** Of a certificate's life, in days or as a share of it: what is shorter. */
  certificateFaultDays: 3,
  certificateFaultShare: 0.05,
  certificateWarningDays: 14,
  certificateWarningShare: 0.2,
} as const;
export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>;

/** What this machine says of itself. */
export type Machine = {
  readonly nowMs: () => number;
  readonly offsetAt: Examined['offsetAt'];
  /** Bytes of the disk of a directory. */
  readonly space: (place: string) => Promise<{ readonly free: number; readonly all: number }>;
};

export const THIS_MACHINE: Machine = {
  nowMs: Date.now,
  offsetAt: (zone, at) => at.toZonedDateTimeISO(zone).offsetNanoseconds / 1e9,
  space: async (place) => {
    const { bavail, blocks, bsize } = await statfs(place);
    return { free: bavail * bsize, all: blocks * bsize };
  },
};

/** What checks of the settings and of PostgreSQL look at. */
export type ExaminedServer = Examined & {
  readonly config: Config;
  readonly isEmbedded: boolean;
  readonly machine: Machine;
  readonly bounds: Bounds;
  /** Undefined: the command names none. */
  readonly backups: BackupPlace | undefined;
};

/** Where backups are. `keyFile`: the key that seals them. */
export type BackupPlace = { readonly dir: string; readonly keyFile: string | undefined };
