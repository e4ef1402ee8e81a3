import { Type, type TObject } from 'typebox';
import { CELL_NAME_PATTERN } from '../cells/index.ts';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { LANGUAGES } from '../kit/language.ts';
import { onceOf, type RunAloneOnce } from '../kit/once.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOME, HOME_NAME } from '../kit/per-cell.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { Db } from '../kit/db.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import {
  disableMerchant,
  enableMerchant,
  freezeMerchant,
  hashRotation,
  noticeHashRotation,
  signingSecretRotation,
  setMerchant,
  setMerchantLimits,
  setNoticeChecksum,
  setReturnUrl,
  setOnOff,
  setSigning,
  thawMerchant,
  type Rotation,
} from './change-merchant.ts';
import { setOpenAmounts } from './family/set-open-amounts.ts';
import { createMerchant, judgeMerchant, type CreateMerchant, type PlaceMerchant } from './create-merchant.ts';
import { refuseUndeliverable } from './deliverable.ts';
import { SIGNINGS } from './merchant.ts';
import { LISTED_OF_MERCHANT, merchantReads, showListed } from './merchants.manage.ts';
import { setNoticeUrl } from './notice-endpoints.ts';
import { mapOnOff } from './on-off-settings.ts';
import type { Previous } from './replace-secret.ts';
import { merchantFacts, showMerchant, type ShownMerchant } from './read-merchants.ts';

type Acting = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };
type Deps = Acting & {
  readonly isSandbox: boolean;
  readonly acting: OpenActing;
  readonly runOnce: RunAloneOnce;
  /** The number of its cell, where a merchant is created. */
  readonly cell: number;
  /** At home: takes the id of a new merchant for a cell. */
  readonly place: PlaceMerchant;
};

const { merchantId, currency, instant, limits, orNull, oneOf, rotationDays, answerObject, showInstant } = schemas;

const tag = 'Merchants';
const path = Type.Object({ merchant: merchantId });
const secret = Type.String({ description: 'Shown once.', examples: ['4c1f…'] });
const broughtSecret = Type.String({
  pattern: '^[!-~]{8,200}$',
  description: 'Of an earlier service. Absent: one is made.',
  examples: ['4c1f0c7a9e0b4d3f8a61'],
});
const name = Type.String({ maxLength: 100, examples: ['Demo'] });
const language = oneOf(LANGUAGES, 'The language of texts for its people.');
const currencies = Type.Array(currency, { minItems: 1, maxItems: 10 });
const contact = Type.String({ maxLength: 254, description: 'The e-mail address of a person to write to.', examples: ['ana@shop.example'] });
const noticeUrl = Type.String({ maxLength: 500, description: 'Where its notices go.', examples: ['https://shop.example/notices'] });

