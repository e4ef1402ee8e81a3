import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LookUpRefusal, CollectRefusal, ReverseRefusal } from '../../server/src/cashouts/network/collection.ts';
import { isFaults, readFilter } from '../../server/src/exports/read-filter.ts';
import { EXPORTED_LISTS } from '../../server/src/main/exported-lists.ts';
import { managementOperations } from '../../server/src/main/manage.ts';
import { FIELD_FAULTS, type FieldFault } from '../../server/src/manage/field-faults.ts';
import { allProblems, bodyOf, queryOf } from '../../server/src/manage/index.ts';
import { showsManyPeople } from '../../server/src/manage/shows-people.ts';
import { judgeOf } from '../../server/src/manage/read-management.ts';
import type { PayOrderRefusal, ReversalRefusal } from '../../server/src/orders/payments/payment.ts';
import { PASSWORD_FAULTS } from '../../server/src/users/credentials/password-rule.ts';
import { Problem } from '../src/api/problem.ts';
import { faultText, isCommon, needsName, problemText } from '../src/design/form/problem-text.ts';
import { PROBLEMS } from '../src/design/form/problem-words.ts';
import * as rare from '../src/design/form/rare-words.ts';

const { FAULTS } = rare;
const LANGUAGES = ['es', 'en', 'pt'] as const;
const SOURCES = join(import.meta.dirname, '..', 'src');

/** What no user of the console can meet, though an operation that it calls declares it. */
const NEVER_MET: Readonly<Record<string, string>> = {
  malformed: 'A browser sends HTTP.',
  headers_too_large: 'The console sends one cookie and four short headers.',
  not_a_user: 'Only an access token meets it, and the console has none.',
  export_not_done: 'The console links to a file once it is done, and the browser answers for links.',
  range_unknown: 'The browser asks for parts of a file, and answers for them.',
};

/** Problems that the console itself makes. */
const OWN = ['offline', 'unreadable'];

/** Every operation whose name the sources of the console have, in quotes. */
const called = (() => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('generated'),
  );
  const text = files.map((path) => readFileSync(join(SOURCES, path), 'utf8')).join('\n');
  return managementOperations.filter(({ name }) => text.includes(`'${name}'`));
})();

const met = [...allProblems(called).keys()].filter((name) => !Object.hasOwn(NEVER_MET, name));

/** What refuses a simulated network. Where something does not exist, the answer is not_found. */
const AT_A_COUNTER: Readonly<
  Record<
    Exclude<
      PayOrderRefusal | ReversalRefusal | LookUpRefusal | CollectRefusal | ReverseRefusal,
      'order_not_found' | 'payment_not_found' | 'transaction_unknown'
    >,
    true
  >
> = {
  transaction_repeated: true,
  payment_given_back: true,
  order_not_served: true,
  order_not_open: true,
  amount_changed: true,
  payment_not_reversible: true,
  too_many_tries: true,
  password_wrong: true,
  cashout_locked: true,
  cashout_not_registered: true,
  cashout_not_pending: true,
  lock_over: true,
  cashout_not_served: true,
  not_reversible: true,
};

const JUNK = [null, '', 'x'.repeat(3_000), '\0', -1, 1.5, 10 ** 12, true, {}, [], ['x'], Array.from({ length: 500 }, () => 'x'), { x: 1 }];

/** All that schemas say of wrong values, in any place of an operation's input. */
function saidOf(operation: (typeof managementOperations)[number]): readonly string[] {
  const judge = judgeOf(operation);
  const judged = (body: Record<string, unknown>, query: Record<string, unknown>) =>
    judge({ path: {}, query, body }).errors.map(({ detail }) => detail);
  const ofBody = placesOf(bodyOf(operation) as Schema).flatMap((wrap) => JUNK.flatMap((junk) => judged(wrap(junk), {})));
  const ofQuery = placesOf(queryOf(operation) as Schema).flatMap((wrap) => JUNK.flatMap((junk) => judged({}, wrap(junk))));
  return [...ofBody, ...ofQuery, ...judged({ unheardOf: 1 }, {})];
}

/** What the filters of a list say of texts that none of them takes. */
function rulesOf(list: (typeof EXPORTED_LISTS)[number]): readonly string[] {
  const wrong = [...Object.keys(list.filters), 'unheardOf'].map((name) => [name, '\0'] as const);
  const read = readFilter(list, Object.fromEntries(wrong), 'UTC');
  return isFaults(read) ? read.map(({ rule }) => rule) : [];
}

/** What matters here of a schema. */
type Schema = { readonly properties?: Readonly<Record<string, Schema>>; readonly items?: Schema };

/** Puts a value in each place of an object, and of the objects in it. */
function placesOf({ properties = {} }: Schema): readonly ((value: unknown) => Record<string, unknown>)[] {
  return Object.entries(properties).flatMap(([name, inner]) => [
    (value: unknown) => ({ [name]: value }),
    ...placesOf(inner).map((wrap) => (value: unknown) => ({ [name]: wrap(value) })),
    ...placesOf(inner.items ?? {}).map((wrap) => (value: unknown) => ({
      [name]: [wrap(value)],
    })),
  ]);
}

test('the console calls most operations, and none is overlooked', () => {
  expect(called.length).toBeGreaterThan(100);
  expect(called.map(({ name }) => name)).toEqual(expect.arrayContaining(['createOrder', 'readMe', 'listOrders', 'simulatePayment']));
});

