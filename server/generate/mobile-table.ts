import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ALL_COUNTRIES, findCountry, type Country as Served } from '../src/merchants/index.ts';

/** Where the table of mobile numbers is written. */
export const MOBILE_TABLE_FILE = 'server/src/kit/phones/mobile-table.ts';

type Type = readonly [pattern: string, lengths?: readonly number[]] | 0;

/** One country of the library's metadata, by place. */
type Country = readonly [
  callingCode: string,
  idd: unknown,
  pattern: string,
  lengths: readonly number[],
  formats: unknown,
  trunk: string | 0,
  formatting: unknown,
  trunkPattern: string | 0,
  rewrite: string | 0,
  international: unknown,
  leading: unknown,
  types?: readonly Type[],
];

type Metadata = {
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
  readonly countries: Readonly<Record<string, Country>>;
};

const require = createRequire(import.meta.url);

/** The release of the library that is installed. */
const libraryVersion = (): string => (require('libphonenumber-js/package.json') as { version: string }).version;

/** Writes the table of mobile numbers from the metadata of libphonenumber-js. */
export function renderMobileTable(): string {
  const { countries, country_calling_codes: codes } = require('libphonenumber-js/metadata.max.json') as Metadata;
  const world = Object.entries(codes).flatMap(([code, regions]) => {
    const patterns = new Set(regions.flatMap((region) => mobilePattern(countries[region]) ?? []));
    return patterns.size === 0 ? [] : [[code, [...patterns].join('|')] as const];
  });
  const served = ALL_COUNTRIES.map((code) => {
    const { region } = findCountry(code) as Served;
    const country = countries[region] as Country;
    const [callingCode, , , , , trunk, , trunkPattern, rewrite] = country;
    return [region, [callingCode, mobilePattern(country), trunkPattern || trunk || '', rewrite || '']] as const;
  });
  return `// Made by \`npm run generate\` from the metadata of libphonenumber-js ${libraryVersion()} (MIT; the metadata is Google's, Apache-2.0). Do not edit.

/** Calling code to the mobile numbers after it, whole. */
export const WORLD: Readonly<Record<string, string>> = {
${lines(world)}};

/** Of each served country: its calling code, its mobile numbers, what its people dial before a number, and what a number becomes without that. */
export const SERVED: Readonly<Record<string, readonly [callingCode: string, mobile: string, trunk: string, rewrite: string]>> = {
${lines(served)}};
`;
}

const lines = (entries: readonly (readonly [name: string, value: unknown])[]): string =>
  entries.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join('');

/**
 * A pattern of the whole mobile numbers of a country. Where mobile numbers share their ranges with landlines the metadata leaves them
 * empty: such a number may be a mobile one. Undefined: the country has none.
 */
function mobilePattern(country: Country | undefined): string | undefined {
  const [fixed, mobile] = country?.[11] ?? [];
  const type = isGiven(mobile) ? mobile : fixed;
  if (country === undefined || !isGiven(type)) return undefined;
  const [pattern, lengths = country[3]] = type;
  return `(?=(?:${lengths.map((digits) => `\\d{${digits}}`).join('|')})$)(?:${pattern})`;
}

/** The console reads numbers while somebody types them, by a copy of the rules of the server. Shape: path from the root → text. */
export function consoleNumbers(): readonly (readonly [path: string, text: string])[] {
  const rules = readFileSync(join(import.meta.dirname, '../src/kit/phones/mobile-number.ts'), 'utf8');
  return [
    [
      'console/src/api/generated/phones/mobile-number.ts',
      `// A copy of server/src/kit/phones/mobile-number.ts, made by \`npm run generate\`. Do not edit.\n${rules}`,
    ],
    ['console/src/api/generated/phones/mobile-table.ts', renderMobileTable()],
  ];
}

const isGiven = (type: Type | undefined): type is Exclude<Type, 0> => type !== undefined && type !== 0 && type[0] !== '';
