import { contrast } from './colour.ts';
import { isEmail } from '../kit/fields.ts';
import { readAddress } from '../kit/one-line.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { parseHours } from './hours.ts';

/** What payers see of a merchant beside its name. Null: it has none. */
export type MerchantBrand = {
  /** `#0a5c78`: of buttons and links. */
  readonly colour: string | null;
  /** Where payers ask: an e-mail address or a telephone number. */
  readonly contact: string | null;
  /** Where the page leads back to. */
  readonly website: string | null;
  /** The id of its picture. */
  readonly logo: string | null;
};

/** What payers see of a network beside its name. */
export type NetworkBrand = {
  /** What a payer pays beside the amount: currency → minor units as digits. */
  readonly fees: Readonly<Record<string, string>>;
  /** In the form of `parseHours`. */
  readonly hours: string | null;
  readonly logo: string | null;
};

export const NO_MERCHANT_BRAND: MerchantBrand = { colour: null, contact: null, website: null, logo: null };
export const NO_NETWORK_BRAND: NetworkBrand = { fees: {}, hours: null, logo: null };

/** The most bytes of a logo: a whole page has 60 kB at most. */
export const LOGO_BYTES = { merchant: 8_192, network: 3_072 } as const;

/** What somebody gives of a brand. */
type Given<Brand> = { readonly [Name in keyof Brand]?: Brand[Name] | undefined };

export type MerchantBrandRefusal = 'colour_invalid' | 'colour_too_pale' | 'payers_contact_invalid' | 'website_invalid';

const COLOUR = /^#[0-9a-f]{6}$/;
const PHONE = /^\+?[0-9][0-9 ()-]{5,24}$/;
const MOST_WEBSITE_CHARACTERS = 200;
/** WCAG 2.2 AA for text. */
const LEAST_CONTRAST = 4.5;

/**
 * Decides whether a brand can be shown to payers.
 * Refuses: colour_invalid, colour_too_pale (text in it cannot be read on white), payers_contact_invalid, website_invalid.
 */
export function checkMerchantBrand({ colour, contact, website }: Given<MerchantBrand>): Refusal<MerchantBrandRefusal> | undefined {
  if (typeof colour === 'string' && !COLOUR.test(colour)) return refuse('colour_invalid');
  if (typeof colour === 'string' && contrast(colour, '#ffffff') < LEAST_CONTRAST) return refuse('colour_too_pale');
  if (typeof contact === 'string' && !isEmail(contact) && !PHONE.test(contact)) return refuse('payers_contact_invalid');
  if (typeof website === 'string' && !isWebsite(website)) return refuse('website_invalid');
  return undefined;
}

function isWebsite(text: string): boolean {
  const url = readAddress(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && text.length <= MOST_WEBSITE_CHARACTERS;
}

/** Decides whether what is said of a network can be shown to payers. Refuses: hours_invalid. */
export function checkNetworkBrand({ hours }: Given<NetworkBrand>): Refusal<'hours_invalid'> | undefined {
  return typeof hours === 'string' && parseHours(hours) === undefined ? refuse('hours_invalid') : undefined;
}
