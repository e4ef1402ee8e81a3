import { verifyChain } from '../../src/audit/verify-chain.ts';
import { countNew } from '../../src/figures/count-figures.ts';
import { formatAllDecimals } from '../../src/kit/money.ts';
import { withSnapshot } from '../../src/kit/snapshot.ts';
import { Contradiction } from '../cell.ts';
import { askActor, jobsOf, readAct, type Asked } from './ask-actor.ts';
import { doneAct } from '../model/acts.ts';
import { inActs, may, stopOf, type Demand, type ModelActor } from '../model/actors.ts';
import { toText } from '../model/model.ts';
import type { ModelRow } from '../model/review-rows.ts';
import { randomOf, type Random } from '../random.ts';
import { MERCHANTS } from '../setting.ts';
import type { Simulation } from '../simulation.ts';

/** Reads everything through the management API, each as some actor, and compares it with the model. */
export async function review(simulation: Simulation, rows: readonly ModelRow[]): Promise<void> {
  // No round has a negative number.
  const random = randomOf(simulation.seed, -simulation.tally.rounds - 10);
  const look: Look = { simulation, random, rows };
  // The clock has moved since the last round.
  await simulation.staff.signIn(random);
  await reviewExport(look);
  await reviewFigures(look);
  await reviewSearch(look);
  await reviewList(look);
  await reviewBalances(look);
  await reviewChain(simulation);
}

type Look = { readonly simulation: Simulation; readonly random: Random; readonly rows: readonly ModelRow[] };
type List = ModelRow['list'];

const LISTS = ['orders', 'cashouts', 'settlements'] as const;
const someMerchant = (random: Random): string | undefined => (random.chance(0.5) ? undefined : random.pick(MERCHANTS).merchantId);
const isOf =
  (only: string | undefined) =>
  ({ merchantId }: ModelRow) =>
    only === undefined || merchantId === only;

/** Draws who asks. Undefined: who was drawn is stopped, with the problem that it must get. */
async function askFor(look: Look, demand: Demand, request: Omit<Asked, 'by'>) {
  const { simulation, random } = look;
  const { actors } = simulation.staff;
  const now = simulation.clock.now().epochMilliseconds;
  const able = [...actors.values()].filter((actor) => stopOf(actor, demand, now) === undefined);
  const actor = random.pick(able.length === 0 || random.chance(0.2) ? [...actors.values()] : able);
  const stop = stopOf(actor, demand, now);
  const answer = await askActor(simulation, random, { by: actor.name, ...request });
  if (stop === undefined) return { actor, answer };
  if (answer.code !== stop.name)
    throw new Contradiction(`${actor.name} asked ${request.path}, must get ${stop.name}, and got ${answer.code}`);
  return undefined;
}

function requireSame(what: string, expected: unknown, found: unknown): void {
  if (toText(expected) === toText(found)) return;
  const [lacks, extra] =
    Array.isArray(expected) && Array.isArray(found) ? [without(expected, found), without(found, expected)] : [expected, found];
  throw new Contradiction(`${what}: the model alone has ${toText(lacks)}, and the service alone ${toText(extra)}`);
}

const without = (all: readonly unknown[], others: readonly unknown[]): readonly unknown[] => {
  const texts = new Set(others.map(toText));
  return all.filter((one) => !texts.has(toText(one)));
};

const line = (merchantId: string, id: string, state: string, version: unknown, amount: string, currency: string): string =>
  [merchantId, id, state, version, amount, currency].join(' ');
const lineOf = ({ merchantId, id, state, version, amountMinor, currency }: ModelRow): string =>
  line(merchantId, id, state, version, formatAllDecimals(amountMinor, currency), currency);

const readOf = (list: List): string => (list === 'settlements' ? 'ledger:read' : `${list}:read`);

type Trailer = { readonly rows: number; readonly sums: Readonly<Record<string, string>> };
type ExportedRow = Readonly<Record<'merchant' | 'order' | 'cashout' | 'settlement' | 'state' | 'amount' | 'currency', string>> & {
  readonly version: number;
  readonly entries?: number;
};

const exportAct = (actor: ModelActor, operation: string, target: string | null, merchantId = actor.merchantId ?? null) =>
  doneAct(inActs(actor), { operation, merchantId, target }, {}, {});

