import { Type } from 'typebox';
import { doneAct } from '../../kit/changes/act.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import {
  cutPage,
  managementOperation,
  ROOM_PROBLEMS,
  schemas,
  type ManagementOperation,
  type ManagementRequest,
} from '../../manage/index.ts';
import { countRecoveryCodes } from '../credentials/credential-rows.ts';
import { changeUser, inviteUser, resetUser, type Invited } from '../change-user.ts';
import { endSessions, listSessions } from '../sessions.ts';
import { emailKeyOf, isOfMerchant, mayTouch, type User } from '../user.ts';
import { linkUrl } from '../user-mail.ts';
import type { UserRoom } from '../user-room.ts';
import { selectUser, selectUsers } from '../user-rows.ts';
import { email, id, language, name, role, SESSION, showSession, showUser, USER } from './user-schemas.ts';

const { instant, merchantId, oneOf, orNull, answerObject } = schemas;

const LINKED = answerObject({
  user: USER,
  link: orNull(Type.String({ maxLength: 500, description: 'Null: a mail carries it, or the actor is bound to a merchant.' })),
  linkEndsAt: instant,
});
/**
 * Where no mail goes out, and at the command line, the answer shows the link.
 * Not to a merchant's people: a link that does not work would say that the account is elsewhere.
 */
const showLink = ({ user, link }: Invited, { actor }: Pick<ManagementRequest, 'actor'>, { messages, consoleUrl }: UserRoom) => ({
  user: showUser(user),
  link: isOfMerchant(actor) || (messages.writes.mail && actor.kind !== 'command') ? null : linkUrl(consoleUrl(), link.text),
  linkEndsAt: link.expiresAt.toString(),
});

const userPath = Type.Object({ user: id });
const ROLE_REFUSALS = {
  role_needs_merchant: {
    status: 422,
    title: 'The role belongs to one merchant',
    meaning: 'Name the merchant of an administrator, clerk or viewer.',
    words: {
      es: 'Ese rol es de un comercio. Diga de cuál',
      en: 'This role is of one merchant. Say of which',
      pt: 'Esse perfil é de um estabelecimento. Diga de qual',
    },
  },
  role_takes_no_merchant: {
    status: 422,
    title: 'The role does not belong to a merchant',
    meaning: 'A role of the service covers every merchant: `merchant` is null.',
    words: {
      es: 'Ese rol es del servicio, y no de un comercio',
      en: 'This role is of the service, and of no merchant',
      pt: 'Esse perfil é do serviço, e não de um estabelecimento',
    },
  },
  role_not_yours: {
    status: 403,
    title: 'You cannot grant this role',
    meaning: 'It has a permission that you lack, or belongs to another merchant.',
    words: {
      es: 'Usted no puede dar ese rol: permite más que el suyo, o es de otro comercio',
      en: 'You may not give this role: it allows more than yours, or is of another merchant',
      pt: 'Você não pode dar esse perfil: permite mais que o seu, ou é de outro estabelecimento',
    },
    line: ['This role may not be given.', 1],
  },
  merchant_unknown: ROOM_PROBLEMS.merchant_unknown,
  name_invalid: ROOM_PROBLEMS.name_invalid,
} as const;

const USER_EXISTS = {
  status: 409,
  title: 'The address is already taken',
  meaning: 'Each address belongs to one user, of the service or of a merchant.',
  words: {
    es: 'Ya existe un usuario con ese correo',
    en: 'There is a user with this address already',
    pt: 'Já existe um usuário com esse e-mail',
  },
  line: ['There is a user {email} already.', 1],
} as const;

/** The values of a user that an act names. E-mail and name are values of a person. */
const actValues = ({ email, name: called, role: held, merchantId: merchant, language: spoken, state }: User) => ({
  email,
  name: called,
  role: held,
  merchant,
  language: spoken,
  state,
});
const target = ({ userId, merchantId: merchant }: User) => ({ kind: 'user', id: userId, merchantId: merchant ?? undefined });

