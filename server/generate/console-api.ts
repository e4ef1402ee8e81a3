import { readFileSync } from 'node:fs';
import type { TObject } from 'typebox';
import { LANGUAGES, type Language } from '../src/kit/language.ts';
import { currenciesWithoutCents } from '../src/kit/money.ts';
import { LEDGER_KIND_WORDS } from '../src/ledger/index.ts';
import { ALL_PERMISSIONS, ALL_ROLES, allProblems, bodyOf, queryOf, ROLES, type ManagementOperation } from '../src/manage/index.ts';
import { showsManyPeople } from '../src/manage/shows-people.ts';
import { SETTLEMENT_WORDS } from '../src/settlements/index.ts';
import { INDENT, parenthesized, quote, typeOf } from './type-text.ts';
import { ON_OFF_SETTINGS } from '../src/merchants/on-off-settings.ts';

type Operation = ManagementOperation<never>;

const FOLDER = 'console/src/api/generated';
/** What the console writes and reads as the service does. It is a client, and imports nothing of the server. */
const COPIED = ['written-number.ts', 'shown-amount.ts'];
const ORIGIN = '// Made by `npm run generate` from the declarations of the operations.';

/** Writes what the console knows of the management API: types, routes, and the rules of its forms. Shape: path from the root → text. */
export function renderConsoleApi(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const byTag = Map.groupBy(operations, ({ tag }) => kebab(tag));
  return new Map([
    [`${FOLDER}/operations.ts`, renderOperations(operations)],
    [`${FOLDER}/currencies.ts`, renderCurrencies()],
    ...renderWords(operations),
    [`${FOLDER}/merchant-settings.ts`, renderMerchantSettings()],
    [`${FOLDER}/money-words.ts`, renderMoneyWords()],
    ...COPIED.map((name) => [`${FOLDER}/${name}`, copyOf(name)] as const),
    ...[...byTag].map(([tag, own]) => [`${FOLDER}/rules/${tag}.ts`, renderRules(own)] as const),
  ]);
}

/** The problems that every page can meet. Their words are in the first file of the console. */
const COMMON = new Set([
  'internal',
  'not_found',
  'not_signed_in',
  'permission_missing',
  'step_up_required',
  'too_many_requests',
  'unavailable',
]);

/** The words of problems, and what operations are called in the audit log. */
function renderWords(operations: readonly Operation[]): readonly (readonly [path: string, text: string])[] {
  const problems = [...allProblems(operations)].flatMap(([name, { words }]) => (words === undefined ? [] : ([[name, words]] as const)));
  const isCommon = ([name]: (typeof problems)[number]): boolean => COMMON.has(name);
  const names = operations.flatMap(({ name, summary, names: others }) =>
    others === undefined ? [] : ([[name, { ...others, en: summary }]] as const),
  );
  return [
    wordsFile('common-problems', 'COMMON_PROBLEMS', problems.filter(isCommon)),
    wordsFile(
      'rare-problems',
      'RARE_PROBLEMS',
      problems.filter((one) => !isCommon(one)),
    ),
    wordsFile('operation-names', 'OPERATION_NAMES', names),
  ];
}

type Named = readonly (readonly [name: string, words: Readonly<Record<Language, string>>])[];

const wordsFile = (file: string, name: string, words: Named) =>
  [`${FOLDER}/${file}.ts`, `${ORIGIN}\n\n${wordsConstant(name, words)}`] as const;

function wordsConstant(name: string, words: Named): string {
  const texts = LANGUAGES.map((language) => {
    const own = words.map(([key, text]) => `${INDENT}${INDENT}${key}: ${JSON.stringify(text[language])},`);
    return `${INDENT}${language}: {\n${own.join('\n')}\n${INDENT}},`;
  });
  return `export const ${name} = {\n${texts.join('\n')}\n} as const;\n`;
}

/** The settings of a merchant that are on or off, and what people read of them. */
function renderMerchantSettings(): string {
  const operations = ON_OFF_SETTINGS.map(([field, { operation }]) => `${INDENT}${field}: ${quote(operation)},`);
  const titles = wordsConstant(
    'SETTING_TITLES',
    ON_OFF_SETTINGS.map(([field, { title }]) => [field, title] as const),
  );
  const whats = wordsConstant(
    'SETTING_WHATS',
    ON_OFF_SETTINGS.map(([field, { what }]) => [field, what] as const),
  );
  return `${ORIGIN}

${titles}
${whats}
/** What turns each of them on or off. */
export const ON_OFF = {
${operations.join('\n')}
} as const;
`;
}

