import { Type } from 'typebox';
import { doneAct } from '../../kit/changes/act.ts';
import { refuse } from '../../kit/outcome.ts';
import { managementOperation, schemas, type ManagementOperation } from '../../manage/index.ts';
import { sessionOf } from '../authenticate.ts';
import { confirmCodeSecret, makeRecoveryCodes, offerCodeSecret, setPassword } from '../credentials/credential-rows.ts';
import { base32, otpauthUri } from '../credentials/one-time-code.ts';
import { faultOfPassword } from '../credentials/password-rule.ts';
import { proveAgain } from '../proofs/prove-again.ts';
import { endSessions } from '../sessions.ts';
import { alertMail } from '../user-mail.ts';
import type { UserRoom } from '../user-room.ts';
import { changeOwn } from './change-own.ts';
import { NOT_A_USER, PASSWORD_REFUSED, password, SIGN_IN_REFUSED } from './user-schemas.ts';

const { answerObject } = schemas;

const code = Type.String({ maxLength: 50, examples: ['123456'] });
const CODE_WRONG = { status: 422, title: 'Wrong code', meaning: 'Wait for the app’s next code. Each code works once.' } as const;

const stepUp = managementOperation({
  name: 'proveAgain',
  route: 'POST /manage/v1/me/step-up',
  tag: 'You',
  summary: 'Confirm your identity',
  names: { es: 'Confirmar la identidad', pt: 'Confirmar a identidade' },
  description: 'With a code, or with the password. Sensitive operations ask for a proof of the last ten minutes.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  body: Type.Object({ code: Type.Optional(code), password: Type.Optional(password) }),
  refusals: { not_a_user: NOT_A_USER, sign_in_refused: SIGN_IN_REFUSED },
  run: async ({ actor, body, address, requestId, header }, room: UserRoom) => {
    const session = await sessionOf(room, header('cookie'));
    return actor.kind !== 'user' || session === undefined
      ? refuse('not_a_user')
      : room.admit(address, () => proveAgain(room, session, body, { address, requestId }));
  },
  answer: () => ({}),
});

const changePassword = managementOperation({
  name: 'changePassword',
  route: 'PUT /manage/v1/me/password',
  tag: 'You',
  summary: 'Choose another password',
  names: { es: 'Cambiar la contraseña', pt: 'Trocar a senha' },
  description: 'Your other sessions end, and a mail says so.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  stepUp: true,
  body: Type.Object({ password }),
  refusals: { not_a_user: NOT_A_USER, password_refused: PASSWORD_REFUSED },
  run: async ({ actor, origin, body, header }, room: UserRoom) => {
    if (actor.kind !== 'user') return refuse('not_a_user');
    const fault = faultOfPassword(body.password, actor.name);
    if (fault !== undefined) return { ...refuse('password_refused'), detail: fault.replaceAll('_', ' ') };
    const session = await sessionOf(room, header('cookie'));
    const hash = await room.hasher.hash(body.password, `user:${actor.id}`);
    return changeOwn(room, { actor, origin }, async (tx, user, now) => {
      setPassword(tx, user.userId, hash, now);
      room.messages.write(tx, [alertMail(user, 'password_changed', now)]);
      return { ended: await endSessions(tx, user.userId, session?.sessionId) };
    });
  },
  answer: () => ({}),
});

const offerCodes = managementOperation({
  name: 'offerCodes',
  route: 'POST /manage/v1/me/codes',
  tag: 'You',
  summary: 'Begin to connect an authenticator app',
  names: { es: 'Empezar a conectar una app de códigos', pt: 'Começar a conectar um app de códigos' },
  description: 'The present app works until a code of the new one is confirmed.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  status: 201,
  stepUp: true,
  refusals: { not_a_user: NOT_A_USER },
  shows: answerObject({ key: Type.String({ maxLength: 32 }), uri: Type.String({ maxLength: 500, description: 'For a QR code.' }) }),
  run: async ({ actor, origin }, room: UserRoom) => {
    const { db, keys, clock, recordActs } = room;
    if (actor.kind !== 'user') return refuse('not_a_user');
    return db.transaction(async (tx) => {
      const now = clock.now();
      const secret = await offerCodeSecret(tx, keys, actor.id, now);
      recordActs(tx, [doneAct(origin, now, { target: { kind: 'user', id: actor.id } })]);
      return { key: base32(secret), uri: otpauthUri(secret, actor.name) };
    });
  },
  answer: (body) => ({ body }),
});

const confirmCodes = managementOperation({
  name: 'confirmCodes',
  route: 'PUT /manage/v1/me/codes',
  tag: 'You',
  summary: 'Connect the authenticator app by its first code',
  names: { es: 'Conectar una app de códigos', pt: 'Conectar um app de códigos' },
  description: 'The earlier app ends, and a mail says so.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  stepUp: true,
  body: Type.Object({ code }),
  refusals: { not_a_user: NOT_A_USER, code_wrong: CODE_WRONG },
  run: ({ actor, origin, body }, room: UserRoom) =>
    changeOwn(room, { actor, origin }, async (tx, user, now) => {
      if (!(await confirmCodeSecret(tx, room.keys, user.userId, body.code, now))) return refuse('code_wrong');
      room.messages.write(tx, [alertMail(user, 'codes_changed', now)]);
      return { isDone: true };
    }),
  answer: () => ({}),
});

const renewRecoveryCodes = managementOperation({
  name: 'renewRecoveryCodes',
  route: 'POST /manage/v1/me/recovery-codes',
  tag: 'You',
  summary: 'Get new recovery codes',
  names: { es: 'Pedir códigos de recuperación nuevos', pt: 'Pedir novos códigos de recuperação' },
  description: 'The earlier ones end. They are shown once, and a mail says that they changed.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  status: 201,
  stepUp: true,
  refusals: { not_a_user: NOT_A_USER },
  shows: answerObject({ recoveryCodes: Type.Array(Type.String({ maxLength: 40 })) }),
  run: ({ actor, origin }, room: UserRoom) =>
    changeOwn(room, { actor, origin }, (tx, user, now) => {
      room.messages.write(tx, [alertMail(user, 'codes_changed', now)]);
      return Promise.resolve({ recoveryCodes: makeRecoveryCodes(tx, user.userId) });
    }),
  answer: (body) => ({ body }),
});

/** The operations on the account of the user who asks. */
export const meManagement: readonly ManagementOperation<UserRoom>[] = [
  stepUp,
  changePassword,
  offerCodes,
  confirmCodes,
  renewRecoveryCodes,
];
