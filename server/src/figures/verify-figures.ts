import { atSnapshot, readUnseen, type FigureRow, type FigureSource } from '../events/index.ts';
import type { Check, Finding } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { countReported, EVENTS, EVER, READER, SOURCES } from './count-figures.ts';
import { KEPT } from './figure-rows.ts';

/** What must be true of figures. */
export const figureChecks: readonly Check[] = [{ promise: 'the kept figures equal a count of the histories', run: compareFigures }];

/** Kept, and what is reported but not counted yet, against a count of all, in one state of the database. */
async function compareFigures(snapshot: Snapshot): ReturnType<Check['run']> {
  const unseen = await readUnseen(snapshot, READER, EVENTS);
  let checked = 0;
  // The figures were never counted, or the database was restored: a server will count them.
  if (unseen === undefined) return { checked };
  for (const source of SOURCES) {
    const reported = sumsOf(source, await countReported(atSnapshot(snapshot), unseen, [source]));
    const compared = await compareSource(snapshot, source, reported);
    checked += compared.checked;
    if (compared.finding !== undefined) return { checked, finding: compared.finding };
  }
  return { checked };
}

/** Count, amount and seconds of each key of one merchant. */
type Sums = Map<string, readonly [bigint, bigint, bigint]>;
type OfMerchant = { readonly merchantId: string; readonly sums: Sums };

async function compareSource(
  snapshot: Snapshot,
  source: FigureSource,
  reported: ReadonlyMap<string, Sums>,
): Promise<{ checked: number; finding?: Finding }> {
  const since = source.countableSince === undefined ? EVER : await source.countableSince(atSnapshot(snapshot));
  let checked = 0;
  if (since === undefined) return { checked };
  const keptRows = byMerchant(source, snapshot.rows<FigureRow>(KEPT, [source.events, since]));
  const countedRows = byMerchant(source, snapshot.rows<FigureRow>(source.countAll, [since]));
  let [kept, counted] = [(await keptRows.next()).value, (await countedRows.next()).value];
  while (kept !== undefined || counted !== undefined) {
    const merchantId = firstOf(kept, counted);
    const ofKept = kept?.merchantId === merchantId ? kept.sums : NONE;
    const ofCounted = counted?.merchantId === merchantId ? counted.sums : NONE;
    const ofReported = reported.get(merchantId) ?? NONE;
    for (const key of new Set([...ofKept.keys(), ...ofCounted.keys()])) {
      checked++;
      const is = plus(ofKept.get(key), ofReported.get(key));
      const should = plus(ofCounted.get(key));
      if (is.join() !== should.join())
        return {
          checked,
          finding: { merchantId, id: key, problem: `is kept as ${is.join('/')} (count/amount/seconds) but is ${should.join('/')}` },
        };
    }
    if (kept?.merchantId === merchantId) kept = (await keptRows.next()).value;
    if (counted?.merchantId === merchantId) counted = (await countedRows.next()).value;
  }
  return { checked };
}

const NONE: Sums = new Map();
const plus = (...sums: readonly (readonly [bigint, bigint, bigint] | undefined)[]): readonly [bigint, bigint, bigint] =>
  sums.reduce<[bigint, bigint, bigint]>(([a, b, c], [x, y, z] = [0n, 0n, 0n]) => [a + x, b + y, c + z], [0n, 0n, 0n]);

/** In the order of the database, that of bytes. Ids are ASCII. */
const firstOf = (one: OfMerchant | undefined, other: OfMerchant | undefined): string =>
  [one, other].flatMap((of) => of?.merchantId ?? []).reduce((first, id) => (id < first ? id : first));

/** A notice that was sent again no longer shows how it first ended. So all ends of an hour are compared together. */
const keyOf = ({ countableSince }: FigureSource, { hour, event, currency, source, step }: FigureRow): string =>
  (countableSince === undefined ? [hour, event, currency, source, step] : [hour]).join(' ').trim();

function add(sums: Sums, key: string, { count, amountMinor, seconds }: FigureRow): void {
  sums.set(key, plus(sums.get(key), [count, BigInt(amountMinor), BigInt(seconds)]));
}

function sumsOf(source: FigureSource, rows: readonly FigureRow[]): ReadonlyMap<string, Sums> {
  const merchants = new Map<string, Sums>();
  for (const row of rows) {
    let sums = merchants.get(row.merchantId);
    if (sums === undefined) merchants.set(row.merchantId, (sums = new Map()));
    add(sums, keyOf(source, row), row);
  }
  return merchants;
}

/** Rows in the order of merchants. Those of one merchant are in memory at once. */
async function* byMerchant(source: FigureSource, rows: AsyncGenerator<FigureRow>): AsyncGenerator<OfMerchant, undefined> {
  let current: OfMerchant | undefined;
  for await (const row of rows) {
    if (current?.merchantId !== row.merchantId) {
      if (current !== undefined) yield current;
      current = { merchantId: row.merchantId, sums: new Map() };
    }
    add(current.sums, keyOf(source, row), row);
  }
  if (current !== undefined) yield current;
}
