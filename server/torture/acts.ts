import type { Answer, Request } from './send.ts';

export type Ask = (request: Request) => Promise<Answer>;

type ShownAct = {
  readonly operation: string;
  readonly target: string | null;
  readonly outcome: string;
  readonly details?: { readonly given?: { readonly reference?: string }; readonly changes?: object };
};
type Page = { readonly items: readonly ShownAct[]; readonly next: string | null };

/** Acts may have been done until then: a request goes on after its client gave it up. */
const LATE = { seconds: 60 };

/** Reads what was done for a merchant in a while, as the audit log has it. */
export async function readActs(
  ask: Ask,
  {
    bearer,
    merchantId,
    since,
    until,
  }: { readonly bearer: string; readonly merchantId: string } & Readonly<Record<'since' | 'until', Temporal.Instant>>,
): Promise<readonly ShownAct[]> {
  const path = `/manage/v1/audit?merchant=${merchantId}&since=${since.toString()}&until=${until.add(LATE).toString()}&limit=200`;
  const found: ShownAct[] = [];
  for (let more = ''; ;) {
    const { items, next } = (await ask({ method: 'GET', path: path + more, bearer })).data as Page;
    found.push(...items.filter(({ outcome }) => outcome === 'done'));
    if (next === null) return found;
    more = `&cursor=${next}`;
  }
}

/** How many entries a transaction has. */
export async function countEntries(ask: Ask, bearer: string, merchantId: string, transaction: string): Promise<number> {
  const path = `/manage/v1/ledger/entries?merchant=${merchantId}&transaction=${encodeURIComponent(transaction)}`;
  return ((await ask({ method: 'GET', path, bearer })).data as { readonly items: readonly unknown[] }).items.length;
}