/** Asks for a whole list, lets any server write it, downloads it from any server, and deletes it. */
async function reviewExport(look: Look): Promise<void> {
  const { simulation, random, rows } = look;
  const list = random.pick(LISTS);
  const merchant = someMerchant(random);
  const body = { list, format: 'ndjson', ...(merchant === undefined ? {} : { merchant }) };
  const asked = await askFor(
    look,
    { permission: 'exports:read', merchantId: merchant },
    {
      method: 'POST',
      path: '/exports',
      body,
      act: (actor, { body: made }) =>
        may(actor, readOf(list))
          ? exportAct(actor, 'exportList', `export ${made['export'] as string}`, merchant ?? actor.merchantId)
          : undefined,
    },
  );
  if (asked === undefined) return;
  const { actor, answer } = asked;
  requireSame('an export is asked for', '0000', answer.code);
  await jobsOf(simulation, random, 'exports.write');
  const path = `/exports/${answer.body['export'] as string}`;
  const content = await askActor(simulation, random, {
    by: actor.name,
    method: 'GET',
    path: `${path}/content`,
    act: () => exportAct(actor, 'downloadExport', `export ${answer.body['export'] as string}`),
  });
  const lines = content.text
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as object);
  const { '#end': trailer } = lines.pop() as { readonly '#end': Trailer };
  const expected = rows.filter((row) => row.list === list && isOf(merchant ?? actor.merchantId)(row));
  const sums = new Map<string, bigint>();
  for (const { currency, amountMinor } of expected) sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  const sumTexts = [...sums].map(([currency, minor]) => `${currency} ${formatAllDecimals(minor, currency)}`).toSorted();
  requireSame('rows in the trailer of an export', expected.length, trailer.rows);
  requireSame(
    'sums in the trailer of an export',
    sumTexts,
    Object.entries(trailer.sums)
      .map((sum) => sum.join(' '))
      .toSorted(),
  );
  const found = (lines as ExportedRow[]).map(({ merchant: of, order, cashout, settlement, state, version, entries, amount, currency }) =>
    line(of, order ?? cashout ?? settlement, state, entries ?? version, amount, currency),
  );
  requireSame(`exported ${list}`, expected.map(lineOf).toSorted(), found.toSorted());
  await askActor(simulation, random, {
    by: actor.name,
    method: 'DELETE',
    path,
    act: () => exportAct(actor, 'deleteExport', `export ${answer.body['export'] as string}`),
  });
}

/** Days that one answer may have. */
const MOST_DAYS = 400;
const FIRST_DAY = Temporal.PlainDate.from('2026-11-20');

/** All that ever happened, by event and currency. */
async function reviewFigures(look: Look): Promise<void> {
  const { simulation, random, rows } = look;
  while ((await countNew(simulation.control, simulation.clock)) === 'more');
  const merchant = someMerchant(random);
  const today = simulation.clock.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 1 });
  const counts = new Map<string, readonly [count: number, amountMinor: bigint]>();
  let only = merchant;
  for (let from = FIRST_DAY; Temporal.PlainDate.compare(from, today) <= 0; from = from.add({ days: MOST_DAYS })) {
    const to = from.add({ days: MOST_DAYS - 1 });
    const query = `from=${from.toString()}&to=${to.toString()}${merchant === undefined ? '' : `&merchant=${merchant}`}`;
    const asked = await askFor(look, { permission: 'figures:read', merchantId: merchant }, { method: 'GET', path: `/figures?${query}` });
    if (asked === undefined) return;
    // One actor may see less than the next.
    if (from !== FIRST_DAY && only !== (merchant ?? asked.actor.merchantId)) return;
    only = merchant ?? asked.actor.merchantId;
    for (const { event, count, value } of asked.answer.body['items'] as readonly FigureItem[]) {
      if (value === null || !/^(order|cashout)[.]/.test(event)) continue;
      add(counts, `${event} ${value.currency}`, count, BigInt(value.amount.replace('.', '')));
    }
  }
  const expected = new Map<string, readonly [count: number, amountMinor: bigint]>();
  for (const { event, currency, amountMinor } of rows.filter(isOf(only)).flatMap(({ counted }) => counted))
    add(expected, `${event} ${currency}`, 1, amountMinor);
  requireSame(`figures of ${only ?? 'all merchants'}`, [...expected].toSorted(byName), [...counts].toSorted(byName));
}

type FigureItem = {
  readonly event: string;
  readonly count: number;
  readonly value: { readonly amount: string; readonly currency: string } | null;
};

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1);

function add(counts: Map<string, readonly [number, bigint]>, name: string, count: number, amountMinor: bigint): void {
  const [counted, sum] = counts.get(name) ?? [0, 0n];
  counts.set(name, [counted + count, sum + amountMinor]);
}

