import { expect, test } from 'vitest';
import { LANGUAGES } from '../../shell/language.ts';
import { browserName, formatSeconds, zoneName } from './spoken.ts';

const inAll = (write: (language: (typeof LANGUAGES)[number]) => string): readonly string[] =>
  LANGUAGES.map((language) => write(language).replaceAll(/\s/g, ' '));

test('a time zone is called by its city', () => {
  expect(inAll((language) => zoneName('America/Bogota', language))).toEqual(['Bogotá', 'Bogotá', 'Bogotá']);
  expect(inAll((language) => zoneName('America/Mexico_City', language))).toEqual(['Ciudad de México', 'Mexico City', 'Cidade do México']);
  expect(zoneName('America/Argentina/Buenos_Aires', 'es')).toBe('Buenos Aires');
  expect(zoneName('UTC', 'es')).toBe('UTC');
});

test('milliseconds are said in seconds', () => {
  expect(inAll((language) => formatSeconds(500, language))).toEqual(['0,5 segundos', '0.5 seconds', '0,5 segundo']);
  expect(inAll((language) => formatSeconds(1_234.5, language, true))).toEqual(['1,235 s', '1.235s', '1,235 s']);
});

test.each([
  ['Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36', 'Chrome en Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari en iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
    'Edge en Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox en Linux'],
  ['curl/8.9.1', 'curl/8.9.1'],
])('%s is %s', (userAgent, name) => expect(browserName(userAgent, 'es')).toBe(name));
