import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { statement } from '../kit/db.ts';
import { signatureHeaders, type Operation } from '../requests/index.ts';
import { ALL_COUNTRIES } from '../merchants/index.ts';
import { setServed, signingSecretOf } from '../networks/index.ts';
import { checksumOf } from './checksum-of.ts';
import { eventually, SOON_MS } from './deadlines.ts';
import type { TestCaudal } from './test-caudal.ts';

let keys = 0;

/** A declared operation of any room, as far as a request is built from it. */
export type AnyOperation = Pick<
  Operation<never>,
  'name' | 'route' | 'effect' | 'from' | 'caller' | 'proof' | 'refusals' | 'fields' | 'path'
>;

/** A request that would succeed. Provocations change it, and the world around it, before it is signed. */
export type Staged = {
  /** The fields of the path and of the source, without the checksum. */
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly secret: string;
  /** Replaces the right checksum; an empty one is left out. */
  checksum?: string;
  /** A part of the query that no field can say, such as a parameter given twice. */
  query?: string;
  /** Replaces the whole body. */
  body?: string;
  /** Undone once the request is answered. */
  readonly cleanUp: (() => Promise<unknown>)[];
};

/** One way to earn a refusal. */
export type Provocation<World extends Staged> = {
  /** What it changes. Two provocations that change the same thing cannot meet in one request. */
  readonly touches: readonly string[];
  /** When it is applied: one of a higher number after all others. 0 where absent. */
  readonly phase?: number;
  readonly apply: (staged: World) => void | Promise<void>;
};

/** How the refusals of one operation are earned. */
export type Scene = {
  readonly stage: () => Promise<Staged>;
  /** Each refusal with one way to earn it, or several, so that it can meet others. */
  readonly provocations: Readonly<Record<string, Ways<Staged>>>;
};
type Ways<World extends Staged> = Provocation<World> | readonly Provocation<World>[];

/** The scenes of a room, by the name of the operation. */
export type Scenes = Readonly<Record<string, Scene>>;

/** Declares a scene, whose provocations know more of the request than other scenes do. */
export const scene = <World extends Staged>(stage: () => Promise<World>, provocations: Readonly<Record<string, Ways<World>>>): Scene => ({
  stage,
  provocations: provocations as Readonly<Record<string, Ways<Staged>>>,
});

/** Changes one field to a value that earns the refusal. */
export const sending = (field: string, value: unknown): Provocation<Staged> => ({
  touches: [field],
  apply: ({ fields }) => void (fields[field] = value),
});

/** Sends no checksum. */
export const WITHOUT_CHECKSUM: Provocation<Staged> = { touches: ['checksum'], apply: (staged) => void (staged.checksum = '') };

/** Sends a checksum that is well-formed and wrong. */
export const WRONG_CHECKSUM: Provocation<Staged> = { touches: ['checksum'], apply: (staged) => void (staged.checksum = '00') };

