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
export class Walk<Item> implements AsyncIterableIterator<Item> {
  readonly #read: (place: string) => Promise<Page<Item>>;
  readonly #isBackward: boolean;
  /** Where the walk goes on once `#items` are given; undefined after the last page. */
  #place: string | undefined = '';
  #items: Item[] = [];
  #turn: Promise<unknown> = Promise.resolve();

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
  page(at: string | number = ''): Promise<Page<Item>> {
    return this.#read(typeof at === 'number' ? `page=${at}` : at);
  }

  async #step(): Promise<IteratorResult<Item, undefined>> {
    while (this.#items.length === 0 && this.#place !== undefined) await this.#fetch(this.#place);
    const item = this.#items.shift();
    return item === undefined ? { done: true, value: undefined } : { done: false, value: item };
  }

  async #fetch(place: string): Promise<void> {
    const page = await this.#read(place);
    if (!this.#isBackward) {
      this.#items = [...page.items];
      this.#place = page.next;
    } else if (place === '') {
      this.#place = page.end;
    } else {
      this.#items = [...page.items].reverse();
      this.#place = page.previous;
    }
  }
}

/** The place that a link leads to: what it adds to the request that it repeats. */
export function placeOf(link: unknown): string | undefined {
  if (typeof link !== 'string' || link === '') return undefined;
  const parameters = new URLSearchParams(link.slice(link.indexOf('?')));
  const kept = ['page', 'cursor'].flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name) as string]] : []));
  return new URLSearchParams(kept).toString();
}

/** What a place adds to the fields of a request. */
export const fieldsOf = (place: string): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(place));
