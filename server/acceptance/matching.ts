import type { Json } from './example.ts';

/** The pattern of each matcher in an expected text. */
const MATCHERS: Readonly<Record<string, string>> = {
  digits: '[0-9]+',
  amount: '[0-9]+\\.[0-9]+',
  'any text': '[^]+',
  hours: '[0-9]+h',
  time: '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}',
  token: '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+',
  address: '\\S+',
  'address without scheme': '[^\\s:/?]+(?::[0-9]+)?(?:/[^\\s?]*)?',
  link: '/cashout/v1/operation/[^?]+\\?[\\x21-\\x7e]+',
  'link of refunds': '/api/v3/refunds\\?[\\x21-\\x7e]+',
  'sandbox link': '/v1/operation/[^?]+\\?[\\x21-\\x7e]+',
  instant: '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?Z',
  'id of ours': '[A-Za-z0-9_.-]{1,64}',
};

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Turns an expected text with its matchers into a pattern. */
function patternOf(expected: string): RegExp {
  const parts = expected.split(/(\{\{[^{}]+\}\})/).map((part) => {
    const name = /^\{\{([^{}]+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return escape(part);
    const naming = /^text naming (.+)$/.exec(name)?.[1];
    if (naming !== undefined) return `(?=[^]*(?<![A-Za-z_])${escape(naming)}(?![A-Za-z_]))[^]+`;
    const count = /^([0-9]+) digits$/.exec(name)?.[1];
    if (count !== undefined) return `[0-9]{${count}}`;
    const matcher = MATCHERS[name];
    if (matcher === undefined) throw new Error(`no such placeholder: {{${name}}}`);
    return matcher;
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

/**
 * Compares an answer with the expected one, member by member.
 * Returns what differs, in words. The order of keys counts only if isOrdered.
 */
export function differences(expected: Json, actual: unknown, isOrdered: boolean, at = 'body'): readonly string[] {
  const differs = [`${at}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  if (expected === '{{anything}}') return actual === undefined ? differs : [];
  if (expected === '{{integer}}') return Number.isInteger(actual) ? [] : differs;
  if (expected === '{{number}}') return typeof actual === 'number' ? [] : differs;
  if (typeof expected === 'string') return typeof actual === 'string' && patternOf(expected).test(actual) ? [] : differs;
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual) ? [] : differs;
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual)) return differs;
  const keys = Object.keys(expected);
  const actualKeys = Object.keys(actual);
  const same = isOrdered ? keys.join() === actualKeys.join() : keys.toSorted().join() === actualKeys.toSorted().join();
  if (!same) return [`${at}: expected the keys ${keys.join(', ')}, got ${actualKeys.join(', ')}`];
  return keys.flatMap((key) =>
    differences((expected as Record<string, Json>)[key] as Json, (actual as Record<string, unknown>)[key], isOrdered, `${at}.${key}`),
  );
}
