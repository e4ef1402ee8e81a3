import { countEntries, readActs, type Ask } from './acts.ts';
import { openPossible, type Act, type Outcome, type Possible } from './possible.ts';
import type { Answer } from './send.ts';
import { carryOut, type Ledger, type Play, type Step, type Subject } from './subject.ts';

type State = 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
/** `wasPaid`: of one that came back. */
type Settled = { readonly state: State; readonly wasPaid: boolean };

const done = (next: Settled): readonly Outcome<Settled>[] => [{ isDone: true, next }];
const refused = (next: Settled): readonly Outcome<Settled>[] => [{ isDone: false, next }];
/** One from which it goes on, those in which it was done before, and the states that refuse it. */
const step = (name: string, from: readonly State[], to: State, isBehind: (settled: Settled) => boolean): Act<Settled> => ({
  name,
  outcomes: (settled) => {
    if (isBehind(settled)) return done(settled);
    const { state, wasPaid } = settled;
    return from.includes(state) ? done({ state: to, wasPaid: wasPaid || to === 'paid' }) : refused(settled);
  },
});

const PASSED: readonly State[] = ['approved', 'sent', 'paid', 'returned'];
const isPast =
  (state: State) =>
  (settled: Settled): boolean =>
    PASSED.indexOf(settled.state) >= PASSED.indexOf(state);
const APPROVAL: Act<Settled> = {
  name: 'approve',
  outcomes: (settled) => {
    const outcomes = step('approve', ['draft'], 'approved', isPast('approved')).outcomes(settled);
    // Refunds may have taken what it would pay.
    return settled.state === 'draft' ? [...outcomes, ...refused(settled)] : outcomes;
  },
};
const CANCELLATION = step('cancel', ['draft'], 'cancelled', ({ state }) => state === 'cancelled');
const SENDING = step('send', ['approved'], 'sent', isPast('sent'));
const PAYMENT = step('pay', ['sent'], 'paid', ({ wasPaid }) => wasPaid);
const RETURN = step('return', ['sent', 'paid'], 'returned', ({ state }) => state === 'returned');

/** What has been posted of it, and its acts, one each. */
function shownOf({ state, wasPaid }: Settled): readonly string[] {
  if (state === 'draft') return [];
  if (state === 'cancelled') return ['cancelSettlement'];
  return [
    'approved',
    'approveSettlements',
    ...(isPast('sent')({ state, wasPaid }) ? ['sendSettlement'] : []),
    ...(wasPaid ? ['paid', 'paySettlement'] : []),
    ...(state === 'returned' ? ['returned', 'returnSettlement'] : []),
  ];
}
const POSTED = ['approved', 'paid', 'returned'] as const;
const STEPS = new Set(['approveSettlements', 'cancelSettlement', 'sendSettlement', 'paySettlement', 'returnSettlement']);

type Money = { readonly amount: string };
type Draft = { readonly settlement: string; readonly gross: Money; readonly entries: number };

/** A settlement that this client works on, as it was made: its amount and its entries never change. */
type Own = { readonly draft: Draft; readonly possible: Possible<Settled> };

/**
 * Settles what a merchant has collected, and carries the settlement on. Most requests are sent twice. After a lost answer the client looks for
 * a draft that nobody works on.
 */
export function openSettlement(play: Play): { readonly subject: Subject; play(): Promise<void> } {
  const { random, officeToken: bearer } = play;
  const { merchantId } = random.pick(play.merchants);
  const runName = `run ${merchantId}/${play.count()}`;
  const ledger: Ledger = { acknowledged: 0, ids: new Map() };
  const since = Temporal.Now.instant().subtract({ seconds: 1 });
  let until = since;
  let lostRuns = 0;
  let own: Own | undefined;
  const base = `/manage/v1/settlements/${merchantId}`;

  const adopt = (draft: Draft | undefined): void => {
    if (draft === undefined || play.adopted.has(`${merchantId} ${draft.settlement}`)) return;
    play.adopted.add(`${merchantId} ${draft.settlement}`);
    own = { draft, possible: openPossible(`settlement ${merchantId}/${draft.settlement}`, { state: 'draft', wasPaid: false }) };
  };
  const begin = async (): Promise<void> => {
    const today = Temporal.Now.plainDateISO('America/Bogota').toString();
    const made = await play.send({ method: 'POST', path: `${base}/run`, body: { currency: 'COP', until: today }, bearer });
    if (made?.code === '0000') return adopt(made.data as Draft);
    if (made !== undefined) return undefined;
    lostRuns++;
    const drafts = await play.send({ method: 'GET', path: `/manage/v1/settlements?merchant=${merchantId}&state=draft&limit=100`, bearer });
    const items = (drafts?.data['items'] ?? []) as readonly Draft[];
    adopt(items.find(({ settlement }) => !play.adopted.has(`${merchantId} ${settlement}`)));
  };

  /** What one settlement of a list was refused for stands beside it. */
  const patient: Play = {
    ...play,
    send: async (request) => {
      const answer = await play.send(request);
      const [result] = (answer?.data['results'] ?? []) as readonly { readonly problem: string | null }[];
      return answer === undefined || result?.problem == null ? answer : { ...answer, code: result.problem };
    },
  };
  const carry: Carry = async ({ draft, possible }, act, path, body) => {
    const url = path === 'approve' ? '/manage/v1/settlements/approve' : `${base}/${draft.settlement}/${path}`;
    const one: Step<Settled> = { act, request: { method: 'POST', path: url, body, bearer } };
    const answer = await carryOut(patient, possible, ledger, one);
    if (answer?.code === '0000' && random.chance(0.4)) await carryOut(patient, possible, ledger, one);
    return answer;
  };
  return {
    play: async () => {
      await begin();
      if (own !== undefined && play.goesOn()) await goOn(play, own, carry);
      until = Temporal.Now.instant();
    },
    subject: {
      get name() {
        return own === undefined ? runName : `settlement ${merchantId}/${own.draft.settlement}`;
      },
      merchantId,
      get acknowledged() {
        return ledger.acknowledged;
      },
      get lost() {
        return lostRuns + (own?.possible.lostActs() ?? 0);
      },
      taken: 0,
      reserved: 0,
      isPaid: false,
      check: async (ask) => {
        if (own !== undefined) await check(ask, own, { bearer, merchantId, since, until });
      },
    },
  };
}

