import { deflateSync } from 'node:zlib';
import * as fc from '../testing/fast-check.ts';
import { greyPng, pngChunk } from '../testing/noisy-png.ts';
import { describe, expect, test } from 'vitest';
import { checkMerchantBrand } from './brand.ts';
import { contrast, readableOn } from './colour.ts';
import { parseHours } from './hours.ts';
import { readLogo } from './logo.ts';

/** A grey picture. `rows`: how many rows its data has. */
const png = ({ width = 3, height = 2, rows = 2, interlaced = 0, extra = [] as readonly Buffer[] } = {}): Buffer =>
  greyPng({ width, height, pixels: Buffer.alloc(rows * (1 + width)), interlaced, extra });

type Part = readonly [string, Buffer];
const chunked = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([png().subarray(0, 8), ...parts.map(([name, data]) => pngChunk(name, data))]);
const HEADER: Part = ['IHDR', png().subarray(16, 29)];
const END: Part = ['IEND', Buffer.alloc(0)];
const PIXELS = deflateSync(Buffer.alloc(8));
const HIDDEN = Buffer.from('<script>alert(1)</script> and');

describe('a logo', () => {
  test('is written again without what is no pixel', () => {
    const text = pngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    expect(readLogo(png({ extra: [text, pngChunk('eXIf', Buffer.from('here')), pngChunk('acTL', Buffer.alloc(8))] }), 8_192)).toEqual(
      readLogo(png(), 8_192),
    );
    expect(readLogo(png(), 8_192)).toMatchObject({ bytes: png(), pictureId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['nothing', Buffer.alloc(0)],
    ['an interlaced picture', png({ interlaced: 1 })],
    ['fewer rows than it says', png({ rows: 1 })],
    ['more rows than it says', png({ rows: 500 })],
    ['something behind its end', Buffer.concat([png(), Buffer.from('<script>')])],
    ['something behind its pixels', chunked(HEADER, ['IDAT', Buffer.concat([PIXELS, HIDDEN])], END)],
    ['something in its end', chunked(HEADER, ['IDAT', PIXELS], ['IEND', HIDDEN])],
    ['pixels behind its end', chunked(HEADER, ['IDAT', PIXELS], END, ['IDAT', HIDDEN], END)],
    ['two headers', chunked(HEADER, HEADER, ['IDAT', PIXELS], END)],
    ['a palette that no pixel uses', chunked(HEADER, ['PLTE', HIDDEN], ['IDAT', PIXELS], END)],
    ['transparent colours that are none', chunked(HEADER, ['tRNS', HIDDEN], ['IDAT', PIXELS], END)],
    ['a filter that is none', chunked(HEADER, ['IDAT', deflateSync(Buffer.alloc(8, 9))], END)],
  ])('is refused: %s', (_name, sent) => expect(readLogo(sent, 8_192)).toMatchObject({ refusal: 'logo_not_png' }));

  test('is refused with too many pixels, or too many bytes', () => {
    expect(readLogo(png({ width: 513 }), 8_192)).toMatchObject({ refusal: 'logo_too_large' });
    expect(readLogo(png(), png().length - 1)).toMatchObject({ refusal: 'logo_too_large' });
  });

  test('with any bytes changed is the same logo or refused, and never an error', () => {
    const whole = png();
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, cut) => {
        const sent = Buffer.from(whole);
        sent[at] = byte;
        for (const one of [sent, whole.subarray(0, cut)]) {
          const read = readLogo(one, 8_192);
          expect('refusal' in read || one.equals(whole)).toBe(true);
        }
      }),
    );
  });
});

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

test('each colour that is accepted can be read on white, and its mix on a dark card', () => {
  fc.assert(
    fc.property(hex, (colour) => {
      expect(checkMerchantBrand({ colour }) === undefined).toBe(contrast(colour, '#ffffff') >= 4.5);
      expect(contrast(readableOn('#142027', colour, 4.5), '#142027')).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test.each(['', '#', '#0a5c7', '#0A5C78', 'red', '#0a5c78;'])('no colour: %j', (colour) =>
  expect(checkMerchantBrand({ colour })).toEqual({ refusal: 'colour_invalid' }),
);

test.each([
  'javascript:alert(1)',
  'http://shop.example',
  'https://u:p@shop.example',
  'https://shop.example\\@evil.example',
  'https://shop.example/\u202e',
  `https://shop.example/${'a'.repeat(200)}`,
  'shop',
])('no website: %s', (website) => expect(checkMerchantBrand({ website })).toEqual({ refusal: 'website_invalid' }));
test.each(['Call us', 'tel:1', '12', 'ana@', '+57 601 555 0100; rm'])('no contact: %s', (contact) =>
  expect(checkMerchantBrand({ contact })).toEqual({ refusal: 'payers_contact_invalid' }),
);
test('addresses and numbers are contacts', () => {
  for (const contact of ['help@shop.example', '+57 (601) 555-0100', '3005550000']) expect(checkMerchantBrand({ contact })).toBeUndefined();
});

test('opening hours are days in order, none twice', () => {
  expect(parseHours('mon-sat 08:00-20:00, sun 09:00-24:00')).toEqual([
    { firstDay: 1, lastDay: 6, opens: '08:00', closes: '20:00' },
    { firstDay: 7, lastDay: 7, opens: '09:00', closes: '24:00' },
  ]);
  for (const text of [
    '',
    'always',
    'sun 09:00-13:00, mon 08:00-20:00',
    'mon-tue 08:00-20:00, tue 08:00-09:00',
    'mon 20:00-08:00',
    'mon 08:00-25:00',
    'sat-mon 08:00-10:00',
  ])
    expect(parseHours(text), text).toBeUndefined();
});
