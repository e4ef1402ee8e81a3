import { Type, type TBoolean, type TNull, type TUnion } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { byText } from '../kit/lists/merges.ts';
import { refuse } from '../kit/outcome.ts';
import { cutPage, managementOperation, mergeFound, NO_MERCHANT, schemas, type ManagementOperation } from '../manage/index.ts';
import { findCountry, SHOWN_COUNTRIES, type Country } from './countries.ts';
import { NOTICE_CHECKSUMS, SIGNINGS } from './merchant.ts';
import { mapOnOff, type OnOff, type OnOffField } from './on-off-settings.ts';
import { pageMerchants, showMerchant, type ListedMerchant, type ShownSecret } from './read-merchants.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const { merchantId, amountText, currency, instant, limits, orNull, oneOf, answerObject, showInstant } = schemas;

/** The settings that are on or off. */
const ON_OFF_SHOWN = mapOnOff((_field, { meaning: description, begins }) =>
  begins === 'off' ? Type.Boolean({ description }) : orNull(Type.Boolean({ description, examples: [true] })),
) as { readonly [Field in OnOffField]: OnOff[Field] extends boolean ? TBoolean : TUnion<[TBoolean, TNull]> };

/** The members of a merchant. */
export const LISTED_OF_MERCHANT = {
  merchant: merchantId,
  name: Type.String({ maxLength: 100, examples: ['Demo'] }),
  country: Type.String({ maxLength: 3, description: 'The code of the contract.', examples: ['343'] }),
  timeZone: Type.String({ maxLength: 40, description: 'Of its days: an IANA zone.', examples: ['America/Bogota'] }),
  language: oneOf(['es', 'en', 'pt'], 'The language of texts for its people.'),
  currencies: Type.Array(currency),
  contact: orNull(
    Type.String({ maxLength: 254, description: 'The e-mail address of a person to write to.', examples: ['ana@shop.example'] }),
  ),
  noticeUrl: orNull(Type.String({ maxLength: 500 })),
  createdAt: instant,
  disabledAt: orNull(instant),
  frozenAt: orNull(instant),
  limits,
  signing: oneOf(SIGNINGS, 'Whether its requests must be signed.'),
  ...ON_OFF_SHOWN,
  openAmounts: Type.Array(answerObject({ currency, least: amountText, most: amountText }), {
    maxItems: 20,
    description: 'Where its orders may leave the amount to the payer, and between which limits.',
  }),
  noticeChecksum: oneOf(NOTICE_CHECKSUMS, 'The hash of the checksum in notices of orders.'),
  returnUrl: orNull(
    Type.String({ maxLength: 500, description: 'Where the checkout page leads back to.', examples: ['https://shop.example/thanks'] }),
  ),
};
const SECRETS = Type.Array(answerObject({ createdAt: instant, validUntil: orNull(instant) }), {
  description: 'The newest first. Never the secret.',
});

/** Shows a merchant without its secrets. */
export const showListed = ({ createdAt, disabledAt, frozenAt, ...rest }: ListedMerchant): object => ({
  ...rest,
  timeZone: (findCountry(rest.country) as Country).timeZone,
  createdAt: createdAt.toString(),
  disabledAt: showInstant(disabledAt),
  frozenAt: showInstant(frozenAt),
});
const showSecret = ({ createdAt, validUntil }: ShownSecret): object => ({
  createdAt: createdAt.toString(),
  validUntil: showInstant(validUntil),
});

export const listMerchants = managementOperation({
  name: 'listMerchants',
  route: 'GET /manage/v1/merchants',
  tag: 'Merchants',
  summary: 'List merchants',
  description: 'By id, disabled ones included. An actor that is bound to a merchant sees that one.',
  permission: 'merchants:read',
  scope: 'merchant',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: answerObject(LISTED_OF_MERCHANT),
  run: async ({ merchantId: only, page: { after, limit } }, { db }: Deps) => ({
    found: await pageMerchants({ db }, { merchantId: only, after: after?.[0] ?? '', limit: limit + 1 }),
  }),
  cells: { merge: mergeFound<ListedMerchant>((one, other) => byText(one.merchant, other.merchant)) },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showListed, ({ merchant }) => [merchant]),
});

export const readMerchant = managementOperation({
  name: 'readMerchant',
  route: 'GET /manage/v1/merchants/{merchant}',
  tag: 'Merchants',
  summary: 'Show one merchant',
  permission: 'merchants:read',
  scope: 'merchant',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId }),
  shows: answerObject({ ...LISTED_OF_MERCHANT, fixedHashes: SECRETS, noticeHashes: SECRETS, signingSecrets: SECRETS }),
  run: async ({ path: { merchant } }, { db, clock }: Deps) => (await showMerchant({ db }, merchant, clock.now())) ?? refuse('not_found'),
  answer: ({ fixedHashes, noticeHashes, signingSecrets, ...listed }) => ({
    body: {
      ...showListed(listed),
      fixedHashes: fixedHashes.map(showSecret),
      noticeHashes: noticeHashes.map(showSecret),
      signingSecrets: signingSecrets.map(showSecret),
    },
  }),
});

const listCountries = managementOperation({
  name: 'listCountries',
  route: 'GET /manage/v1/countries',
  tag: 'Merchants',
  summary: 'List the countries of merchants',
  permission: 'signed-in',
  scope: 'merchant',
  cells: 'home',
  shows: answerObject({
    countries: Type.Array(
      answerObject({
        country: LISTED_OF_MERCHANT.country,
        region: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.', examples: ['CO'] }),
        timeZone: LISTED_OF_MERCHANT.timeZone,
        currencies: Type.Array(currency, { description: 'What its merchants may take. The first one is usual.' }),
      }),
    ),
  }),
  run: () => SHOWN_COUNTRIES,
  answer: (countries) => ({ body: { countries } }),
});

/** What shows merchants. */
export const merchantReads: readonly ManagementOperation<Deps>[] = [listMerchants, readMerchant, listCountries];
