/** What each permission lets its holder do, as the reference shows it. */
export const PERMISSIONS = {
  'orders:read': 'See orders with their history, payments and payers.',
  'orders:write': 'Create, update and cancel orders.',
  'payments:write': 'Take payments back, and end orders by hand.',
  'refunds:write': 'Ask for refunds, and withdraw them.',
  'cashouts:read': 'See cashouts with their history and end users.',
  'cashouts:write': 'Register, cancel, nullify and unlock cashouts.',
  'merchants:read': 'See merchants and their settings.',
  'merchants:write': 'Create merchants, change their settings, such as when and to which account they are paid, freeze and disable them.',
  'secrets:write':
    'Create merchants and networks, replace secrets of merchants and networks, and set where notices go. A new secret is shown once.',
  'networks:read': 'See collection networks and their settings.',
  'networks:write': 'Change settings of networks, disable and enable them.',
  'ledger:read': 'See accounts, entries, statements and settlements.',
  'ledger:write': 'Top up funds and adjust accounts.',
  'funds:write': 'Move what a merchant has collected to its fund for cashouts, by hand and by rule.',
  'settlements:write': 'Set what is taken off settlements, make them, approve them and record what the bank did; hold money back.',
  'notices:read': 'See notices and the attempts to send them.',
  'notices:send': 'Send notices and one-time passwords again, and notices and messages that wait at once.',
  'messages:read': 'See messages to payers and end users.',
  'figures:read': 'See figures by hour and day.',
  'exports:read': 'Export whole lists.',
  'sandbox:use': 'Move the clock of a sandbox, simulate payments, read its inbox.',
  'users:read': 'See users.',
  'users:write': 'Invite, change, disable and reset users.',
  'tokens:write': 'Make access tokens and end them.',
  'audit:read': 'See the audit log.',
  'people:write': 'Export and erase what is stored of a person.',
} as const satisfies Readonly<Record<string, string>>;

/** The right to run some operations. */
export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/** Whether a role belongs to the service, or to one merchant. */
type Side = 'service' | 'merchant';
type RoleTerms = { readonly side: Side; readonly permissions: ReadonlySet<Permission> };

const of = (side: Side, ...permissions: readonly Permission[]): RoleTerms => ({ side, permissions: new Set(permissions) });

const READS = ALL_PERMISSIONS.filter((one) => one.endsWith(':read'));
/** Who looks after orders and cashouts sees these. Users and the audit log are for others. */
const BUSINESS_READS = READS.filter((one) => one !== 'users:read' && one !== 'audit:read');
const SUPPORT_READS = BUSINESS_READS.filter((one) => one !== 'exports:read' && one !== 'ledger:read');
const MERCHANT_READS = BUSINESS_READS.filter((one) => one !== 'networks:read');

/** The one table of roles. A role is a named set of permissions. A merchant's role sees that merchant alone. */
export const ROLES = {
  owner: of('service', ...ALL_PERMISSIONS),
  operations: of(
    'service',
    ...BUSINESS_READS,
    ...([
      'orders:write',
      'payments:write',
      'refunds:write',
      'cashouts:write',
      'merchants:write',
      'networks:write',
      'notices:send',
      'sandbox:use',
    ] as const),
  ),
  finance: of(
    'service',
    'orders:read',
    'cashouts:read',
    'merchants:read',
    'networks:read',
    'figures:read',
    'exports:read',
    'ledger:read',
    'ledger:write',
    'settlements:write',
    'funds:write',
  ),
  support: of('service', ...SUPPORT_READS, 'notices:send'),
  auditor: of('service', ...READS),
  administrator: of(
    'merchant',
    ...MERCHANT_READS,
    ...([
      'orders:write',
      'refunds:write',
      'cashouts:write',
      'funds:write',
      'secrets:write',
      'notices:send',
      'users:read',
      'users:write',
      'tokens:write',
    ] as const),
  ),
  clerk: of(
    'merchant',
    'orders:read',
    'orders:write',
    'refunds:write',
    'cashouts:read',
    'cashouts:write',
    'merchants:read',
    'notices:read',
    'figures:read',
  ),
  viewer: of('merchant', ...MERCHANT_READS.filter((one) => one !== 'exports:read')),
} as const satisfies Readonly<Record<string, RoleTerms>>;

export type Role = keyof typeof ROLES;

export const ALL_ROLES = Object.keys(ROLES) as readonly Role[];

/** Who does something: a user, a program by its access token, a person at the command line, or nobody who is known. */
export type Actor = {
  readonly kind: 'user' | 'token' | 'command' | 'nobody';
  readonly id: string;
  /** Shown to people: the e-mail of a user, the name of a token, the system's user of a command. */
  readonly name: string;
  readonly role: Role | undefined;
  readonly permissions: ReadonlySet<Permission>;
  /** The merchant that the actor is bound to; undefined: the actor is of the service's side and sees every merchant. */
  readonly merchantId: string | undefined;
  /** One of the merchant's own people or programs. A token that the service's side bound to a merchant is not one of them. */
  readonly actsForMerchant: boolean;
};

/** How histories name an actor: `user:ana@example.com`. One that acts for a merchant: `merchant:ana@example.com`. */
export const historyActor = ({ kind, name, actsForMerchant }: Actor): `${'merchant' | 'user' | 'token' | 'command'}:${string}` =>
  `${actsForMerchant ? 'merchant' : kind === 'nobody' ? 'user' : kind}:${name}`;

/** The actor of a history, as a merchant may know it. All of the service's own side are operators. */
export const withoutOperator = (actor: string): string => actor.replace(/^(?:user|token|command):.*$/s, 'operator');

/** Who asks before anybody has signed in. */
export const NOBODY: Actor = {
  kind: 'nobody',
  id: '',
  name: 'nobody',
  role: undefined,
  permissions: new Set(),
  merchantId: undefined,
  actsForMerchant: false,
};
