/** Why a query was refused. `name` is the parameter that occurs twice. */
export type QueryError = { readonly error: 'malformed' } | { readonly error: 'repeated'; readonly name: string };

/** The characters that RFC 3986 allows in a query, and some that clients send unescaped. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/** Most parameters. A form of 256 KiB has room for a hundred times as many. */
const MAX_PARAMETERS = 1_000;

/**
 * Reads the query of a request's URL.
 * Shape: path with or without a query → parameters in the order sent, names and values decoded. `+` means a space. A name without `=`
 * has the value `''`.
 * Refuses: malformed (a broken escape, escapes that are not UTF-8, bytes that need an escape, over 1,000 parameters); repeated (one name
 * twice).
 * Source: contract §4.1.
 */
export function parseQuery(url: string): Map<string, string> | QueryError {
  const parameters = new Map<string, string>();
  const mark = url.indexOf('?');
  if (mark === -1) return parameters;
  const query = url.slice(mark + 1);
  if (!VISIBLE_ASCII.test(query)) return { error: 'malformed' };
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    if (name === undefined || value === undefined || parameters.size === MAX_PARAMETERS) return { error: 'malformed' };
    if (parameters.has(name)) return { error: 'repeated', name };
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
