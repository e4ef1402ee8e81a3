import { dirname, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/main/program.ts';
import { readCode, readFiles, takenSettings, type SourceFile } from './sources.ts';

// What documents and comments name exists: files, commands, settings, scripts and names of the code.

const code = readCode();
const markdown = readFiles(/\.md$/);
const known = readFiles(/^/).map(({ path }) => path);
const folders = new Set(known.flatMap((path) => path.split('/').map((_part, index, parts) => parts.slice(0, index).join('/'))));
/** Everything that can define a name: programs without their comments, SQL, JSON and styles. */
const defined = [...code.map(({ bare }) => bare), ...readFiles(/\.(sql|json|css|lua|yaml)$|^\.ci/).map(({ text }) => text)].join('\n');

/** What programs take on their command lines, those that tests make up aside. */
const options = new Set(
  [
    ...code.filter(({ path }) => !path.endsWith('.test.ts')).map(({ bare }) => bare),
    ...readFiles(/package\.json$/).map(({ text }) => text),
  ].flatMap((text) => text.match(/--[a-z][a-z-]+/g) ?? []),
);

/** Fields of a payment processor's interface, in the example of an adapter (orders/payments/README.md). */
const PROCESSORS_NAMES = new Set(['client_reference_id', 'unit_amount', 'payment_intent', 'amount_total']);

/** Each text that may name something: a whole Markdown file, or one comment. */
const texts: readonly SourceFile[] = [
  ...markdown,
  ...code.flatMap(({ path, comments }) => comments.map(({ line, text }) => ({ path: `${path}:${line}`, text }))),
];

const isKnown = (name: string): boolean => known.some((path) => path === name || path.endsWith(`/${name}`));
const isPlaceholder = (name: string): boolean => /(^|\/)(FILE|NNNN)\b/.test(name);
const isDefined = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(defined);

/** True where the program has these commands, one below the other; arguments may follow. */
function isCommand(words: readonly string[]): boolean {
  let command = createProgram();
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return command.commands.length === 0;
    command = next;
  }
  return true;
}

/** Every match of a pattern in Markdown and comments, as "path: match", that does not exist. */
function unknown(pattern: RegExp, exists: (found: RegExpMatchArray, file: SourceFile) => boolean, among = texts): readonly string[] {
  return among.flatMap((file) =>
    [...file.text.matchAll(pattern)].filter((found) => !exists(found, file)).map((found) => `${file.path}: ${found[0]}`),
  );
}

describe('documents and comments name only', () => {
  test('pages that exist, in links', () => {
    expect(
      unknown(
        /\]\((?!https?:|#|mailto:)([^)#]+)(#[^)]*)?\)/g,
        ([, target], { path }) => {
          const place = posix.normalize(posix.join(dirname(path), target as string)).replace(/\/$/, '');
          return known.includes(place) || folders.has(place);
        },
        markdown,
      ),
    ).toEqual([]);
  });

  test('files that exist', () => {
    expect(
      unknown(
        /(?<![\w/.:*-])(?:\.\.?\/)*\w[\w./-]*\.(?:ts|mjs|md|sql|lua|css|json)\b(?![\w*/])/g,
        ([name], { path }) =>
          isKnown(posix.normalize(name.startsWith('.') ? posix.join(dirname(path), name) : name)) ||
          isPlaceholder(name) ||
          // A file that the service writes where it runs.
          defined.includes(`'${name}'`),
      ),
    ).toEqual([]);
  });

  test('decisions that exist, each with a number of its own and 60 lines at most', () => {
    const decisions = markdown.filter(({ path }) => path.startsWith('docs/decisions/'));
    const numbers = decisions.map(({ path }) => path.slice('docs/decisions/'.length, 'docs/decisions/0000'.length));
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(unknown(/\bdecisions? (\d{4})\b/gi, ([, number]) => numbers.includes(number as string))).toEqual([]);
    expect(decisions.filter(({ text }) => text.split('\n').length > 61).map(({ path }) => path)).toEqual([]);
    expect(decisions.filter(({ text }, index) => !text.startsWith(`# ${numbers[index]} `)).map(({ path }) => path)).toEqual([]);
  });

  test('folders that exist', () => {
    expect(
      unknown(/`([a-z][\w-]*(?:\/[\w-]+)*\/)`/g, ([, name]) => [...folders].some((folder) => `/${folder}/`.endsWith(`/${name}`))),
    ).toEqual([]);
  });

  test('commands that exist', () => {
    expect(unknown(/(?:\.\/caudal|`caudal)((?: [a-z][a-z-]*)+)/g, ([, words]) => isCommand((words as string).trim().split(' ')))).toEqual(
      [],
    );
  });

  test('./caudal, and not npx: outside an installation that fetches a package of this name, which is not ours', () => {
    expect(unknown(/\bnpx caudal\b/g, () => false)).toEqual([]);
  });

  test('options that exist', () => {
    expect(
      unknown(/`[^`\n]*`/g, ([span]) => [...span.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].every(([option]) => options.has(option))),
    ).toEqual([]);
  });

  test('settings that exist, and docs/operations.md has all of them', () => {
    expect(unknown(/\bCAUDAL_[A-Z_]*[A-Z]\b/g, ([name]) => isDefined(name))).toEqual([]);
    const operations = markdown.find(({ path }) => path === 'docs/operations.md')?.text ?? '';
    expect(takenSettings().filter((name) => !operations.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('settings of the dialect, and docs/dialect.md has all of them', () => {
    const settings = takenSettings(/dialect-settings\.ts$/);
    const table = markdown.find(({ path }) => path === 'docs/dialect.md')?.text ?? '';
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !table.includes(name))).toEqual([]);
  });

  test('npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFiles(/^package\.json$/)[0]?.text ?? '{}') as { scripts: Record<string, string> };
    expect(unknown(/\bnpm (?:run )?(start|test|(?<=run )[a-z-]+)/g, ([, name]) => (name as string) in scripts)).toEqual([]);
  });

  test('names that exist, in spans of code', () => {
    expect(
      unknown(
        /`([a-z]+(?:[A-Z][A-Za-z0-9]*|_[a-z0-9_]+))(?:\(\))?`/g,
        ([, name]) => PROCESSORS_NAMES.has(name as string) || isDefined(name as string),
      ),
    ).toEqual([]);
  });
});