const TERMS = {
  name_invalid: ROOM_PROBLEMS.name_invalid,
  currency_not_of_country: ROOM_PROBLEMS.currency_not_of_country,
} as const;
const NOTICE_URL = {
  notice_url_invalid: {
    status: 422,
    title: 'Invalid notice URL',
    meaning: 'Use http or https, at most 500 characters, without user, password or fragment.',
    words: {
      es: 'La dirección de avisos es http o https, de 500 caracteres a lo sumo, sin usuario ni #',
      en: 'The address of notices is http or https, of 500 characters at most, without a user or #',
      pt: 'O endereço de avisos é http ou https, de 500 caracteres no máximo, sem usuário nem #',
    },
  },
  notice_url_not_https: {
    status: 422,
    title: 'The notice URL is not https',
    meaning: 'In production, a notice URL must be https.',
    words: {
      es: 'La dirección de avisos tiene que ser https',
      en: 'The address of notices must be https',
      pt: 'O endereço de avisos precisa ser https',
    },
  },
  notice_url_private: {
    status: 422,
    title: 'The notice URL is not public',
    meaning: 'In production, notices go to public addresses only.',
    words: {
      es: 'La dirección de avisos tiene que ser pública',
      en: 'The address of notices must be public',
      pt: 'O endereço de avisos precisa ser público',
    },
  },
} as const;
const OPEN_AMOUNTS = {
  open_amounts_invalid: {
    status: 422,
    title: 'Invalid limits for open amounts',
    meaning: 'One pair for each of the merchant’s currencies, with a minimum above zero and not above the maximum.',
    words: {
      es: 'Cada moneda va una vez y es del comercio. El mínimo es mayor que cero y no pasa del máximo',
      en: 'Each currency is the merchant’s, and there once. The least is above zero, and not above the most',
      pt: 'Cada moeda aparece uma vez e é do estabelecimento. O mínimo é maior que zero e não passa do máximo',
    },
  },
} as const;
const RETURN_URL = {
  return_url_invalid: {
    status: 422,
    title: 'Invalid return URL',
    meaning: 'Use https, at most 500 characters, without user, password or fragment. A sandbox takes http too.',
    words: {
      es: 'La dirección de retorno es https, de 500 caracteres a lo sumo, sin usuario ni #',
      en: 'The return address is https, of 500 characters at most, without a user or #',
      pt: 'O endereço de retorno é https, de 500 caracteres no máximo, sem usuário nem #',
    },
  },
} as const;
const ROTATION = {
  rotation_under_way: ROOM_PROBLEMS.rotation_under_way,
  secret_used_before: {
    status: 409,
    title: 'The merchant had this secret before',
    meaning: 'What was signed with it would be good again. Bring another one, or let the service make one.',
    words: {
      es: 'El comercio ya tuvo ese secreto: lo firmado con él volvería a valer. Use otro',
      en: 'The merchant had this secret before: what was signed with it would be good again. Use another one',
      pt: 'O estabelecimento já teve esse segredo: o que foi assinado com ele voltaria a valer. Use outro',
    },
    line: [
      '{merchant} had this secret before: what was signed with it would be good again. Bring another one, or leave out the file and get a new one.',
      1,
    ],
  },
} as const;

/** What a change of a merchant depends on: its transaction is an act that shows the merchant before and after. */
const actingFor = ({ acting, keys, clock }: Deps, origin: ActOrigin, merchant: string): Acting => ({
  db: acting(actOf(origin, { target: { kind: 'merchant', id: merchant, merchantId: merchant } }), merchantFacts(merchant)),
  keys,
  clock,
});

/** The days are read with their bounds, so they are never refused here. */
type Unused = 'merchant_unknown' | 'days_out_of_range';
type Unknown<Outcome> = Outcome extends Refusal<infer Name> ? Refusal<Exclude<Name, Unused> | 'not_found'> : Outcome;

/** A merchant that does not exist is not found, as one that the actor may not see. */
const orNotFound = <Outcome>(outcome: Outcome): Unknown<Outcome> =>
  (isRefusal(outcome) && outcome.refusal === 'merchant_unknown' ? refuse('not_found') : outcome) as Unknown<Outcome>;

/** Reads the merchant as it is after a change. */
async function changed<Name extends string>(
  outcome: object | undefined | Refusal<Name | 'merchant_unknown'>,
  merchant: string,
  { db, clock }: Deps,
): Promise<ShownMerchant | Refusal<Exclude<Name, Unused> | 'not_found'>> {
  if (isRefusal(outcome)) return orNotFound(outcome);
  return (await showMerchant({ db }, merchant, clock.now())) ?? refuse('not_found');
}

function show({ fixedHashes: _fixed, noticeHashes: _notice, signingSecrets: _signing, ...listed }: ShownMerchant) {
  return { body: showListed(listed) };
}

const ofService = {
  tag,
  permission: 'merchants:write',
  scope: 'service',
  missing: NO_MERCHANT,
  path,
  shows: answerObject(LISTED_OF_MERCHANT),
  answer: show,
} as const;

type NewMerchant = Omit<CreateMerchant, 'merchantId'> & { readonly merchant: string; readonly cell?: string | undefined };

