import type { ChainDeps } from './chain.manage.ts';
import type { RecordLone } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { Log } from '../kit/log.ts';
import { checkpointJob, type CheckpointPlace } from './checkpoint.job.ts';
import { linkActsJob } from './link-acts.job.ts';
import { openLoneActs } from './lone-acts.ts';
import { pruneActs } from './prune-acts.job.ts';
import { openChainSigner } from './sign.ts';

export { openActing, openActingDb, openReadingDb, type ActingDb } from './acting-db.ts';
export { linkActs } from './link-acts.job.ts';
export { readPosted } from './posted-acts.ts';
export { recordActs, recordDecided } from './record-acts.ts';
export { actPeople } from './act-people.ts';
export { auditManagement } from './audit.manage.ts';
export { chainManagement } from './chain.manage.ts';
export { checkpointPlaceOf, parseCheckpointPlace, type CheckpointPlace } from './checkpoint.job.ts';
export { openChainSigner, type ChainSigner } from './sign.ts';
export { chainCheck } from './verify-chain.ts';

export type AuditRoom = {
  readonly db: Db;
  /** The machine's clock: acts go by age in real time, also in a sandbox. */
  readonly wallClock: Clock;
  readonly log: Log;
  /** The service's own key that signs checkpoints. */
  readonly key: ServiceKey;
  readonly keptDays: number;
  /** Undefined: no checkpoint is written. */
  readonly checkpoints: CheckpointPlace | undefined;
} & Pick<ChainDeps, 'cellName' | 'cellNamed'>;

export type Audit = {
  /** Records an act that changes nothing. Beyond a bound the acts of one sender are summed up. */
  readonly recordLone: RecordLone;
  readonly jobs: readonly Job[];
  /** What the operations on the chain depend on. */
  readonly chain: ChainDeps;
  /** Writes what is still summed up. */
  close(): Promise<void>;
};

/** Opens the audit log: what bounds it, and the jobs that keep its chain. */
export function openAudit({ db, wallClock, log, key, keptDays, checkpoints, ...cell }: AuditRoom): Audit {
  const signer = openChainSigner(key);
  const writing = checkpoints === undefined ? [] : [checkpointJob({ db, signer, now: () => wallClock.now(), log }, checkpoints)];
  const lone = openLoneActs(db, wallClock);
  return {
    recordLone: lone.record,
    chain: { db, wallClock, signer, ...cell },
    jobs: [linkActsJob(db), lone.job, pruneActs({ db, signer, clock: wallClock }, keptDays), ...writing],
    close: () => lone.close().catch((error: unknown) => log.warn({ error }, 'acts that were counted could not be recorded')),
  };
}
