import { statement, type Db, type Tx } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { newId } from './user-rows.ts';

/** A list that a user comes back to: an address of the console with a name. */
export type SavedView = { readonly viewId: string; readonly name: string; readonly address: string; readonly createdAt: Temporal.Instant };

/** Views of one user. */
export const MOST_VIEWS = 100;

const COLUMNS = `view_id as "viewId", name, address, created_at as "createdAt"`;
const LIST = statement(
  'users.list_views',
  `select ${COLUMNS} from user_views where user_id = $1 order by name, view_id limit ${MOST_VIEWS}`,
);
const SAVE = statement(
  'users.save_view',
  `insert into user_views (view_id, user_id, name, address, created_at)
   select $1, $2, $3, $4, $5
    where exists (select from user_views where user_id = $2 and name = $3) or (select count(*) from user_views where user_id = $2) < ${MOST_VIEWS}
   on conflict (user_id, name) do update set address = excluded.address returning ${COLUMNS}`,
);
const DELETE = statement('users.delete_view', 'delete from user_views where user_id = $1 and view_id = $2 returning 1');

/** The views of a user, by name. */
export const listSavedViews = (db: Pick<Db, 'query'>, userId: string): Promise<SavedView[]> => db.query<SavedView>(LIST, [userId]);

/** Saves a view. One with the same name gets the new address. The user is locked, so that the limit holds. */
export async function saveView(
  tx: Pick<Tx, 'query'>,
  userId: string,
  { name, address }: Pick<SavedView, 'name' | 'address'>,
  now: Temporal.Instant,
): Promise<SavedView | Refusal<'views_full'>> {
  const [saved] = await tx.query<SavedView>(SAVE, [newId(), userId, name, address, now]);
  return saved ?? refuse('views_full');
}

/** Deletes a view of a user. Shape: → whether there was one. */
export const deleteView = async (tx: Pick<Tx, 'query'>, userId: string, viewId: string): Promise<boolean> =>
  (await tx.query(DELETE, [userId, viewId])).length > 0;
