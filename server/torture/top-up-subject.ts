import { countEntries, readActs, type Ask } from './acts.ts';
import { openPossible, type Act } from './possible.ts';
import { carryOut, type Ledger, type Play, type Step, type Subject } from './subject.ts';

type TopUp = 'absent' | 'posted';

/** Its reference names the transfer: repeated, it posts nothing. */
const TOP_UP: Act<TopUp> = { name: 'top up', outcomes: () => [{ isDone: true, next: 'posted' }] };

/** Tops a fund up through the management API, mostly twice. Shape: → the top-up, known before its first request is sent. */
export function openTopUp(play: Play): { readonly subject: Subject; play(): Promise<void> } {
  const { random, officeToken: bearer } = play;
  const { merchantId } = random.pick(play.merchants);
  const reference = `T-${play.count()}`;
  const name = `top-up ${merchantId}/${reference}`;
  const amount = 1_000 + play.count();
  const since = Temporal.Now.instant().subtract({ seconds: 1 });
  const possible = openPossible<TopUp>(name, 'absent');
  const ledger: Ledger = { acknowledged: 0, ids: new Map() };
  let until = since;
  let isPosted = false;
  const body = { amount: { amount: `${amount}.00`, currency: 'COP' }, reference };
  const step: Step<TopUp> = { act: TOP_UP, request: { method: 'POST', path: `/manage/v1/ledger/${merchantId}/top-ups`, body, bearer } };

  const entriesOf = (ask: Ask): Promise<number> => countEntries(ask, bearer, merchantId, `top-up/${reference}`);
  const actsOf = async (ask: Ask): Promise<number> =>
    (await readActs(ask, { bearer, merchantId, since, until })).filter(
      ({ operation, details }) => operation === 'topUp' && details?.given?.reference === reference,
    ).length;

  return {
    play: async () => {
      const done = await carryOut(play, possible, ledger, step);
      if (done !== undefined && random.chance(0.6)) await carryOut(play, possible, ledger, step);
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
        return isPosted ? -amount : 0;
      },
      reserved: 0,
      isPaid: false,
      check: async (ask) => {
        // It may be posted between both reads, where nobody heard the answer. Then they are read again.
        let [entries, acts, after] = [-1, 0, 0];
        while (entries !== after) [entries, acts, after] = [await entriesOf(ask), await actsOf(ask), await entriesOf(ask)];
        isPosted = entries > 0;
        possible.observed({ entries, acts }, (state) => (state === 'posted' ? { entries: 2, acts: 1 } : { entries: 0, acts: 0 }));
      },
    },
  };
}
