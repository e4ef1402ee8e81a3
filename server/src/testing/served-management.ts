import type { HttpServer } from '../kit/http.ts';
import { createHttpServer } from '../kit/http.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { createLog } from '../kit/log.ts';
import type { DoneAct } from '../kit/changes/act.ts';
import { refuse } from '../kit/outcome.ts';
import { HOME, HOME_NAME, homeAlone } from '../kit/per-cell.ts';
import {
  manageFaults,
  openViews,
  serveManagement,
  type Actor,
  type ManagementOperation,
  type ManageGates,
  type SignedIn,
} from '../manage/index.ts';
import { testClock } from './test-caudal.ts';

const cursorKey: ServiceKey = {
  current: () => ({ generation: 1, id: 'test', key: Buffer.alloc(32, 1) }),
  valid: () => [cursorKey.current()],
};

/** A management API without users and database: the header `x-actor` names who asks. */
export type ServedAlone = {
  readonly app: HttpServer;
  /** What was recorded. */
  readonly acts: DoneAct[];
  /** Makes the header that signs an actor in. */
  signIn(actor: Partial<Actor>, how?: Partial<SignedIn>): { readonly 'x-actor': string };
};

/** The operations with all that comes before they run. None runs: each answers 409 `reached`. */
export const onlyReached = (operations: readonly ManagementOperation<never>[]): readonly ManagementOperation<object>[] =>
  operations.map(({ keepsAnswersAs: _kept, answer: _answer, cells: _cells, ...rest }) => {
    const refusals = { reached: { status: 409, title: 'Reached', meaning: 'The operation was reached.' } } as const;
    return { ...rest, cells: 'home' as const, refusals, run: () => refuse('reached') };
  });

/** Serves operations by themselves. */
export function serveAlone<Deps>(
  operations: readonly ManagementOperation<Deps>[],
  deps: Deps,
  gates: Partial<ManageGates> = {},
): ServedAlone {
  const app = createHttpServer({ log: createLog('silent'), faultEnvelopes: [manageFaults] });
  const signedIn: SignedIn[] = [];
  const acts: DoneAct[] = [];
  const find: ManageGates['authenticate'] = ({ headers }) => signedIn[Number(headers['x-actor'] ?? -1)];
  const every: ManageGates = {
    authenticate: find,
    lookAgain: async (request) => (await find(request))?.actor,
    recordAct: async (act) => void acts.push(act),
    answerOnce: async (_proved, render, execute) => {
      const outcome = await execute(undefined);
      return 'isReplay' in outcome ? outcome : { answer: render(outcome), isReplay: false };
    },
    admit: async () => () => undefined,
    countUnproved: () => undefined,
    countOverload: () => undefined,
    view: openViews(() => false),
    cursorKey,
    clock: testClock(),
    ...gates,
  };
  serveManagement(
    app,
    every,
    { deps: homeAlone(deps), cellOf: async () => HOME, exists: async () => false, nameOf: () => HOME_NAME, unserved: () => [] },
    operations,
  );
  const NOBODY_YET: Actor = {
    kind: 'user',
    id: '7',
    name: 'ana@example.com',
    role: undefined,
    permissions: new Set(),
    merchantId: undefined,
    actsForMerchant: false,
  };
  return {
    app,
    acts,
    signIn: (actor, how = {}) => {
      const place = signedIn.push({ actor: { ...NOBODY_YET, ...actor }, isByCookie: false, isFresh: true, ...how }) - 1;
      return { 'x-actor': String(place) };
    },
  };
}
