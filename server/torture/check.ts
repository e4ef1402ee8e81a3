import { setTimeout as delay } from 'node:timers/promises';
import { checksumOf } from '../src/testing/checksum-of.ts';
import { Contradiction } from './possible.ts';
import { send, type Answer, type Request } from './send.ts';
import { FUND, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';

/** How long a read may be refused after a fault has ended. */
const ANSWERED_WITHIN_MS = 30_000;
/** What a server had begun when it was stopped may be carried out a moment after it goes on. */
const SETTLED_WITHIN_MS = 10_000;
const POLL_MS = 25;
const AT_ONCE = 8;

/** Asks the servers in turn until one answers. Throws: Contradiction past the deadline. */
export function asker({ servers }: Pick<Stage, 'servers'>): (request: Request) => Promise<Answer> {
  let turn = 0;
  return async (request) => {
    const endsAt = performance.now() + ANSWERED_WITHIN_MS;
    while (performance.now() < endsAt) {
      const server = servers[turn++ % servers.length];
      const answer = await send(server?.origin() ?? '', request);
      if (answer !== undefined) return answer;
      await delay(POLL_MS);
    }
    throw new Contradiction(`nothing answers ${request.method} ${request.path} for ${ANSWERED_WITHIN_MS} ms after the fault`);
  };
}

type Funds = { taken: number; reserved: number };

/** Compares orders, cashouts and funds with what was acknowledged. It remembers what each cashout takes from its fund. */
export type Checker = {
  /** Throws: Contradiction. */
  check(subjects: readonly Subject[]): Promise<void>;
  /** Reads all funds over the API. Throws: Contradiction, where one is not what was taken from it. */
  checkFunds(unsettled: readonly Subject[]): Promise<void>;
};

export function openChecker(stage: Pick<Stage, 'servers' | 'merchants'>): Checker {
  const ask = asker(stage);
  const funds = new Map<string, Funds>(stage.merchants.map(({ merchantId }) => [merchantId, { taken: 0, reserved: 0 }]));
  const known = new Map<string, Funds>();

  const checkOne = async (subject: Subject): Promise<void> => {
    await subject.check(ask);
    const before = known.get(subject.name) ?? { taken: 0, reserved: 0 };
    const now = { taken: subject.taken, reserved: subject.reserved };
    const fund = funds.get(subject.merchantId);
    if (fund === undefined || (before.taken === now.taken && before.reserved === now.reserved)) return;
    known.set(subject.name, now);
    fund.taken += now.taken - before.taken;
    fund.reserved += now.reserved - before.reserved;
  };
  const check = async (subjects: readonly Subject[]): Promise<void> => {
    const waiting = subjects.values();
    const work = async (): Promise<void> => {
      for (const subject of waiting) await checkOne(subject);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  const differences = async (): Promise<readonly string[]> => {
    const all = stage.merchants.map(async ({ merchantId, fixedHash }) => {
      const path = `/cashout/v1/operation/available/${merchantId}?checksum=${checksumOf([merchantId], fixedHash)}`;
      const { data } = await ask({ method: 'GET', path });
      const { balances } = data as { balances: { currency: string; balance: string; reserved: string }[] };
      const shown = balances.find(({ currency }) => currency === 'COP');
      const { taken, reserved } = funds.get(merchantId) as Funds;
      const isRight = Number(shown?.balance) === FUND - taken && Number(shown?.reserved) === reserved;
      return isRight ? [] : [`the fund of ${merchantId} shows ${JSON.stringify(shown)}, not ${FUND - taken} and ${reserved}`];
    });
    return (await Promise.all(all)).flat();
  };
  return {
    check,
    checkFunds: async (unsettled) => {
      const endsAt = performance.now() + SETTLED_WITHIN_MS;
      for (let found = await differences(); found.length > 0; found = await differences()) {
        if (performance.now() > endsAt) throw new Contradiction(found.join('; '));
        await delay(POLL_MS);
        await check(unsettled);
      }
    },
  };
}
