import type { Command } from 'commander';
import type { Act } from '../../kit/changes/act.ts';
import { ON_OFF_SETTINGS } from '../../merchants/on-off-settings.ts';

/** What a command does, beside its name: on what, and what of it the act shows before and after. */
type Deed = Partial<Pick<Act, 'merchantId' | 'target'>> & { readonly shows?: Shows };

/** Of what record the act shows the values before and after. */
type Shows = { readonly kind: 'merchant' | 'network' | 'merchantBrand' | 'networkBrand' | 'bankFileLayout'; readonly id: string };
type Words = readonly string[];
type Options = Readonly<Record<string, unknown>>;

/** `reads`: it writes nothing, and its database refuses to write. Else it is an act. */
type Effect = 'reads' | ((words: Words, options: Options) => Deed | 'reads');

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const ofMerchant = (id: string): Deed => ({ merchantId: id, target: `merchant ${id}`, shows: { kind: 'merchant', id } });
const merchantNamed: Effect = ([id = '']) => ofMerchant(id);
const networkNamed: Effect = ([netname = '']) => ({ target: `network ${netname}`, shows: { kind: 'network', id: netname } });
/** Without an option it shows the brand. */
const brandOf =
  (kind: 'merchant' | 'network'): Effect =>
  ([id = ''], { json: _json, ...given }) =>
    Object.keys(given).length === 0
      ? 'reads'
      : { merchantId: kind === 'merchant' ? id : null, target: `${kind} ${id}`, shows: { kind: `${kind}Brand`, id } };
const moneyOf: Effect = (_words, { merchant }) => ({ merchantId: text(merchant), target: `merchant ${text(merchant)}` });
const orderNamed: Effect = ([order], { merchant }) => ({ merchantId: text(merchant), target: `order ${order}` });
const refundNamed: Effect = ([refund], { merchant }) => ({ merchantId: text(merchant), target: `refund ${refund}` });
const settlementNamed: Effect = ([settlement], { merchant }) => ({ merchantId: text(merchant), target: `settlement ${settlement}` });
const cashoutNamed: Effect = ([operation], { merchant }) => ({ merchantId: text(merchant), target: `cashout ${operation}` });
const userNamed: Effect = ([email], { merchant }) => ({ merchantId: text(merchant), target: `user ${email}` });
/** Whole lists leave the service: each export is an act. */
const exported: Effect = (_words, { merchant }) => ({ merchantId: text(merchant) });
const endpointNamed: Effect = ([merchant = '']) => ({ merchantId: merchant, target: `endpoint ${merchant}` });

