import { Type } from 'typebox';
import { refuse } from '../../kit/outcome.ts';
import { managementOperation, schemas, type ManagementOperation } from '../../manage/index.ts';
import { deleteView, listSavedViews, MOST_VIEWS, saveView, type SavedView } from '../saved-views.ts';
import type { UserRoom } from '../user-room.ts';
import { changeOwn } from './change-own.ts';
import { id, NOT_A_USER } from './user-schemas.ts';

const { instant, answerObject, wrong } = schemas;

const name = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\p{Cc}]+$', examples: ['Open orders'] });
/** A visible character, except those that end a path or a query, and the sign of e-mail addresses. */
const SIGN = '[\\x21\\x22\\x24-\\x3e\\x41-\\x7e]';
const address = Type.String({
  maxLength: 1000,
  pattern: `^/[a-z]${SIGN}*([?]${SIGN}*)?$`,
  description: 'A path of the console with its filter. It names no person: a view outlives what is stored of people.',
  examples: ['/orders?state=pending'],
});
const VIEW = answerObject({ id, name, address, createdAt: instant });

/** Filters by what names a person. */
const PERSONAL = ['email', 'document', 'cellphone', 'text', 'actor'];

/** True where an address has the sign of e-mail under any name, however often it is escaped. */
const isOfMail = (address: string): boolean => /%(?:25)*40/.test(address);

const show = ({ viewId, createdAt, ...rest }: SavedView): object => ({ id: viewId, ...rest, createdAt: createdAt.toString() });

const list = managementOperation({
  name: 'listViews',
  route: 'GET /manage/v1/me/views',
  tag: 'You',
  summary: 'List the views that you have saved',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  refusals: { not_a_user: NOT_A_USER },
  shows: answerObject({ views: Type.Array(VIEW) }),
  run: async ({ actor }, { db }: UserRoom) =>
    actor.kind === 'user' ? { views: await listSavedViews(db, actor.id) } : refuse('not_a_user'),
  answer: ({ views }) => ({ body: { views: views.map(show) } }),
});

const save = managementOperation({
  name: 'saveView',
  route: 'PUT /manage/v1/me/views',
  tag: 'You',
  summary: 'Save a list as a view of yours',
  names: { es: 'Guardar una vista', pt: 'Salvar uma visão' },
  description: 'A view with the same name gets the new address.',
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  body: Type.Object({ name, address }),
  refusals: {
    not_a_user: NOT_A_USER,
    views_full: {
      status: 409,
      title: 'You have too many views',
      meaning: `A user has at most ${MOST_VIEWS}. Delete one.`,
      words: {
        es: 'Ya tiene 100 vistas, y no puede tener más. Borre una',
        en: 'You have 100 views, and cannot have more. Delete one',
        pt: 'Você já tem 100 visualizações, e não pode ter mais. Apague uma',
      },
    },
  },
  shows: VIEW,
  run: async ({ actor, origin, body }, room: UserRoom) => {
    const filters = new URLSearchParams(body.address.split('?')[1]);
    const personal = PERSONAL.find((one) => filters.has(one)) ?? (isOfMail(body.address) ? 'an e-mail address' : undefined);
    if (personal !== undefined) return wrong('/address', `must not filter by ${personal}: a view names no person`);
    return changeOwn(room, { actor, origin }, (tx, user, now) => saveView(tx, user.userId, body, now));
  },
  answer: (view) => ({ body: show(view) }),
});

const remove = managementOperation({
  name: 'deleteView',
  route: 'DELETE /manage/v1/me/views/{view}',
  tag: 'You',
  summary: 'Delete a view of yours',
  names: { es: 'Borrar una vista', pt: 'Apagar uma visão' },
  permission: 'signed-in',
  scope: 'own',
  cells: 'home',
  path: Type.Object({ view: id }),
  refusals: { not_a_user: NOT_A_USER },
  run: ({ actor, origin, path: { view } }, room: UserRoom) =>
    changeOwn(room, { actor, origin }, async (tx, user) =>
      (await deleteView(tx, user.userId, view)) ? { isDone: true } : refuse('not_found'),
    ),
  answer: () => ({}),
});

/** The operations on saved views. */
export const viewManagement: readonly ManagementOperation<UserRoom>[] = [list, save, remove];
