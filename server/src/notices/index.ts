import type { Job } from '../kit/jobs.ts';
import type { ManagementOperation } from '../manage/index.ts';
import { deliverNotices, type DeliveryDeps } from './delivery/deliver-notices.job.ts';
import { pruneNotices } from './prune-notices.job.ts';
import { noticeReads, type ListDeps, type ReadDeps } from './notices.manage.ts';
import { noticeSends, type SendDeps } from './send-notices.manage.ts';
import { openSender } from './delivery/send-notice.ts';

export { NOTICE_CHECKS } from './checks/doctor-checks.ts';
export { NOTICE_GAUGES, readNoticeGauges } from './endpoints.ts';
export { REFUND_STEPS, subjectOfNotice, type NewNotice, type NewSettlementNotice, type ReportedUpdate } from './notice.ts';
export { readReported, type ReadUpdates } from './read-reported.ts';
export { listNotices, listNoticesAbout, readNoticeResponse, showNotice, type ListedNotice } from './notice-rows.ts';
export { noticesAbout } from './notices-about.ts';
export { noticeIdOnWire } from './notice-id.wire.ts';
export { noticeWebhooks, renderNotice, webhookHeaders } from './notice.wire.ts';
export { placeIn, placesAfter, type NoticePlaces } from './notice-places.ts';
export { noticePeople } from './notice-people.ts';
export { noticeCommands } from './notices.cli.ts';
export type { NoticeRendering } from './read-request.ts';
export { redeliverNotice } from './redeliver-notices.ts';
export { noticeChecks } from './checks/verify-notices.ts';
export { writeNotices } from './write-notices.ts';

/** The room's operations of the management API. */
export const noticeManagement: readonly ManagementOperation<ReadDeps & ListDeps & SendDeps>[] = [...noticeReads, ...noticeSends];

type NoticeDeps = Omit<DeliveryDeps, 'sender'> & {
  /** In sandbox mode, notices may go to plain http, to this machine and to private networks. */
  readonly isSandbox: boolean;
  /** A notice is deleted that many days after it was delivered or given up. */
  readonly keptDays: number;
};

export type Notices = {
  readonly jobs: readonly Job[];
  /** Waits for the calls under way, ten seconds at most, and records them. */
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 3_000;
/** The time that a receiver has for its status. It can take a notice at once and work on it later. */
const STATUS_TIMEOUT_MS = 10_000;
/** The status has decided the notice. A receiver that sends the rest byte by byte holds a call no longer than this. */
const ANSWER_TIMEOUT_MS = 500;

/** Makes the jobs that deliver notices and that keep the outbox small. */
export function openNotices({ isSandbox, keptDays, ...deps }: NoticeDeps): Notices {
  const sender = openSender({
    allowsInternal: isSandbox,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statusTimeoutMs: STATUS_TIMEOUT_MS,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  const delivery = deliverNotices({ ...deps, sender });
  return {
    jobs: [delivery, pruneNotices(deps, keptDays)],
    close: async () => {
      await delivery.close();
      await sender.close();
    },
  };
}
export { noticeFigures } from './notice-figures.ts';