export const listUsers = managementOperation({
  name: 'listUsers',
  route: 'GET /manage/v1/users',
  tag: 'Users',
  summary: 'List users',
  names: { es: 'Ver la lista de usuarios', pt: 'Ver a lista de usuários' },
  description: 'By address. An actor that is bound to a merchant sees the users of that merchant.',
  permission: 'users:read',
  scope: 'merchant',
  cells: 'home',
  query: Type.Object({
    merchant: Type.Optional(merchantId),
    email: Type.Optional(email),
    state: Type.Optional(oneOf(['invited', 'active', 'disabled'], 'Only users in this state.')),
    role: Type.Optional(role),
  }),
  shows: USER,
  run: async ({ merchantId: only, query, page: { after, limit } }, { db }: UserRoom) => {
    const [key, userId] = after ?? [];
    const start = typeof key === 'string' && typeof userId === 'string' ? ([key, userId] as const) : undefined;
    const { state, role: held, email: address } = query;
    // What is not an address belongs to nobody.
    const emailKey = address === undefined ? undefined : (emailKeyOf(address) ?? '');
    return { found: await selectUsers(db, { merchantId: only, state, role: held, emailKey, after: start, limit: limit + 1 }) };
  },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showUser, ({ email: last, userId }) => [emailKeyOf(last) ?? '', userId]),
});

export const readUser = managementOperation({
  name: 'readUser',
  route: 'GET /manage/v1/users/{user}',
  tag: 'Users',
  summary: 'Show one user',
  permission: 'users:read',
  scope: 'merchant',
  cells: 'home',
  description: 'The sessions and the number of recovery codes are null without the permission users:write.',
  path: userPath,
  shows: answerObject({
    ...USER.properties,
    recoveryCodes: orNull(Type.Integer({ description: 'How many are left.' })),
    sessions: orNull(Type.Array(answerObject(SESSION))),
  }),
  run: async ({ actor, path: { user: userId } }, { db, clock }: UserRoom) => {
    const user = await selectUser(db, userId);
    if (user === undefined || !mayTouch(actor, user)) return refuse('not_found');
    if (!actor.permissions.has('users:write')) return { user, recoveryCodes: null, sessions: null };
    const sessions = await listSessions(db, userId, clock.now());
    return { user, recoveryCodes: await countRecoveryCodes(db, userId), sessions };
  },
  answer: ({ user, recoveryCodes, sessions }) => ({
    etag: String(user.version),
    body: { ...showUser(user), recoveryCodes, sessions: sessions?.map(showSession) ?? null },
  }),
});

export const invite = managementOperation({
  name: 'inviteUser',
  route: 'POST /manage/v1/users',
  tag: 'Users',
  summary: 'Invite a user',
  names: { es: 'Invitar a un usuario', pt: 'Convidar um usuário' },
  description: 'A mail carries the link. Where the service sends no mail, its own side gets the link in the answer, once.',
  permission: 'users:write',
  scope: 'merchant',
  cells: 'home',
  status: 201,
  stepUp: true,
  body: Type.Object({ email, name, role, merchant: Type.Optional(orNull(merchantId)), language }),
  refusals: {
    ...ROLE_REFUSALS,
    email_invalid: {
      status: 422,
      title: 'Invalid e-mail address',
      meaning: 'Give one address, without a display name.',
      words: {
        es: 'Escriba un solo correo, sin nombre',
        en: 'Write one e-mail address, without a name',
        pt: 'Escreva um só e-mail, sem nome',
      },
    },
    user_exists: USER_EXISTS,
  },
  shows: LINKED,
  run: async ({ actor, origin, body }, room: UserRoom) => {
    const merchant = body.merchant ?? actor.merchantId ?? null;
    if (merchant !== null && (await room.merchants.find(merchant)) === undefined) return refuse('merchant_unknown');
    return room.db.transaction(async (tx) => {
      const outcome = await inviteUser(room, tx, actor, { ...body, merchantId: merchant });
      if (!isRefusal(outcome)) {
        const { user } = outcome;
        room.recordActs(tx, [doneAct(origin, user.createdAt, { target: target(user), after: actValues(user) })]);
      }
      return outcome;
    });
  },
  answer: (invited, request, room) => ({ etag: String(invited.user.version), body: showLink(invited, request, room) }),
});

