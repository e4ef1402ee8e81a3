import { statement } from '../../kit/db.ts';
import { firstFinding, type Check } from '../../kit/checks/finding.ts';

/** Closed: delivered or given up for the first time. Redeliveries come later and in any order. */
const OVERTAKEN = statement(
  'notices.verify_order',
  `select merchant_id as "merchantId", subject_id as id,
          'had notice ' || notice_id || ' sent before notice ' || earlier_id || ' of the same ' || kind || ' was done with' as problem
     from (select merchant_id, kind, subject_id, notice_id, closed_at,
                  lag(notice_id) over subject as earlier_id, lag(closed_at, 1, closed_at) over subject as earlier_closed_at
             from notices window subject as (partition by merchant_id, kind, subject_id order by notice_id)) n
    where closed_at is not null and (earlier_closed_at is null or earlier_closed_at > closed_at) limit 1`,
);

/** What must be true of the outbox. Source: contract §3.6. */
export const noticeChecks: readonly Check[] = [
  {
    promise: 'no notice was sent before an earlier one of its subject',
    run: firstFinding(OVERTAKEN),
  },
];