const OCCUPY = statement(
  'test.occupy_key_of_operation',
  `insert into kept_answers (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
   values ($1, $2, $3, '\\x00', '\\x00', now())`,
);
const WAITING = statement(
  'test.waiting_for_a_key_of_operation',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/**
 * A request with the same Idempotency-Key is being carried out: its transaction waits for a row that another one holds.
 * `keptAs`: the operation's name of kept answers; `first`: sends that request with the key.
 */
export const keyInFlight = <World extends Staged>(
  { db }: Pick<TestCaudal, 'db'>,
  merchantId: string,
  keptAs: string,
  first: (staged: World, headers: Record<string, string>) => Promise<unknown>,
): Provocation<World> => ({
  touches: ['key'],
  apply: async (staged) => {
    const key = `occupied-${++keys}`;
    const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = db.transaction(async (tx) => {
      await tx.query(OCCUPY, [merchantId, keptAs, key]);
      held.resolve();
      await end.promise;
      throw new Error('the row is not kept');
    });
    await held.promise;
    const answered = first(staged, { 'idempotency-key': key });
    await eventually(SOON_MS, async () => expect(await db.query(WAITING, [])).toHaveLength(1));
    staged.headers['idempotency-key'] = key;
    staged.cleanUp.push(async () => {
      end.resolve();
      await holding.catch(() => undefined);
      await answered;
    });
  },
});

/** The network serves another country. Last: until then its requests succeed. */
export const servedElsewhere = (
  { db, networks }: Pick<TestCaudal, 'db' | 'networks'>,
  netname: string,
  country: string,
): Provocation<Staged> => {
  const setCountries = async (countries: readonly string[]): Promise<void> => {
    await setServed({ db }, netname, { countries });
    await eventually(SOON_MS, async () => expect(await networks.find(netname)).toMatchObject({ countries }));
  };
  return {
    touches: ['served'],
    phase: 5,
    apply: async ({ cleanUp }) => {
      await setCountries([country]);
      cleanUp.push(() => setCountries(ALL_COUNTRIES));
    },
  };
};

/** What a request is answered. */
export type Refused = { readonly status: number; readonly code: string; readonly text: string };

/** Stages a request, applies the provocations in order, and sends it. */
export async function provoke(
  { app, clock }: Pick<TestCaudal, 'app' | 'clock'>,
  operation: AnyOperation,
  { stage }: Scene,
  provocations: readonly Provocation<Staged>[],
): Promise<Refused> {
  const staged = await stage();
  for (const { apply } of provocations.toSorted((one, other) => (one.phase ?? 0) - (other.phase ?? 0))) await apply(staged);
  const request = requestOf(operation, staged);
  if (operation.caller === 'network') sign(request, staged.secret, clock.now());
  const response = await app.inject(request);
  for (const undo of staged.cleanUp) await undo();
  const body = response.json<Record<'CODE' | 'DESC' | 'code' | 'text', string>>();
  return { status: response.statusCode, code: body.CODE ?? body.code, text: body.DESC ?? body.text };
}

/** Signs the request as a network does. */
function sign(request: InjectOptions, secret: string, now: Temporal.Instant): void {
  const { method = '', url, payload } = request as { method?: string; url: string; payload: string };
  const content = { method, url, body: Buffer.from(payload) };
  request.headers = { ...request.headers, ...signatureHeaders(signingSecretOf(secret), content, now) };
}

/** Builds the request from the declaration: path, source and checksum. */
export function requestOf(
  { route, from, path = {}, proof }: AnyOperation,
  { fields, headers, secret, checksum, query = '', body }: Staged,
): InjectOptions {
  const [method, template = ''] = route.split(' ');
  const right =
    proof.length === 0
      ? undefined
      : checksumOf(
          proof.map((name) => fields[name] ?? ''),
          secret,
        );
  const sent = { ...fields, ...(right === undefined || checksum === '' ? {} : { checksum: checksum ?? right }) };
  const given = Object.entries(sent).filter(([name, value]) => !(name in path) && value !== undefined);
  const url = template.replace(/:([a-z]+)/g, (_, name: string) => encodeURIComponent(String(sent[name as keyof typeof sent])));
  if (from === 'body' || from === 'body, query')
    return {
      method: method as 'POST',
      url: query === '' ? url : `${url}?${query.slice(1)}`,
      headers,
      payload: body ?? JSON.stringify(Object.fromEntries(given)),
    };
  const parameters = new URLSearchParams(given);
  return { method: method as 'GET', url: `${url}?${parameters.toString()}${query}`, headers };
}

/** The ways to earn a refusal. */
export const waysOf = ({ provocations }: Scene, refusal: string): readonly Provocation<Staged>[] => [provocations[refusal] ?? []].flat();

/** Two refusals that one request can earn, the earlier one first. */
export type Pair = {
  readonly names: string;
  readonly earlier: Provocation<Staged>;
  readonly later: Provocation<Staged>;
};

/** The pairs of an operation's refusals: those that one request can earn, and those that cannot meet. */
export function pairsOf(
  { refusals }: AnyOperation,
  scene: Scene,
): { readonly meeting: readonly Pair[]; readonly apart: readonly string[] } {
  const names = Object.keys(refusals);
  const all = names.flatMap((earlier, index) => names.slice(index + 1).map((later) => [earlier, later] as const));
  const found = all.map(([earlier, later]) => {
    const ways = waysOf(scene, earlier).flatMap((one) => waysOf(scene, later).map((other) => [one, other] as const));
    const way = ways.find(([one, other]) => !one.touches.some((thing) => other.touches.includes(thing)));
    return { names: `${earlier}, ${later}`, way };
  });
  return {
    meeting: found.flatMap(({ names, way }) => (way === undefined ? [] : [{ names, earlier: way[0], later: way[1] }])),
    apart: found.flatMap(({ names, way }) => (way === undefined ? [names] : [])),
  };
}