/** Every command of the program. A command that is not here cannot run. */
const COMMAND_EFFECTS: Readonly<Record<string, Effect>> = {
  'merchants create': (_words, { id }) => ofMerchant(String(id)),
  'merchants list': 'reads',
  'merchants show': 'reads',
  'merchants disable': merchantNamed,
  'merchants enable': merchantNamed,
  'merchants freeze': merchantNamed,
  'merchants thaw': merchantNamed,
  'merchants set': merchantNamed,
  'merchants limits': merchantNamed,
  'merchants rotate-hash': merchantNamed,
  'merchants rotate-notice-hash': merchantNamed,
  'merchants set-notice-url': merchantNamed,
  'merchants signing': merchantNamed,
  'merchants rotate-signing-secret': merchantNamed,
  ...Object.fromEntries(ON_OFF_SETTINGS.map(([, { word }]) => [`merchants ${word}`, merchantNamed])),
  'merchants open-amounts': merchantNamed,
  'merchants notice-checksum': merchantNamed,
  'merchants set-return-url': merchantNamed,
  'networks create': networkNamed,
  'networks list': 'reads',
  'networks show': 'reads',
  'networks serves': networkNamed,
  'networks addresses': networkNamed,
  'networks limits': networkNamed,
  'networks signing': networkNamed,
  'networks rotate': networkNamed,
  'networks disable': networkNamed,
  'networks enable': networkNamed,
  'brands merchant': brandOf('merchant'),
  'brands network': brandOf('network'),
  'orders list': 'reads',
  'orders show': 'reads',
  'orders create': orderNamed,
  'orders update': orderNamed,
  'orders pay': orderNamed,
  'orders void': orderNamed,
  'orders refund': orderNamed,
  'orders cancel': orderNamed,
  'orders expire': orderNamed,
  'orders refused': 'reads',
  'orders resolve': orderNamed,
  'refunds list': 'reads',
  'refunds show': 'reads',
  'refunds approve': refundNamed,
  'refunds cashout': refundNamed,
  'refunds pay': refundNamed,
  'refunds fail': refundNamed,
  'refunds cancel': refundNamed,
  'settlements list': 'reads',
  'settlements show': 'reads',
  'settlements entries': 'reads',
  'settlements preview': 'reads',
  'settlements run': moneyOf,
  'settlements approve': () => ({}),
  'settlements cancel': settlementNamed,
  'settlements sent': settlementNamed,
  'settlements paid': settlementNamed,
  'settlements returned': settlementNamed,
  'holds list': 'reads',
  'holds place': moneyOf,
  'holds release': ([hold], { merchant }) => ({ merchantId: text(merchant), target: `hold ${hold}` }),
  'cashouts list': 'reads',
  'cashouts show': 'reads',
  'cashouts register': cashoutNamed,
  'cashouts import': moneyOf,
  'cashouts cancel': cashoutNamed,
  'cashouts nullify': cashoutNamed,
  'cashouts unlock': cashoutNamed,
  'cashouts resend': cashoutNamed,
  'cashouts limits': (words, options) =>
    [options['least'], options['most'], options['perDocumentAndDay']].every((bound) => bound === undefined)
      ? 'reads'
      : moneyOf(words, options),
  'ledger balances': 'reads',
  'ledger entries': 'reads',
  'ledger statement': 'reads',
  'settlements statement': 'reads',
  'ledger fees': 'reads',
  'ledger top-up': moneyOf,
  'ledger adjust': moneyOf,
  'ledger set-fees': moneyOf,
  'ledger to-fund': moneyOf,
  'ledger fund-rule': (words, options) =>
    [options['low'], options['eachDay'], options['off']].every((given) => given === undefined) ? 'reads' : moneyOf(words, options),
  'settlements schedules': 'reads',
  'settlements schedule': ([merchant = ''], { currency: _currency, json: _json, ...given }) =>
    Object.keys(given).length === 0 ? 'reads' : { merchantId: merchant, target: `merchant ${merchant}` },
  'settlements rules': 'reads',
  'settlements add-rule': ([name], { merchant }) => ({ merchantId: text(merchant), target: `rule ${name}` }),
  'settlements end-rule': ([rule]) => ({ target: `rule ${rule}` }),
  'settlements layouts': 'reads',
  'settlements layout': ([layout, file], { try: isTried }) =>
    file === undefined || isTried === true
      ? 'reads'
      : { target: `layout ${layout}`, shows: { kind: 'bankFileLayout', id: String(layout) } },
  'settlements make-file': (_words, { id }) => ({ target: id === undefined ? null : `file ${text(id)}` }),
  'settlements files': 'reads',
  'settlements file': 'reads',
  'settlements results': (_words, { commit }) => (commit === true ? {} : 'reads'),
  'calendars list': 'reads',
  'calendars load': ([calendar]) => ({ target: `calendar ${calendar}` }),
  'notices list': 'reads',
  'notices show': 'reads',
  'notices send-now': ([id]) => ({ target: `notice ${id}` }),
  'messages send-now': ([id]) => ({ target: `message ${id}` }),
  'notices redeliver': ([id], { merchant }) => ({ merchantId: text(merchant), target: id === undefined ? null : `notice ${id}` }),
  'notices endpoints': 'reads',
  'notices test': endpointNamed,
  'notices pause': endpointNamed,
  'notices resume': endpointNamed,
  trigger: moneyOf,
  sign: 'reads',
  try: 'reads',
  listen: 'reads',
  replay: 'reads',
  'export check': 'reads',
  'audit list': 'reads',
  'audit verify': 'reads',
  'audit export': () => ({}),
  'audit checkpoint': 'reads',
  find: 'reads',
  'figures show': 'reads',
  'figures rebuild': () => ({}),
  day: 'reads',
  'users invite': userNamed,
  'users list': 'reads',
  'users show': 'reads',
  'users set-role': userNamed,
  'users disable': userNamed,
  'users enable': userNamed,
  'users reset': userNamed,
  'users sign-out': userNamed,
  'tokens create': (_words, { name, merchant }) => ({ merchantId: text(merchant), target: `token ${text(name)}` }),
  'tokens list': 'reads',
  'tokens revoke': ([id]) => ({ target: `token ${id}` }),
  'cells list': 'reads',
  'cells create': ([name]) => ({ target: `cell ${name}` }),
  'cells move': ([name]) => ({ target: `cell ${name}` }),
  'cells reconnect': ([name]) => ({ target: `cell ${name}` }),
  'cells place': ([merchant = '']) => ({ merchantId: merchant, target: `merchant ${merchant}` }),
  'cells verify': 'reads',
  'cells claim-again': () => ({}),
  doctor: 'reads',
  serve: 'reads',
  verify: 'reads',
  'people export': () => ({}),
  'people erase': () => ({}),
  'messages list': 'reads',
  'messages test-mail': 'reads',
  'messages test-sms': 'reads',
  'service-keys list': 'reads',
  'service-keys rotate': ([name]) => ({ target: `key ${name}` }),
  'master-key rotate': () => ({}),
  'master-key status': 'reads',
  // All data leaves the service.
  'backup make': () => ({}),
  'backup log': () => ({}),
  'backup list': 'reads',
  'backup rehearse': 'reads',
  'upgrade rehearse': 'reads',
  // The act is recorded in the restored database.
  restore: () => ({}),
};