/** What is refused of a new merchant before its id is taken for a cell, as the id would stay there. */
function refusalOf({ merchant: merchantId, cell: _cell, ...rest }: NewMerchant, { isSandbox }: Pick<Deps, 'isSandbox'>) {
  const undeliverable = isSandbox ? undefined : refuseUndeliverable(rest.noticeUrl);
  if (undeliverable !== undefined) return undeliverable;
  const judged = judgeMerchant({ merchantId, ...rest });
  return isRefusal(judged) ? judged : undefined;
}

export const merchantCreation = managementOperation({
  name: 'createMerchant',
  route: 'POST /manage/v1/merchants',
  tag,
  summary: 'Create a merchant',
  names: { es: 'Crear un comercio', pt: 'Criar um estabelecimento' },
  description: 'Its two secrets are shown once.',
  permission: 'secrets:write',
  scope: 'service',
  stepUp: true,
  status: 201,
  body: Type.Object({
    merchant: { ...merchantId, description: 'Its id for ever. One with cashouts has 30 characters at most.' },
    country: Type.String({ pattern: '^[0-9]{3}$', description: 'The code of the contract.', examples: ['343'] }),
    name: Type.Optional(name),
    language: Type.Optional(language),
    currencies: Type.Optional(currencies),
    noticeUrl: Type.Optional(noticeUrl),
    fixedHash: Type.Optional(broughtSecret),
    noticeHash: Type.Optional(broughtSecret),
    cell: Type.Optional(
      Type.String({
        pattern: CELL_NAME_PATTERN,
        description: 'The cell that will hold it. Absent: the one with the fewest merchants.',
        examples: ['home'],
      }),
    ),
  }),
  cells: async ({ body }, deps: Deps) => refusalOf(body, deps) ?? deps.place(body.merchant, body.cell),
  refusals: {
    merchant_id_invalid: {
      status: 422,
      title: 'The id is reserved',
      meaning: 'Choose another id.',
      words: {
        es: 'Ese id está reservado. Elija otro',
        en: 'This id is reserved. Choose another',
        pt: 'Esse id é reservado. Escolha outro',
      },
    },
    merchant_exists: {
      status: 409,
      title: 'The merchant already exists',
      meaning: 'The id of a merchant is never reused.',
      words: {
        es: 'Ya existe un comercio con ese id, o existió',
        en: 'There is a merchant with this id already, or there was',
        pt: 'Já existe um estabelecimento com esse id, ou existiu',
      },
      line: ['The merchant {merchant} exists already.', 1],
    },
    country_unknown: ROOM_PROBLEMS.country_unknown,
    cell_unknown: ROOM_PROBLEMS.cell_unknown,
    cell_not_served: ROOM_PROBLEMS.cell_not_served,
    merchant_elsewhere: ROOM_PROBLEMS.merchant_elsewhere,
    ...TERMS,
    ...NOTICE_URL,
  },
  shows: answerObject({ merchant: merchantId, fixedHash: secret, noticeHash: secret }),
  run: async ({ body, origin }, deps: Deps) => {
    const refused = refusalOf(body, deps);
    if (refused !== undefined) return refused;
    const { merchant, cell, ...rest } = body;
    // A process that serves home alone was not asked for the cell.
    const placed = deps.cell === HOME && cell !== undefined && cell !== HOME_NAME ? await deps.place(merchant, cell) : HOME;
    if (isRefusal(placed)) return placed;
    return createMerchant({ ...actingFor(deps, origin, merchant), cell: deps.cell }, { merchantId: merchant, ...rest });
  },
  answer: (created) => ({ body: created }),
});

