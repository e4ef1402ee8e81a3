import { drawStaff } from './ask-actor.ts';
import { doneAct } from '../model/acts.ts';
import { actsForMerchant, inActs, isMerchants, may, permissionsOf, ROLE_NAMES, type ModelActor, type ModelRole } from '../model/actors.ts';
import type { OfficeAct, Shown } from './office-act.ts';
import type { Random } from '../random.ts';
import { MERCHANTS } from '../setting.ts';
import type { Simulation } from '../simulation.ts';

/** A role of a merchant's side, and the merchant; mostly they fit. */
function drawRole(random: Random): { readonly role: ModelRole; readonly merchantId: string | undefined } {
  const role = random.pick(ROLE_NAMES.filter((one) => one !== 'owner'));
  const isBound = random.chance(0.1) ? !isMerchants(role) : isMerchants(role);
  return { role, merchantId: isBound ? random.pick(MERCHANTS).merchantId : undefined };
}

/** Why somebody may not give a role. Undefined: it may. */
function refusalOfRole(giver: ModelActor, { role, merchantId }: Pick<ModelActor, 'merchantId' | 'role'>): string | undefined {
  if (role === undefined) throw new Error('a token has no role');
  if (isMerchants(role) !== (merchantId !== undefined)) return isMerchants(role) ? 'role_needs_merchant' : 'role_takes_no_merchant';
  const isOther = giver.merchantId !== undefined && giver.merchantId !== merchantId;
  return isOther || !permissionsOf(role).every((one) => may(giver, one)) ? 'role_not_yours' : undefined;
}

const shown = ({ role, merchantId }: { role: ModelRole | undefined; merchantId: string | undefined }, state: string) => ({
  role: String(role),
  merchant: merchantId ?? 'null',
  state,
});
const stateOf = (isActive: boolean): string => (isActive ? 'active' : 'disabled');

/** Gives a user another role, disables it or enables it again. The owner stays. */
export function changedUser(simulation: Simulation, random: Random): OfficeAct {
  const users = [...simulation.staff.actors.values()].filter(({ kind, role }) => kind === 'user' && role !== 'owner');
  const user = random.pick(users);
  const isActive = random.chance(0.4) ? !user.isActive : user.isActive || random.chance(0.5);
  const { role, merchantId } = random.chance(0.4) ? drawRole(random) : user;
  const demand = { permission: 'users:write', merchantId, isSensitive: true };
  const actor = drawStaff(simulation, random, demand);
  const isSeen = actor.merchantId === undefined || actor.merchantId === user.merchantId;
  const before = { ...user, state: stateOf(user.isActive) };
  const after = { role, merchantId };
  const isStale = random.chance(0.1);
  const ifMatch = random.chance(0.2) && !isStale ? '*' : `"${isStale ? user.version - 1 : user.version}"`;
  return {
    actor,
    operation: 'changeUser',
    on: { merchantId: merchantId ?? actor.merchantId ?? null, target: `user ${user.id}` },
    demand,
    request: {
      method: 'PATCH',
      path: `/users/${user.id}`,
      headers: { 'if-match': ifMatch },
      body: { role, merchant: merchantId ?? null, state: stateOf(isActive) },
    },
    refusal: isSeen ? (isStale ? 'version_mismatch' : (refusalOfRole(actor, user) ?? refusalOfRole(actor, after))) : 'not_found',
    shows: { role, state: stateOf(isActive) },
    etag: String(user.version + 1),
    act: () =>
      doneAct(
        inActs(actor),
        { operation: 'changeUser', merchantId: merchantId ?? actor.merchantId ?? null, target: `user ${user.id}` },
        shown(before, before.state),
        shown(after, stateOf(isActive)),
      ),
    done: () => {
      // Its sessions end at once. Without a change they stay.
      if (user.role !== role || user.merchantId !== merchantId || user.isActive !== isActive) user.provedAt = -Infinity;
      Object.assign(user, { role, merchantId, isActive, version: user.version + 1 });
    },
    look: async (look) => {
      const found = await look(`/users/${user.id}`);
      return found['version'] === user.version ? 'not done' : found;
    },
  };
}

let invited = 0;

/** Invites somebody, who never comes. */
export function invitedUser(simulation: Simulation, random: Random): OfficeAct {
  const { role, merchantId } = drawRole(random);
  const demand = { permission: 'users:write', merchantId, isSensitive: true };
  const actor = drawStaff(simulation, random, demand);
  const known = random.chance(0.2) ? random.pick([...simulation.staff.actors.values()].filter(({ kind }) => kind === 'user')) : undefined;
  const email = known?.name ?? `invited-${++invited}@example.com`;
  const merchant = merchantId ?? actor.merchantId;
  // Who is bound to a merchant learns of no user elsewhere. The first invitation of such an address seems to work.
  const placeholder = `${email} ${merchant}`;
  const isElsewhere = known !== undefined && actor.merchantId !== undefined && known.merchantId !== actor.merchantId;
  const isTaken = known !== undefined && !(isElsewhere && !simulation.staff.placeholders.has(placeholder));
  return {
    actor,
    operation: 'inviteUser',
    on: { merchantId: actor.merchantId ?? null, target: null },
    demand,
    request: {
      method: 'POST',
      path: '/users',
      body: { email, name: 'Invited', role, language: 'en', ...(merchantId === undefined ? {} : { merchant: merchantId }) },
    },
    refusal: refusalOfRole(actor, { role, merchantId: merchant }) ?? (isTaken ? 'user_exists' : undefined),
    act: ({ user }) => {
      const { id } = user as { readonly id: string };
      const parts = { operation: 'inviteUser', merchantId: merchant ?? null, target: `user ${id}` };
      return doneAct(inActs(actor), parts, {}, shown({ role, merchantId: merchant }, 'invited'));
    },
    done: () => {
      if (isElsewhere) simulation.staff.placeholders.add(placeholder);
    },
    look: async (look) => {
      const { items } = await look(`/users?email=${encodeURIComponent(email)}`, 'listUsers');
      const user = (items as readonly Shown[]).find((one) => one['merchant'] === (merchant ?? null));
      return user === undefined ? 'not done' : { user };
    },
  };
}

