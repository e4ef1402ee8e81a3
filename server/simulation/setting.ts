import { randomBytes } from 'node:crypto';
import type { Clock } from '../src/kit/clock.ts';
import type { Db } from '../src/kit/db.ts';
import { isRefusal, type Refusal } from '../src/kit/outcome.ts';
import { masterKey, type MasterKeys } from '../src/kit/secrets.ts';
import { openMasterKeys } from '../src/main/keys/master-keys.ts';
import { changeLimits } from '../src/cashouts/limits/set-limits.ts';
import { topUp } from '../src/ledger/index.ts';
import { postingDb } from '../src/testing/posting-db.ts';
import { setFees } from '../src/ledger/fees.ts';
import type { PerCell } from '../src/kit/per-cell.ts';
import { createMerchant, openPlacing } from '../src/merchants/index.ts';
import { createNetwork } from '../src/networks/index.ts';
import type { Secrets } from './send-commands.ts';
import type { ModelMerchant } from './model/model.ts';

export type SimulatedClock = Clock & { advance(ms: number): void };

/** A clock that moves only by advance(). */
export function simulatedClock(): SimulatedClock {
  let now = Temporal.Instant.from('2026-11-21T15:00:00Z');
  return { now: () => now, advance: (ms) => void (now = now.add({ milliseconds: ms })) };
}

export const newKeys = (): MasterKeys => openMasterKeys({ masterKeys: [masterKey(randomBytes(32))], dataDir: '' });

const colombia = { country: '343', timeZone: 'America/Bogota', currencies: ['COP', 'USD'], mayRecur: true } as const;
const FREE = { percentPpm: 0, fixedMinor: 0n, taxPpm: 0 };

/** Three zones, one with summer time; fees that need rounding; one merchant with limits, one with a small fund. */
export const MERCHANTS: readonly Omit<ModelMerchant, 'isFrozen' | 'isDisabled' | 'stoppedAt' | 'signsWith' | 'cell'>[] = [
  {
    merchantId: 'libros',
    name: 'Libros y más',
    ...colombia,
    limits: undefined,
    isAmple: true,
    fees: {
      order: {
        percentPpm: 29e3,
        fixedMinor: 30000n,
        taxPpm: 19e4,
      },
      cashout: {
        percentPpm: 5005,
        fixedMinor: 1n,
        taxPpm: 19e4,
      },
    },
  },
  {
    merchantId: 'tienda',
    name: 'Tienda',
    country: '348',
    timeZone: 'America/Lima',
    currencies: ['PEN', 'USD'],
    mayRecur: false,
    isAmple: true,
    limits: {
      leastMinor: 500n,
      mostMinor: 500000n,
      perDocumentAndDay: 2,
    },
    fees: {
      order: {
        percentPpm: 33333,
        fixedMinor: 0n,
        taxPpm: 18e4,
      },
      cashout: {
        percentPpm: 0,
        fixedMinor: 250n,
        taxPpm: 18e4,
      },
    },
  },
  {
    merchantId: 'viajes',
    name: 'Viajes',
    country: '152',
    timeZone: 'America/Santiago',
    currencies: ['CLP', 'USD'],
    mayRecur: false,
    isAmple: true,
    limits: undefined,
    fees: {
      order: {
        percentPpm: 5e5,
        fixedMinor: 7n,
        taxPpm: 5e5,
      },
      cashout: {
        percentPpm: 123457,
        fixedMinor: 0n,
        taxPpm: 19e4,
      },
    },
  },
  {
    merchantId: 'apuestas',
    name: 'Apuestas',
    ...colombia,
    limits: undefined,
    isAmple: false,
    fees: {
      order: FREE,
      cashout: {
        percentPpm: 1e4,
        fixedMinor: 10000n,
        taxPpm: 19e4,
      },
    },
  },
];

export const NETWORKS = ['efecty', 'baloto', 'paga-todo'] as const;

type Deps = { readonly keys: MasterKeys; readonly clock: Clock };
/** `dbs`: those of all cells. */
type AllDeps = Deps & { readonly dbs: PerCell<Db>; readonly cellOf: (merchantId: string) => number };

/** Creates the merchants with their fees and limits, and the networks. */
export async function prepare(
  { dbs, cellOf, ...shared }: AllDeps,
  urlOf: (merchantId: string) => string,
): Promise<{ readonly secrets: Secrets & { readonly merchants: Map<string, string> }; readonly hashes: ReadonlyMap<string, string> }> {
  const fixedHashes = new Map<string, string>();
  const hashes = new Map<string, string>();
  const networks = new Map<string, string>();
  const place = openPlacing({ ...shared, db: dbs.home, served: new Set(dbs.all.map(([cell]) => cell)) });
  for (const { merchantId, name, country, currencies, fees, limits } of MERCHANTS) {
    const cell = cellOf(merchantId);
    const deps = { ...shared, db: dbs.of(cell), cell };
    if (cell > 0) granted(await place(merchantId, `cell-${cell}`));
    const made = granted(await createMerchant(deps, { merchantId, name, country, currencies, noticeUrl: urlOf(merchantId) }));
    fixedHashes.set(merchantId, made.fixedHash);
    hashes.set(merchantId, made.noticeHash);
    for (const currency of currencies) {
      for (const kind of ['order', 'cashout'] as const) granted(await setFees(deps, { merchantId, kind, currency, ...fees[kind] }));
      if (limits !== undefined) await changeLimits(deps, { merchantId, currency }, limits);
    }
  }
  for (const netname of NETWORKS) networks.set(netname, granted(await createNetwork({ ...shared, db: dbs.home }, { netname })).secret);
  return { secrets: { merchants: fixedHashes, networks }, hashes };
}

export async function fund(deps: Deps & { readonly db: Db }, merchantId: string, currency: string, amountMinor: bigint): Promise<void> {
  granted(await topUp({ ...deps, db: postingDb(deps.db, deps.clock, merchantId) }, { merchantId, currency, amountMinor }));
}

/** Returns the outcome of an operator's command. Throws when it was refused. */
function granted<T>(outcome: T | Refusal): Exclude<T, Refusal> {
  if (isRefusal(outcome)) throw new Error(`the simulation was refused: ${outcome.refusal}`);
  return outcome as Exclude<T, Refusal>;
}
