import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { AnswerOnce } from '../kit/once.ts';
import { mapCells, ofAllCells, type PerCell } from '../kit/per-cell.ts';
import type { Tracer } from '../kit/traces/tracer.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import { openAnswerOnce } from './answer-once.wire.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import { openCallers, type Callers } from './callers.ts';
import { forgetProofs, forgetRequests } from './forget.job.ts';
import type { Tally } from './limits/tally.ts';
import { openLimits, type Limits, type LimitSettings } from './limits/limits.ts';
import { openGatherRequests, type GatherRequests } from './log/gather-requests.ts';
import { openRequestLog, type RequestLog } from './log/request-log.ts';
import { openNetworkGate, type NetworkGate } from './network-gate.ts';
import { bindNetworkProofs } from './network-proofs.ts';
import { openSignatures } from './prove-signature.ts';
import { spendSignatures } from './spend-signatures.ts';

export { answerPeople } from './answer-people.ts';
export { KEY_REFUSALS } from './answer-once.wire.ts';
export { CONTRACT_DIALECT, FAMILY_DIALECT, underPrefixes, type Dialect } from './dialect.ts';
export { shownFields, shownRefusals } from './describe-operation.ts';
export { operation, type DeclaredRefusal, type Envelope, type Operation, type ParseContext, type RefuseField } from './operation.ts';
export { LIMIT_FIELD, PAGE_FIELD, pageLinker, readLimit, readPage } from './page-fields.wire.ts';
export { serveOperations, type Gates } from './serve-operation.ts';
export { openProofBook, proofOf, proofsSpentAt, type ProofBook } from './spend-proofs.ts';
export { signatureHeaders } from './request-signature.wire.ts';
export { recallAnswer, runAloneOnce, runOnce } from './keep-answers.ts';

export type { Answer, Keyed, SettledAnswer } from '../kit/once.ts';
export type { Limits } from './limits/limits.ts';
export { openActorLimits } from './limits/actor-limits.ts';
export { requestManagement } from './log/requests.manage.ts';
export { openTally, REASONS, type Reason, type Tally } from './limits/tally.ts';

export type Requests = {
  readonly callers: Callers;
  readonly networkGate: NetworkGate;
  readonly answerOnce: AnswerOnce;
  readonly limits: Limits;
  readonly requestLog: RequestLog;
  readonly gather: GatherRequests['gather'];
  readonly jobs: readonly Job[];
  close(): Promise<void>;
};

export type RequestDeps = {
  /** The databases of all cells. Home has what networks spend; each cell what its merchants spend and keep. */
  readonly dbs: PerCell<Db>;
  readonly clock: Clock;
  readonly merchants: MerchantDirectory;
  readonly networks: Pick<NetworkDirectory, 'authenticate'>;
  /** The service's own key under which first answers are kept. */
  readonly answerKey: ServiceKey;
  readonly limits: LimitSettings;
  readonly tally: Tally;
  readonly url: string;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
};

/** Opens what every operation shares: who asks, how often, and whether it was asked before. */
export async function openRequests({ merchants, networks, answerKey, limits, tally, tracer, ...deps }: RequestDeps): Promise<Requests> {
  const { dbs, clock } = deps;
  const db = dbs.home;
  const proveSignature = openSignatures(
    clock,
    mapCells(dbs, (own) => spendSignatures(own, tracer)),
  );
  const requestLog = openRequestLog(clock, merchants);
  const { gather, close } = await openGatherRequests({ ...deps, db, requestLog });
  return {
    callers: openCallers(merchants, proveSignature),
    networkGate: openNetworkGate(networks, proveSignature, bindNetworkProofs(db, clock)),
    answerOnce: openAnswerOnce(answerKey, clock),
    limits: openLimits(limits, tally),
    requestLog,
    gather,
    close,
    jobs: ofAllCells(dbs, (own) => [forgetRequests(own, clock), forgetProofs(own, clock)]),
  };
}
