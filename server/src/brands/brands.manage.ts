import { Type } from 'typebox';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { formatAllDecimals, parseCost } from '../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import {
  managementOperation,
  NO_MERCHANT,
  NO_NETWORK,
  schemas,
  type ManagementOperation,
  type ManagementRefusal,
} from '../manage/index.ts';
import {
  merchantBrandFacts,
  networkBrandFacts,
  setMerchantBrand,
  setNetworkBrand,
  showMerchantBrand,
  showNetworkBrand,
} from './brand-rows.ts';
import { LOGO_BYTES, type MerchantBrand, type NetworkBrand } from './brand.ts';

type Acting = { readonly db: Db; readonly clock: Clock };
type Deps = Acting & { readonly acting: OpenActing };

const { merchantId, currency, orNull, answerObject, wrong } = schemas;

const colour = Type.String({ maxLength: 7, description: 'Of buttons and links. Dark enough to be read on white.', examples: ['#0a5c78'] });
const contact = Type.String({
  maxLength: 254,
  description: 'Where payers ask: an e-mail address or a telephone number.',
  examples: ['+57 601 555 0100'],
});
const website = Type.String({ maxLength: 200, description: 'Where the page leads back to: https.', examples: ['https://shop.example'] });
const hours = Type.String({ maxLength: 120, description: 'When its points are open.', examples: ['mon-sat 08:00-20:00, sun 09:00-13:00'] });
const picture = Type.String({ maxLength: 64, description: 'The SHA-256 of its bytes, in hex.', examples: ['9f86d081…'] });
const sentPicture = (bytes: number) =>
  Type.String({
    maxLength: 44_000,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: `A PNG of at most 512 by 512 pixels, in base64. It is written again without texts, and then has at most ${bytes} bytes.`,
    examples: ['iVBORw0KGgo='],
  });
const fee = Type.Object({
  amount: Type.String({
    maxLength: 20,
    pattern: '^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$',
    description: 'May be zero.',
    examples: ['1500.00'],
  }),
  currency,
});
const fees = Type.Array(fee, { maxItems: 50, description: 'What a payer pays beside the amount. A currency that is absent is not known.' });
const netname = Type.String({
  maxLength: 30,
  pattern: '^[a-z0-9_-]{1,30}$',
  description: 'The network’s name in requests.',
  examples: ['cashpoint'],
});

const LOGO = {
  logo_not_png: {
    status: 422,
    title: 'Invalid logo',
    meaning: 'A logo is a complete PNG, neither animated nor interlaced.',
    words: {
      es: 'El logo no es una imagen PNG completa, sin animación ni entrelazado',
      en: 'The logo is not a complete PNG image without animation or interlacing',
      pt: 'O logo não é uma imagem PNG completa, sem animação nem entrelaçamento',
    },
  },
  logo_too_large: {
    status: 422,
    title: 'The logo is too large',
    meaning: `It has at most 512 by 512 pixels. Written again, that of a merchant has at most ${LOGO_BYTES.merchant} bytes, that of a network ${LOGO_BYTES.network}.`,
    words: {
      es: 'El logo es demasiado grande: a lo sumo 512 por 512 píxeles, con pocos detalles',
      en: 'The logo is too large: 512 by 512 pixels at most, with few details',
      pt: 'O logo é grande demais: no máximo 512 por 512 pixels, com poucos detalhes',
    },
  },
} as const;

/** What a brand is changed through: its transaction is an act that shows the brand before and after. */
const actingFor = ({ acting, clock }: Deps, origin: ActOrigin, kind: 'merchant' | 'network', id: string): Acting => ({
  db: acting(
    actOf(origin, { target: { kind, id, ...(kind === 'merchant' ? { merchantId: id } : {}) } }),
    kind === 'merchant' ? merchantBrandFacts(id) : networkBrandFacts(id),
  ),
  clock,
});

type Unknown = 'merchant_unknown' | 'network_unknown';

const forManagement = <Brand extends object, Name extends string>(
  outcome: Brand | Refusal<Name>,
): Brand | Refusal<Exclude<Name, Unknown> | 'not_found'> =>
  isRefusal(outcome) && (outcome.refusal === 'merchant_unknown' || outcome.refusal === 'network_unknown')
    ? refuse('not_found')
    : (outcome as Brand | Refusal<Exclude<Name, Unknown>>);

const logoOf = (sent: string | null | undefined): Buffer | null | undefined =>
  sent ? Buffer.from(sent, 'base64') : (sent as null | undefined);

const merchantBrand = {
  tag: 'Brands',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId }),
  shows: answerObject({ colour: orNull(colour), contact: orNull(contact), website: orNull(website), logo: orNull(picture) }),
  answer: (brand: MerchantBrand) => ({ body: brand }),
} as const;

export const readBrandOfMerchant = managementOperation({
  ...merchantBrand,
  name: 'readMerchantBrand',
  route: 'GET /manage/v1/merchants/{merchant}/brand',
  summary: 'Show what payers see of a merchant',
  permission: 'merchants:read',
  scope: 'merchant',
  run: async ({ path: { merchant } }, deps: Deps) => (await showMerchantBrand(deps, merchant)) ?? refuse('not_found'),
});

