import { describe, expect, test } from 'vitest';
import { passagesOfComment, passagesOfMarkdown, sentencesOf, type Passage } from './prose.ts';
import { readCode, readFiles } from './sources.ts';
import { BANNED_WORDS } from './words.ts';

/** Words of one sentence at most. A longer one is read twice. */
const MOST_WORDS = 20;
const MOST_COLUMNS = 120;

const markdown = readFiles(/\.md$/);
const passages: readonly (Passage & { readonly path: string })[] = [
  ...readCode().flatMap(({ path, comments }) => comments.flatMap(passagesOfComment).map((one) => ({ path, ...one }))),
  ...markdown.flatMap(({ path, text }) => passagesOfMarkdown(text).map((one) => ({ path, ...one }))),
];

const unplain = passages.flatMap(({ path, line, text }) => {
  const words = text.replace(/`[^`]*`/g, '');
  return BANNED_WORDS.flatMap(({ word, remedy }) => {
    const [found] = word.exec(words) ?? [];
    return found === undefined ? [] : [`${path}:${line} says "${found}": write ${remedy}`];
  });
});

const long = passages.flatMap(({ path, line, text }) =>
  sentencesOf(text)
    .filter(({ words }) => words > MOST_WORDS)
    .map((one) => `${path}:${line} has ${one.words} words in a sentence, split it: ${one.text}`),
);

const wide = markdown.flatMap(({ path, text }) => {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced || /^\s*\|/.test(line) || /https?:\/\/\S+$/.test(line) || line.length <= MOST_COLUMNS) return [];
    return [`${path}:${index + 1} has ${line.length} columns: wrap it`];
  });
});

describe('prose, in comments and in Markdown,', () => {
  test('uses plain words', () => {
    expect(unplain).toEqual([]);
  });

  test(`has sentences of ${MOST_WORDS} words at most`, () => {
    expect(long).toEqual([]);
  });

  test(`is wrapped at ${MOST_COLUMNS} columns in Markdown, except tables, code and addresses`, () => {
    expect(wide).toEqual([]);
  });
});

describe('sentences', () => {
  test.each([
    ['One fact. Another one.', [2, 2]],
    ['Calls `a.b(c, d)` once.', [3]],
    ['See [the long name of a page](docs/glossary.md).', [2]],
    ['See https://example.com/a/b for more.', [4]],
    ['Holds merchants, orders, cashouts and funds.', [2]],
    ['Refuses: order_unknown, order_not_open, version_mismatch.', [1, 1]],
    ['Half of 0.5 is less than one.', [7]],
    ['One clause; a second one.', [5]],
    ['Throws: one fault; another one.', [1, 2, 2]],
    ['As the contract says (contract §3.1 – §3.3).', [5]],
  ] as const)('%s', (text, words) => {
    expect(sentencesOf(text).map((one) => one.words)).toEqual(words);
  });

  test('of a comment: each labelled part and each item of a list apart, without diagrams', () => {
    const text = 'Does it\nall.\n  a ──▶ b\nShape: this\n- one\n- two';
    expect(passagesOfComment({ line: 3, text })).toEqual([
      { line: 3, text: 'Does it all.' },
      { line: 6, text: 'Shape: this' },
      { line: 7, text: 'one' },
      { line: 8, text: 'two' },
    ]);
  });

  test('of Markdown: without fenced code, each cell apart', () => {
    const text = '# Title\n\nA line\nand more.\n\n```sh\nnot this\n```\n\n| A | B |\n|---|---|\n| `a\\|b` | c |';
    expect(passagesOfMarkdown(text).map((one) => one.text)).toEqual(['Title', 'A line and more.', 'A', 'B', '`a\\|b`', 'c']);
  });
});
