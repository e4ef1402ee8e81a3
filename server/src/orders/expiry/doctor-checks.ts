import { checkOfRow, atNow, warning, when, type DoctorCheck } from '../../kit/checks/doctor.ts';

/** How late the sweep is. Nothing is paid or collected meanwhile: its own time decides. */
export const ORDER_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<{ late: number }>(
    'orders that should have expired',
    `select count(*)::int as late
       from (select from orders where state = 'pending' and expires_at < $1::timestamptz - interval '10 minutes' limit 10000) late`,
    ({ late }) =>
      when(late > 0, () =>
        warning(
          `${late} orders have not expired, ten minutes after their end`,
          'see whether a server runs, and what its log says of the job that expires orders',
        ),
      ),
    atNow,
  ),
];
