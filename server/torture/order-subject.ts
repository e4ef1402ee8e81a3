import { checksumOf } from '../src/testing/checksum-of.ts';
import { openPossible, type Act, type Outcome } from './possible.ts';
import type { Answer, Request } from './send.ts';
import { carryOut, contested, sameId, type Ledger, type Play, type Step, type Subject } from './subject.ts';

/** An order as the API shows it. */
type Order = { readonly state: string; readonly amount: number; readonly transaction: string; readonly history: readonly string[] };

const ABSENT: Order = { state: 'absent', amount: 0, transaction: '', history: [] };
const PENDING = 'PENDIENTE';
const PAID = 'APROBADA';
const CANCELLED = 'CANCELADA';

const done = (next: Order): readonly Outcome<Order>[] => [{ isDone: true, next }];
const refused = (next: Order): readonly Outcome<Order>[] => [{ isDone: false, next }];

/** A creation has an Idempotency-Key: repeated, it has the answer of the first. Another order may have its reference. */
const creation = (amount: number, reference: string | undefined): Act<Order> => ({
  name: `create ${amount}${reference === undefined ? '' : ` with ${reference}`}`,
  outcomes: (order) => {
    if (order.state !== 'absent') return done(order);
    const created = done({ ...ABSENT, state: PENDING, amount, history: [`CREADA ${amount}`] });
    return reference === undefined ? created : [...created, ...refused(order)];
  },
});

const update = (amount: number): Act<Order> => ({
  name: `update ${amount}`,
  outcomes: (order) => {
    if (order.state !== PENDING) return refused(order);
    if (order.amount === amount) return done(order);
    const next = done({ ...order, amount, history: [...order.history, `ACTUALIZADO ${amount}`] });
    // An amount that the order had before: the replay guard may refuse it.
    return order.history.some((entry) => entry.endsWith(` ${amount}`)) ? [...next, ...refused(order)] : next;
  },
});

/** Another order may have a contested transaction. */
const payment = (transaction: string, amount: number, isContested: boolean): Act<Order> => ({
  name: `pay ${amount} by ${transaction}`,
  outcomes: (order) => {
    if (order.transaction === transaction) return done(order);
    if (order.state !== PENDING || order.amount !== amount) return refused(order);
    const paid = done({ ...order, state: PAID, transaction, history: [...order.history, 'PAGADA'] });
    return isContested ? [...paid, ...refused(order)] : paid;
  },
});

const CANCELLATION: Act<Order> = {
  name: 'cancel',
  outcomes: (order) => {
    if (order.state === CANCELLED) return [...done(order), ...refused(order)];
    if (order.state !== PENDING) return refused(order);
    return done({ ...order, state: CANCELLED, history: [...order.history, 'DELETED'] });
  },
};

/** Shares of orders with a reference that others ask for, and of payments by a transaction that others name. */
const CONTESTED = { reference: 0.1, transaction: 0.1 } as const;

/**
 * Creates an order, changes it some times, and mostly ends it. Shape: → the order, known before its first request is sent.
 * Without `isOfAll` it asks for nothing that is one among all merchants, and no network pays it.
 */
export function openOrder(play: Play, { isOfAll = true } = {}): { readonly subject: Subject; play(): Promise<void> } {
  const { random } = play;
  const { merchantId, fixedHash } = random.pick(play.merchants);
  const order = `T-${play.count()}`;
  const name = `order ${merchantId}/${order}`;
  const reference = isOfAll && random.chance(CONTESTED.reference) ? `7${contested(play).padStart(9, '0')}` : undefined;
  const possible = openPossible(name, ABSENT);
  const ledger: Ledger = { acknowledged: 0, ids: new Map() };
  let shown = ABSENT;
  const carry = (step: Step<Order>): Promise<Answer | undefined> => carryOut(play, possible, ledger, step);

  const body = (amount: number): object => {
    const values = { email: 'ana@example.com', country: '343', order, money: 'COP', amount: String(amount) };
    return { merchant: merchantId, ...values, checksum: checksumOf(Object.values(values), fixedHash) };
  };
  const proof = `merchant=${merchantId}&checksum=${checksumOf([order, merchantId], fixedHash)}`;
  const path = `/api/v3/porders/${order}`;
  const newAmount = (): number => 1_000 + play.count();

  const run = async (): Promise<void> => {
    let amount = newAmount();
    const create: Step<Order> = {
      act: creation(amount, reference),
      request: { method: 'POST', path: '/api/v3/porders', key: order, body: { ...body(amount), reference } },
    };
    const created = await carry(create);
    if (created?.code !== '0000') return;
    const id = sameId(ledger, name, created, 'SVordenID');
    for (let updates = random.below(6); updates > 0 && play.goesOn(); updates--) {
      amount = newAmount();
      await carry({ act: update(amount), request: { method: 'PATCH', path: '/api/v3/porders', body: body(amount) } });
      if (random.chance(0.05)) {
        const again = await carry(create);
        if (again !== undefined) sameId(ledger, name, again, 'SVordenID');
      }
    }
    const end = random.below(5);
    if (end < 2) await carry({ act: CANCELLATION, request: { method: 'DELETE', path: `${path}?${proof}` } });
    if (isOfAll && (end === 2 || end === 3)) await carry(pay(play, id, amount));
  };

  return {
    play: run,
    subject: {
      name,
      merchantId,
      get acknowledged() {
        return ledger.acknowledged;
      },
      get lost() {
        return possible.lostActs();
      },
      taken: 0,
      reserved: 0,
      get isPaid() {
        return shown.state === PAID;
      },
      check: async (ask) => {
        shown = read(
          await ask({ method: 'GET', path: `${path}?${proof}` }),
          await ask({ method: 'GET', path: `${path}/history?${proof}` }),
        );
        possible.observed(shown, (order) => order);
      },
    },
  };
}

export function pay(play: Play, idorder: string, paid: number): Step<Order> {
  const { netname, secret } = play.network;
  const isContested = play.random.chance(CONTESTED.transaction);
  const transaction = isContested ? `P-of-all-${contested(play)}` : `P-${play.count()}`;
  const [amount, money] = [String(paid), 'COP'];
  const checksum = checksumOf([netname, transaction, amount, money, idorder], secret);
  const body = { transaction, amount, money, idorder, checksum };
  const request: Request = { method: 'POST', path: `/api/v3/payments/${netname}`, body, signedBy: secret };
  return { act: payment(transaction, paid, isContested), request };
}

type HistoryEntry = { readonly OPERATION: string; readonly CHANGES: { readonly amount?: { readonly to: string } } };

/** The order as its two answers show it. */
function read(query: Answer, history: Answer): Order {
  if (query.code === '0001' && history.code === '0001') return ABSENT;
  const { STATE, AMOUNT, TRANSACTION } = query.data as { STATE: string; AMOUNT: string; TRANSACTION: { ID?: string } };
  const entries = (history.data['HISTORY'] ?? []) as readonly HistoryEntry[];
  return {
    state: query.version === `"${entries.length}"` ? STATE : `${STATE} of version ${query.version}`,
    amount: Number(AMOUNT),
    transaction: TRANSACTION?.ID ?? '',
    history: entries.map(({ OPERATION, CHANGES }) =>
      CHANGES.amount === undefined ? OPERATION : `${OPERATION} ${Number(CHANGES.amount.to)}`,
    ),
  };
}