test('what is never met is declared, and has no words', () => {
  const declared = [...allProblems(managementOperations).keys()];
  for (const name of Object.keys(NEVER_MET)) {
    expect(declared).toContain(name);
    expect({ ...PROBLEMS.es, ...rare.RARE_PROBLEMS.es }).not.toHaveProperty(name);
  }
});

test('what the audit log records is called by a name in each language: what changes something, and what shows many people', () => {
  const recorded = managementOperations.filter((operation) => !operation.route.startsWith('GET ') || showsManyPeople(operation));
  expect(recorded.filter(({ names }) => names === undefined).map(({ name }) => name)).toEqual([]);
  for (const { summary, names } of recorded) expect(new Set([summary, ...Object.values(names ?? {})]).size, summary).toBe(3);
});

test('a name has words in one file alone', () => {
  expect(Object.keys(PROBLEMS.es).filter((name) => Object.hasOwn(rare.RARE_PROBLEMS.es, name))).toEqual([]);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const words: Readonly<Record<string, string>> = { ...PROBLEMS[language], ...rare.RARE_PROBLEMS[language] };
  const { details, sentences, short } = FAULTS[language];
  const faults = { ...sentences, ...short };

  test('every refusal that a user can meet has words, and no other name has', () => {
    expect(Object.keys(words).toSorted()).toEqual([...met, ...OWN].toSorted());
  });

  test('every text of the service for a field has words, and no other text has', () => {
    expect(Object.keys(faults).toSorted()).toEqual(FIELD_FAULTS.toSorted());
  });

  test('every detail of a password and of a simulated network has words, and no other has', () => {
    const named = [...PASSWORD_FAULTS.map((fault) => fault.replaceAll('_', ' ')), ...Object.keys(AT_A_COUNTER)];
    expect(Object.keys(details).toSorted()).toEqual(named.toSorted());
  });

  test('a detail with words stands behind those of its problem', () => {
    const problem = new Problem('password_refused', 422, { title: 'This password may not be chosen', detail: 'too common' });
    expect(problemText(language, problem, rare)).toBe(`${rare.RARE_PROBLEMS[language].password_refused}: ${details['too common']}`);
  });

  test('what schemas say of a field is said in words', () => {
    const said = new Set(called.flatMap(saidOf));
    expect(said.size).toBeGreaterThan(20);
    expect([...said].filter((detail) => faultText(language, detail, rare) === detail)).toEqual([]);
  });

  test('what filters of exports say is said in words', () => {
    const said = EXPORTED_LISTS.flatMap(rulesOf);
    const { rules } = FAULTS[language];
    const shown = new Set(said.map((rule) => faultText(language, rule, rare)));
    expect(shown).toEqual(new Set([rules.filter, rules.unknownFilter]));
  });

  test('a view that names a person is refused in words', () => {
    const detail: FieldFault = 'must not filter by email: a view names no person';
    expect(faultText(language, detail, rare)).toBe(FAULTS[language].rules.view);
  });

  test('every refusal is shown in words, without the text of the API', () => {
    const problems = allProblems(managementOperations);
    for (const name of met) {
      const { status, title } = problems.get(name) ?? { status: 500, title: '' };
      const problem = new Problem(name as Problem['problem'], status, { title: 'a title of the API', detail: 'a detail of the API' });
      expect(problemText(language, problem, isCommon(problem) ? undefined : rare), title).toBe(words[name]);
    }
  });

  test('texts are short, one line, and end without a point', () => {
    for (const text of [...Object.values(words), ...Object.values(details), ...Object.values(faults)]) {
      expect(text).toMatch(/^[^\s].{1,118}[^\s.]$/u);
      for (const sentence of text.split(/[.:] /)) expect(sentence.split(' ').length, text).toBeLessThanOrEqual(20);
    }
  });
});

test('a text that says its field needs no name of the API, and every other one does', () => {
  expect(needsName('is not a real date', rare)).toBe(false);
  expect(needsName('is missing', rare)).toBe(true);
  expect(needsName('must not have more than 10 characters', rare)).toBe(true);
  expect(needsName('is not a real date', undefined)).toBe(true);
});

test('without the words, and for a name of a later release, the text of the API is shown', () => {
  const problem = new Problem('views_full', 409, { title: 'You have too many views' });
  expect(problemText('es', problem, undefined)).toBe('You have too many views');
  const later = new Problem('of_later' as Problem['problem'], 409, { title: 'Later', detail: 'more' });
  expect(problemText('es', later, rare)).toBe('Later: more');
  expect(faultText('es', 'is of a later release', rare)).toBe('is of a later release');
  expect(faultText('es', 'is missing', undefined)).toBe('is missing');
});

test('no two languages have the same words', () => {
  const all = LANGUAGES.map((language) => ({
    ...PROBLEMS[language],
    ...rare.RARE_PROBLEMS[language],
    ...FAULTS[language].sentences,
    ...FAULTS[language].short,
    ...FAULTS[language].details,
  }));
  for (const name of Object.keys(all[0] ?? {})) {
    const texts = all.map((words) => (words as Readonly<Record<string, string>>)[name]);
    expect(new Set(texts).size, name).toBe(LANGUAGES.length);
  }
});
