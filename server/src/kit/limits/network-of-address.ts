const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** The groups of an IPv6 address that name the network of one customer. Within it a machine may take any address. */
const NETWORK_GROUPS = 4;

/** Names who is behind an address: an IPv4 address itself, of IPv6 its network of 64 bits. A connection that is gone has no address: all of them share a name. */
export function networkOfAddress(address: string | undefined): string {
  if (address === undefined) return 'gone';
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - (head as string[]).length - tail.length);
  const groups = [...(head as string[]), ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
