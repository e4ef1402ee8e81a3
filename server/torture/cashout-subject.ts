import { checksumOf } from '../src/testing/checksum-of.ts';
import { openPossible, type Act, type Outcome } from './possible.ts';
import type { Answer, Request } from './send.ts';
import { carryOut, contested, sameId, type Ledger, type Play, type Step, type Subject } from './subject.ts';

/** Only the state is shown by the API. The rest follows from what was done. */
type Cashout = { readonly state: string; readonly isHeld: boolean; readonly transaction: string };

const ABSENT: Cashout = { state: 'absent', isHeld: false, transaction: '' };
const PENDING = 'PENDIENTE';
const PAID = 'APROBADA';
const CANCELLED = 'CANCELADA';

const done = (next: Cashout): readonly Outcome<Cashout>[] => [{ isDone: true, next }];
const refused = (next: Cashout): readonly Outcome<Cashout>[] => [{ isDone: false, next }];

/** It has an Idempotency-Key: repeated, it has the answer of the first. */
const REGISTRATION: Act<Cashout> = {
  name: 'register',
  outcomes: (cashout) => done(cashout.state === 'absent' ? { ...ABSENT, state: PENDING } : cashout),
};

const LOOK_UP: Act<Cashout> = {
  name: 'look up',
  outcomes: (cashout) => {
    if (cashout.state !== PENDING) return refused(cashout);
    return cashout.isHeld ? [...done(cashout), ...refused(cashout)] : done({ ...cashout, isHeld: true });
  },
};

/** Another cashout may have a contested transaction. */
const payment = (transaction: string, isContested: boolean): Act<Cashout> => ({
  name: `pay out by ${transaction}`,
  outcomes: (cashout) => {
    if (cashout.transaction === transaction) return done(cashout);
    if (cashout.state !== PENDING || !cashout.isHeld) return refused(cashout);
    const paid = done({ state: PAID, isHeld: false, transaction });
    return isContested ? [...paid, ...refused(cashout)] : paid;
  },
});

/** The share of payments by a transaction that others name. */
const CONTESTED = 0.1;

const CANCELLATION: Act<Cashout> = {
  name: 'cancel',
  outcomes: (cashout) => {
    if (cashout.state === CANCELLED) return [...done(cashout), ...refused(cashout)];
    return cashout.state === PENDING && !cashout.isHeld ? done({ ...cashout, state: CANCELLED }) : refused(cashout);
  },
};

/** Registers a cashout, and mostly has it collected or cancels it. Shape: → the cashout, known before its first request is sent. */
export function openCashout(play: Play): { readonly subject: Subject; play(): Promise<void> } {
  const { random, network } = play;
  const { merchantId, fixedHash } = random.pick(play.merchants);
  const operation = `W-${play.count()}`;
  const name = `cashout ${merchantId}/${operation}`;
  const amount = 1_000 + play.count();
  const document = String(1_000_000 + play.count());
  const possible = openPossible(name, ABSENT);
  const ledger: Ledger = { acknowledged: 0, ids: new Map() };
  let shown = 'absent';
  const carry = (step: Step<Cashout>): Promise<Answer | undefined> => carryOut(play, possible, ledger, step);

  const fields = { merchant: merchantId, operation, amount: String(amount), currency: 'COP', document };
  const body = { ...fields, description: 'Prize', sms: false, checksum: checksumOf(Object.values(fields), fixedHash) };
  const own = `/cashout/v1/operation/${merchantId}/${operation}`;
  const register: Step<Cashout> = { act: REGISTRATION, request: { method: 'POST', path: '/cashout/v1/operation', key: operation, body } };
  const cancel: Step<Cashout> = {
    act: CANCELLATION,
    request: { method: 'DELETE', path: own, body: { document, checksum: checksumOf([merchantId, operation], fixedHash) } },
  };

  const run = async (): Promise<void> => {
    const registered = await carry(register);
    if (registered === undefined) return;
    const id = sameId(ledger, name, registered, 'svCode');
    const otp = registered.data['otp'] as string | undefined;
    if (random.chance(0.2)) {
      const again = await carry(register);
      if (again !== undefined) sameId(ledger, name, again, 'svCode');
    }
    const end = random.below(5);
    if (!play.goesOn() || end === 4) return;
    if (end < 2 || otp === undefined) return void (await carry(cancel));
    if ((await carry(lookUp(network, otp, document))) !== undefined) await carry(payOut(play, id));
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
      get taken() {
        return shown === PENDING || shown === PAID ? amount : 0;
      },
      get reserved() {
        return shown === PENDING ? amount : 0;
      },
      get isPaid() {
        return shown === PAID;
      },
      check: async (ask) => {
        const checksum = checksumOf([merchantId, operation, document], fixedHash);
        const { code, data } = await ask({ method: 'GET', path: `${own}?document=${document}&checksum=${checksum}` });
        shown = code === '0001' ? 'absent' : String(data['status']);
        possible.observed(shown, (cashout) => cashout.state);
      },
    },
  };
}

function lookUp({ netname, secret }: Play['network'], otp: string, document: string): Step<Cashout> {
  const body = { otp, document, checksum: checksumOf([netname, otp, document], secret) };
  return { act: LOOK_UP, request: { method: 'POST', path: `/cashout/v1/order/${netname}`, body, signedBy: secret } };
}

function payOut(play: Play, idoperation: string): Step<Cashout> {
  const { netname, secret } = play.network;
  const isContested = play.random.chance(CONTESTED);
  const transaction = isContested ? `C-of-all-${contested(play)}` : `C-${play.count()}`;
  const body = { idoperation, transaction, teller: 'T-1', checksum: checksumOf([netname, idoperation, transaction], secret) };
  const request: Request = { method: 'POST', path: `/cashout/v1/transaction/${netname}`, body, signedBy: secret };
  return { act: payment(transaction, isContested), request };
}
