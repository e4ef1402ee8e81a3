import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, test } from 'vitest';

import * as fc from '../testing/fast-check.ts';
import { flag, noControlCharacters, readFields, text, textOrNumber, toSchema } from './fields.ts';
import { parseJson } from './json.ts';
import type { JsonObject } from './json.ts';

const declaration = {
  order: textOrNumber({
    required: true,
    max: 20,
    pattern: /^[A-Za-z0-9_-]+$/,
    description: 'The id.',
    example: 'A-1',
  }),
  email: text({ required: true, max: 10, description: 'The address.', example: 'a@b.co' }),
  description: text({
    required: false,
    max: 5,
    pattern: noControlCharacters,
    description: 'Shown.',
    example: 'Books',
  }),
  recurrent: flag({ required: false, description: 'Stays open.', example: false }),
};

function json(body: unknown): JsonObject {
  const read = parseJson(typeof body === 'string' ? body : JSON.stringify(body));
  if (!read.ok || !(read.value instanceof Map)) throw new Error('the test wants an object');
  return read.value;
}

const good = { order: 'A-1', email: 'a@b.co' };
const rules = (body: unknown): unknown => {
  const read = readFields(declaration, json(body));
  return read.ok ? [] : read.violations;
};

describe('readFields', () => {
  test('gives the values, typed by the declaration', () => {
    const read = readFields(declaration, json({ ...good, description: 'é', recurrent: true, unknown: [{}] }));
    expect(read).toEqual({
      ok: true,
      values: { order: 'A-1', email: 'a@b.co', description: 'é', recurrent: true },
    });
    if (!read.ok) return;
    expectTypeOf(read.values.order).toEqualTypeOf<string>();
    expectTypeOf(read.values.description).toEqualTypeOf<string | undefined>();
    expectTypeOf(read.values.recurrent).toEqualTypeOf<boolean | undefined>();
  });

  test('keeps a number as the text that was sent', () => {
    for (const sent of ['10000', '1e4', '9007199254740993', '007'.slice(2)]) {
      expect(readFields(declaration, json(`{"order":${sent},"email":""}`)).values.order).toBe(sent);
    }
  });

  test('takes absent and null as not given, and an empty text as given', () => {
    expect(readFields(declaration, json({ ...good, description: null })).values).toEqual({
      ...good,
      description: undefined,
      recurrent: undefined,
    });
    expect(readFields(declaration, json({ ...good, description: '' })).values.description).toBe('');
    expect(rules({ order: null })).toEqual([
      { field: 'order', rule: 'required' },
      { field: 'email', rule: 'required' },
    ]);
  });

  test('names all violations in the order of the declaration, and still reads the other fields', () => {
    const read = readFields(declaration, json({ recurrent: 'yes', description: 'too long', email: 7, order: 'A-1' }));
    expect(read).toEqual({
      ok: false,
      values: { order: 'A-1', email: undefined, description: undefined, recurrent: undefined },
      violations: [
        { field: 'email', rule: 'type' },
        { field: 'description', rule: 'length', limit: 5 },
        { field: 'recurrent', rule: 'type' },
      ],
    });
  });

  test.each([1, true, {}, []])('refuses %j where a text is due', (email) => {
    expect(rules({ ...good, email })).toEqual([{ field: 'email', rule: 'type' }]);
  });

  test.each([true, {}, ['A-1']])('refuses %j where a text or number is due', (order) => {
    expect(rules({ ...good, order })).toEqual([{ field: 'order', rule: 'type' }]);
  });

  test('counts code points, in texts and in numbers', () => {
    expect(rules({ ...good, description: '😀😀😀😀😀' })).toEqual([]);
    expect(rules({ ...good, description: '😀😀😀😀😀😀' })).toEqual([{ field: 'description', rule: 'length', limit: 5 }]);
    expect(rules(`{"order":${'1'.repeat(20)},"email":""}`)).toEqual([]);
    expect(rules(`{"order":${'1'.repeat(21)},"email":""}`)).toEqual([{ field: 'order', rule: 'length', limit: 20 }]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (email) => {
        fc.pre(!email.includes('\0'));
        expect(rules({ ...good, email })).toEqual(Array.from(email).length > 10 ? [{ field: 'email', rule: 'length', limit: 10 }] : []);
      }),
    );
  });

  test('refuses a lone surrogate and NUL in every text', () => {
    for (const email of ['\\ud800', 'a\\udc00b', '\\udc00\\ud800', 'a\\u0000']) {
      expect(rules(`{"order":"A-1","email":"${email}"}`)).toEqual([{ field: 'email', rule: 'shape' }]);
    }
    expect(rules('{"order":"A-1","email":"\\ud83d\\ude00"}')).toEqual([]);
  });

  test('refuses what does not match the pattern, a line break at the end too', () => {
    for (const order of ['', 'A 1', 'A-1\n', 'ñ', 1.5]) {
      expect(rules({ ...good, order })).toEqual([{ field: 'order', rule: 'shape' }]);
    }
    for (const description of ['a\tb', 'a\n', '\u0085', '\u007f']) {
      expect(rules({ ...good, description })).toEqual([{ field: 'description', rule: 'shape' }]);
    }
  });

  test.each([
    ['true', true],
    ['false', false],
    ['"true"', true],
    ['"false"', false],
    ['1', true],
    ['0', false],
  ])('reads the flag %s as %s', (sent, value) => {
    expect(readFields(declaration, json(`{"order":"A","email":"","recurrent":${sent}}`)).values.recurrent).toBe(value);
  });

  test.each(['"TRUE"', '""', '"1"', '2', '1.0', '-0', '[]', '{}', '"yes"'])('refuses the flag %s', (sent) => {
    expect(rules(`{"order":"A","email":"","recurrent":${sent}}`)).toEqual([{ field: 'recurrent', rule: 'type' }]);
  });

  test('reads the parameters of a query as well', () => {
    const query = new Map([
      ['order', '12'],
      ['email', 'x'],
      ['recurrent', 'true'],
    ]);
    expect(readFields(declaration, query).values).toEqual({
      order: '12',
      email: 'x',
      description: undefined,
      recurrent: true,
    });
  });

  test('never throws, whatever the body holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(declaration), 'toString', 'x'), fc.jsonValue()), (body) => {
        const read = parseJson(JSON.stringify(body));
        fc.pre(read.ok && read.value instanceof Map); // a generated key may be a forbidden one
        if (read.ok && read.value instanceof Map) readFields(declaration, read.value);
      }),
    );
  });
});

