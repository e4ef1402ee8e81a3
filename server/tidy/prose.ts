import type { Comment } from './sources.ts';

/** A passage of prose: a paragraph, an item of a list, a cell of a table, one comment or a labelled part of it. */
export type Passage = { readonly line: number; readonly text: string };

/** Comments for tools and for the compiler. They are not prose. */
const DIRECTIVE = /^(oxlint-|eslint-|@ts-|#|\/ ?<reference|v8 ignore|!)/;
/** What starts a passage inside a comment: an item of a list, or a part of a docstring. */
const PART = /^(-|\d+\.|(Shape|Refuses|Effects|Throws|Source|Returns)\b[^:]*:)\s/;
/** In these parts of a docstring a semicolon ends a sentence: they are lists. */
const LIST = /^(Shape|Refuses|Effects|Throws)\b[^:]*:/;

/** A line of a diagram is not prose. */
const DRAWING = /[\u2500-\u257f]/;

/** The passages of a comment. */
export function passagesOfComment({ line, text }: Comment): readonly Passage[] {
  if (DIRECTIVE.test(text)) return [];
  return gather(text.split('\n'), line, PART);
}

const isRow = (line: string): boolean => /^\s*\|/.test(line);

/** The passages of a Markdown text: without fenced code, each cell of a table apart. */
export function passagesOfMarkdown(text: string): readonly Passage[] {
  let isFenced = false;
  const lines = text.split('\n').map((line) => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? '' : line;
  });
  const cells = lines.flatMap((line, index) =>
    isRow(line) ? line.split(/(?<!\\)\|/).map((cell) => ({ line: index + 1, text: cell.trim() })) : [],
  );
  const rest = lines.map((line) => (isRow(line) ? '' : line));
  return [...gather(rest, 1, /^\s*([-*+]|\d+\.|#+|>)\s/), ...cells.filter((cell) => !/^[-: ]*$/.test(cell.text))];
}

function gather(lines: readonly string[], first: number, starts: RegExp): readonly Passage[] {
  const passages: { line: number; text: string }[] = [];
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const last = passages.at(-1);
    if (line.trim() === '' || DRAWING.test(line)) isOpen = false;
    else if (isOpen && last !== undefined && !starts.test(line)) last.text += ` ${line.trim()}`;
    else {
      passages.push({ line: first + index, text: line.replace(/^\s*([-*+]|\d+\.|#+|>)\s+/, '').trim() });
      isOpen = true;
    }
  }
  return passages;
}

const WORD = String.raw`[\p{L}\p{N}_'’%/.+-]+`;
/** Names in a row, as in "red, green and blue". */
const ROW = new RegExp(`${WORD}(?:, ${WORD})+,? (?:and|or) ${WORD}|${WORD}(?:, ${WORD}){2,}`, 'gu');

/**
 * The sentences of a passage, each with its number of words.
 * Each of these counts as one word: a span of code, a link, an address, a row of single names.
 * A citation of the contract counts as one word too.
 * A label of up to four words in front of a colon is no part of the sentence.
 */
export function sentencesOf(passage: string): readonly { readonly text: string; readonly words: number }[] {
  const spans: string[] = [];
  const keep = (text: string): string => `${KEPT}${spans.push(text) - 1}${KEPT}`;
  const restore = (text: string): string => text.replace(KEPT_SPAN, (_all, index) => restore(spans[Number(index)] as string));
  const plain = passage
    .replace(/(`+)[^`]*\1/g, keep)
    .replace(/!?\[[^\]]*\]\([^)]*\)/g, keep)
    .replace(/\bhttps?:\/\/[^\s)>]+/g, keep)
    .replace(/\b(?:contract )?§\s?[\d.]*\d(?: ?[–-] ?§?[\d.]*\d)?/g, keep)
    .replace(/\b(?:e\.g|i\.e)\./g, keep);
  const sentences = plain.split(/(?<=[.!?…])["”)*_]*\s+|(?<=^\S+(?: \S+){0,3}:)\s+/);
  const clauses = LIST.test(passage) ? sentences.flatMap((one) => one.split(/;\s+/)) : sentences;
  return clauses.map((text) => ({ text: restore(text), words: countWords(text) })).filter(({ words }) => words > 0);
}

/** Marks the place of a span that counts as one word: a character that no source holds. */
const KEPT = '\uE000';
const KEPT_SPAN = new RegExp(`${KEPT}(\\d+)${KEPT}`, 'g');

function countWords(sentence: string): number {
  const rows = sentence.replace(KEPT_SPAN, 'X').replace(ROW, 'X');
  return rows.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
