import { Type } from 'typebox';
import { text } from '../kit/fields.ts';
import type { RefuseField } from './operation.ts';

// What lists with numbered pages share: contract §4.1, §4.2.

/** The parameter `page` has four digits at most. A walk goes on beyond, by its cursor. */
const MAX_PAGE = 9999;

/** A text of digits that is a whole number to clients. Empty it counts as absent. */
const wholeNumberField = (minimum: number, maximum: number, usual: number, refusal: string) => ({
  ...text({ required: false, max: 4, pattern: /^[0-9]*$/, description: '', example: usual, refusal }),
  schema: Type.Integer({ minimum, maximum, description: `${minimum}–${maximum}; ${usual} where absent.`, examples: [usual] }),
});

/** Which page of a list. */
export const PAGE_FIELD = wholeNumberField(1, MAX_PAGE, 1, 'page_invalid');

/** Refuses: page_invalid. */
export function readPage(sent: string | undefined, refuse: RefuseField<'page_invalid'>): number {
  const page = sent ? Number(sent) : 1;
  if (page < 1) refuse('page_invalid', 'page', 'range');
  return page;
}

const DEFAULT_LIMIT = 23;
const MIN_LIMIT = 10;
const MAX_LIMIT = 100;

/** How many items a page of a list has. */
export const LIMIT_FIELD = wholeNumberField(MIN_LIMIT, MAX_LIMIT, DEFAULT_LIMIT, 'limit_invalid');

/** Refuses: limit_invalid, because a limit that were changed silently would hide items. */
export function readLimit(sent: string | undefined, refuse: RefuseField<'limit_invalid'>): number {
  const limit = sent ? Number(sent) : DEFAULT_LIMIT;
  if (limit < MIN_LIMIT || limit > MAX_LIMIT) refuse('limit_invalid', 'limit', 'range');
  return limit;
}

/**
 * Makes what writes the links of a list. Each repeats the request's own parameters, and adds the page and a cursor. The page stays at 9999
 * where the cursor leads beyond.
 */
export function pageLinker(path: string, parameters: ReadonlyMap<string, string>): (page: number, cursor: string) => string {
  let own = `${path}?`;
  for (const [name, value] of parameters) if (name !== 'page' && name !== 'cursor') own += `${name}=${encodeURIComponent(value)}&`;
  return (page, cursor) => `${own}page=${Math.min(page, MAX_PAGE)}&cursor=${cursor}`;
}