/** Tokens that people make. */
const MOST_TOKENS = 5;
const TOKEN_DAYS = 365;
const PERMISSIONS = ['orders:read', 'orders:write', 'cashouts:read', 'cashouts:write', 'notices:send', 'figures:read', 'tokens:write'];

/** Makes a token with some permissions, or ends one. */
export function changedToken(simulation: Simulation, random: Random): OfficeAct {
  const tokens = [...simulation.staff.actors.values()].filter(({ name }) => name.startsWith('made-'));
  const isEnd = tokens.length > 0 && random.chance(tokens.filter(({ isActive }) => isActive).length < MOST_TOKENS ? 0.3 : 1);
  return isEnd ? endedToken(simulation, random, random.pick(tokens)) : madeToken(simulation, random);
}

let made = 0;

function madeToken(simulation: Simulation, random: Random): OfficeAct {
  const { staff, clock } = simulation;
  const merchantId = random.chance(0.6) ? random.pick(MERCHANTS).merchantId : undefined;
  const demand = { permission: 'tokens:write', merchantId, isSensitive: true };
  const actor = drawStaff(simulation, random, demand);
  const permissions = random.shuffle(PERMISSIONS).slice(0, 1 + random.below(PERMISSIONS.length));
  const merchant = merchantId ?? actor.merchantId;
  const name = `made-${++made}`;
  const body = { name, permissions, days: TOKEN_DAYS, ...(merchantId === undefined ? {} : { merchant: merchantId }) };
  return {
    actor,
    operation: 'createToken',
    on: { merchantId: actor.merchantId ?? null, target: null },
    demand,
    request: { method: 'POST', path: '/tokens', body },
    refusal: permissions.every((one) => may(actor, one)) ? undefined : 'permission_not_yours',
    act: ({ id }) =>
      doneAct(
        inActs(actor),
        { operation: 'createToken', merchantId: merchant ?? null, target: `token ${String(id)}` },
        {},
        { permissions: permissions.join(), merchant: merchant ?? 'null' },
      ),
    done: ({ id, token, endsAt }) => {
      // A token that was lost with its answer is used by nobody.
      if (token === undefined) return;
      staff.addToken(
        {
          kind: 'token',
          id: String(id),
          name,
          role: undefined,
          permissions,
          user: actor.kind === 'user' ? actor : actor.user,
          madeBy: actor.kind === 'token' ? actor : undefined,
          isOwnOfMerchant: actsForMerchant(actor),
          merchantId: merchant,
          version: 0,
          isActive: true,
          provedAt: clock.now().epochMilliseconds,
          endsAt: Temporal.Instant.from(String(endsAt)).epochMilliseconds,
        },
        token as string,
      );
    },
    look: async (look) => {
      const { items } = await look('/tokens?limit=200');
      return (items as readonly Shown[]).find((one) => one['name'] === name) ?? 'not done';
    },
  };
}

function endedToken(simulation: Simulation, random: Random, token: ModelActor): OfficeAct {
  const { staff, clock } = simulation;
  const demand = { permission: 'tokens:write' };
  const actor = drawStaff(simulation, random, demand);
  const isSeen = actor.merchantId === undefined || actor.merchantId === token.merchantId;
  const isOver = !token.isActive || clock.now().epochMilliseconds >= token.endsAt;
  return {
    actor,
    operation: 'endToken',
    on: { merchantId: actor.merchantId ?? null, target: `token ${token.id}` },
    demand,
    request: { method: 'DELETE', path: `/tokens/${token.id}` },
    refusal: isSeen && !isOver ? undefined : 'not_found',
    act: () => doneAct(inActs(actor), { operation: 'endToken', merchantId: actor.merchantId ?? null, target: `token ${token.id}` }, {}, {}),
    done: () => {
      // All that it made end with it.
      token.isActive = false;
      for (const one of staff.actors.values()) if (one.madeBy !== undefined && !one.madeBy.isActive) one.isActive = false;
    },
    look: async (look) => {
      const { items } = await look('/tokens?limit=200');
      const found = (items as readonly Shown[]).find((one) => one['id'] === token.id);
      const endsAt = Temporal.Instant.from(String(found?.['endsAt'])).epochMilliseconds;
      return endsAt <= clock.now().epochMilliseconds ? {} : 'not done';
    },
  };
}