export const change = managementOperation({
  name: 'changeUser',
  route: 'PATCH /manage/v1/users/{user}',
  tag: 'Users',
  summary: 'Change, disable or enable a user',
  names: { es: 'Cambiar, desactivar o activar un usuario', pt: 'Alterar, desativar ou ativar um usuário' },
  description:
    'What is absent stays. A new role or state ends the sessions of the user at once. A user that is enabled and never enrolled is invited: reset it.',
  permission: 'users:write',
  scope: 'merchant',
  cells: 'home',
  stepUp: true,
  takesIfMatch: 'required',
  path: userPath,
  body: Type.Object({
    name: Type.Optional(name),
    role: Type.Optional(role),
    merchant: Type.Optional(orNull(merchantId)),
    language: Type.Optional(language),
    state: Type.Optional(oneOf(['active', 'disabled'], 'Disabled: the user is let in no more.')),
  }),
  refusals: {
    ...ROLE_REFUSALS,
    last_owner: {
      status: 409,
      title: 'This is the last owner',
      meaning: 'Make another active owner first.',
      words: {
        es: 'Es el último propietario. Nombre primero a otro',
        en: 'This is the last owner. Make another one first',
        pt: 'É o último proprietário. Nomeie outro primeiro',
      },
      line: ['{email} is the last owner: make another one first.', 1],
    },
    not_enrolled: {
      status: 409,
      title: 'The invitation has not been accepted yet',
      meaning: 'A user becomes active by following the link in the invitation.',
      words: {
        es: 'La persona no ha aceptado la invitación todavía',
        en: 'The person has not accepted the invitation yet',
        pt: 'A pessoa ainda não aceitou o convite',
      },
      line: ['The user {email} has not accepted the invitation yet.', 1],
    },
  },
  shows: USER,
  run: async ({ actor, origin, path: { user: userId }, body: { merchant, ...body }, ifMatch }, room: UserRoom) => {
    if (typeof merchant === 'string' && (await room.merchants.find(merchant)) === undefined) return refuse('merchant_unknown');
    const isRight = (version: number): boolean => ifMatch === 'any' || ifMatch?.includes(String(version)) === true;
    return room.db.transaction(async (tx) => {
      const changed = await changeUser(room, tx, actor, userId, { ...body, merchantId: merchant }, isRight);
      if (isRefusal(changed)) return changed.refusal === 'user_unknown' ? refuse('not_found') : refuse(changed.refusal);
      room.recordActs(tx, [
        doneAct(origin, changed.user.updatedAt, {
          target: target(changed.user),
          before: actValues(changed.before),
          after: actValues(changed.user),
        }),
      ]);
      return changed;
    });
  },
  answer: ({ user }) => ({ etag: String(user.version), body: showUser(user) }),
});

export const reset = managementOperation({
  name: 'resetUser',
  route: 'POST /manage/v1/users/{user}/reset',
  tag: 'Users',
  summary: 'Let a user enrol again',
  names: { es: 'Pedir a un usuario que se inscriba otra vez', pt: 'Pedir que um usuário se cadastre de novo' },
  description: 'Password, authenticator app, recovery codes and sessions end. A mail carries the link to enrol.',
  permission: 'users:write',
  scope: 'merchant',
  cells: 'home',
  stepUp: true,
  path: userPath,
  refusals: {
    role_needs_merchant: ROLE_REFUSALS.role_needs_merchant,
    role_takes_no_merchant: ROLE_REFUSALS.role_takes_no_merchant,
    role_not_yours: ROLE_REFUSALS.role_not_yours,
    user_disabled: {
      status: 409,
      title: 'The user is disabled',
      meaning: 'Enable the user first.',
      words: {
        es: 'El usuario está desactivado. Actívelo primero',
        en: 'The user is disabled. Enable it first',
        pt: 'O usuário está desativado. Ative-o primeiro',
      },
      line: ['The user {email} is disabled: enable it first.', 1],
    },
    user_exists: USER_EXISTS,
  },
  shows: LINKED,
  run: ({ actor, origin, path: { user: userId } }, room: UserRoom) =>
    room.db.transaction(async (tx) => {
      const done = await resetUser(room, tx, actor, userId);
      if (isRefusal(done)) return done.refusal === 'user_unknown' ? refuse('not_found') : refuse(done.refusal);
      room.recordActs(tx, [doneAct(origin, room.clock.now(), { target: target(done.user) })]);
      return done;
    }),
  answer: (done, request, room) => ({ body: showLink(done, request, room) }),
});

export const signOut = managementOperation({
  name: 'signOutUser',
  route: 'POST /manage/v1/users/{user}/sign-out',
  tag: 'Users',
  summary: 'End all sessions of a user',
  names: { es: 'Cerrar las sesiones de un usuario', pt: 'Encerrar as sessões de um usuário' },
  permission: 'users:write',
  scope: 'merchant',
  cells: 'home',
  path: userPath,
  shows: answerObject({ ended: Type.Integer() }),
  run: ({ actor, origin, path: { user: userId } }, { db, clock, recordActs }: UserRoom) =>
    db.transaction(async (tx) => {
      const user = await selectUser(tx, userId);
      if (user === undefined || !mayTouch(actor, user)) return refuse('not_found');
      const ended = await endSessions(tx, userId);
      recordActs(tx, [doneAct(origin, clock.now(), { target: target(user) })]);
      return { ended };
    }),
  answer: (body) => ({ body }),
});

/** The operations on users. */
export const peopleManagement: readonly ManagementOperation<UserRoom>[] = [listUsers, readUser, invite, change, reset, signOut];
