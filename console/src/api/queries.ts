import { keepPreviousData, QueryClient, queryOptions, useMutation, useQuery, type UseMutationOptions } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { call, type Answer, type CallInput, type ItemOf, type OperationName } from './client.ts';
import { isPassing, type Problem } from './problem.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem;
  }
}

const MOST_TRIES = 3;
/** What a page of a list holds at most. */
const MOST_ITEMS = 200;

/** What was read is kept here, by operation and input. Live events say what to read again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network a request fails at once, and the page says so.
      networkMode: 'always',
      retry: (count, error) => isPassing(error) && count < MOST_TRIES,
      retryDelay: (count, error) => (error.retryAfterSeconds ?? 2 ** count) * 1_000,
    },
    mutations: { networkMode: 'always' },
  },
});

/** What counts a list. It is read again with the list. */
export const SUMMARIES = {
  listOrders: 'summarizeOrders',
  listCashoutsByFilter: 'summarizeCashouts',
  listNotices: 'summarizeNotices',
  listMessages: 'summarizeMessages',
  listActs: 'summarizeActs',
} as const satisfies Partial<Record<OperationName, OperationName>>;

/** Reads again what is shown of these operations. */
export const readAgain = (names: readonly OperationName[]): Promise<unknown> =>
  Promise.all(
    names
      .flatMap((name) => (name in SUMMARIES ? [name, SUMMARIES[name as keyof typeof SUMMARIES]] : [name]))
      .map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  );

type ReadInput<Name extends OperationName> = Omit<CallInput<Name>, 'signal' | 'key' | 'ifMatch'>;

/** How an operation that reads is asked, for a query and for what is loaded before it is shown. */
export const reading = <Name extends OperationName>(name: Name, input: ReadInput<Name>) =>
  queryOptions<Answer<Name>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, { ...input, signal } as unknown as CallInput<Name>),
  });

/** Reads an operation. `Load` shows what comes of it. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: ReadInput<Name>,
  {
    isOn = true,
    keepsPrevious = false,
    isAlwaysNew = false,
  }: { readonly isOn?: boolean; readonly keepsPrevious?: boolean; readonly isAlwaysNew?: boolean } = {},
) {
  return useQuery({
    ...reading(name, input),
    enabled: isOn,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    // No event says that it has changed.
    ...(isAlwaysNew ? { staleTime: 0 } : {}),
  });
}

type PageOf<Item> = {
  readonly body: { readonly items: readonly Item[]; readonly next: string | null };
  readonly missing: string | undefined;
};

/** Reads all pages of a list that is short, but may be longer than one page. */
export function useReadAll<Name extends OperationName>(
  name: Name,
  input: ReadInput<Name>,
  { isOn = true }: { readonly isOn?: boolean } = {},
) {
  return useQuery({
    queryKey: [name, input, 'all'],
    enabled: isOn,
    queryFn: async ({ signal }) => {
      const items: ItemOf<Name>[] = [];
      let cursor: string | null = null;
      let missing: string | undefined;
      do {
        const query = { ...input.query, limit: MOST_ITEMS, ...(cursor !== null && { cursor }) };
        const page = (await call(name, { ...input, query, signal } as unknown as CallInput<Name>)) as unknown as PageOf<ItemOf<Name>>;
        items.push(...page.body.items);
        missing ??= page.missing;
        cursor = page.body.next;
      } while (cursor !== null);
      return { items, missing };
    },
  });
}

/**
 * Carries something out, and nothing more until that has ended. A second press of its button does nothing, even before the button looks
 * busy.
 */
export function useOnce<Result, Input = void>(options: UseMutationOptions<Result, Problem, Input>) {
  const isUnderWay = useRef(false);
  const { mutate: begin, ...rest } = useMutation({ ...options, onSettled: () => void (isUnderWay.current = false) });
  const mutate: typeof begin = (...given) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    begin(...given);
  };
  return { ...rest, mutate };
}

/** What a write changes elsewhere: everything that is shown of these operations is read again. */
type WriteOptions<Name extends OperationName> = {
  readonly changes?: readonly OperationName[];
  readonly onDone?: (answer: Answer<Name>) => void;
};

/**
 * Carries out an operation that writes. The Idempotency-Key is made with the form.
 * The same one is sent until an answer comes. So what is tried again after a lost answer changes nothing twice.
 */
export function useWrite<Name extends OperationName>(name: Name, { changes = [], onDone }: WriteOptions<Name> = {}) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const renewKey = useCallback(() => setKey(crypto.randomUUID()), []);
  return useOnce<Answer<Name>, Omit<CallInput<Name>, 'signal' | 'key'>>({
    mutationFn: (input) => call(name, { ...input, key } as unknown as CallInput<Name>),
    onSuccess: async (answer) => {
      renewKey();
      onDone?.(answer);
      await readAgain(changes);
    },
    // Another content needs another key. A fault or a lost answer does not: nobody knows what became of the request.
    onError: (problem) => {
      if (problem.status >= 400 && problem.status < 500 && !isPassing(problem)) renewKey();
    },
  });
}