export const update = managementOperation({
  ...ofService,
  name: 'updateMerchant',
  route: 'PATCH /manage/v1/merchants/{merchant}',
  summary: 'Change name, language, currencies or contact of a merchant',
  names: { es: 'Cambiar los datos de un comercio', pt: 'Mudar os dados de um estabelecimento' },
  description: 'What is absent stays. A `contact` of null takes it away. Orders and cashouts in being go on.',
  body: Type.Object({
    name: Type.Optional(name),
    language: Type.Optional(language),
    currencies: Type.Optional(currencies),
    contact: Type.Optional(orNull(contact)),
  }),
  refusals: {
    ...TERMS,
    contact_invalid: {
      status: 422,
      title: 'Invalid contact',
      meaning: 'A contact is one e-mail address of at most 254 characters.',
      words: {
        es: 'El contacto es un solo correo electrónico, de 254 caracteres a lo sumo',
        en: 'The contact is one e-mail address, of 254 characters at most',
        pt: 'O contato é um só e-mail, de 254 caracteres no máximo',
      },
    },
  },
  run: async ({ path: { merchant }, body, origin }, deps: Deps) =>
    changed(await setMerchant(actingFor(deps, origin, merchant), merchant, body), merchant, deps),
});

/** What an operation is called. */
type Said = Pick<ManagementOperation<never>, 'summary' | 'names'>;

const switchOf = (verb: string, said: Said, description: string, change: typeof freezeMerchant) =>
  managementOperation({
    ...ofService,
    name: `${verb}Merchant`,
    route: `POST /manage/v1/merchants/{merchant}/${verb}`,
    ...said,
    description,
    run: async ({ path: { merchant }, origin }, deps: Deps) =>
      changed(await change(actingFor(deps, origin, merchant), merchant), merchant, deps),
  });

export const merchantSwitches = {
  disableMerchant: switchOf(
    'disable',
    { summary: 'Disable a merchant', names: { es: 'Desactivar un comercio', pt: 'Desativar um estabelecimento' } },
    'It is answered like an unknown one. Its orders and cashouts stay.',
    disableMerchant,
  ),
  enableMerchant: switchOf(
    'enable',
    { summary: 'Enable a merchant again', names: { es: 'Activar un comercio de nuevo', pt: 'Reativar um estabelecimento' } },
    'With the secrets that it had.',
    enableMerchant,
  ),
  freezeMerchant: switchOf(
    'freeze',
    { summary: 'Freeze a merchant', names: { es: 'Congelar un comercio', pt: 'Congelar um estabelecimento' } },
    'Nothing new is accepted and nothing is paid out. Its reads go on.',
    freezeMerchant,
  ),
  thawMerchant: switchOf(
    'thaw',
    { summary: 'End the freeze of a merchant', names: { es: 'Descongelar un comercio', pt: 'Descongelar um estabelecimento' } },
    'What waits goes on.',
    thawMerchant,
  ),
};

/** Those that turn a setting on or off, by its name. */
export const settings = mapOnOff((field, { operation, word, names: { en, ...others } }) =>
  managementOperation({
    ...ofService,
    name: operation,
    route: `PUT /manage/v1/merchants/{merchant}/${word}`,
    summary: en,
    names: others,
    body: Type.Object({ isOn: Type.Boolean() }),
    run: async ({ path: { merchant }, body: { isOn }, origin }, deps: Deps) =>
      changed(await setOnOff[field](actingFor(deps, origin, merchant), merchant, isOn), merchant, deps),
  }),
);

export const checksumOfNotices = managementOperation({
  ...ofService,
  name: 'setNoticeChecksum',
  route: 'PUT /manage/v1/merchants/{merchant}/notice-checksum',
  summary: 'Set the hash of the checksum in notices of orders',
  names: { es: 'Cambiar el checksum de los avisos', pt: 'Mudar o checksum dos avisos' },
  description: 'Also of those that wait.',
  body: Type.Object({ noticeChecksum: LISTED_OF_MERCHANT.noticeChecksum }),
  run: async ({ path: { merchant }, body, origin }, deps: Deps) =>
    changed(await setNoticeChecksum(actingFor(deps, origin, merchant), merchant, body.noticeChecksum), merchant, deps),
});

