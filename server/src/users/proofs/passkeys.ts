import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../../kit/db.ts';
import { refuse, type Refusal } from '../../kit/outcome.ts';
import { isChallenge, makeChallenge, spendChallenge, type ChallengePurpose } from '../credentials/challenges.ts';
import { insertPasskey, isCredentialId, listPasskeys, lockPasskey, removePasskey, usePasskey } from '../credentials/passkey-rows.ts';
import { openFor, type OpenedSession, type Visitor } from '../sign-in.ts';
import { proveSessionAgain, type FoundSession } from '../sessions.ts';
import { ownAct } from '../user-acts.ts';
import { alertMail } from '../user-mail.ts';
import type { UserRoom } from '../user-room.ts';
import { selectUser } from '../user-rows.ts';
import type { User } from '../user.ts';

/** Ed25519, P-256 and RSA: what platforms and keys make. */
const ALGORITHMS = [-8, -7, -257];
/** Longer than any answer of a browser. */
const MAX_ANSWER_CHARACTERS = 10_000;

/** For whom passkeys are made: a host name, and the origin of its pages. */
type RelyingParty = { readonly id: string; readonly origin: string };

/** Passkeys need a host name. A server without one has `localhost`. */
function relyingPartyOf(consoleUrl: string): RelyingParty {
  const url = new URL(consoleUrl);
  if (/^(127\.|\[::1\])/.test(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}

/** What a browser asks an authenticator for. Each of them verifies its user: a passkey by itself is two proofs. */
export function requestOptions({ challengeKey, clock, consoleUrl }: UserRoom, purpose: ChallengePurpose): object {
  const challenge = Buffer.from(makeChallenge(challengeKey, purpose, clock.now())).toString('base64url');
  return { challenge, rpId: relyingPartyOf(consoleUrl()).id, userVerification: 'required', timeout: 120_000 };
}

/** What a browser makes a passkey from. */
export async function creationOptions(room: UserRoom, user: Pick<User, 'userId' | 'email' | 'name'>, of: string): Promise<object> {
  const { challengeKey, clock, consoleUrl, db } = room;
  const { id } = relyingPartyOf(consoleUrl());
  const held = await listPasskeys(db, user.userId);
  return {
    challenge: Buffer.from(makeChallenge(challengeKey, { act: 'add', of }, clock.now())).toString('base64url'),
    rp: { id, name: 'Caudal' },
    user: { id: handleOf(user.userId), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: held.map(({ credentialId, transports }) => ({ type: 'public-key', id: credentialId, transports })),
    timeout: 120_000,
  };
}

/** Loaded with the first passkey: most requests, and every command, never need it. */
const library = (): Promise<typeof import('@simplewebauthn/server')> => import('@simplewebauthn/server');

/** A challenge that is checked as an answer names it, and kept to be used up. */
function challengeOf({ challengeKey, clock }: UserRoom, purpose: ChallengePurpose) {
  const held: { text?: string } = {};
  const isOurs = (encoded: string): boolean => {
    const text = Buffer.from(encoded, 'base64url').toString('latin1');
    held.text = text;
    return isChallenge(challengeKey, purpose, text, clock.now());
  };
  return { isOurs, text: (): string => held.text ?? '' };
}

type Answer = { readonly id: string; readonly response?: { readonly userHandle?: unknown } | null };

/** An authenticator names its user by this. No signature covers it. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

/** Reads what a browser sends of an authenticator. Undefined: it cannot be read. */
function readAnswer(sent: string): Answer | undefined {
  if (sent.length > MAX_ANSWER_CHARACTERS) return undefined;
  try {
    const answer = JSON.parse(sent) as Answer | null;
    return typeof answer?.id === 'string' && isCredentialId(answer.id) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies an answer of a passkey and uses its challenge up. The passkey stays locked until commit.
 * Shape: → whose passkey it is; undefined: it proves nobody.
 */
async function verifyAnswer(room: UserRoom, tx: Tx, sent: string, purpose: ChallengePurpose): Promise<string | undefined> {
  const answer = readAnswer(sent);
  const passkey = answer && (await lockPasskey(tx, answer.id));
  if (answer === undefined || passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const { id, origin } = relyingPartyOf(room.consoleUrl());
  const challenge = challengeOf(room, purpose);
  const credential = { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.uses) };
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge.isOurs,
    expectedOrigin: origin,
    expectedRPID: id,
    credential,
    requireUserVerification: true,
    // The library throws for whatever does not fit: a wrong origin, another challenge, bytes that are not an answer.
  }).catch(() => undefined);
  const now = room.clock.now();
  // Source: WebAuthn, "Verifying an Authentication Assertion", step 6. The library leaves it to its caller.
  const isOfItsUser = answer.response?.userHandle === handleOf(passkey.userId);
  if (verified?.verified !== true || !isOfItsUser || !(await spendChallenge(tx, challenge.text(), now))) return undefined;
  usePasskey(tx, passkey.credentialId, BigInt(verified.authenticationInfo.newCounter), now);
  return passkey.userId;
}

/** Signs a user in by a passkey alone. Nothing says why it is refused. */
export async function signInByPasskey(room: UserRoom, sent: string, visitor: Visitor): Promise<OpenedSession | Refusal<'passkey_refused'>> {
  return room.db.transaction(async (tx) => {
    const userId = await verifyAnswer(room, tx, sent, { act: 'sign-in', of: '' });
    const user = userId === undefined ? undefined : await selectUser(tx, userId);
    if (user?.state !== 'active') return refuse('passkey_refused');
    const now = room.clock.now();
    return openFor(room, tx, user, visitor, now);
  });
}

/** Proves again who the user of a session is, by a passkey. */
export async function proveByPasskey(
  room: UserRoom,
  { sessionId, user }: FoundSession,
  sent: string,
  visitor: Visitor,
): Promise<{ readonly isProved: true } | Refusal<'passkey_refused'>> {
  return room.db.transaction(async (tx) => {
    const userId = await verifyAnswer(room, tx, sent, { act: 'prove', of: sessionId });
    if (userId !== user.userId) return refuse('passkey_refused');
    const now = room.clock.now();
    proveSessionAgain(tx, sessionId, now);
    room.recordActs(tx, [ownAct(user, visitor, 'proveAgain', now)]);
    return { isProved: true };
  });
}

/**
 * Adds a passkey to an account, in a transaction that has proved whose it is.
 * Shape: `of`: the session or link for which its challenge was made → false: it is not accepted.
 */
export async function addPasskey(room: UserRoom, tx: Tx, userId: string, of: string, sent: string): Promise<boolean> {
  const answer = readAnswer(sent);
  if (answer === undefined) return false;
  const { verifyRegistrationResponse } = await library();
  const { id, origin } = relyingPartyOf(room.consoleUrl());
  const challenge = challengeOf(room, { act: 'add', of });
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge.isOurs,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  const createdAt = room.clock.now();
  if (registrationInfo === undefined || !(await spendChallenge(tx, challenge.text(), createdAt))) return false;
  const { credential } = registrationInfo;
  return insertPasskey(tx, {
    credentialId: credential.id,
    userId,
    publicKey: Buffer.from(credential.publicKey),
    uses: BigInt(credential.counter),
    transports: (credential.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 8),
    createdAt,
    usedAt: null,
  });
}

type PasskeyRefusal = Refusal<'passkey_refused' | 'proof_too_old'>;

/** Adds a passkey to the account of a session whose user has just proved who it is. */
export async function addOwnPasskey(
  room: UserRoom,
  { sessionId, user, isFresh }: FoundSession,
  sent: string,
  visitor: Visitor,
): Promise<{ readonly isAdded: true } | PasskeyRefusal> {
  if (!isFresh) return refuse('proof_too_old');
  return room.db.transaction(async (tx) => {
    if (!(await addPasskey(room, tx, user.userId, sessionId, sent))) return refuse('passkey_refused');
    const now = room.clock.now();
    room.messages.write(tx, [alertMail(user, 'passkey_added', now)]);
    room.recordActs(tx, [ownAct(user, visitor, 'addPasskey', now)]);
    return { isAdded: true };
  });
}

/** Takes a passkey from the account of a session. */
export async function removeOwnPasskey(
  room: UserRoom,
  { user, isFresh }: FoundSession,
  credentialId: string,
  visitor: Visitor,
): Promise<{ readonly isRemoved: true } | PasskeyRefusal> {
  if (!isFresh) return refuse('proof_too_old');
  return room.db.transaction(async (tx) => {
    if (!(await removePasskey(tx, user.userId, credentialId))) return refuse('passkey_refused');
    const now = room.clock.now();
    room.messages.write(tx, [alertMail(user, 'passkey_removed', now)]);
    room.recordActs(tx, [ownAct(user, visitor, 'removePasskey', now)]);
    return { isRemoved: true };
  });
}
