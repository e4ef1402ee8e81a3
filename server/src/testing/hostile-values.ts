import type { Random } from './seed.ts';

/** Texts that have broken somebody's program. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t',
  '\0',
  'a\0b',
  '\r\nX-Injected: yes',
  '\u2028',
  '\u202Eesrever\u202C',
  'e\u0301'.repeat(100),
  '\u{1F600}',
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}',
  '\uFEFF',
  '\uFFFE\uFFFF',
  'ñandú',
  'İıſK',
  '１２３',
  '٣٤٥',
  '²',
  `'; drop table orders; --`,
  `" or 1=1 --`,
  '$1',
  '%s%n',
  '%00',
  '../../../../etc/passwd',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '0',
  '1e5',
  '1,000.00',
  '0.001',
  '9'.repeat(13),
  '9'.repeat(14),
  '9'.repeat(20),
  '9'.repeat(400),
  '00000000000000000000001',
  '31/02/2026',
  '01/01/0000',
  '99/99/9999',
  '20260231',
  '00000000',
  '99999999',
  'a'.repeat(51),
  'a'.repeat(201),
  'a'.repeat(10_000),
  '\u{1F600}'.repeat(2_500),
  'APROBADA,'.repeat(7),
  'x@y.z',
  '@',
  'a@b@c.de',
  'a@'.repeat(40),
  'f'.repeat(128),
  'f'.repeat(512),
  '0'.repeat(513),
];

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

/** JSON values of every kind, right and wrong, as they are written. */
const JSON_TOKENS: readonly string[] = [
  ['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"a":1}', '0', '-0', '1', '-1', '0.1', '343', '45000.00', '4.5e4'],
  ['1e400', '1E-400', '1e999999999', '9007199254740993', '-9223372036854775809', `1${'0'.repeat(400)}`, '9'.repeat(10_000)],
  ['00', '01', '1.', '.5', '+1', '0x10', '1_000', 'NaN', 'Infinity', '-', '1e', 'nul', 'True', 'undefined', `'a'`, '`a`'],
  ['"', '"a', 'a"', '"\\"', '"\\x41"', '"\\u12"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"a\nb"', '"\x01"'],
  ['[1,]', '[,1]', '{"a":}', '{"a"}', '{a:1}', '{"a":1,}', '{,}', '[1 2]', '/* */ 1', '1 // one', '', ' ', '{"__proto__":{"a":1}}'],
  [
    '{"constructor":{"prototype":1}}',
    '{"a":1,"a":2}',
    '"\xff\xfe"',
    '"\xed\xa0\x80"',
    '"\xc0\x80"',
    '"\xf4\x90\x80\x80"',
    '"\xef\xbb\xbf"',
  ],
  nested('[', ']', 99),
  nested('[', ']', 101),
  nested('[', ']', 20_000),
  nested('{"a":', '}', 99),
  `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`,
  '['.repeat(30_000),
  '{"a":'.repeat(10_000),
  `[${'1,'.repeat(20_000)}1]`,
  `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
].flat();

/** UTF-8 bytes, one character each: what is sent is written as latin1. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A JSON value as bytes. */
export function oddToken(random: Random): string {
  return random.oneIn(2) ? random.pick(JSON_TOKENS) : bytesOf(JSON.stringify(random.pick(ODD_TEXTS)));
}

const PERCENT_JUNK: readonly string[] = [
  '%',
  '%z',
  '%zz',
  '%0',
  '%00',
  '%ff',
  '%C0%80',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '%2F',
  '%2e%2e',
  '%25',
  '+',
  ';',
  '[]',
  '*',
];

/** A text for a path or a query, in characters that are allowed there. */
export function oddComponent(random: Random): string {
  if (random.oneIn(4)) return random.pick(PERCENT_JUNK).repeat(1 + random.below(3));
  const text = random.pick(ODD_TEXTS);
  return text.length > 4_000
    ? text
        .slice(0, 100)
        .repeat(random.pick([1, 20, 100]))
        .replace(/[^a-z]/g, 'a')
    : encodeURIComponent(text);
}

/** One change of a text of bytes: cut, doubled, a byte lost, flipped or put in. */
export function damaged(random: Random, bytes: string): string {
  const at = random.below(bytes.length + 1);
  switch (random.below(6)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return bytes + bytes;
    case 2:
      return bytes.slice(0, at) + bytes.slice(at + 1);
    case 3:
      return bytes.slice(0, at) + String.fromCharCode(random.below(256)) + bytes.slice(at + 1);
    case 4:
      return bytes.slice(0, at) + random.pick(['\xef\xbb\xbf', '\0', '"', '{', '}', ',', '\xff']) + bytes.slice(at);
    default:
      return random.pick(['\xef\xbb\xbf', '\xff\xfe', '[', ' '.repeat(60_000), '\xef\xbb\xbf\xef\xbb\xbf']) + bytes;
  }
}