export const setBrandOfMerchant = managementOperation({
  ...merchantBrand,
  name: 'setMerchantBrand',
  route: 'PATCH /manage/v1/merchants/{merchant}/brand',
  summary: 'Set what payers see of a merchant',
  names: { es: 'Cambiar la marca de un comercio', pt: 'Mudar a marca de um estabelecimento' },
  description: 'What is absent stays, null takes it away. Pages that are opened from now on show it.',
  permission: 'merchants:write',
  scope: 'service',
  body: Type.Object({
    colour: Type.Optional(orNull(colour)),
    contact: Type.Optional(orNull(contact)),
    website: Type.Optional(orNull(website)),
    logo: Type.Optional(orNull(sentPicture(LOGO_BYTES.merchant))),
  }),
  refusals: {
    colour_invalid: {
      status: 422,
      title: 'Invalid colour',
      meaning: 'Write it as `#rrggbb`, in lower case.',
      words: {
        es: 'El color se escribe con # y seis dígitos, como #0a5c78',
        en: 'The colour is written with # and six digits, as #0a5c78',
        pt: 'A cor se escreve com # e seis dígitos, como #0a5c78',
      },
    },
    colour_too_pale: {
      status: 422,
      title: 'The colour is too pale',
      meaning: 'Its contrast on white is below 4.5. Choose a darker colour.',
      words: {
        es: 'El color es muy claro para leerse sobre blanco. Elija uno más oscuro',
        en: 'The colour is too pale to be read on white. Choose a darker one',
        pt: 'A cor é clara demais para se ler sobre branco. Escolha uma mais escura',
      },
    },
    payers_contact_invalid: {
      status: 422,
      title: 'Invalid contact',
      meaning: 'A contact is one e-mail address or one phone number.',
      words: {
        es: 'El contacto para pagadores es un solo correo o un solo teléfono',
        en: 'The contact for payers is one e-mail address or one telephone number',
        pt: 'O contato para pagadores é um só e-mail ou um só telefone',
      },
    },
    website_invalid: {
      status: 422,
      title: 'Invalid website',
      meaning: 'A website is an https URL of at most 200 characters, without user or password.',
      words: {
        es: 'El sitio web es una dirección https, de 200 caracteres a lo sumo',
        en: 'The website is an https address, of 200 characters at most',
        pt: 'O site é um endereço https, de 200 caracteres no máximo',
      },
    },
    ...LOGO,
  },
  run: async ({ path: { merchant }, body: { logo, ...given }, origin }, deps: Deps) => {
    const acting = actingFor(deps, origin, 'merchant', merchant);
    return forManagement(await setMerchantBrand(acting, merchant, { ...given, logo: logoOf(logo) }));
  },
});

/** Fees as they are shown. */
const showFees = (stored: NetworkBrand['fees']) =>
  Object.entries(stored).map(([code, minor]) => ({ amount: formatAllDecimals(BigInt(minor), code), currency: code }));

/** Reads fees as they are sent. */
function readFees(
  sent: readonly { readonly amount: string; readonly currency: string }[],
): NetworkBrand['fees'] | ManagementRefusal<'fields_invalid'> {
  const read: Record<string, string> = {};
  for (const [index, { amount, currency: code }] of sent.entries()) {
    const minor = parseCost(amount, code);
    if (minor === undefined)
      return wrong(`/fees/${index}/amount`, 'must be zero or more of a known currency, with no more decimals than it has');
    if (read[code] !== undefined) return wrong(`/fees/${index}/currency`, 'must not be there twice');
    read[code] = minor.toString();
  }
  return read;
}

const networkBrand = {
  tag: 'Brands',
  scope: 'service',
  cells: 'home',
  missing: NO_NETWORK,
  path: Type.Object({ netname }),
  shows: answerObject({ fees, hours: orNull(hours), logo: orNull(picture) }),
  answer: ({ fees: stored, ...rest }: NetworkBrand) => ({ body: { fees: showFees(stored), ...rest } }),
} as const;

export const readBrandOfNetwork = managementOperation({
  ...networkBrand,
  name: 'readNetworkBrand',
  route: 'GET /manage/v1/networks/{netname}/brand',
  summary: 'Show what payers see of a network',
  permission: 'networks:read',
  run: async ({ path }, deps: Deps) => (await showNetworkBrand(deps, path.netname)) ?? refuse('not_found'),
});

export const setBrandOfNetwork = managementOperation({
  ...networkBrand,
  name: 'setNetworkBrand',
  route: 'PATCH /manage/v1/networks/{netname}/brand',
  summary: 'Set what payers see of a network',
  names: { es: 'Cambiar la marca de una red', pt: 'Mudar a marca de uma rede' },
  description: 'What is absent stays, null takes it away. The given fees replace all others.',
  permission: 'networks:write',
  body: Type.Object({
    fees: Type.Optional(fees),
    hours: Type.Optional(orNull(hours)),
    logo: Type.Optional(orNull(sentPicture(LOGO_BYTES.network))),
  }),
  refusals: {
    hours_invalid: {
      status: 422,
      title: 'Invalid opening hours',
      meaning: 'Write them like `mon-sat 08:00-20:00, sun 09:00-13:00`: days in order, none twice, at most four parts.',
      words: {
        es: 'Escriba el horario como mon-sat 08:00-20:00, sun 09:00-13:00. Los días van en orden, cada uno una vez',
        en: 'Write the hours as mon-sat 08:00-20:00, sun 09:00-13:00. Days are in order, each of them once',
        pt: 'Escreva o horário como mon-sat 08:00-20:00, sun 09:00-13:00. Os dias vão em ordem, cada um uma vez',
      },
    },
    ...LOGO,
  },
  run: async ({ path: { netname: network }, body, origin }, deps: Deps) => {
    const read = body.fees && readFees(body.fees);
    if (isRefusal(read)) return read;
    const change = { hours: body.hours, logo: logoOf(body.logo), fees: read };
    return forManagement(await setNetworkBrand(actingFor(deps, origin, 'network', network), network, change));
  },
});

/** The room's operations of the management API. */
export const brandManagement: readonly ManagementOperation<Deps>[] = [
  readBrandOfMerchant,
  setBrandOfMerchant,
  readBrandOfNetwork,
  setBrandOfNetwork,
];