export const openAmounts = managementOperation({
  ...ofService,
  name: 'setOpenAmounts',
  route: 'PUT /manage/v1/merchants/{merchant}/open-amounts',
  summary: 'Set in which currencies orders may leave the amount to the payer',
  names: { es: 'Cambiar los montos abiertos', pt: 'Mudar os valores abertos' },
  description: 'And between which limits. An order of amount 0 is such an order.',
  body: Type.Object({ openAmounts: LISTED_OF_MERCHANT.openAmounts }),
  refusals: OPEN_AMOUNTS,
  run: async ({ path: { merchant }, body, origin }, deps: Deps) =>
    changed(await setOpenAmounts(actingFor(deps, origin, merchant), merchant, body.openAmounts), merchant, deps),
});

export const merchantLimits = managementOperation({
  ...ofService,
  name: 'setMerchantLimits',
  route: 'PUT /manage/v1/merchants/{merchant}/limits',
  summary: 'Set how many requests of a merchant are served',
  names: { es: 'Cambiar los límites de solicitudes de un comercio', pt: 'Mudar os limites de solicitações de um estabelecimento' },
  body: Type.Object({ limits }),
  run: async ({ path: { merchant }, body, origin }, deps: Deps) =>
    changed(await setMerchantLimits(actingFor(deps, origin, merchant), merchant, body.limits), merchant, deps),
});

export const merchantSigning = managementOperation({
  ...ofService,
  permission: 'secrets:write',
  name: 'setMerchantSigning',
  route: 'PUT /manage/v1/merchants/{merchant}/signing',
  summary: 'Set whether requests of a merchant are signed',
  names: { es: 'Cambiar si un comercio firma', pt: 'Mudar se um estabelecimento assina' },
  description: 'The first time makes the secret to sign with, and shows it once.',
  stepUp: true,
  body: Type.Object({ signing: oneOf(SIGNINGS, 'Whether its requests must be signed.') }),
  shows: answerObject({ merchant: merchantId, signing: oneOf(SIGNINGS, 'What holds now.'), signingSecret: orNull(secret) }),
  run: async ({ path: { merchant }, body: { signing }, origin }, deps: Deps) =>
    orNotFound(await setSigning(actingFor(deps, origin, merchant), merchant, signing)),
  answer: (set) => ({ body: set }),
});

const previousValidUntil = orNull(instant);

const ofOwn = { tag, permission: 'secrets:write', scope: 'merchant', stepUp: true, missing: NO_MERCHANT, path } as const;

export const redirect = managementOperation({
  ...ofOwn,
  name: 'setNoticeUrl',
  route: 'PUT /manage/v1/merchants/{merchant}/notice-url',
  summary: 'Set where the notices of a merchant go',
  names: { es: 'Cambiar la dirección de avisos', pt: 'Mudar o endereço de avisos' },
  description: 'Also those that wait. Null: they are not sent.',
  body: Type.Object({ noticeUrl: orNull(noticeUrl) }),
  refusals: NOTICE_URL,
  shows: answerObject(LISTED_OF_MERCHANT),
  run: async ({ path: { merchant }, body, origin }, deps: Deps) => {
    const refused = deps.isSandbox ? undefined : refuseUndeliverable(body.noticeUrl);
    return refused ?? changed(await setNoticeUrl(actingFor(deps, origin, merchant), merchant, body.noticeUrl), merchant, deps);
  },
  answer: show,
});

export const leadBack = managementOperation({
  ...ofOwn,
  name: 'setReturnUrl',
  route: 'PUT /manage/v1/merchants/{merchant}/return-url',
  summary: 'Set where the checkout page leads payers back to',
  names: { es: 'Cambiar la dirección de retorno', pt: 'Mudar o endereço de retorno' },
  description: 'After a payment. Null: nowhere.',
  body: Type.Object({ returnUrl: LISTED_OF_MERCHANT.returnUrl }),
  refusals: RETURN_URL,
  shows: answerObject(LISTED_OF_MERCHANT),
  run: async ({ path: { merchant }, body: { returnUrl }, origin }, deps: Deps) => {
    const acting = { ...actingFor(deps, origin, merchant), isSandbox: deps.isSandbox };
    return changed(await setReturnUrl(acting, merchant, returnUrl), merchant, deps);
  },
  answer: show,
});

