import { checkOfRow, atNow, nameSome, warning, when, type DoctorCheck } from '../../kit/checks/doctor.ts';

const LATE_MINUTES = 10;

/** How well merchants hear of what becomes of their money. */
export const NOTICE_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<{ names: readonly string[]; total: number }>(
    'notice URLs that fail',
    `select (array_agg(merchant_id order by paused_at))[:5] as names, count(*)::int as total from notice_endpoints where paused_at is not null`,
    ({ names, total }) =>
      when(total > 0, () =>
        warning(
          `notices to ${nameSome(names, total)} are paused, because their URLs fail`,
          './caudal notices endpoints shows why; tell these merchants',
        ),
      ),
  ),
  checkOfRow<{ late: number }>(
    'notices that are late',
    `select count(*)::int as late
       from (select from notices n
              where state = 'waiting' and due_at < $1::timestamptz - interval '${LATE_MINUTES} minutes'
                and not exists (select from notice_endpoints e where e.merchant_id = n.merchant_id and e.paused_at is not null)
              limit 10000) late`,
    ({ late }) =>
      when(late > 0, () =>
        warning(
          `${late} notices are due for more than ${LATE_MINUTES} minutes`,
          'see whether a server runs, and what its log says of its job for notices',
        ),
      ),
    atNow,
  ),
];
