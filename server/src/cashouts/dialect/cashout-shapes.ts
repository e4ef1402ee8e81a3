import { Type, type TSchema } from 'typebox';
import { parseIsoDay } from '../../kit/calendar.ts';
import type { Dialect } from '../../requests/index.ts';
import type { Cashout } from '../cashout.ts';

/** How the deployment's dialect shows cashouts, and reads what differs. It is made once, at the start: docs/dialect.md. */
export type CashoutShapes = {
  readonly dialect: Dialect;
  /** How `update` of an item is printed, of a day as YYYY-MM-DD. */
  readonly update: (day: string) => string;
  /** How `expire` of an item is printed, of the last day as YYYY-MM-DD. */
  readonly expire: (lastDay: string) => string;
  /** The day that a registration shows for a last day, and back. */
  readonly shownEnd: (lastDay: Temporal.PlainDate) => Temporal.PlainDate;
  readonly lastDayOf: (sent: Temporal.PlainDate) => Temporal.PlainDate;
  /** The service's id of a cashout, as a registration answers it. */
  readonly code: (cashout: Pick<Cashout, 'cashoutId'>) => object;
  readonly codeSchema: Readonly<Record<string, TSchema>>;
  /** What a cancellation answers beside the item. */
  readonly cancelled: (cashout: Pick<Cashout, 'cashoutId' | 'otpLength'>) => object;
  readonly cancelledSchema: Readonly<Record<string, TSchema>>;
};

/** Makes the shapes of a dialect. */
export function cashoutShapes(dialect: Dialect): CashoutShapes {
  const update = dialect.listedDateForm === 'YYYYMMDD' ? compact : dayFirst;
  return { dialect, update, ...endOf(dialect, update), ...(dialect.cashoutAnswers === 'contract' ? CONTRACT_ANSWERS : FAMILY_ANSWERS) };
}

const compact = (day: string): string => day.slice(0, 4) + day.slice(5, 7) + day.slice(8);
const dayFirst = (day: string): string => day.slice(8) + day.slice(5, 7) + day.slice(0, 4);

const same = (day: Temporal.PlainDate): Temporal.PlainDate => day;
const after = (day: Temporal.PlainDate): Temporal.PlainDate => day.add({ days: 1 });
const before = (day: Temporal.PlainDate): Temporal.PlainDate => day.subtract({ days: 1 });

function endOf({ cashoutExpire }: Dialect, print: (day: string) => string): Pick<CashoutShapes, 'expire' | 'shownEnd' | 'lastDayOf'> {
  if (cashoutExpire === 'last-day') return { expire: print, shownEnd: same, lastDayOf: same };
  return { expire: (day) => print(after(parseIsoDay(day) as Temporal.PlainDate).toString()), shownEnd: after, lastDayOf: before };
}

type Answers = Pick<CashoutShapes, 'code' | 'codeSchema' | 'cancelled' | 'cancelledSchema'>;

const CONTRACT_ANSWERS: Answers = {
  code: ({ cashoutId }) => ({ svCode: cashoutId.toString() }),
  codeSchema: { svCode: Type.String({ description: 'The service’s id of the cashout.', pattern: '^[0-9]+$', examples: ['4711'] }) },
  cancelled: () => ({}),
  cancelledSchema: {},
};

const familyCode = ({ cashoutId }: Pick<Cashout, 'cashoutId'>) => ({ payvalidaCode: Number(cashoutId) });
const familyCodeSchema = { payvalidaCode: Type.Integer({ description: 'The service’s id of the cashout.', examples: [4711] }) };

const FAMILY_ANSWERS: Answers = {
  code: familyCode,
  codeSchema: familyCodeSchema,
  cancelled: (cashout) => ({ ...familyCode(cashout), otp: '*'.repeat(cashout.otpLength) }),
  cancelledSchema: {
    ...familyCodeSchema,
    otp: Type.String({ description: 'As many stars as the one-time password has digits.', pattern: '^[*]+$', examples: ['****'] }),
  },
};