describe('toSchema', () => {
  const schema = toSchema(declaration);
  const validate = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile(schema);

  test('is a JSON Schema for the OpenAPI document', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual({
      type: 'object',
      required: ['order', 'email'],
      properties: {
        order: {
          type: ['string', 'number'],
          maxLength: 20,
          pattern: '^[A-Za-z0-9_-]+$',
          description: 'The id.',
          examples: ['A-1'],
        },
        email: { type: 'string', maxLength: 10, description: 'The address.', examples: ['a@b.co'] },
        description: {
          type: 'string',
          maxLength: 5,
          pattern: '^\\P{Cc}*$',
          description: 'Shown.',
          examples: ['Books'],
        },
        recurrent: {
          enum: [true, false, 'true', 'false', 0, 1],
          description: 'Stays open.',
          examples: [false],
        },
      },
    });
  });

  test('accepts what is read, for texts and flags without null', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.boolean(), fc.nat(2), fc.constant('true'), fc.constant({}));
    const body = fc.record({ order: value, email: value, description: value, recurrent: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(body, (sent) => {
        fc.pre(!Object.values(sent).some((member) => typeof member === 'string' && member.includes('\0')));
        expect(validate(sent)).toBe(readFields(declaration, json(sent)).ok);
      }),
      { numRuns: 3000 },
    );
  });
});