/**
 * Who a person is: the act says that the command named one, and not whom, because it would outlive an erasure. And what holds a password.
 */
const HIDDEN_OPTIONS = new Set(['document', 'email', 'databaseUrl', 'ownerUrl']);
/** How the command prints, and who runs it: nothing that was asked for. */
const OTHER_OPTIONS = new Set(['json', 'as', 'reason', 'merchant']);

/** Every list that a room exports is read in the same way. */
export const effectOf = (operation: string): Effect | undefined =>
  COMMAND_EFFECTS[operation] ?? (operation.startsWith('export ') ? exported : undefined);

export type CommandAct = Pick<Act, 'operation' | 'merchantId' | 'target' | 'details'> & Pick<Deed, 'shows'>;

/** The command under way; `act` undefined: it reads. `as`: who says to run it. */
export type Doing = { readonly act: CommandAct | undefined; readonly as: string | undefined };

/** Returns what a command is about to do; undefined: it reads. Throws: where the command has no line above. */
export function commandAct(command: Command): CommandAct | undefined {
  const operation = commandName(command);
  const effect = effectOf(operation);
  if (effect === undefined) throw new Error(`"${operation}" has no line in command-acts.ts`);
  const options = command.opts();
  const words = command.processedArgs.filter((word) => word !== undefined).map(String);
  const deed = effect === 'reads' ? effect : effect(words, options);
  if (deed === 'reads') return undefined;
  const asked = Object.entries(options).filter(([name]) => !OTHER_OPTIONS.has(name));
  const given = Object.fromEntries(asked.map(([name, value]) => [name, HIDDEN_OPTIONS.has(name) ? '…' : (value as unknown)]));
  const { merchantId = null, target = null, shows } = deed;
  const reason = text(options['reason']) ?? undefined;
  return { operation, merchantId, target, details: { reason, ...(asked.length > 0 && { given }) }, ...(shows && { shows }) };
}

/** The words of a command without the name of the program. */
export function commandName(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${commandName(parent)} ${command.name()}`.trim();
}
