import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement, type Value } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant } from '../merchants/index.ts';
import { listNetworks } from '../networks/index.ts';
import {
  checkMerchantBrand,
  checkNetworkBrand,
  LOGO_BYTES,
  NO_MERCHANT_BRAND,
  NO_NETWORK_BRAND,
  type MerchantBrand,
  type MerchantBrandRefusal,
  type NetworkBrand,
} from './brand.ts';
import { readLogo, type Logo, type LogoRefusal } from './logo.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const INSERT_PICTURE = statement(
  'brands.insert_picture',
  'insert into pictures (picture_id, bytes, created_at) values ($1, $2, $3) on conflict (picture_id) do nothing',
);
const SELECT_PICTURES = statement(
  'brands.select_pictures',
  'select picture_id as "pictureId", bytes from pictures where picture_id = any($1::text[])',
);

const SELECT_MERCHANT = statement(
  'brands.select_merchant',
  'select colour, contact, website, logo from merchant_brands where merchant_id = $1',
);
const SET_MERCHANT = statement(
  'brands.set_merchant',
  `insert into merchant_brands (merchant_id, colour, contact, website, logo) values ($1, $2, $3, $4, $5)
   on conflict (merchant_id) do update set colour = excluded.colour, contact = excluded.contact, website = excluded.website, logo = excluded.logo`,
);
const SELECT_NETWORKS = statement(
  'brands.select_networks',
  'select network_id as netname, fees, hours, logo from network_brands where network_id = any($1::text[])',
);
const SELECT_NETWORK = statement('brands.select_network', 'select fees, hours, logo from network_brands where network_id = $1');
const SET_NETWORK = statement(
  'brands.set_network',
  `insert into network_brands (network_id, fees, hours, logo) values ($1, $2::jsonb, $3, $4)
   on conflict (network_id) do update set fees = excluded.fees, hours = excluded.hours, logo = excluded.logo`,
);

/** What the audit log shows of a brand before and after. Of a logo: its id. */
export const merchantBrandFacts = (merchantId: string) => ({ statement: SELECT_MERCHANT, values: [merchantId] });
export const networkBrandFacts = (netname: string) => ({ statement: SELECT_NETWORK, values: [netname] });

/** What changes of a brand. What is absent stays; a logo comes as the bytes that somebody sent. */
type Change<Brand> = { readonly [Name in Exclude<keyof Brand, 'logo'>]?: Brand[Name] | undefined } & {
  readonly logo?: Buffer | null | undefined;
};

/** The brand of a merchant. Undefined: there is no such merchant. */
export async function showMerchantBrand({ db, clock }: Deps, merchantId: string): Promise<MerchantBrand | undefined> {
  if ((await showMerchant({ db }, merchantId, clock.now())) === undefined) return undefined;
  return readMerchantBrand({ db }, merchantId);
}

/** The brand of a merchant that exists. */
export async function readMerchantBrand({ db }: { readonly db: Pick<Db, 'query'> }, merchantId: string): Promise<MerchantBrand> {
  return (await db.query<MerchantBrand>(SELECT_MERCHANT, [merchantId]))[0] ?? NO_MERCHANT_BRAND;
}

/** The brand of a network. Undefined: there is no such network. */
export async function showNetworkBrand({ db, clock }: Deps, netname: string): Promise<NetworkBrand | undefined> {
  if (!(await listNetworks({ db }, clock.now())).some((one) => one.netname === netname)) return undefined;
  return (await readNetworkBrands({ db }, [netname])).get(netname) ?? NO_NETWORK_BRAND;
}

/** The brands of networks that have one, by netname. */
export async function readNetworkBrands(
  { db }: { readonly db: Pick<Db, 'query'> },
  netnames: readonly string[],
): Promise<ReadonlyMap<string, NetworkBrand>> {
  const rows = await db.query<NetworkBrand & { readonly netname: string }>(SELECT_NETWORKS, [netnames]);
  return new Map(rows.map(({ netname, ...brand }) => [netname, brand]));
}

/** The bytes of pictures, by their ids. One without bytes is left out. */
export async function readPictures(
  { db }: { readonly db: Pick<Db, 'query'> },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = ids.length === 0 ? [] : await db.query<Logo>(SELECT_PICTURES, [ids]);
  return new Map(rows.map(({ pictureId, bytes }) => [pictureId, bytes]));
}

/**
 * Changes what payers see of a merchant.
 * Shape: → its whole brand now.
 * Refuses: merchant_unknown, colour_invalid, colour_too_pale, payers_contact_invalid, website_invalid, logo_not_png, logo_too_large.
 * Effects: pages that are opened from now on show it; open ones with the order's next change.
 */
export async function setMerchantBrand(
  { db, clock }: Deps,
  merchantId: string,
  { logo: sent, ...given }: Change<MerchantBrand>,
): Promise<MerchantBrand | Refusal<'merchant_unknown' | MerchantBrandRefusal | LogoRefusal>> {
  const before = await showMerchantBrand({ db, clock }, merchantId);
  if (before === undefined) return refuse('merchant_unknown');
  const logo = sent && readLogo(sent, LOGO_BYTES.merchant);
  const refused = checkMerchantBrand(given);
  if (refused !== undefined) return refused;
  if (isRefusal(logo)) return logo;
  const brand: MerchantBrand = {
    colour: orBefore(given.colour, before.colour),
    contact: orBefore(given.contact, before.contact),
    website: orBefore(given.website, before.website),
    logo: logo === undefined ? before.logo : (logo?.pictureId ?? null),
  };
  const { colour, contact, website } = brand;
  await save({ db, clock }, logo, SET_MERCHANT, [merchantId, colour, contact, website, brand.logo]);
  return brand;
}

/**
 * Changes what payers see of a network.
 * Shape: → its whole brand now.
 * Refuses: network_unknown, hours_invalid, logo_not_png, logo_too_large.
 * Effects: as those of a merchant's.
 */
export async function setNetworkBrand(
  { db, clock }: Deps,
  netname: string,
  { logo: sent, ...given }: Change<NetworkBrand>,
): Promise<NetworkBrand | Refusal<'network_unknown' | 'hours_invalid' | LogoRefusal>> {
  const before = await showNetworkBrand({ db, clock }, netname);
  if (before === undefined) return refuse('network_unknown');
  const logo = sent && readLogo(sent, LOGO_BYTES.network);
  const refused = checkNetworkBrand(given);
  if (refused !== undefined) return refused;
  if (isRefusal(logo)) return logo;
  const brand: NetworkBrand = {
    fees: orBefore(given.fees, before.fees),
    hours: orBefore(given.hours, before.hours),
    logo: logo === undefined ? before.logo : (logo?.pictureId ?? null),
  };
  const values = [netname, JSON.stringify(brand.fees), brand.hours, brand.logo];
  await save({ db, clock }, logo, SET_NETWORK, values);
  return brand;
}

const orBefore = <Value>(given: Value | undefined, before: Value): Value => (given === undefined ? before : given);

const save = ({ db, clock }: Deps, logo: Logo | null | undefined, set: Statement, values: readonly Value[]): Promise<void> =>
  db.transaction(async (tx) => {
    if (logo) tx.send(INSERT_PICTURE, [logo.pictureId, logo.bytes, clock.now()]);
    tx.send(set, values);
  });
