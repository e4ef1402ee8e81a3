import { Type } from 'typebox';
import { doneAct } from '../../kit/changes/act.ts';
import { refuse } from '../../kit/outcome.ts';
import { managementOperation, schemas, type ManagementOperation } from '../../manage/index.ts';
import { endedCookie, sessionCookie, sessionOf } from '../authenticate.ts';
import { endSession, endSessions, listSessions } from '../sessions.ts';
import { signIn } from '../sign-in.ts';
import type { UserRoom } from '../user-room.ts';
import { NOT_A_USER, SESSION, SIGN_IN_REFUSED, email, id, password, showSession } from './user-schemas.ts';

const { answerObject } = schemas;

const signInOperation = managementOperation({
  name: 'signIn',
  route: 'POST /manage/v1/sessions',
  tag: 'Sessions',
  summary: 'Sign in',
  names: { es: 'Iniciar sesión', pt: 'Entrar' },
  description: 'With password and code together. The answer sets the cookie of the session.',
  permission: 'anyone',
  scope: 'own',
  cells: 'home',
  status: 201,
  body: Type.Object({
    email,
    password,
    code: Type.String({ maxLength: 50, description: 'Of the authenticator app, or a recovery code.', examples: ['123456'] }),
  }),
  refusals: { sign_in_refused: SIGN_IN_REFUSED },
  shows: answerObject({ id }),
  run: ({ body, address, requestId, header }, room: UserRoom) =>
    room.admit(address, () => signIn(room, body, { address, requestId, browser: header('user-agent') ?? '' })),
  answer: ({ sessionId, text }) => ({ headers: { 'set-cookie': sessionCookie(text) }, body: { id: sessionId } }),
});

const listOwnSessions = managementOperation({
  name: 'listSessions',
  route: 'GET /manage/v1/sessions',
  tag: 'Sessions',
  summary: 'List your sessions',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  refusals: { not_a_user: NOT_A_USER },
  shows: answerObject({
    ...SESSION,
    isThis: Type.Boolean({ description: 'The session of this request.' }),
  }),
  run: async ({ actor, header }, { db, clock }: UserRoom) => {
    if (actor.kind !== 'user') return refuse('not_a_user');
    const present = await sessionOf({ db, clock }, header('cookie'));
    return { present, sessions: await listSessions(db, actor.id, clock.now()) };
  },
  page: ({ present, sessions }) => ({
    items: sessions.map((one) => ({ ...showSession(one), isThis: one.sessionId === present?.sessionId })),
    next: undefined,
  }),
});

const endOneSession = managementOperation({
  name: 'endSession',
  route: 'DELETE /manage/v1/sessions/{session}',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  names: { es: 'Cerrar una sesión propia', pt: 'Encerrar uma sessão própria' },
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  path: Type.Object({ session: id }),
  refusals: { not_a_user: NOT_A_USER },
  run: async ({ actor, origin, path: { session } }, { db, clock, recordActs }: UserRoom) =>
    actor.kind !== 'user'
      ? refuse('not_a_user')
      : db.transaction(async (tx) => {
          if (!(await endSession(tx, actor.id, session))) return refuse('not_found');
          recordActs(tx, [doneAct(origin, clock.now(), { target: { kind: 'session', id: session } })]);
          return { ended: 1 };
        }),
  answer: () => ({}),
});

const endAllSessions = managementOperation({
  name: 'endSessions',
  route: 'DELETE /manage/v1/sessions',
  tag: 'Sessions',
  summary: 'Sign out everywhere',
  names: { es: 'Cerrar todas las sesiones propias', pt: 'Encerrar todas as sessões próprias' },
  description: 'Ends all your sessions, this one too.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  refusals: { not_a_user: NOT_A_USER },
  run: async ({ actor, origin }, { db, clock, recordActs }: UserRoom) =>
    actor.kind !== 'user'
      ? refuse('not_a_user')
      : db.transaction(async (tx) => {
          const ended = await endSessions(tx, actor.id);
          recordActs(tx, [doneAct(origin, clock.now(), { target: { kind: 'user', id: actor.id } })]);
          return { ended };
        }),
  answer: () => ({ headers: { 'set-cookie': endedCookie } }),
});

/** The operations on sessions. */
export const sessionManagement: readonly ManagementOperation<UserRoom>[] = [
  signInOperation,
  listOwnSessions,
  endOneSession,
  endAllSessions,
];