/** What statements of the service call movements, settlements and what is taken off. */
function renderMoneyWords(): string {
  const { es, en, pt } = SETTLEMENT_WORDS;
  return `${ORIGIN}

${wordsConstant('ENTRY_KINDS', byName(LEDGER_KIND_WORDS))}
${wordsConstant('SETTLEMENT_STATES', byName({ es: es.states, en: en.states, pt: pt.states }))}
${wordsConstant('LINE_KINDS', byName({ es: es.lineKinds, en: en.lineKinds, pt: pt.lineKinds }))}`;
}

const byName = <Name extends string>(words: Readonly<Record<Language, Readonly<Record<Name, string>>>>): Named =>
  (Object.keys(words.es) as Name[]).map((name) => [name, { es: words.es[name], en: words.en[name], pt: words.pt[name] }] as const);

const copyOf = (name: string): string =>
  `// A copy of server/src/kit/written/${name}, made by \`npm run generate\`.\n` +
  readFileSync(new URL(`../src/kit/written/${name}`, import.meta.url), 'utf8');

const renderCurrencies = (): string => `${ORIGIN}

/** Decimals of the currencies that have no hundredths. */
export const DECIMALS: Readonly<Record<string, number>> = ${JSON.stringify(currenciesWithoutCents)};
`;

const kebab = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const names = (all: readonly string[]): string => all.map((one) => `\n${INDENT}| ${quote(one)}`).join('');

function renderOperations(operations: readonly Operation[]): string {
  const types = operations.map((operation) => `${INDENT}readonly ${operation.name}: ${typeOfOperation(operation)};`);
  const routes = operations.map((operation) => `${INDENT}${operation.name}: ${JSON.stringify(routeOf(operation))},`);
  const roles = ALL_ROLES.map((role) => `${INDENT}${role}: ${quote(ROLES[role].side)},`);
  return `${ORIGIN}

export type Permission =${names(ALL_PERMISSIONS)};

export type Role =${names(ALL_ROLES)};

/** The side that a role belongs to. */
export const ROLE_SIDES = {
${roles.join('\n')}
} as const satisfies Readonly<Record<Role, 'service' | 'merchant'>>;

/** The names of all problems. The end of a \`type\` is such a name. */
export type ProblemName =${names([...allProblems(operations).keys()])};

/** It has no members. */
type Nothing = Readonly<Record<string, never>>;

/** What each operation takes and answers. */
export type Operations = {
${types.join('\n')}
};

/** How each operation is called, and who may call it. */
export const ROUTES = {
${routes.join('\n')}
} as const satisfies Readonly<Record<keyof Operations, object>>;
`;
}

function routeOf(operation: Operation): object {
  const { route, permission, scope, stepUp, takesIfMatch, keepsAnswersAs, streams } = operation;
  return {
    route,
    permission,
    scope,
    ...(stepUp && { stepUp }),
    ...(takesIfMatch && { ifMatch: takesIfMatch }),
    ...(keepsAnswersAs && { isKeyed: true }),
    ...(showsManyPeople(operation) && { isAudited: true }),
    ...(streams && { streams }),
  };
}

function typeOfOperation(operation: Operation): string {
  const { path, body, shows, page, streams } = operation;
  const answered = shows === undefined ? (streams === undefined ? 'undefined' : 'Blob') : typeOf(shows, 2);
  const answer = page === undefined ? answered : `{ readonly items: readonly ${parenthesized(answered)}[]; readonly next: string | null }`;
  const parts = {
    path: typeOfInput(path),
    query: typeOfInput(queryOf(operation)),
    body: body === undefined ? 'undefined' : typeOf(bodyOf(operation), 2),
    answer,
  };
  return `{\n${Object.entries(parts)
    .map(([name, text]) => `${INDENT}${INDENT}readonly ${name}: ${text};`)
    .join('\n')}\n${INDENT}}`;
}

const typeOfInput = (schema: TObject | undefined): string =>
  schema === undefined || Object.keys(schema.properties).length === 0 ? 'Nothing' : typeOf(schema, 2);

/** Descriptions are in English. The console has words of its own. */
const withoutDescription = (name: string, value: unknown): unknown =>
  name === 'description' && typeof value === 'string' ? undefined : value;

/** The schemas of queries and bodies, as data: forms and filters read their rules there. */
function renderRules(operations: readonly Operation[]): string {
  const own = operations.flatMap((operation) => {
    const query = queryOf(operation);
    const rules = {
      ...(operation.path === undefined ? {} : { path: operation.path }),
      ...(Object.keys(query.properties).length === 0 ? {} : { query }),
      ...(operation.body === undefined ? {} : { body: bodyOf(operation) }),
    };
    if (Object.keys(rules).length === 0) return [];
    return [`export const ${operation.name}: Rules = ${JSON.stringify(rules, withoutDescription, 2)};`];
  });
  return `${ORIGIN}\nimport type { Rules } from '../../rules.ts';\n\n${own.join('\n\n')}\n`;
}
