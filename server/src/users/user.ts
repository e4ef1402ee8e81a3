import { domainToASCII } from 'node:url';
import { isEmail } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { ROLES, type Actor, type Permission, type Role } from '../manage/index.ts';

export type UserState = 'invited' | 'active' | 'disabled';

/** A person who signs in. */
export type User = {
  readonly userId: string;
  /** As it was written. */
  readonly email: string;
  /** The folded address. Of a placeholder: with the merchant behind it. */
  readonly emailKey: string;
  readonly name: string;
  readonly role: Role;
  /** The merchant that the user is bound to. Null: every merchant. */
  readonly merchantId: string | null;
  readonly language: Language;
  readonly state: UserState;
  readonly version: number;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
};

/** What an inviter says of a new user. */
export type Invitation = Pick<User, 'email' | 'name' | 'role' | 'merchantId' | 'language'>;

/** No separator of lines, and nothing that turns the order of characters around. */
const NAME = /^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,100}$/u;

/** Folds an address: two ways to write one mailbox give the same text. Undefined: it is not an address. */
export function emailKeyOf(email: string): string | undefined {
  const text = email.trim().normalize('NFC');
  if (!isEmail(text)) return undefined;
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1));
  return domain === '' ? undefined : `${text.slice(0, at).toLowerCase()}@${domain}`;
}

/**
 * True for a placeholder: a merchant's administrator invited an address that has an account elsewhere.
 * It never signs in. So the administrator does not learn of the account.
 */
export const isPlaceholder = ({ emailKey }: Pick<User, 'emailKey'>): boolean => emailKey.includes(' ');

/** True for a name that a page can show on one line. */
export const isName = (name: string): boolean => NAME.test(name);

/** Whose right a change is. */
export type Giver = Pick<Actor, 'kind' | 'name' | 'permissions' | 'merchantId' | 'actsForMerchant'>;

export type RoleRefusal = 'role_needs_merchant' | 'role_takes_no_merchant' | 'role_not_yours';

/**
 * Decides whether someone may give a role.
 * Refuses: a merchant's role without a merchant, and the reverse; a role with a permission that the giver lacks; another merchant's user.
 */
export function decideRole(
  giver: Giver,
  { role, merchantId }: Pick<User, 'role' | 'merchantId'>,
): { readonly isAllowed: true } | Refusal<RoleRefusal> {
  const { side, permissions } = ROLES[role];
  if ((side === 'merchant') !== (merchantId !== null))
    return refuse(side === 'merchant' ? 'role_needs_merchant' : 'role_takes_no_merchant');
  if (!mayTouch(giver, { role, merchantId })) return refuse('role_not_yours');
  if (!isWithin(permissions, giver.permissions)) return refuse('role_not_yours');
  return { isAllowed: true };
}

/** True where the actor sees one merchant alone. */
export const isOfMerchant = (giver: Giver): boolean => giver.merchantId !== undefined;

/** True where the user is one of those that the actor may see at all. */
export const mayTouch = (giver: Giver, { merchantId }: Pick<User, 'role' | 'merchantId'>): boolean =>
  giver.merchantId === undefined || giver.merchantId === merchantId;

export const isWithin = (asked: Iterable<Permission>, held: ReadonlySet<Permission>): boolean => [...asked].every((one) => held.has(one));

/** How a user signs in to the service as an actor. */
export const actorOf = ({ userId, email, role, merchantId }: Pick<User, 'userId' | 'email' | 'role' | 'merchantId'>): Actor => ({
  kind: 'user',
  id: userId,
  name: email,
  role,
  permissions: ROLES[role].permissions,
  merchantId: merchantId ?? undefined,
  actsForMerchant: merchantId !== null,
});
