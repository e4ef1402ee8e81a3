import { Type } from 'typebox';
import { itemSchema, renderItem, type DateForm } from './cashout.wire.ts';
import type { ListCashouts, ListedPage } from './list-cashouts.ts';
import { sealCursor, type CursorScope, type ListCursor } from './list-cursor.ts';

/** The parameter `page` has four digits at most; a walk goes on beyond, by its cursor. */
const MAX_PAGE = 9999;

/** A request for the list: what it asks for, and what its links repeat. */
export type ListRequest = {
  readonly list: ListCashouts;
  readonly scope: CursorScope;
  readonly parameters: ReadonlyMap<string, string>;
  readonly path: string;
};

/**
 * Renders a page with its links (contract §4.1, §4.2). Each link repeats the request's own parameters and adds the page and a cursor; it
 * counts pages from the one that was asked for, and stays at 9999 where the cursor leads beyond.
 */
export function renderPage(
  { items, page, pages, hasPrevious, hasNext }: ListedPage,
  { list, scope, parameters, path }: ListRequest,
  cursorKey: Buffer,
  dateForm: DateForm,
): object {
  const { startOn, endOn } = list;
  const own = [...parameters]
    .filter(([name]) => name !== 'page' && name !== 'cursor')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}&`);
  const link = (number: number, position: ListCursor['position']): string => {
    const cursor = sealCursor(cursorKey, scope, { startOn, endOn, position });
    return `${path}?${own.join('')}page=${Math.min(number, MAX_PAGE)}&cursor=${cursor}`;
  };
  const first = (): string => link(1, { at: 'page', page: 1 });
  const last = (): string => link(pages, { at: 'last' });
  const newest = items[0];
  const oldest = items.at(-1);
  const before = Math.max(page - 1, 1);
  return {
    code: '0000',
    text: 'OK',
    first: pages > 0 ? first() : '',
    previous: !hasPrevious ? '' : newest === undefined ? last() : link(before, { at: 'before', key: newest, page: before }),
    next: !hasNext ? '' : oldest === undefined ? first() : link(page + 1, { at: 'after', key: oldest, page: page + 1 }),
    end: pages > 0 ? last() : '',
    data: items.map((item) => renderItem(item, dateForm)),
  };
}

const linkSchema = (which: string, example: string) =>
  Type.String({
    description: `The ${which} page: a path with its query, ready to be called again; empty where there is none.`,
    examples: [example],
  });
const exampleLink = (page: number): string =>
  `/cashout/v1/operation/demo?start=20261101&end=20261130&checksum=b1946ac92492d2347c6235b4d2611184&page=${page}&cursor=AQIAAAACATTtaQE07X0`;

/** The answer in the OpenAPI document. */
export const pageSchema = Type.Object({
  code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
  text: Type.String({ examples: ['OK'] }),
  first: linkSchema('first', exampleLink(1)),
  previous: linkSchema('previous', ''),
  next: linkSchema('next', exampleLink(2)),
  end: linkSchema('last', exampleLink(9)),
  data: Type.Array(itemSchema, { description: 'Empty on a refusal.' }),
});
