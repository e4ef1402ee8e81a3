import { Type, type Static } from 'typebox';
import { isRecordedMoney, recordedMoney, type RecordedValue } from '../kit/changes/columns.ts';
import { formatPercent } from '../kit/written/percent.ts';
import { withoutOperator, type Actor } from './permissions.ts';
import { amount, instant, orNull, answerObject, showAmount } from './schemas.ts';

const value = orNull(Type.Union([Type.String(), Type.Boolean(), Type.Number(), amount]));
type Shown = Static<typeof value>;

/** One change in the history of an order or a cashout. `example`: the name of an event. */
export const recordedEvent = (example: string) =>
  answerObject({
    version: Type.Integer(),
    event: Type.String({ examples: [example] }),
    actor: Type.String({
      description: 'Who did it. An actor that is bound to a merchant reads `operator` for everybody of the service’s own side.',
      examples: ['user:ana@example.com'],
    }),
    at: instant,
    requestId: orNull(Type.String()),
    changes: Type.Record(Type.String(), answerObject({ from: value, to: value }), {
      description: 'The first event has every field that has a value.',
    }),
  });

type Changes = Readonly<Record<string, readonly [RecordedValue, RecordedValue]>>;

type Recorded = {
  readonly version: number;
  readonly event: string;
  readonly actor: string;
  readonly changedAt: Temporal.Instant;
  readonly requestId: string | null;
  readonly changes: Changes;
};

/** Shows one change of a history. Who of the service did it is not for a merchant: it sees no users of the service. */
export const showRecorded = (
  { version, event, actor, changedAt, requestId, changes }: Recorded,
  { merchantId: boundTo }: Pick<Actor, 'merchantId'>,
) => ({
  version,
  event,
  actor: boundTo === undefined ? actor : withoutOperator(actor),
  at: changedAt.toString(),
  requestId,
  changes: showChanges(changes),
});

/** Percentages are recorded in millionths, and shown under their own name. */
const MILLIONTHS = /Ppm$/;

/** Shows what a change touched, field by field. A field that has no value before and after is left out. */
const showChanges = (changes: Changes): Record<string, { from: Shown; to: Shown }> =>
  Object.fromEntries(
    Object.entries(changes)
      .map(([field, [from, to]]) => [field.replace(MILLIONTHS, ''), { from: showValue(field, from), to: showValue(field, to) }] as const)
      .filter(([, { from, to }]) => from !== to),
  );

function showValue(field: string, recorded: RecordedValue): Shown {
  // An empty text is nothing, as in the order itself.
  if (recorded === null || recorded === '') return null;
  if (MILLIONTHS.test(field)) return formatPercent(Number(recorded));
  if (!isRecordedMoney(field)) return recorded;
  const { amountMinor, currency } = recordedMoney(recorded);
  return showAmount(amountMinor, currency);
}
