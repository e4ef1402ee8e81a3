import type { HttpRequest, HttpServer } from '../kit/http.ts';
import { openGate } from '../kit/limits/gate.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { Actor, ManagementOperation, SignedIn } from '../manage/index.ts';
import { authenticate, openLooks } from './authenticate.ts';
import { openPasswordHasher } from './credentials/password-hash.ts';
import { forgetUsers } from './forget-users.job.ts';
import { openLater } from './later.ts';
import { viewManagement } from './manage/views.manage.ts';
import { meManagement } from './manage/me.manage.ts';
import { sessionManagement } from './manage/sessions.manage.ts';
import { tokenManagement } from './manage/tokens.manage.ts';
import { invite, peopleManagement, reset } from './manage/users.manage.ts';
import { addSignInPages } from './pages/sign-in.page.ts';
import { sandboxOwnerLink, sandboxOwnerPath } from './sandbox-owner.ts';
import type { UserDeps, UserRoom } from './user-room.ts';

export { hasCodes, USER_CODE_SECRETS } from './credentials/credential-rows.ts';
export { SANDBOX_CONSOLE_PATH } from './sandbox-owner.ts';
export { userData } from './user-data.ts';
export type { OpenIdSettings } from './user-room.ts';

/** The operations of the room, in the order of the documents. */
export const userManagement: readonly ManagementOperation<UserRoom>[] = [
  ...sessionManagement,
  ...meManagement,
  ...viewManagement,
  ...peopleManagement,
  ...tokenManagement,
];

/** Those that write a mail to a user. */
export const mailingManagement: readonly ManagementOperation<UserRoom>[] = [invite, reset];

export type Users = {
  /** Finds who sends a request of the management API. */
  readonly authenticate: (request: HttpRequest) => Promise<SignedIn | undefined>;
  /** Finds who sent a request that is still being answered. It is not a use of the session, which may become idle. */
  readonly lookAgain: (request: HttpRequest) => Promise<Actor | undefined>;
  /** Makes a link that signs the owner of a new sandbox in. */
  readonly ownerLink: () => Promise<string | undefined>;
  /** Where the owner of a sandbox comes into the console again. */
  readonly ownerPath: (request: HttpRequest) => Promise<string>;
  /** What the operations of the management API work on. */
  readonly room: UserRoom;
  readonly jobs: readonly Job[];
  /** Waits for what goes on in the background. */
  close(): Promise<void>;
};

/** Mails to users that wait to be written. */
const LATER = { mostWaiting: 1_000, withinMs: 1_000 };

/** Opens the room, and adds the pages on which people sign in. */
export function registerUsers(app: HttpServer, deps: UserDeps & { readonly log: Log; readonly chance: () => number }): Users {
  const later = openLater({ ...LATER, log: deps.log, chance: deps.chance });
  const room: UserRoom = { ...deps, hasher: openPasswordHasher(), admit: openGate(), later: later.add };
  addSignInPages(app, room);
  return {
    room,
    authenticate: (request) => authenticate(room, request),
    lookAgain: openLooks(room),
    ownerLink: () => sandboxOwnerLink(room),
    ownerPath: (request) => sandboxOwnerPath(room, request),
    jobs: [forgetUsers(room.db, room.clock)],
    close: later.close,
  };
}
