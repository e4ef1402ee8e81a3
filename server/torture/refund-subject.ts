import { countEntries, readActs, type Ask } from './acts.ts';
import { pay } from './order-subject.ts';
import { openPossible, type Act, type Outcome } from './possible.ts';
import { carryOut, type Ledger, type Play, type Step, type Subject } from './subject.ts';

type Refund = 'absent' | 'approved' | 'paid' | 'failed' | 'cancelled';
/** A payment of an order, and half of it on its way back. */
type Paid = { readonly order: 'absent' | 'pending' | 'paid'; readonly refund: Refund };

const done = (next: Paid): readonly Outcome<Paid>[] => [{ isDone: true, next }];
const refused = (next: Paid): readonly Outcome<Paid>[] => [{ isDone: false, next }];

const CREATION: Act<Paid> = { name: 'create', outcomes: (paid) => done(paid.order === 'absent' ? { ...paid, order: 'pending' } : paid) };
/** Another order may have its transaction. */
const PAYMENT: Act<Paid> = {
  name: 'pay',
  outcomes: (paid) => (paid.order === 'pending' ? [...done({ ...paid, order: 'paid' }), ...refused(paid)] : done(paid)),
};
/** Settlements and other refunds may have taken what the merchant has collected. Whoever pays refunds asks for one that is approved. */
const REQUEST: Act<Paid> = {
  name: 'ask for a refund',
  outcomes: (paid) => {
    if (paid.refund !== 'absent') return done(paid);
    return paid.order === 'paid' ? [...done({ ...paid, refund: 'approved' }), ...refused(paid)] : refused(paid);
  },
};
const change = (to: Exclude<Refund, 'absent'>): Act<Paid> => ({
  name: `refund ${to}`,
  outcomes: (paid) => {
    if (paid.refund === to) return done(paid);
    return paid.refund === 'approved' ? done({ ...paid, refund: to }) : refused(paid);
  },
});

/** What of a refund has been posted, and its acts, by its state. */
const SHOWN: Readonly<Record<Refund, readonly string[]>> = {
  absent: [],
  approved: ['owed', 'requestRefund'],
  paid: ['owed', 'paid', 'requestRefund', 'payRefund'],
  failed: ['owed', 'released', 'requestRefund', 'failRefund'],
  cancelled: ['owed', 'released', 'requestRefund', 'cancelRefund'],
};
const POSTED = ['owed', 'paid', 'released'] as const;
const ENDS = [
  ['paid', 'pay'],
  ['paid', 'pay'],
  ['failed', 'fail'],
  ['cancelled', 'cancel'],
] as const;

const money = (units: number) => ({ amount: `${units}.00`, currency: 'COP' });

/** Has an order paid, and gives half of it back. Most requests are sent twice. Shape: → the refund, known before its first request is sent. */
export function openRefund(play: Play): { readonly subject: Subject; play(): Promise<void> } {
  const { random, officeToken: bearer } = play;
  const { merchantId } = random.pick(play.merchants);
  const refund = `T-${play.count()}`;
  const name = `refund ${merchantId}/${refund}`;
  const amount = 2 * (1_000 + play.count());
  const possible = openPossible<Paid>(name, { order: 'absent', refund: 'absent' });
  const ledger: Ledger = { acknowledged: 0, ids: new Map() };
  const since = Temporal.Now.instant().subtract({ seconds: 1 });
  let until = since;
  const post = (act: Act<Paid>, path: string, body: object | undefined, key?: string): Step<Paid> => ({
    act,
    request: { method: 'POST', path: `/manage/v1${path}`, body, key, bearer },
  });
  const order = { merchant: merchantId, order: refund, email: 'ana@example.com', amount: money(amount) };
  const takenFrom = random.pick(['collected', 'fund']);
  const asked = { refund, amount: money(amount / 2), refundedBy: 'operator', takenFrom, reason: 'Broken' };
  let shown = 'absent';

  const twice = async (step: Step<Paid>): Promise<boolean> => {
    const answer = await carryOut(play, possible, ledger, step);
    if (answer?.code === '0000' && random.chance(0.5)) await carryOut(play, possible, ledger, step);
    return answer?.code === '0000';
  };
  const run = async (): Promise<void> => {
    const created = await carryOut(play, possible, ledger, post(CREATION, '/orders', order, refund));
    if (created?.code !== '0000') return;
    const payment = pay(play, String(created.data['serviceOrderId']), amount).request;
    if (!(await twice({ act: PAYMENT, request: payment }))) return;
    if (!(await twice(post(REQUEST, `/orders/${merchantId}/${refund}/refunds`, asked)))) return;
    if (random.chance(0.3) && !(await twice(post(change('approved'), `/refunds/${merchantId}/${refund}/approve`, undefined)))) return;
    if (!play.goesOn() || random.chance(0.2)) return;
    const [to, verb] = random.pick(ENDS);
    const body = to === 'paid' ? {} : to === 'failed' ? { reason: 'Closed' } : undefined;
    await twice(post(change(to), `/refunds/${merchantId}/${refund}/${verb}`, body));
  };

  return {
    play: async () => {
      await run();
      until = Temporal.Now.instant();
    },
    subject: {
      name,
      merchantId,
      get acknowledged() {
        return ledger.acknowledged;
      },
      get lost() {
        return possible.lostActs();
      },
      get taken() {
        return takenFrom === 'fund' && (shown === 'approved' || shown === 'paid') ? amount / 2 : 0;
      },
      reserved: 0,
      isPaid: false,
      check: async (ask) => {
        const found = await read(ask, { bearer, merchantId, refund, since, until });
        shown = found.state;
        possible.observed(found, (paid) => ({ state: paid.refund, found: SHOWN[paid.refund].toSorted() }));
      },
    },
  };
}

type OfRefund = { readonly bearer: string; readonly merchantId: string; readonly refund: string } & Readonly<
  Record<'since' | 'until', Temporal.Instant>
>;

/** Reads a refund, what it has posted, and the acts that changed it. */
async function read(ask: Ask, { refund, ...of }: OfRefund): Promise<{ readonly state: string; readonly found: readonly string[] }> {
  const { bearer, merchantId } = of;
  const look = async (): Promise<string> => {
    const { code, data } = await ask({ method: 'GET', path: `/manage/v1/refunds/${merchantId}/${refund}`, bearer });
    return code === 'not_found' ? 'absent' : String(data['state']);
  };
  let state = '';
  let found: string[] = [];
  // A request that nobody heard of may be carried out between two reads. Then they are read again.
  for (let before = 'unread'; before !== state;) {
    before = await look();
    found = [];
    for (const what of POSTED)
      if ((await countEntries(ask, bearer, merchantId, `order/${refund}/refund/${refund}/${what}`)) > 0) found.push(what);
    // A request that finds it done is an act too, without a change.
    const acts = (await readActs(ask, of)).filter(({ details }) => Object.keys(details?.changes ?? {}).length > 0);
    for (const { operation, target } of acts)
      if (target === `refund ${refund}` || (target === `order ${refund}` && operation === 'requestRefund')) found.push(operation);
    state = await look();
  }
  return { state, found: found.toSorted() };
}
