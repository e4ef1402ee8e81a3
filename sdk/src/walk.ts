import { CaudalError } from './errors.ts';

/** One page of a list. Places lead to other pages, and may be kept or sent to others: they hold no secret. */
export type Page<Item> = {
  readonly items: readonly Item[];
  /** The place of the first page; undefined where there is no such page. */
  readonly first: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** The place of the last page. */
  readonly end: string | undefined;
};

/**
 * A walk through a list, for `for await`. It fetches page after page and gives each item once.
 * It stays where it is when a request fails, or the loop ends early.
 * The next loop goes on with the item that follows.
 */
export class Walk<Item, At extends string | number = string> implements AsyncIterableIterator<Item> {
  readonly #read: (place: string) => Promise<Page<Item>>;
  readonly #isBackward: boolean;
  /** Where the walk goes on once `#items` are given; undefined after the last page. */
  #place: string | undefined = '';
  #items: Item[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #seen = new Set(['']);

  constructor(read: (place: string) => Promise<Page<Item>>, isBackward = false) {
    this.#read = read;
    this.#isBackward = isBackward;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Gives the next item. Calls take turns. */
  next(): Promise<IteratorResult<Item, undefined>> {
    const step = (): Promise<IteratorResult<Item, undefined>> => this.#step();
    const result = this.#turn.then(step, step);
    this.#turn = result;
    return result;
  }

  /** Reads one page: the first one, that of a place, or that of a number where the list has numbers. It does not move the walk. */
  page(at: At | '' = ''): Promise<Page<Item>> {
    return this.#read(typeof at === 'number' ? `page=${at}` : at);
  }

  async #step(): Promise<IteratorResult<Item, undefined>> {
    while (this.#items.length === 0 && this.#place !== undefined) await this.#fetch(this.#place);
    const item = this.#items.shift();
    return item === undefined ? { done: true, value: undefined } : { done: false, value: item };
  }

  async #fetch(place: string): Promise<void> {
    const page = await this.#read(place);
    const isStart = this.#isBackward && place === '';
    const following = isStart ? page.end : this.#isBackward ? page.previous : page.next;
    // A list in a circle would never end.
    if (following !== undefined && this.#seen.has(following)) throw new CaudalError({ code: 'unreadable', text: 'a page leads back' });
    if (following !== undefined) this.#seen.add(following);
    this.#items = isStart ? [] : this.#isBackward ? [...page.items].reverse() : [...page.items];
    this.#place = following;
  }
}

/** The place that a link leads to: what it adds to the request that it repeats. */
export function placeOf(link: unknown): string | undefined {
  if (typeof link !== 'string' || link === '') return undefined;
  return new URLSearchParams(partsOf(link.slice(link.indexOf('?')))).toString();
}

/** What a place adds to the fields of a request. */
export const fieldsOf = (place: string): Readonly<Record<string, string>> => Object.fromEntries(partsOf(place));

/** A place may come back from a web page. It can lead to another page, and changes nothing else. */
const partsOf = (query: string): [string, string][] =>
  [...new URLSearchParams(query)].filter(([name]) => /^(page|cursor|after)$/.test(name));
