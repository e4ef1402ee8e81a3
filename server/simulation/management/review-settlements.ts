import { formatAllDecimals } from '../../src/kit/money.ts';
import { Contradiction } from '../cell.ts';
import type { Cell } from '../cell.ts';
import type { CollectedEntry } from '../model/collected.ts';
import { instantText, toText } from '../model/model.ts';
import type { ModelSettlement, SettlementCell } from '../model/settlement-state.ts';
import { randomOf, type Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { looking } from './look.ts';

/** Those whose entries were compared, by cell, number and whether they have any: nothing else about them changes. */
const compared = new WeakMap<Simulation, Set<string>>();

/** Reads every settlement and what it is made of, and compares them with the model: no entry is in two of them. */
export async function reviewSettlements(simulation: Simulation): Promise<void> {
  const random = randomOf(simulation.seed, -simulation.tally.rounds - 1_000_000_000);
  const now = simulation.clock.now().epochMilliseconds;
  for (const cell of simulation.settling) {
    await readAgain(simulation, random, cell, now);
    simulation.collected.put(cell.name, cell.collected());
  }
  const known = compared.get(simulation) ?? new Set<string>();
  compared.set(simulation, known);
  for (const cell of simulation.settling)
    for (const settlement of (cell.state() as SettlementCell).settlements) {
      const name = `${cell.name} ${settlement.id} ${settlement.state === 'cancelled'}`;
      if (settlement.dueOn !== null && !known.has(`${cell.name} ${settlement.id} false`))
        add(simulation.tally.answers, 'draft by schedule');
      if (!known.has(name)) await compareEntries(simulation, random, cell, settlement);
      known.add(name);
    }
}

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** The jobs may have made drafts and released holds since the last round. */
async function readAgain({ servers }: Simulation, random: Random, cell: Cell, now: number): Promise<void> {
  cell.plan(random, now, 0);
  for (const read of cell.reads())
    if ((await read.send(random.pick(servers))) === undefined) throw new Error(`no server answers ${cell.name}`);
  cell.conclude(now, false);
}

type ShownEntry = {
  readonly kind: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly postedAt: string;
};

async function compareEntries(simulation: Simulation, random: Random, cell: Cell, settlement: ModelSettlement): Promise<void> {
  const { merchantId, currency, entries } = entriesOf(simulation, cell, settlement);
  const { items } = await looking(simulation, random)(`/settlements/${merchantId}/${settlement.id}/entries?limit=100`);
  const found = (items as readonly ShownEntry[]).map(
    ({ kind, amount, postedAt }) => `${kind} ${amount.amount} ${amount.currency} ${postedAt}`,
  );
  const expected = entries.map(({ kind, amountMinor, at }) => `${kind} ${sizeOf(amountMinor, currency)} ${currency} ${instantText(at)}`);
  if (toText(found.toSorted()) !== toText(expected.toSorted()))
    throw new Contradiction(`${cell.name} ${settlement.id} is made of ${toText(expected)}, and shows ${toText(found)}`);
}

const sizeOf = (minor: bigint, currency: string): string =>
  minor < 0n ? `-${formatAllDecimals(-minor, currency)}` : formatAllDecimals(minor, currency);

function entriesOf({ collected }: Simulation, cell: Cell, { state, entries }: ModelSettlement) {
  const [merchantId = '', currency = ''] = cell.name.replace('settlements ', '').split('-');
  const all = [...collected.of({ merchantId, currency }, cell.name), ...cell.collected()];
  const keys = new Set(state === 'cancelled' ? [] : entries);
  return { merchantId, currency, entries: all.filter(({ key }: CollectedEntry) => keys.has(key)) };
}
