/** Where browsers take a `Secure` cookie over `http`. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * True where a browser says that a page of this very host sends the request. A page over `http` does not count, except on this machine:
 * anyone on the way could have written it. Without `Origin` it is false.
 */
export function isOwnOrigin(headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: unknown }, host: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const url = origin === undefined ? null : URL.parse(origin);
  if (url === null || url.host !== host.toLowerCase() || (site !== undefined && site !== 'same-origin')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
