import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** One file of the repository, its path from the root. */
export type SourceFile = { readonly path: string; readonly text: string };

/** What the checks read of a program: its comments, its text without them, and its imports. Imports of types count. */
export type Code = SourceFile & { readonly comments: readonly Comment[]; readonly bare: string; readonly imports: readonly string[] };

/** One comment, without the signs that mark it. Line comments that follow each other are one comment. */
type Comment = { readonly line: number; readonly text: string };

const SKIPPED = new Set(['.git', '.install', 'data', 'dist', 'node_modules']);

/** Every text file of the repository whose name ends so. */
export function readFiles(ending: RegExp): readonly SourceFile[] {
  return paths('')
    .filter((path) => ending.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function paths(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : paths(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Every program of the repository, parsed. */
export function readCode(): readonly Code[] {
  return readFiles(/\.(tsx?|mjs|js)$/).map((file) => {
    const { comments, module } = parseSync(file.path, file.text);
    const imports = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)].flatMap((one) =>
      'moduleRequest' in one && one.moduleRequest !== null ? [one.moduleRequest.value] : [],
    );
    return { ...file, comments: joinLines(file.text, comments), bare: without(file.text, comments), imports: [...new Set(imports)] };
  });
}

/** Every setting that the service takes, or that some of its files take: those that import `settingsOf` or its type. */
export function takenSettings(among = /^/): readonly string[] {
  const readers = readCode().filter(
    ({ path, imports }) => among.test(path) && !path.endsWith('.test.ts') && imports.some((one) => /^\.{1,2}\/settings\.ts$/.test(one)),
  );
  return [...new Set(readers.flatMap(({ bare }) => bare.match(/\b(?:(?:CAUDAL|OTEL)_[A-Z_]+[A-Z]|DATABASE_URL)\b/g) ?? []))];
}

/** Where a relative import leads, from the root; undefined for a package. */
export function targetOf(file: SourceFile, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(dirname(file.path), specifier) : undefined;
}

type Span = { readonly type: 'Line' | 'Block'; readonly value: string; readonly start: number; readonly end: number };

function joinLines(text: string, spans: readonly Span[]): readonly Comment[] {
  const comments: { line: number; text: string }[] = [];
  let previous: Span | undefined;
  for (const span of spans) {
    const last = comments.at(-1);
    const follows = span.type === 'Line' && previous?.type === 'Line' && /^\n[ \t]*$/.test(text.slice(previous.end, span.start));
    if (follows && last !== undefined) last.text += `\n${span.value.trim()}`;
    else comments.push({ line: lineOf(text, span.start), text: span.type === 'Line' ? span.value.trim() : withoutStars(span.value) });
    previous = span;
  }
  return comments;
}

function without(text: string, spans: readonly Span[]): string {
  return spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start)).join('') + text.slice(spans.at(-1)?.end ?? 0);
}

/** The number of the line that holds this place of a text. */
function lineOf(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

function withoutStars(block: string): string {
  return block
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim();
}
