/** A country in which merchants work: contract §6. */
export type Country = { readonly code: string; readonly name: string; readonly currencies: readonly string[]; readonly timeZone: string };

const nation = (name: string, timeZone: string, currencies: readonly string[], codes: readonly string[]): readonly Country[] =>
  codes.map((code) => ({ code, name, currencies, timeZone }));

/** The family's own code first, then the ISO 3166-1 numeric one: both name the same country, and the text sent is what a checksum covers. */
const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  [
    ...nation('Colombia', 'America/Bogota', ['COP', 'USD'], ['343', '170']),
    ...nation('Ecuador', 'America/Guayaquil', ['USD'], ['345', '218']),
    ...nation('Peru', 'America/Lima', ['PEN', 'USD'], ['348', '604']),
    ...nation('Costa Rica', 'America/Costa_Rica', ['CRC', 'USD'], ['314', '188']),
    ...nation('Mexico', 'America/Mexico_City', ['MXN', 'USD'], ['484']),
    ...nation('Chile', 'America/Santiago', ['CLP', 'USD'], ['152']),
    ...nation('Guatemala', 'America/Guatemala', ['GTQ', 'USD'], ['320']),
    ...nation('El Salvador', 'America/El_Salvador', ['USD'], ['222']),
    ...nation('Panama', 'America/Panama', ['PAB', 'USD'], ['591']),
    ...nation('Bolivia', 'America/La_Paz', ['BOB', 'USD'], ['068']),
    ...nation('Argentina', 'America/Argentina/Buenos_Aires', ['ARS', 'USD'], ['032']),
    ...nation('Brazil', 'America/Sao_Paulo', ['BRL', 'USD'], ['076']),
    ...nation('Dominican Republic', 'America/Santo_Domingo', ['DOP', 'USD'], ['214']),
    ...nation('Honduras', 'America/Tegucigalpa', ['HNL', 'USD'], ['340']),
    ...nation('Nicaragua', 'America/Managua', ['NIO', 'USD'], ['558']),
    ...nation('Paraguay', 'America/Asuncion', ['PYG', 'USD'], ['600']),
    ...nation('Uruguay', 'America/Montevideo', ['UYU', 'USD'], ['858']),
  ].map((country) => [country.code, country]),
);

/** The country of a three-digit code (contract §6), or undefined. */
export function findCountry(code: string): Country | undefined {
  return COUNTRIES.get(code);
}

/** All countries, one entry per code, in the order of contract §6. */
export function allCountries(): readonly Country[] {
  return [...COUNTRIES.values()];
}

/** True when both codes name the same country: a merchant of 343 may sign 170. */
export function isSameCountry(one: string, other: string): boolean {
  return one === other || (COUNTRIES.has(one) && COUNTRIES.get(one)?.name === COUNTRIES.get(other)?.name);
}
