import { describe, expect, test } from 'vitest';

import * as fc from '../testing/fast-check.ts';
import { decodeUtf8, isJsonNumber, isJsonObject, JsonNumber, parseJson } from './json.ts';
import type { JsonValue } from './json.ts';

/** The value in the form of the oracle, which is JSON.parse. */
function plain(value: JsonValue): unknown {
  if (isJsonNumber(value)) return Number(value.text);
  if (isJsonObject(value)) return new Map([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function oracle(text: string): { value: unknown } | undefined {
  try {
    return { value: mapped(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}

function mapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, mapped(member)]));
}

function agrees(text: string): void {
  const mine = parseJson(text);
  const theirs = oracle(text);
  if (mine.ok) expect({ value: plain(mine.value) }).toEqual(theirs);
  else if (mine.error === 'malformed') expect(theirs).toBeUndefined();
}

const spaces = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const numberText = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?([eE][+-]?\d{1,5})?$/);

describe('parseJson', () => {
  test('reads everything that JSON.stringify writes, as equal values', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), spaces, (text, space) => {
        agrees(space + text + space);
        agrees(JSON.stringify(JSON.parse(text), null, 2));
      }),
      { numRuns: 1000 },
    );
  });

  test('accepts a damaged text exactly when JSON.parse does', () => {
    const pieces = ['"', '\\', ',', ':', '{', '}', '[', ']', '0', '1', '-', '+', '.', 'e', 'E', ' ', '\n', '\u00a0', '\u0000'].concat([
      '\\u00e',
      '\\u0041',
      '\\x',
      'true',
      'nul',
      'null',
      'false',
      '"a"',
      '\ufeff',
      '/',
      "'",
      '\ud800',
      '1.0',
      '01',
    ]);
    const piece = fc.constantFrom(...pieces);
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), fc.array(piece, { maxLength: 3 }), (text, place, length, middle) => {
        const at = place % (text.length + 1);
        agrees(text.slice(0, at) + middle.join('') + text.slice(at + length));
      }),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (all) => agrees(all.join(''))),
      { numRuns: 5000 },
    );
  });

  test('keeps the text of any JSON number, at any place', () => {
    fc.assert(
      fc.property(numberText, spaces, (text, space) => {
        expect(parseJson(space + text + space)).toEqual({ ok: true, value: new JsonNumber(text) });
        const inside = parseJson(`{"a":[${space}${text}${space},{"b":${text}}]}`);
        expect(inside).toEqual({
          ok: true,
          value: new Map([['a', [new JsonNumber(text), new Map([['b', new JsonNumber(text)]])]]]),
        });
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['', ' ', '{', '[1,]', '{"a":1,}', '{,}', '{"a"}', '{a:1}', '01', '-', '1.', '.5', '+1', '1e', 'NaN', '"\t"', '"', '"\\'])(
    'refuses %j as malformed',
    (text) => expect(parseJson(text)).toMatchObject({ ok: false, error: 'malformed' }),
  );

  test('gives the place of the violation', () => {
    expect(parseJson('{"a": x}')).toEqual({ ok: false, error: 'malformed', at: 6 });
    expect(parseJson('{"a":1,"b":2,"a":3}')).toEqual({ ok: false, error: 'duplicate_key', at: 13 });
    expect(parseJson('[1] 2')).toEqual({ ok: false, error: 'malformed', at: 4 });
  });

  test('refuses a key that occurs twice in the outermost object, in any escaped form', () => {
    expect(parseJson('{"a":1,"\\u0061":1}')).toMatchObject({ ok: false, error: 'duplicate_key' });
  });

  test('takes the last of two equal keys in a nested object, as other parsers do', () => {
    expect(parseJson('{"a":{"b":1,"b":2}}')).toEqual({
      ok: true,
      value: new Map([['a', new Map([['b', new JsonNumber('2')]])]]),
    });
    expect(parseJson('[{"b":1,"b":2}]')).toMatchObject({ ok: true });
  });

  test.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])('refuses the key %s at any level', (key) => {
    expect(parseJson(`{"${key}":1}`)).toMatchObject({ ok: false, error: 'forbidden_key', at: 1 });
    expect(parseJson(`{"a":[{"b":{"${key}":{}}}]}`)).toMatchObject({
      ok: false,
      error: 'forbidden_key',
    });
    expect(parseJson(`{"a":"${key}"}`)).toMatchObject({ ok: true });
  });

  test('allows 100 levels and refuses the 101st, without exhausting the stack', () => {
    expect(parseJson('['.repeat(100) + ']'.repeat(100))).toMatchObject({ ok: true });
    expect(parseJson('{"a":'.repeat(100) + '1' + '}'.repeat(100))).toMatchObject({ ok: true });
    expect(parseJson('['.repeat(101) + ']'.repeat(101))).toEqual({
      ok: false,
      error: 'too_deep',
      at: 100,
    });
    expect(parseJson('['.repeat(1_000_000))).toMatchObject({ ok: false, error: 'too_deep' });
    expect(parseJson('{"a":'.repeat(1_000_000))).toMatchObject({ ok: false, error: 'too_deep' });
  });

  test('allows 1,000 values and refuses one more, at whatever level', () => {
    expect(parseJson(`[${'1,'.repeat(998)}1]`)).toMatchObject({ ok: true });
    expect(parseJson(`{"a":[${'1,'.repeat(997)}1]}`)).toMatchObject({ ok: true });
    expect(parseJson(`[${'1,'.repeat(999)}1]`)).toEqual({ ok: false, error: 'too_many', at: 1_999 });
    const members = Array.from({ length: 1_000 }, (_, number) => `"k${number}":0`);
    expect(parseJson(`{${members.join(',')}}`)).toMatchObject({ ok: false, error: 'too_many' });
    expect(parseJson(`{${members.slice(1).join(',')}}`)).toMatchObject({ ok: true });
  });

  test('counts open levels, not closed arrays', () => {
    expect(parseJson(`[${'[],{},'.repeat(400)}1]`)).toMatchObject({ ok: true });
  });
});

describe('decodeUtf8', () => {
  test('returns any well-formed text, without a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(Buffer.from(`\ufeff${text}`))).toBe(text);
      }),
    );
    expect(decodeUtf8(Buffer.from('{}'))).toBe('{}');
  });

  test.each([[[0xff]], [[0x22, 0xc3, 0x22]], [[0xed, 0xa0, 0x80]], [[0xc0, 0xaf]], [[0xe2, 0x82]]])('refuses the bytes %j', (bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
    expect(decodeUtf8(Buffer.from('ok'))).toBe('ok');
  });
});
