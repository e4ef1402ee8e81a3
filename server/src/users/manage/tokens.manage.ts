import { Type } from 'typebox';
import { doneAct } from '../../kit/changes/act.ts';
import type { Tx } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import {
  ALL_PERMISSIONS,
  cutPage,
  managementOperation,
  ROOM_PROBLEMS,
  schemas,
  type Actor,
  type ManagementOperation,
} from '../../manage/index.ts';
import { runAloneOnce } from '../../requests/index.ts';
import { endToken, listTokens, makerOf, makeToken, type ListedToken, type MadeToken, type TokenRefusal } from '../access-tokens.ts';
import { MAX_TOKEN_DAYS } from '../token-days.ts';
import type { UserRoom } from '../user-room.ts';
import { email, id, name } from './user-schemas.ts';

const { instant, merchantId, oneOf, orNull, answerObject, showInstant } = schemas;

const permissions = Type.Array(oneOf(ALL_PERMISSIONS, 'The right to run some operations.'), {
  minItems: 1,
  maxItems: ALL_PERMISSIONS.length,
});

const showToken = (
  { tokenId, merchantId: merchant, makerMerchantId, madeBy, createdAt, expiresAt, lastUsedAt, ...rest }: ListedToken,
  { merchantId: boundTo }: Pick<Actor, 'merchantId'>,
): object => ({
  id: tokenId,
  ...rest,
  merchant,
  madeBy: boundTo === undefined || makerMerchantId === boundTo ? madeBy : null,
  createdAt: createdAt.toString(),
  endsAt: expiresAt.toString(),
  lastUsedAt: showInstant(lastUsedAt),
});

export const tokenList = managementOperation({
  name: 'listTokens',
  route: 'GET /manage/v1/tokens',
  tag: 'Tokens',
  summary: 'List access tokens',
  description:
    'The newest first, for 90 days after their end. Never the token itself. Who is bound to a merchant does not read who of the service made one.',
  permission: 'tokens:write',
  scope: 'merchant',
  cells: 'home',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: answerObject({
    id,
    name,
    permissions,
    merchant: orNull(merchantId),
    madeBy: orNull(email),
    createdAt: instant,
    endsAt: instant,
    lastUsedAt: orNull(instant),
  }),
  run: async ({ merchantId: only, page: { after, limit } }, { db }: UserRoom) => {
    const [at, tokenId] = after ?? [];
    const start = typeof at === 'string' && typeof tokenId === 'string' ? ([Temporal.Instant.from(at), tokenId] as const) : undefined;
    return { found: await listTokens(db, { merchantId: only, after: start, limit: limit + 1 }) };
  },
  page: ({ found }, { actor, page: { limit } }) =>
    cutPage(
      found,
      limit,
      (token) => showToken(token, actor),
      ({ createdAt, tokenId }) => [createdAt.toString(), tokenId],
    ),
});

type Made = MadeToken | Refusal<TokenRefusal>;

export const createToken = managementOperation({
  name: 'createToken',
  route: 'POST /manage/v1/tokens',
  tag: 'Tokens',
  summary: 'Make an access token',
  names: { es: 'Crear un token de acceso', pt: 'Criar um token de acesso' },
  description: 'It is shown once. It never may more than its maker may at that moment, and ends with its maker.',
  permission: 'tokens:write',
  scope: 'merchant',
  cells: 'home',
  status: 201,
  stepUp: true,
  body: Type.Object({
    name,
    permissions,
    merchant: Type.Optional(orNull(merchantId)),
    days: Type.Integer({ minimum: 1, maximum: MAX_TOKEN_DAYS, description: 'How long it works.' }),
  }),
  refusals: {
    token_invalid: {
      status: 422,
      title: 'Invalid name',
      meaning: 'A name is one line of 1 to 100 characters.',
      words: {
        es: 'El nombre del token lleva de 1 a 100 caracteres en una sola línea',
        en: 'The name of the token takes 1 to 100 characters on one line',
        pt: 'O nome do token leva de 1 a 100 caracteres em uma só linha',
      },
    },
    permission_not_yours: {
      status: 403,
      title: 'You cannot grant this permission',
      meaning: 'A token can only have permissions that its creator has.',
      words: {
        es: 'Usted no puede dar un permiso que no tiene',
        en: 'You may not give a permission that you do not have',
        pt: 'Você não pode dar uma permissão que não tem',
      },
      line: ['The permission may not be given.', 1],
    },
    merchant_not_yours: {
      status: 403,
      title: 'You cannot grant this merchant',
      meaning: 'A token of a merchant’s user belongs to that merchant.',
      words: {
        es: 'Usted no puede dar acceso a ese comercio',
        en: 'You may not give access to this merchant',
        pt: 'Você não pode dar acesso a esse estabelecimento',
      },
      line: ['The merchant may not be given.', 1],
    },
    merchant_unknown: ROOM_PROBLEMS.merchant_unknown,
  },
  keepsAnswersAs: 'manage-create-token',
  shows: answerObject({
    id,
    token: Type.Optional(Type.String({ maxLength: 60, description: 'Not in a repeated answer.' })),
    endsAt: instant,
  }),
  run: async ({ actor, origin, body, once }, { db, clock, merchants, recordActs }: UserRoom) => {
    const merchant = body.merchant ?? actor.merchantId ?? null;
    if (merchant !== null && (await merchants.find(merchant)) === undefined) return refuse('merchant_unknown');
    const make = async (tx: Tx): Promise<Made> => {
      const now = clock.now();
      const maker = await makerOf(tx, actor, now);
      if (maker === undefined) return refuse('permission_not_yours');
      const made = makeToken(tx, actor, maker, { ...body, merchantId: merchant }, now);
      if (isRefusal(made)) return made;
      const target = { kind: 'token', id: made.tokenId, merchantId: merchant ?? undefined };
      recordActs(tx, [doneAct(origin, now, { target, after: { name: body.name, permissions: body.permissions, merchant } })]);
      return made;
    };
    return runAloneOnce(db, once, make);
  },
  answer: ({ tokenId, token, expiresAt }) => ({ body: { id: tokenId, token, endsAt: expiresAt.toString() } }),
  keptAnswer: ({ tokenId, expiresAt }) => ({ body: { id: tokenId, endsAt: expiresAt.toString() } }),
});

export const tokenEnd = managementOperation({
  name: 'endToken',
  route: 'DELETE /manage/v1/tokens/{token}',
  tag: 'Tokens',
  summary: 'End an access token at once',
  names: { es: 'Terminar un token de acceso', pt: 'Encerrar um token de acesso' },
  description: 'Tokens that it made end with it.',
  permission: 'tokens:write',
  scope: 'merchant',
  cells: 'home',
  path: Type.Object({ token: id }),
  shows: answerObject({ id, name }),
  run: ({ origin, merchantId: only, path: { token } }, { db, clock, recordActs }: UserRoom) =>
    db.transaction(async (tx) => {
      const now = clock.now();
      const ended = await endToken(tx, token, { merchantId: only }, now);
      if (ended === undefined) return refuse('not_found');
      recordActs(tx, [doneAct(origin, now, { target: { kind: 'token', id: token, merchantId: only } })]);
      return { id: token, name: ended };
    }),
  answer: (body) => ({ body }),
});

/** The operations on access tokens. */
export const tokenManagement: readonly ManagementOperation<UserRoom>[] = [tokenList, createToken, tokenEnd];
