import { listActs, type ListedAct } from '../../src/audit/act-rows.ts';
import type { Db } from '../../src/kit/db.ts';
import { Contradiction, isRecorded } from '../cell.ts';
import type { ModelAct } from '../model/acts.ts';
import { CASHOUT_FACTS } from '../model/managed-cashouts.ts';
import { ORDER_FACTS } from '../model/managed-orders.ts';
import { toText } from '../model/model.ts';
import { flatten } from '../send-http.ts';

/** What the audit log has got. */
export type ActLog = {
  /** Makes the id of a request that belongs to no cell. */
  newRequest(): string;
  /** Says which act such a request has. Without one it has none. `mayLack`: its answer was lost, and nothing shows whether it was done. */
  expect(request: string, act: ModelAct, mayLack?: boolean): void;
  /** Reads the acts since the last call. */
  collect(): Promise<Collected>;
};

type Collected = {
  /** Takes the acts of a request out. */
  take(request: string): readonly ModelAct[];
  /** Compares what is left with what is expected of other requests. Throws: Contradiction. */
  compareRest(): void;
};

/** Of merchants, users and tokens. */
const OFFICE_FACTS = ['frozenAt', 'disabledAt', 'role', 'merchant', 'permissions'];
/** The fields that the model knows. The others hold what it does not: references, ends of days, values of people. */
const COMPARED = new Set([...ORDER_FACTS, ...CASHOUT_FACTS, ...OFFICE_FACTS]);
/** Their acts say in full what was asked for. */
const LEDGER_ACTS = new Set(['topUp', 'moveToFund', 'adjustAccount', 'runSettlement', 'placeHold']);
const MOST = 1_000_000;

/** Reads the acts of one database since the last call. */
function readNew(db: Db): () => Promise<readonly ListedAct[]> {
  let last = 0n;
  let since: Temporal.Instant | undefined;
  return async () => {
    // What the simulation tops up by itself names no request.
    const found = (await listActs(db, { since, limit: MOST })).filter(({ actId, requestId }) => actId > last && requestId !== null);
    for (const { actId, at } of found) {
      if (actId > last) last = actId;
      if (since === undefined || Temporal.Instant.compare(at, since) > 0) since = at;
    }
    return found;
  };
}

/** `dbs`: of all cells, each of which has a log of its own. */
export function openActLog(dbs: readonly Db[]): ActLog {
  const readers = dbs.map(readNew);
  let requests = 0;
  let expected = new Map<string, { readonly act: ModelAct; readonly mayLack: boolean }>();
  return {
    newRequest: () => `other-${++requests}`,
    expect: (request, act, mayLack = false) => void expected.set(request, { act, mayLack }),
    collect: async () => {
      const found = (await Promise.all(readers.map((read) => read()))).flat();
      const left = new Map<string, ModelAct[]>();
      for (const one of found.toReversed()) {
        const request = String(one.requestId);
        left.set(request, [...(left.get(request) ?? []), toModel(one)]);
      }
      return {
        take: (request) => {
          const acts = left.get(request) ?? [];
          left.delete(request);
          return acts;
        },
        compareRest: () => {
          for (const request of new Set([...left.keys(), ...expected.keys()])) {
            const { act, mayLack = false } = expected.get(request) ?? {};
            const found = left.get(request) ?? [];
            if (!isRecorded(act, found) && !(mayLack && found.length === 0))
              throw new Contradiction(`the act of ${request} is ${toText(act)}, and the audit log has ${toText(found)}`);
          }
          expected = new Map();
        },
      };
    },
  };
}

function toModel({ actor, operation, merchantId, target, outcome, content }: ListedAct): ModelAct {
  const details = JSON.parse(content ?? '{}') as { reason?: string; given?: object; changes?: Record<string, readonly [unknown, unknown]> };
  const changes = Object.entries(details.changes ?? {}).filter(([name]) => COMPARED.has(name));
  return {
    actor: `${actor.kind}:${actor.id}`,
    operation,
    merchantId,
    target,
    outcome,
    reason: details.reason ?? null,
    given: LEDGER_ACTS.has(operation) ? flatten(details.given ?? {}) : {},
    changes: Object.fromEntries(
      changes.filter(([, [from, to]]) => from !== to).map(([name, [from, to]]) => [name, [String(from), String(to)]]),
    ),
  };
}
