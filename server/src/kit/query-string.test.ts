import { describe, expect, test } from 'vitest';

import * as fc from '../testing/fast-check.ts';
import { parseQuery } from './query-string.ts';

const text = fc.string({ unit: 'grapheme' });

describe('parseQuery', () => {
  test('reads back any parameters, in any escaped form', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.tuple(
            text.filter((name) => name !== ''),
            text,
          ),
          { selector: ([name]) => name },
        ),
        (pairs) => {
          const escaped = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
          expect(parseQuery(`/list?${escaped.join('&')}`)).toEqual(new Map(pairs));
          expect(parseQuery(`/list?${new URLSearchParams(pairs).toString()}`)).toEqual(new Map(pairs));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('reads any well-formed query as URLSearchParams does', () => {
    const piece = fc.constantFrom('a', 'b', 'c', '=', '&', '+', '%20', '%C3%B1', '%2B', '%26', '%', '%zz', '%c3', '?', '/', '0');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const query = pieces.join('');
        const read = parseQuery(`/list?${query}`);
        if (read instanceof Map) expect([...read]).toEqual([...new URLSearchParams(`?${query}`)]);
        else if (read.error === 'repeated') expect(new URLSearchParams(`?${query}`).getAll(read.name).length).toBeGreaterThan(1);
        else expect(query).toMatch(/%(?!20|C3%B1|2B|26)/);
      }),
      { numRuns: 5000 },
    );
  });

  test.each(['/list', '/list?', '/list?&', ''])('reads no parameters from %j', (url) => {
    expect(parseQuery(url)).toEqual(new Map());
  });

  test('gives a name without a value an empty one', () => {
    expect(parseQuery('/list?start&end=&=x')).toEqual(
      new Map([
        ['start', ''],
        ['end', ''],
        ['', 'x'],
      ]),
    );
  });

  test.each(['%', '%4', '%zz', 'a%', '%ff', '%C3', '%C3(', '%ED%A0%80', '%C0%AF', 'ñ', 'a b', 'a\u0000', 'Ã±', 'a\n'])(
    'refuses %j as malformed, in a name and in a value',
    (part) => {
      expect(parseQuery(`/list?${part}=1`)).toEqual({ error: 'malformed' });
      expect(parseQuery(`/list?a=${part}`)).toEqual({ error: 'malformed' });
    },
  );

  test('allows 1,000 parameters and refuses one more', () => {
    const names = Array.from({ length: 1_001 }, (_, number) => `n${number}`);
    expect(parseQuery(`/list?${names.slice(1).join('&')}`)).toBeInstanceOf(Map);
    expect(parseQuery(`/list?${names.join('&')}`)).toEqual({ error: 'malformed' });
  });

  test('refuses a name that occurs twice, in any escaped form', () => {
    expect(parseQuery('/list?page=1&limit=10&page=1')).toEqual({ error: 'repeated', name: 'page' });
    expect(parseQuery('/list?page=1&p%61ge=2')).toEqual({ error: 'repeated', name: 'page' });
    expect(parseQuery('/list?page&page')).toEqual({ error: 'repeated', name: 'page' });
  });

  test('keeps names with a special meaning in JavaScript as plain names', () => {
    expect(parseQuery('/list?__proto__=1&constructor=2')).toEqual(
      new Map([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    );
  });
});