type Hit = {
  readonly merchant: string;
  readonly order?: string;
  readonly cashout?: string;
  readonly state: string;
  readonly isWhole: boolean;
};

/** One that exists is found by its id, alone. Who may not see it finds nothing. */
async function reviewSearch(look: Look): Promise<void> {
  const { random, rows } = look;
  const searched = rows.filter(({ list }) => list !== 'settlements');
  if (searched.length === 0) return;
  const row = random.pick(searched);
  const act = readAct('search');
  const asked = await askFor(look, { permission: 'orders:read' }, { method: 'GET', path: `/search?text=${row.id}`, act });
  if (asked === undefined) return;
  const { actor, answer } = asked;
  const isSeen = isOf(actor.merchantId)(row) && may(actor, readOf(row.list));
  const hits = [...(answer.body['orders'] as readonly Hit[]), ...(answer.body['cashouts'] as readonly Hit[])].map(
    ({ merchant, order, cashout, state, isWhole }) => [merchant, order ?? cashout, state, isWhole],
  );
  requireSame(`search of ${row.id} by ${actor.name}`, isSeen ? [[row.merchantId, row.id, row.state, true]] : [], hits);
}

type ListedItem = {
  readonly merchant: string;
  readonly order?: string;
  readonly cashout?: string;
  readonly settlement?: string;
  readonly state: string;
  readonly version: number;
  readonly entries?: number;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly net?: ListedItem['amount'];
};

/** A whole list, page by page. Each page of one that shows many people is an act. */
async function reviewList(look: Look): Promise<void> {
  const { simulation, random, rows } = look;
  const list = random.pick(LISTS);
  const merchant = random.pick(MERCHANTS).merchantId;
  const first = `/${list}?merchant=${merchant}&limit=100`;
  const act = list === 'settlements' ? undefined : readAct(list === 'orders' ? 'listOrders' : 'listCashoutsByFilter');
  const asked = await askFor(look, { permission: readOf(list), merchantId: merchant }, { method: 'GET', path: first, act });
  if (asked === undefined) return;
  const found: string[] = [];
  for (let { answer } = asked; ;) {
    for (const one of answer.body['items'] as readonly ListedItem[]) {
      const { amount, currency } = one.net ?? one.amount;
      found.push(
        line(one.merchant, one.order ?? one.cashout ?? one.settlement ?? '', one.state, one.entries ?? one.version, amount, currency),
      );
    }
    const { next } = answer.body;
    if (next === null) break;
    const more = { by: asked.actor.name, method: 'GET' as const, path: `${first}&cursor=${next as string}`, act };
    answer = await askActor(simulation, random, more);
  }
  const expected = rows.filter((row) => row.list === list && isOf(merchant)(row));
  requireSame(`listed ${list}`, expected.map(lineOf).toSorted(), found.toSorted());
}

type ShownBalance = { readonly account: string; readonly balance: { readonly amount: string; readonly currency: string } };

/** What a merchant's accounts hold, as the model's books have it. */
async function reviewBalances(look: Look): Promise<void> {
  const { simulation, random } = look;
  const { merchantId } = random.pick(MERCHANTS);
  const request = { method: 'GET', path: `/ledger/balances?merchant=${merchantId}` } as const;
  const asked = await askFor(look, { permission: 'ledger:read', merchantId }, request);
  if (asked === undefined) return;
  const found = (asked.answer.body['balances'] as readonly ShownBalance[])
    .filter(({ balance }) => /[1-9]/.test(balance.amount))
    .map(({ account, balance }) => [account, balance.amount, balance.currency].join(' '));
  const expected = simulation.books
    .balances(merchantId)
    .map(([account, currency, balanceMinor]) => [account, formatAllDecimals(balanceMinor, currency), currency].join(' '));
  requireSame(`balances of ${merchantId}`, expected.toSorted(), found.toSorted());
}

/** Nothing was pruned, so no stub is signed. */
const NO_STUBS = { isOurs: () => false } as unknown as Parameters<typeof verifyChain>[1];

async function reviewChain(simulation: Simulation): Promise<void> {
  await jobsOf(simulation, randomOf(simulation.seed), 'audit.link-acts');
  const { finding } = await withSnapshot(simulation.url, (snapshot) => verifyChain(snapshot, NO_STUBS));
  if (finding !== undefined) throw new Contradiction(`the audit log is not as it was written: ${finding.id} ${finding.problem}`);
}
