/** One event of a stream of server-sent events. An event without a name moves the id alone. */
export type SentEvent = {
  readonly name: string | undefined;
  /** What a client sends when it comes again. */
  readonly id: string | undefined;
  readonly data: string;
};

/** Reads the events of a stream, whole ones alone. Source: the HTML standard, server-sent events, as Caudal writes them. */
export async function* readSentEvents(chunks: AsyncIterable<string>): AsyncGenerator<SentEvent> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    const whole = text.split('\n\n');
    text = whole.pop() as string;
    for (const one of whole) yield readOne(one);
  }
}

function readOne(text: string): SentEvent {
  const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  return { name: fields['event'], id: fields['id'], data: fields['data'] ?? '' };
}
