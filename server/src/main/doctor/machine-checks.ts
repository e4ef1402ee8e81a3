import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { mayBeReadOnTheWay } from '../../kit/db.ts';
import { fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import type { Bounds, Machine, ExaminedServer } from './served.ts';

const GIGABYTE = 1e9;

const sizeOf = (bytes: number): string => (bytes < GIGABYTE ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`);

/** What the settings and the machine say by themselves. */
export const MACHINE_CHECKS: readonly DoctorCheck<ExaminedServer>[] = [
  {
    name: 'settings',
    look: async ({ config, isEmbedded }) => {
      if (config.mode === 'sandbox') return [];
      return [
        ...when(config.checkoutUrl === undefined, () =>
          fault('checkout links lead to this machine’s own address', 'set CAUDAL_CHECKOUT_URL to the public address of the checkout'),
        ),
        ...when(config.consoleUrl === undefined, () =>
          warning('links of mails to users lead to this machine’s own address', 'set CAUDAL_CONSOLE_URL to where people find this server'),
        ),
        ...when(config.mail === undefined, () => warning('no mail is sent', 'set CAUDAL_SMTP_URL and CAUDAL_MAIL_FROM')),
        ...when(config.metricsAddress === undefined, () => warning('no metrics are served', 'set CAUDAL_METRICS_ADDRESS')),
        ...when(config.auditCheckpoints === undefined, () =>
          warning('the audit log has no checkpoints elsewhere', 'set CAUDAL_AUDIT_CHECKPOINTS'),
        ),
        ...when(isEmbedded, () =>
          warning('the embedded database has no standby', 'use a PostgreSQL of your own for what you cannot lose: DATABASE_URL'),
        ),
      ];
    },
  },
  {
    name: 'TLS to the database',
    look: async ({ config }) =>
      when(config.databaseUrl !== undefined && mayBeReadOnTheWay(config.databaseUrl), () =>
        warning('statements and payments can be read between this machine and the database', 'add ?sslmode=verify-full to DATABASE_URL'),
      ),
  },
  {
    name: 'disk of this machine',
    look: async ({ config, machine, bounds }) => judgeDisk(existingPartOf(config.dataDir), machine, bounds),
  },
];

/** A directory, or where it would be made: the nearest one above it that exists. */
const existingPartOf = (directory: string): string => (existsSync(directory) ? directory : existingPartOf(dirname(resolve(directory))));

/** What is free where a directory is. */
export async function judgeDisk(place: string, machine: Machine, bounds: Bounds): Promise<readonly Ailment[]> {
  const { free, all } = await machine.space(place);
  const says = `${sizeOf(free)} of ${sizeOf(all)} are free at ${place}`;
  const remedy = 'make room or a larger disk: a full one stops writes, and reads too';
  if (free < all * bounds.freeFault) return [fault(says, remedy)];
  return when(free < all * bounds.freeWarning, () => warning(says, remedy));
}
