import { makeLink } from './user-links.ts';
import { linkUrl } from './user-mail.ts';
import { emailKeyOf } from './user.ts';
import { insertUser, hasUsers, selectUserByEmail, updateUser } from './user-rows.ts';
import { selectPassword } from './credentials/credential-rows.ts';
import type { UserRoom } from './user-room.ts';
import type { Db } from '../kit/db.ts';
import type { HttpRequest } from '../kit/http.ts';
import { sessionOf } from './authenticate.ts';
import { CONSOLE_PATH } from './pages/page-parts.ts';
import type { User } from './user.ts';

/** Nobody gets mail at this address. */
const OWNER = { email: 'owner@sandbox.invalid', name: 'Owner of the sandbox', role: 'owner', merchantId: null, language: 'en' } as const;
const EMAIL_KEY = emailKeyOf(OWNER.email) as string;

/** Where the home of a sandbox leads to the console. */
export const SANDBOX_CONSOLE_PATH = '/sandbox/console';

/** The owner that a link may sign in. Undefined: it is yet to be made. `other`: people of their own sign in, or it has a password. */
async function findOwner(db: Pick<Db, 'query'>): Promise<User | 'other' | undefined> {
  const found = await selectUserByEmail(db, EMAIL_KEY);
  if (found === undefined) return (await hasUsers(db)) ? 'other' : undefined;
  return found.state !== 'active' || (await selectPassword(db, found.userId)) !== undefined ? 'other' : found;
}

export const isSandboxOwner = ({ email }: Pick<User, 'email'>): boolean => email === OWNER.email;

/** Whether the owner of a sandbox is signed in by a link. */
export const isOwnerByLink = async (db: Pick<Db, 'query'>): Promise<boolean> => (await findOwner(db)) !== 'other';

/**
 * Where the owner of a sandbox comes into the console, whose session may have ended. `again`: also in a session, which proves who it is.
 * Shape: → a path: of the console for who is signed in, or signs in by a password; else of a link that is made now.
 */
export async function sandboxOwnerPath(room: UserRoom, { headers: { cookie }, raw: { url } }: HttpRequest): Promise<string> {
  const isAgain = url?.endsWith('?again') === true;
  const link = isAgain || (await sessionOf(room, cookie)) === undefined ? await sandboxOwnerLink(room) : undefined;
  if (link === undefined) return CONSOLE_PATH;
  // The browser stays at the name under which it came: a session is of one name.
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/**
 * Makes a link that signs the owner of a sandbox in once.
 * Shape: → the address of the link; undefined where the sandbox has users of its own, or its owner has chosen a password.
 */
export async function sandboxOwnerLink({
  db,
  clock,
  consoleUrl,
}: Pick<UserRoom, 'db' | 'clock' | 'consoleUrl'>): Promise<string | undefined> {
  const found = await findOwner(db);
  if (found === 'other') return undefined;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const made = found ?? (await insertUser(tx, OWNER, EMAIL_KEY, now));
    // Another server of this sandbox has just made the owner, and prints the link.
    if (made === undefined) return undefined;
    if (made.state === 'invited') await updateUser(tx, { ...made, state: 'active' }, now);
    return linkUrl(consoleUrl(), makeLink(tx, made.userId, 'sign-in', now).text);
  });
}