/** What the entries of a settlement add up to, and how many they are. */
async function sumOf(ask: Ask, path: string, bearer: string): Promise<string> {
  let sum = 0n;
  let count = 0;
  for (let more = ''; ;) {
    const { items, next } = (await ask({ method: 'GET', path: path + more, bearer })).data as {
      readonly items: readonly { readonly amount: Money }[];
      readonly next: string | null;
    };
    for (const { amount } of items) sum += BigInt(amount.amount.replace('.', ''));
    count += items.length;
    if (next === null) return `${sum / 100n}.${String(sum % 100n).padStart(2, '0')} ${count}`;
    more = `&cursor=${next}`;
  }
}

type Carry = (own: Own, act: Act<Settled>, path: string, body?: object) => Promise<Answer | undefined>;

/** Carries a draft on, mostly to its end. */
async function goOn({ random, goesOn }: Play, own: Own, carry: Carry): Promise<void> {
  const { settlement } = own.draft;
  const cancel = () => carry(own, CANCELLATION, 'cancel', { reason: 'Anew' });
  if (random.chance(0.15)) return void (await cancel());
  const approved = await carry(own, APPROVAL, 'approve', { settlements: [settlement] });
  if (approved === undefined) return;
  if (approved.code !== '0000') return void (await cancel());
  if (!goesOn() || (await carry(own, SENDING, 'sent'))?.code !== '0000') return;
  const isPaid = random.chance(0.7) && (await carry(own, PAYMENT, 'paid', { bankReference: `B-${settlement}` }))?.code === '0000';
  if (random.chance(isPaid ? 0.2 : 0.7)) await carry(own, RETURN, 'returned', { reason: 'Closed' });
}

type Of = { readonly bearer: string; readonly merchantId: string } & Readonly<Record<'since' | 'until', Temporal.Instant>>;

/** Reads a settlement, its entries, what it has posted, and its acts. */
async function check(ask: Ask, { draft: { settlement, gross, entries }, possible }: Own, of: Of): Promise<void> {
  const { bearer, merchantId } = of;
  const path = `/manage/v1/settlements/${merchantId}/${settlement}`;
  const look = async (): Promise<string> => {
    const now = (await ask({ method: 'GET', path, bearer })).data as Draft & { readonly state: string };
    return `${now.state} ${now.gross.amount} ${now.entries}`;
  };
  let shown = '';
  let found: string[] = [];
  let sum = '';
  // A request that nobody heard of may be carried out between two reads. Then they are read again.
  for (let before = 'unread'; before !== shown;) {
    before = await look();
    sum = await sumOf(ask, `${path}/entries?limit=100`, bearer);
    found = [];
    for (const what of POSTED) if ((await countEntries(ask, bearer, merchantId, `settlement/${settlement}/${what}`)) > 0) found.push(what);
    for (const { operation, target } of await readActs(ask, of))
      if (target === `settlement ${settlement}` && STEPS.has(operation)) found.push(operation);
    shown = await look();
  }
  const whole = `${gross.amount} ${entries}`;
  possible.observed({ shown, sum, found: found.toSorted() }, (settled) => ({
    shown: `${settled.state} ${whole}`,
    sum: settled.state === 'cancelled' ? '0.00 0' : whole,
    found: shownOf(settled).toSorted(),
  }));
}
