import { KIND, NOTICE_KINDS, NOTICE_STATES } from './notice.ts';
import { FROM, TO, type ExportedList } from '../exports/index.ts';

/** The notices to merchants, for whole exports. They hold no person's data. */
export const exportedNotices: ExportedList = {
  name: 'notices',
  permission: 'notices:read',
  columns: {
    merchant: 'name',
    notice: 'number',
    kind: 'name',
    subject: 'text',
    status: 'name',
    state: 'name',
    writtenAt: 'instant',
    attempts: 'number',
    attemptedAt: 'instant',
    answerStatus: 'number',
    problem: 'text',
    deliveredAt: 'instant',
  },
  order: ['merchant', 'notice'],
  isOfMoney: false,
  filters: {
    from: { ...FROM, about: 'written from this day or instant on' },
    to: { ...TO, about: 'written to the end of this day, or before this instant' },
    state: { kind: 'choices', of: NOTICE_STATES, about: 'in these states' },
    kind: { kind: 'choices', of: NOTICE_KINDS, about: 'of these kinds' },
  },
  query: (scope, { from, to, state, kind }) => ({
    text: `select merchant_id as merchant, notice_id as notice, ${KIND} as kind, subject_id as subject, status, state, written_at as "writtenAt", attempts,
                  attempted_at as "attemptedAt", answer_status as "answerStatus", problem, delivered_at as "deliveredAt"
             from notices
            where ($1::text is null or merchant_id = $1) and ($2::timestamptz is null or written_at >= $2)
              and ($3::timestamptz is null or written_at < $3) and ($4::text[] is null or state = any ($4)) and ($5::text[] is null or ${KIND} = any ($5))`,
    values: [scope === 'everybody' ? null : scope.merchantId, from ?? null, to ?? null, state ?? null, kind ?? null],
  }),
};
