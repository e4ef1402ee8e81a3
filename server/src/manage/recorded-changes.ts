import { Type, type Static } from 'typebox';
import { recordedMoney, type RecordedValue } from '../kit/changes/columns.ts';
import { amount, instant, orNull, shown, showAmount } from './schemas.ts';

const value = orNull(Type.Union([Type.String(), Type.Boolean(), Type.Number(), amount]));
type Shown = Static<typeof value>;

/** One change in the history of an order or a cashout. `example`: the name of an event. */
export const recordedEvent = (example: string) =>
  shown({
    version: Type.Integer(),
    event: Type.String({ examples: [example] }),
    actor: Type.String({ description: 'Who did it.', examples: ['user:ana@example.com'] }),
    at: instant,
    requestId: orNull(Type.String()),
    changes: Type.Record(Type.String(), shown({ from: value, to: value }), {
      description: 'The first event has every field that has a value.',
    }),
  });

type Changes = Readonly<Record<string, readonly [RecordedValue, RecordedValue]>>;

/** Shows what a change touched, field by field. A field that has no value before and after is left out. */
export const showChanges = (changes: Changes): Record<string, { from: Shown; to: Shown }> =>
  Object.fromEntries(
    Object.entries(changes)
      .map(([field, [from, to]]) => [field, { from: showValue(field, from), to: showValue(field, to) }] as const)
      .filter(([, { from, to }]) => from !== to),
  );

function showValue(field: string, recorded: RecordedValue): Shown {
  // An empty text is nothing, as in the order itself.
  if (recorded === null || recorded === '') return null;
  if (field !== 'amount') return recorded;
  const { amountMinor, currency } = recordedMoney(recorded);
  return showAmount(amountMinor, currency);
}
