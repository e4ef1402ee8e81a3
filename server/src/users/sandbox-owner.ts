import { makeLink } from './user-links.ts';
import { linkUrl } from './user-mail.ts';
import { emailKeyOf } from './user.ts';
import { insertUser, hasUsers, selectUserByEmail, updateUser } from './user-rows.ts';
import { selectPassword } from './credentials/credential-rows.ts';
import type { UserRoom } from './user-room.ts';

/** Nobody gets mail at this address. */
const OWNER = { email: 'owner@sandbox.invalid', name: 'Owner of the sandbox', role: 'owner', merchantId: null, language: 'en' } as const;

/**
 * Makes a link that signs the owner of a sandbox in once.
 * Shape: → the address of the link; undefined where the sandbox has users of its own, or its owner has chosen a password.
 */
export async function sandboxOwnerLink({
  db,
  clock,
  consoleUrl,
}: Pick<UserRoom, 'db' | 'clock' | 'consoleUrl'>): Promise<string | undefined> {
  const emailKey = emailKeyOf(OWNER.email) as string;
  const found = await selectUserByEmail(db, emailKey);
  if (found === undefined && (await hasUsers(db))) return undefined;
  if (found !== undefined && (found.state !== 'active' || (await selectPassword(db, found.userId)) !== undefined)) return undefined;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const made = found ?? (await insertUser(tx, OWNER, emailKey, now));
    // Another server of this sandbox has just made the owner, and prints the link.
    if (made === undefined) return undefined;
    if (made.state === 'invited') await updateUser(tx, { ...made, state: 'active' }, now);
    return linkUrl(consoleUrl(), makeLink(tx, made.userId, 'sign-in', now).text);
  });
}
