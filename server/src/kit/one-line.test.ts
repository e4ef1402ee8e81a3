import { expect, test } from 'vitest';
import { details, table } from './command-line.ts';
import { oneLine } from './one-line.ts';

test('marks that break a line or turn the direction of writing become a space; all other characters stay', () => {
  for (const mark of ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u202c', '\u2066', '\u2069', '\r\n', '\u2028', '\u0000', '\u0085'])
    expect(oneLine(`a${mark}${mark} b`), mark).toBe('a b');
  expect(oneLine(' Café  ☕️ 👨‍👩‍👧 שלום \u202e')).toBe('Café ☕️ 👨‍👩‍👧 שלום');
  expect(oneLine('\u202e\n')).toBe('');
});

test('a table of a command says nothing to the terminal that shows it, and keeps the spaces of texts', () => {
  const answer = '\u001b[2Jred\r\n\u202efdp.exe  \u2028';
  expect(table(['ANSWER'], [[answer]])).toBe('ANSWER\n [2Jred   fdp.exe\n');
  expect(details([['a  b', answer]])).toBe('a  b   [2Jred   fdp.exe\n');
});
