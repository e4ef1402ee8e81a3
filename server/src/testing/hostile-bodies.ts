import { damaged, oddComponent, oddToken } from './hostile-values.ts';
import type { Random } from './seed.ts';

/** A request as it is made up. `operation` is the one whose answers are counted apart. */
export type Plan = {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly operation?: string;
  /** Header lines of its own. */
  readonly headers?: readonly string[];
};
/** A member of a JSON body: its name, and its value as it is written. */
export type Member = readonly [name: string, token: string];
export type Parameter = readonly [name: string, value: string];
/** Makes the checksum over values by their names, as they are sent; '' for what is not there. */
type SumOf = (valueOf: (name: string) => string) => string;

/** The text that a checksum covers: a text's characters, or a number as it is written. */
function signedText(token: string | undefined): string {
  const written = Buffer.from(token ?? '', 'latin1').toString('utf8');
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : written;
  } catch {
    return written;
  }
}

/** What a server reads from a part of a path; itself where that is nothing. */
export function decoded(component: string): string {
  try {
    return decodeURIComponent(component);
  } catch {
    return component;
  }
}

/** Changes one thing of a body's members, or nothing. */
function mutate(random: Random, members: readonly Member[]): Member[] {
  if (random.oneIn(2)) return [...members];
  const at = random.below(members.length);
  const name = members[at]?.[0] ?? '';
  switch (random.below(7)) {
    case 0:
      return members.toSpliced(at, 1);
    case 1:
      return members.toSpliced(random.below(members.length), 0, [name, oddToken(random)]);
    case 2:
      return [...members, [random.pick(['__proto__', 'constructor', 'prototype', 'unknown', '', '\\u005f_proto__']), oddToken(random)]];
    default:
      return members.toSpliced(at, 1, [name, oddToken(random)]);
  }
}

export function writeBody(random: Random, members: readonly Member[]): string {
  const text = `{${members.map(([name, token]) => `"${name}":${token}`).join(',')}}`;
  return random.oneIn(8) ? damaged(random, text) : text;
}

/** Changes one member, then makes the checksum over the result. So a change is read and not refused for its checksum. */
export function signedBody(random: Random, members: readonly Member[], sumOf: SumOf): string {
  const mutated = mutate(random, members);
  const fields = new Map(mutated);
  const sum = JSON.stringify(sumOf((name) => signedText(fields.get(name))));
  return writeBody(random, [...mutated, ['checksum', random.oneIn(8) ? oddToken(random) : sum]]);
}

/** A query of these parameters, nearly as they are. */
export const queryOf = (random: Random, parameters: readonly Parameter[]): string => writeQuery(random, changed(random, parameters));

/** As signedBody, for a query. */
export function signedQuery(random: Random, parameters: readonly Parameter[], sumOf: SumOf): string {
  const sent = changed(random, parameters);
  const values = new Map(sent);
  const sum = sumOf((name) => decoded((values.get(name) ?? '').replaceAll('+', ' ')));
  return writeQuery(random, [['checksum', random.oneIn(12) ? oddComponent(random) : sum], ...sent]);
}

function changed(random: Random, parameters: readonly Parameter[]): Parameter[] {
  const all = parameters.map(([name, value]): Parameter => [name, encodeURIComponent(value)]);
  const at = random.below(all.length);
  const odd: Parameter = [all[at]?.[0] ?? '', oddComponent(random)];
  return random.pick([
    all.toSpliced(at, 1, odd),
    [...all, odd],
    all.toSpliced(at, 1),
    [...all, [oddComponent(random), 'x'] as const],
    all,
    all,
  ]);
}

function writeQuery(random: Random, parameters: readonly Parameter[]): string {
  const text = parameters.map(([name, value]) => `${name}=${value}`).join(random.oneIn(30) ? '&&' : '&');
  return random.oneIn(40) ? `?${text}&x=${'a'.repeat(10_000)}` : `?${text}`;
}
