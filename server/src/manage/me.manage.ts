import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import { managementOperation } from './management-operation.ts';
import { ALL_PERMISSIONS, ALL_ROLES } from './permissions.ts';
import { instant, oneOf, orNull, merchantId, answerObject } from './schemas.ts';

/** What it asks of other rooms. */
export type OwnDeps = {
  readonly clock: Clock;
  readonly isSandbox: boolean;
  readonly hasCodes: (userId: string) => Promise<boolean>;
  readonly timeZoneOf: (merchantId: string | undefined) => Promise<string | undefined>;
};

/** Who asks, and what they may do: the first request of every program. */
export const readMe = managementOperation({
  name: 'readMe',
  route: 'GET /manage/v1/me',
  tag: 'You',
  summary: 'Who you are, and what you may do',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  shows: answerObject({
    kind: oneOf(['user', 'token'], 'A user, or a program by its access token.'),
    id: Type.String({ maxLength: 50 }),
    name: Type.String({ maxLength: 254 }),
    role: orNull(oneOf(ALL_ROLES, 'Null: a token has permissions and no role.')),
    merchant: orNull(merchantId),
    timeZone: orNull(
      Type.String({
        maxLength: 40,
        description: 'Of the merchant that you are bound to, or of all merchants; null where they have several.',
        examples: ['America/Bogota'],
      }),
    ),
    permissions: Type.Array(oneOf(ALL_PERMISSIONS, 'The right to run some operations.')),
    hasCodes: Type.Boolean({ description: 'Whether a code can prove again who you are: of an authenticator app, or for recovery.' }),
    isSandbox: Type.Boolean({ description: 'Whether this service is a sandbox: nothing in it is real money.' }),
    now: instant,
  }),
  run: async ({ actor }, { clock, isSandbox, hasCodes, timeZoneOf }: OwnDeps) => ({
    ...actor,
    hasCodes: actor.kind === 'user' && (await hasCodes(actor.id)),
    isSandbox,
    now: clock.now(),
    timeZone: (await timeZoneOf(actor.merchantId)) ?? null,
  }),
  answer: ({ kind, id, name, role, merchantId: merchant, timeZone, permissions, hasCodes, isSandbox, now }) => ({
    body: {
      kind,
      id,
      name,
      role: role ?? null,
      merchant: merchant ?? null,
      timeZone,
      permissions: [...permissions],
      hasCodes,
      isSandbox,
      now: now.toString(),
    },
  }),
});
