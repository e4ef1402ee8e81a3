import type { RecordActs, RecordLone } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { HttpRequest } from '../kit/http.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { Gate } from '../kit/limits/gate.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import type { Messages } from '../messages/index.ts';
import type { PasswordHasher } from './credentials/password-hash.ts';

/** The provider of identities that an operator trusts: OpenID Connect. */
export type OpenIdSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider says nothing of whether an address is verified, and the operator trusts its addresses. */
  readonly trustsEmails: boolean;
};

/** What main gives the room. The clock is the machine's: an authenticator app knows no other. */
export type UserDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: MasterKeys;
  readonly messages: Pick<Messages, 'write' | 'writes'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  /** Where people find this server, without a slash at the end. */
  readonly consoleUrl: () => string;
  /** Proves the challenges of passkeys. */
  readonly challengeKey: ServiceKey;
  /** Undefined: no other provider signs people in. */
  readonly openId: OpenIdSettings | undefined;
  /** Whether the browser that asks is of the developer whose sandbox this is. Always false in production. */
  readonly isOfSandboxOwner: (request: HttpRequest) => boolean;
  readonly recordActs: RecordActs;
  /** Records an act that changes nothing: a refusal. */
  readonly recordLone: RecordLone;
  /** Counts a request that proves nobody, by its address. Throws: TooManyRequests. */
  readonly countUnproved: (request: HttpRequest) => void;
};

export type UserRoom = UserDeps & {
  readonly hasher: PasswordHasher;
  /** What a stranger asks for goes through it: a crowd that signs in takes the database from nobody. Throws: Overloaded. */
  readonly admit: Gate;
  /** Does work whose time neither an answer nor the requests after it may show. Throws: Overloaded. */
  readonly later: (work: () => Promise<void>) => void;
};
