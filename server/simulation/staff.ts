import type { Clock } from '../src/kit/clock.ts';
import type { Db } from '../src/kit/db.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { ALL_PERMISSIONS, type Permission } from '../src/manage/index.ts';
import { MAX_TOKEN_DAYS } from '../src/users/token-days.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import { setPassword } from '../src/users/credentials/credential-rows.ts';
import { openSession } from '../src/users/sessions.ts';
import { insertUser, updateUser } from '../src/users/user-rows.ts';
import { SESSION_MS, type ModelActor, type ModelRole } from './model/actors.ts';
import type { Random } from './random.ts';
import type { Credentials } from './send-managed.ts';
import { commandActor } from '../src/manage/run-here.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

/** The actors of a simulation, and their sessions and tokens. */
export type Staff = Credentials & {
  readonly actors: Map<string, ModelActor>;
  /** Addresses with an account elsewhere that a merchant's people invited, each with that merchant. */
  readonly placeholders: Set<string>;
  /** Adds a token that somebody made. */
  addToken(actor: ModelActor, token: string): void;
  /** Lets users sign in whose sessions may have ended. Some do not, and are refused. Tokens are made again before they end. */
  signIn(random: Random): Promise<void>;
};

const USERS: readonly (readonly [name: string, role: ModelRole, merchantId?: string])[] = [
  ['olga', 'owner'],
  ['oscar', 'operations'],
  ['flor', 'finance'],
  ['sofia', 'support'],
  ['aura', 'auditor'],
  ['adela', 'administrator', 'libros'],
  ['ciro', 'clerk', 'tienda'],
  ['celia', 'clerk', 'viajes'],
  ['vera', 'viewer', 'apuestas'],
];

const TOKENS: readonly (readonly [name: string, permissions: readonly Permission[], merchantId?: string])[] = [
  ['console', ALL_PERMISSIONS],
  ['reader', ['orders:read', 'cashouts:read']],
  ['till', ['orders:write', 'cashouts:write', 'notices:send'], 'libros'],
  ['counter', ['cashouts:read', 'cashouts:write', 'notices:send'], 'apuestas'],
  ['kiosk', ['cashouts:write', 'notices:send'], 'tienda'],
];

/** No session lives longer. */
const LIFE_MS = 12 * 3_600_000;
/** A token ends after 365 days. */
const TOKEN_MS = 300 * 24 * 3_600_000;
const FROM = { address: '192.0.2.7', browser: 'simulation' };

/** Creates a user who has accepted the invitation. It has a credential: who has none is invited again when enabled. */
async function createUser({ db, clock }: Deps, [first, role, merchantId]: (typeof USERS)[number]): Promise<ModelActor> {
  const name = `${first}@example.com`;
  const invitation = { email: name, name: first, role, merchantId: merchantId ?? null, language: 'en' } as const;
  const { userId: id, version } = await db.transaction(async (tx) => {
    const user = await insertUser(tx, invitation, name, clock.now());
    if (user === undefined) throw new Error(`the simulation has two users ${name}`);
    setPassword(tx, user.userId, 'nobody signs in with it', clock.now());
    return updateUser(tx, { ...user, state: 'active' }, clock.now());
  });
  return { ...NEW, kind: 'user', id, name, role, merchantId, version, permissions: [] };
}

/** What every new actor has. */
const NEW = {
  user: undefined,
  madeBy: undefined,
  endsAt: Infinity,
  isOwnOfMerchant: true,
  version: 0,
  isActive: true,
  provedAt: 0,
} as const;

/** Creates the actors: users of every role and tokens, some bound to a merchant. */
export async function openStaff({ db, clock }: Deps): Promise<Staff> {
  const actors = new Map<string, ModelActor>();
  const headers = new Map<string, Readonly<Record<string, string>>>();
  const startSession = async (actor: ModelActor): Promise<void> => {
    const now = clock.now();
    const { text } = await db.transaction(async (tx) => openSession(tx, actor.id, FROM, now));
    headers.set(actor.name, { cookie: `__Host-caudal=${text}`, host: 'localhost', origin: 'http://localhost' });
    actor.provedAt = now.epochMilliseconds;
  };
  const makeAgain = async (actor: ModelActor): Promise<void> => {
    const { name, permissions, merchantId = null } = actor;
    const token = { name, permissions: permissions as readonly Permission[], merchantId, days: MAX_TOKEN_DAYS };
    const made = await db.transaction(async (tx) => makeToken(tx, commandActor('test'), { userId: null }, token, clock.now()));
    if (isRefusal(made)) throw new Error(`the simulation was refused: ${made.refusal}`);
    actor.id = made.tokenId;
    actor.provedAt = clock.now().epochMilliseconds;
    headers.set(name, { authorization: `Bearer ${made.token}` });
  };

  for (const terms of USERS) {
    const actor = await createUser({ db, clock }, terms);
    actors.set(actor.name, actor);
    await startSession(actor);
  }
  for (const [name, permissions, merchantId] of TOKENS) {
    const actor: ModelActor = { ...NEW, kind: 'token', id: '', name, role: undefined, merchantId, permissions };
    actors.set(name, actor);
    await makeAgain(actor);
  }
  return {
    actors,
    placeholders: new Set(),
    headersOf: (name) => headers.get(name) ?? {},
    addToken: (actor, token) => {
      actors.set(actor.name, actor);
      headers.set(actor.name, { authorization: `Bearer ${token}` });
    },
    signIn: async (random) => {
      const now = clock.now().epochMilliseconds;
      for (const actor of actors.values()) {
        const age = now - actor.provedAt;
        if (actor.endsAt === Infinity && actor.kind === 'token' && age > TOKEN_MS) await makeAgain(actor);
        if (actor.kind === 'token' || !actor.isActive || age < SESSION_MS) continue;
        if (age < LIFE_MS || random.chance(0.8)) await startSession(actor);
      }
    },
  };
}