/** The new secret of a rotation. A repeated request gets the answer without it: it is not kept. */
const rotatedSecret = Type.Optional(Type.String({ description: 'Shown once. Not in a repeated answer.', examples: ['4c1f…'] }));

const BRINGING = Type.Object({ days: Type.Optional(rotationDays), secret: Type.Optional(broughtSecret) });

/** Declares the replacement of a secret. It is carried out once for an Idempotency-Key. */
const rotation = <Member extends string, Rotated extends Previous & { readonly merchant: string }>(
  member: Member,
  {
    rotate,
    name: operation,
    word,
    summary,
    names,
    mayBring = false,
  }: {
    readonly rotate: Rotation<Rotated>;
    readonly name: string;
    readonly word: string;
    readonly summary: string;
    readonly names: ManagementOperation<never>['names'];
    /** Whether a secret of an earlier service may take the place of a new one. */
    readonly mayBring?: boolean;
  },
) =>
  managementOperation({
    ...ofOwn,
    name: operation,
    route: `POST /manage/v1/merchants/{merchant}/${word}`,
    summary,
    names,
    description: 'The new one is shown once. The earlier one stays valid for some days.',
    body: (mayBring ? BRINGING : Type.Object({ days: BRINGING.properties.days })) as typeof BRINGING,
    refusals: ROTATION,
    keepsAnswersAs: `manage-${word}`,
    shows: answerObject({ merchant: merchantId, [member]: rotatedSecret, previousValidUntil }) as TObject<
      { merchant: typeof merchantId; previousValidUntil: typeof previousValidUntil } & Record<Member, typeof rotatedSecret>
    >,
    run: async ({ path: { merchant }, body: { days = MAX_ROTATION_DAYS, secret: brought }, origin, once }, deps: Deps) => {
      const own = actingFor(deps, origin, merchant);
      return orNotFound(await deps.runOnce(own.db, onceOf(once, orNotFound), rotate(own, merchant, days, brought)));
    },
    answer: ({ previousValidUntil: until, ...rotated }) => ({ body: { ...rotated, previousValidUntil: showInstant(until) } }),
    keptAnswer: ({ merchant, previousValidUntil: until }) => ({ body: { merchant, previousValidUntil: showInstant(until) } }),
  });

export const rotations = {
  rotateHash: rotation('fixedHash', {
    rotate: hashRotation,
    name: 'rotateFixedHash',
    word: 'rotate-fixed-hash',
    summary: 'Give a merchant a new fixed hash',
    names: { es: 'Cambiar el hash fijo de un comercio', pt: 'Trocar o hash fixo de um estabelecimento' },
    mayBring: true,
  }),
  rotateNoticeHash: rotation('noticeHash', {
    rotate: noticeHashRotation,
    name: 'rotateNoticeHash',
    word: 'rotate-notice-hash',
    summary: 'Give a merchant a new notice hash',
    names: { es: 'Cambiar el hash de avisos de un comercio', pt: 'Trocar o hash de avisos de um estabelecimento' },
    mayBring: true,
  }),
  rotateSigningSecret: rotation('signingSecret', {
    rotate: signingSecretRotation,
    name: 'rotateSigningSecret',
    word: 'rotate-signing-secret',
    summary: 'Give a merchant a new secret to sign with',
    names: { es: 'Cambiar el secreto de firma de un comercio', pt: 'Trocar o segredo de assinatura de um estabelecimento' },
  }),
};

/** The room's operations of the management API. */
export const merchantManagement: readonly ManagementOperation<Deps>[] = [
  ...merchantReads,
  merchantCreation,
  update,
  ...Object.values(merchantSwitches),
  ...Object.values(settings),
  checksumOfNotices,
  openAmounts,
  merchantLimits,
  merchantSigning,
  redirect,
  leadBack,
  ...Object.values(rotations),
];
