import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import type { OperationName } from '../api/client.ts';
import { isPassing } from '../api/problem.ts';

/** What live events are about. */
export type ChangeKind = 'order' | 'cashout' | 'merchant' | 'network' | 'notice' | 'ledger' | 'settlement';
type Change = { readonly kind: ChangeKind; readonly merchant: string | null; readonly id: string | null };
type Message = { readonly changes: readonly Change[]; readonly many: readonly { readonly kind: ChangeKind; readonly count: number }[] };

/**
 * Pages of one thing that are read again when it changes. Lists wait until somebody asks for the changes.
 * A newer server may name a kind that is not among them.
 */
const READ_AGAIN: Readonly<Record<ChangeKind, readonly OperationName[]> & Partial<Record<string, readonly OperationName[]>>> = {
  order: ['readOrder', 'search'],
  cashout: ['readCashout'],
  merchant: ['readMerchant', 'listMerchants'],
  network: ['readNetwork', 'listNetworks'],
  notice: ['readNotice', 'listNoticeEndpoints'],
  ledger: ['readBalances'],
  settlement: ['readSettlement'],
};

type Counts = Readonly<Partial<Record<ChangeKind, number>>>;
type Live = { readonly counts: Counts; readonly clear: (kind: ChangeKind) => void; readonly isConnected: boolean };
const LiveContext = createContext<Live>({ counts: {}, clear: () => undefined, isConnected: true });

/** How many changes of a kind nobody has looked at yet. */
export function useChanges(kind: ChangeKind): { readonly count: number; readonly clear: () => void } {
  const { counts, clear } = use(LiveContext);
  useEffect(() => clear(kind), [kind, clear]);
  return { count: counts[kind] ?? 0, clear: useCallback(() => clear(kind), [kind, clear]) };
}

/** False while live events do not come: what is shown may be out of date. */
export const useIsConnected = (): boolean => use(LiveContext).isConnected;

/** Where a proxy says no, or the session is over, a browser does not come again by itself. */
const OPEN_AGAIN_AFTER_MS = 5_000;

/** Hears what changes, as long as the console is open. The service ends the stream of who is signed out. */
export function LiveEvents({ children }: { readonly children: ReactNode }): ReactElement {
  const client = useQueryClient();
  const [counts, setCounts] = useState<Counts>({});
  const [isConnected, setConnected] = useState(true);
  /** How often another stream was opened. */
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // A browser may keep a page that was left as it was, and show it again.
    const show = ({ persisted }: PageTransitionEvent): void => void (persisted && client.invalidateQueries());
    addEventListener('pageshow', show);
    return () => removeEventListener('pageshow', show);
  }, [client]);
  const clear = useCallback((kind: ChangeKind) => setCounts((all) => (all[kind] === undefined ? all : { ...all, [kind]: undefined })), []);
  useEffect(() => {
    const source = new EventSource('/manage/v1/events');
    let timer: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('open', () => {
      setConnected(true);
      // Another stream does not know what the one before it said.
      if (turn > 0) void client.invalidateQueries();
      // What failed meanwhile comes by itself.
      void client.refetchQueries({ predicate: ({ state }) => isPassing(state.error) });
    });
    source.addEventListener('error', () => {
      setConnected(false);
      if (source.readyState !== EventSource.CLOSED) return;
      // Who is signed out is led to the page of signing in.
      void client.invalidateQueries({ queryKey: ['readMe'] });
      timer ??= setTimeout(() => setTurn(turn + 1), OPEN_AGAIN_AFTER_MS);
    });
    source.addEventListener('reset', () => void client.invalidateQueries());
    source.addEventListener('changes', ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as Message;
      const heard = heardOf(message);
      readAgain(client, heard);
      setCounts((all) => {
        const next: Partial<Record<ChangeKind, number>> = { ...all };
        for (const [kind, count] of heard) next[kind] = (next[kind] ?? 0) + count;
        return next;
      });
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [client, turn]);
  return <LiveContext value={{ counts, clear, isConnected }}>{children}</LiveContext>;
}

function heardOf({ changes, many }: Message): ReadonlyMap<ChangeKind, number> {
  const counts = new Map<ChangeKind, number>();
  for (const { kind, count } of [...changes.map(({ kind }) => ({ kind, count: 1 })), ...many])
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  return counts;
}

const readAgain = (client: QueryClient, heard: ReadonlyMap<ChangeKind, number>): void => {
  for (const kind of heard.keys()) for (const operation of READ_AGAIN[kind] ?? []) void client.invalidateQueries({ queryKey: [operation] });
};
