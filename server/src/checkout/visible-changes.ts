import { localizedDay, localizedMoney } from '../kit/localized.ts';
import { oneLine } from '../kit/one-line.ts';
import { recordedMoney, type Order, type OrderEvent, type RecordedValue } from '../orders/index.ts';
import { VISIBLE_FIELDS, type VisibleField, type CheckoutWords } from './words.ts';

/** A field of the page before and after, in the payer's words. */
export type VisibleChange = { readonly field: VisibleField; readonly before: string; readonly now: string };

/**
 * Finds what differs on the page since a version that the payer saw.
 * Shape: the order, all its events after that version, oldest first → the differences. A value that changed and came back is not one.
 */
export function visibleChanges(order: Order, since: readonly OrderEvent[], words: CheckoutWords, locale: string): readonly VisibleChange[] {
  const read = readers(words, locale);
  return VISIBLE_FIELDS.flatMap((field) => {
    const first = since.find(({ changes }) => changes[field] !== undefined)?.changes[field];
    if (first === undefined || (field === 'expiresOn' && order.recurrent)) return [];
    const { recorded, current } = read[field];
    const change = { field, before: recorded(first[0]), now: current(order) };
    return change.before === change.now ? [] : [change];
  });
}

/** An amount as the payer reads it. Zero: they choose it. */
export const amountInWords = (money: Pick<Order, 'amountMinor' | 'currency'>, words: CheckoutWords, locale: string): string =>
  money.amountMinor === 0n ? `${words.open.amount}, ${money.currency}` : localizedMoney(money, locale);

type Reader = { readonly recorded: (value: RecordedValue) => string; readonly current: (order: Order) => string };

function readers(words: CheckoutWords, locale: string): Readonly<Record<VisibleField, Reader>> {
  const text = (value: RecordedValue): string => oneLine(String(value ?? '')) || words.nothing;
  const answer = (value: RecordedValue): string => (value === true ? words.yes : words.no);
  return {
    amount: {
      recorded: (value) => amountInWords(recordedMoney(String(value)), words, locale),
      current: (order) => amountInWords(order, words, locale),
    },
    reference: { recorded: text, current: ({ reference }) => reference },
    description: { recorded: text, current: ({ description }) => text(description) },
    expiresOn: {
      recorded: (value) => localizedDay(Temporal.PlainDate.from(String(value)), locale),
      current: ({ expiresOn }) => localizedDay(expiresOn, locale),
    },
    recurrent: { recorded: answer, current: ({ recurrent }) => answer(recurrent) },
    method: { recorded: text, current: ({ method }) => text(method) },
  };
}
