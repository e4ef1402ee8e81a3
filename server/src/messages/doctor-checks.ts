import { checkOfRow, atNow, warning, when, type DoctorCheck } from '../kit/checks/doctor.ts';

/** Whether mails and SMS reach people. */
export const MESSAGE_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<{ late: number; problem: string | null }>(
    'mails and SMS that are late',
    `select count(*)::int as late, max(problem) as problem
       from (select problem from messages where state = 'pending' and due_at < $1::timestamptz - interval '10 minutes' limit 10000) late`,
    ({ late, problem }) =>
      when(late > 0, () =>
        warning(
          `${late} mails and SMS are due for more than ten minutes${problem === null ? '' : ` (${problem})`}`,
          './caudal messages test-mail ADDRESS and test-sms NUMBER say what is wrong',
        ),
      ),
    atNow,
  ),
];
