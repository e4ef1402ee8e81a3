import type { Static, TSchema } from 'typebox';
import type { SentEvent } from './sent-events.ts';

/** What the client needs of a declared operation. */
type Asked<Shows extends TSchema> = { readonly route: string; readonly shows?: Shows };
type Parameter = string | number | boolean | readonly string[] | undefined;
/** What a request names. An absent parameter is not sent. */
export type AskedParts = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly ifMatch?: string;
  /** The last event of a stream that was seen. */
  readonly lastEventId?: string | undefined;
  /** How long the service may be silent. */
  readonly patienceSeconds?: number;
};

/** A running service that a command asks by the management API. */
export type Remote = {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  call<Shows extends TSchema>(operation: Asked<Shows>, parts?: AskedParts): Promise<Static<Shows>>;
  /**
   * Reads the bytes of an answer. Where the connection of a GET breaks, it goes on after the last byte that the sink took.
   * Shape: → how many bytes.
   */
  download(operation: Asked<TSchema>, parts: AskedParts, sink: (bytes: Uint8Array) => Promise<void>): Promise<number>;
  /**
   * Hears the events of a stream until it breaks, or is silent for long, or the signal ends it.
   * Throws: Unreachable, where it broke. A client that comes again with the id of the last event misses none.
   */
  follow(operation: Asked<TSchema>, parts: AskedParts, signal: AbortSignal): AsyncIterable<SentEvent>;
  /** Reads pages until there are `limit` items, or no more, or one that is the last. */
  list<Shows extends TSchema>(
    operation: Asked<Shows>,
    limit: number,
    parts?: AskedParts,
    isLast?: (item: Static<Shows>) => boolean,
  ): Promise<{ readonly items: readonly Static<Shows>[]; readonly isMore: boolean }>;
};
