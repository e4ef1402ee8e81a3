import { Type } from 'typebox';
import type { Sum, Summary } from '../kit/lists/sums.ts';
import { amount, oneOf, showAmount, answerObject } from './schemas.ts';

const SUM = {
  count: Type.Integer({ minimum: 0 }),
  amounts: Type.Array(amount, { description: 'What they are worth, one amount for each currency.' }),
};

const WHOLE = {
  isWhole: Type.Boolean({ description: 'False: more rows follow than are counted. Each number is then the least that it can be.' }),
};

/** The schema of how many rows of a list there are, in all and by state. */
export const countsShown = <const States extends readonly string[]>(states: States) =>
  answerObject({
    ...WHOLE,
    count: SUM.count,
    states: Type.Array(answerObject({ state: oneOf(states, 'A state.'), count: SUM.count }), {
      description: 'The same for each state, whatever state the filter names.',
    }),
  });

/** Shows how many rows there are. */
export const showCounts = ({ isWhole, all, byState }: Summary<string>): object => ({
  isWhole,
  count: Number(all.count),
  states: byState.map(({ state, count }) => ({ state, count: Number(count) })),
});

/** The schema of a summary of a list whose rows have these states, and are money. */
export const summaryShown = <const States extends readonly string[]>(states: States) =>
  answerObject({
    ...WHOLE,
    ...SUM,
    states: Type.Array(answerObject({ state: oneOf(states, 'A state.'), ...SUM }), {
      description: 'The same for each state, whatever states the filter names.',
    }),
  });

const showSum = ({ count, amounts }: Sum) => ({
  count: Number(count),
  amounts: amounts.map(([currency, minor]) => showAmount(minor, currency)),
});

/** Shows a summary. */
export const showSummary = ({ isWhole, all, byState }: Summary<string>): object => ({
  isWhole,
  ...showSum(all),
  states: byState.map(({ state, ...sum }) => ({ state, ...showSum(sum) })),
});
