import type { Operations } from '../../api/generated/operations.ts';
import { ruleAt, type Rule } from '../../api/rules.ts';
import type { WholeOrder } from './whole-order.ts';

/** The terms of an order that people set, in the order of the form. */
export const TERM_GROUPS = {
  money: ['amount', 'currency', 'expiresOn', 'description', 'recurrent'],
  payer: ['email', 'userName', 'userDocumentType', 'userDocument', 'language'],
  details: ['reference', 'method', 'vatRate', 'redirectTimeoutMs'],
} as const;
export type TermName = (typeof TERM_GROUPS)[keyof typeof TERM_GROUPS][number];
export const TERM_NAMES: readonly TermName[] = Object.values(TERM_GROUPS).flat();

/** The terms as a form holds them: texts, empty where there is none. */
export type Terms = Readonly<Record<TermName, string>>;
/** What is sent: only what differs. */
export type Patch = Operations['updateOrder']['body'];

export const NO_TERMS = Object.fromEntries(TERM_NAMES.map((name) => [name, name === 'recurrent' ? 'false' : ''])) as Terms;

/** The terms of an order. */
export function termsOf({ amount, ...order }: WholeOrder): Terms {
  const textOf = (name: Exclude<TermName, 'amount' | 'currency'>): string => String(order[name] ?? '');
  return Object.fromEntries(
    TERM_NAMES.map((name) => [name, name === 'amount' ? amount.amount : name === 'currency' ? amount.currency : textOf(name)]),
  ) as Terms;
}

/** The rule of a term, in the rules of a body. */
export const ruleOfTerm = (body: Rule | undefined, name: TermName): Rule | undefined =>
  ruleAt(body, name === 'amount' ? '/amount/amount' : name === 'currency' ? '/amount/currency' : `/${name}`);

/** Where the API says that a term is wrong. */
export const placesOf = (name: TermName): readonly string[] =>
  name === 'amount' ? ['/amount', '/amount/amount'] : name === 'currency' ? ['/amount/currency'] : [`/${name}`];

/** Whether a term may be empty: its rule takes null. A term that may be absent alone cannot be emptied. */
export const mayBeEmpty = (body: Rule | undefined, name: TermName): boolean =>
  ruleOfTerm(body, name)?.anyOf?.some(({ type }) => type === 'null') ?? false;

/** An amount as it is compared: `32000` and `32000.00` are the same. */
const bareAmount = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const isSame = (name: TermName, one: string, other: string): boolean =>
  name === 'amount' ? bareAmount(one) === bareAmount(other) : one === other;

/** The terms that differ. */
export const differing = (before: Terms, after: Terms): readonly TermName[] =>
  TERM_NAMES.filter((name) => !isSame(name, before[name], after[name]));

const isMoney = (name: TermName): boolean => name === 'amount' || name === 'currency';

/** What is sent so that `before` becomes `after`. Money is sent whole. */
export function patchOf(before: Terms, after: Terms): Patch {
  const { amount, currency, recurrent, redirectTimeoutMs, ...texts } = after;
  const names = new Set(differing(before, after));
  const valueOf = (name: TermName): unknown => {
    if (name === 'recurrent') return recurrent === 'true';
    if (name === 'redirectTimeoutMs') return redirectTimeoutMs === '' ? null : Number(redirectTimeoutMs);
    return texts[name as keyof typeof texts] === '' ? null : texts[name as keyof typeof texts];
  };
  return {
    ...Object.fromEntries([...names].filter((name) => !isMoney(name)).map((name) => [name, valueOf(name)])),
    ...([...names].some(isMoney) && { amount: { amount, currency } }),
  };
}

/** Two changes of one order that did not know of each other, term by term. */
export type Merge = {
  /** What both have without a question: theirs where only they changed it, mine where only I did. */
  readonly agreed: Terms;
  /** Both changed these, and differently. */
  readonly conflicts: readonly TermName[];
  /** They changed these, and I did not. */
  readonly taken: readonly TermName[];
};

/** Merges what they made of `base` with what I would make of it. */
export function merge(base: Terms, theirs: Terms, mine: Terms): Merge {
  const changedBy = (changed: Terms): ReadonlySet<TermName> => new Set(differing(base, changed));
  const [byThem, byMe] = [changedBy(theirs), changedBy(mine)];
  const agreed = Object.fromEntries(TERM_NAMES.map((name) => [name, byMe.has(name) ? mine[name] : theirs[name]])) as Terms;
  return {
    agreed,
    conflicts: TERM_NAMES.filter((name) => byThem.has(name) && byMe.has(name) && !isSame(name, theirs[name], mine[name])),
    taken: TERM_NAMES.filter((name) => byThem.has(name) && !byMe.has(name)),
  };
}
