import { BlockList, isIP } from 'node:net';

type Subnet = readonly [address: string, prefix: number];

/**
 * No endpoint in any mode: this network, multicast, reserved addresses, addresses for documentation.
 * Link-local addresses are here too, because cloud machines serve their metadata there.
 */
const NEVER_IPV4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** For developers: this machine and the networks of containers. */
const INTERNAL_IPV4: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
/** In IPv6 only global unicast addresses are endpoints, except those in NEVER_IPV6. 6to4 and Teredo contain an IPv4 address. */
const GLOBAL_IPV6: Subnet = ['2000::', 3];
const NEVER_IPV6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
const INTERNAL_IPV6: readonly Subnet[] = [
  ['::1', 128],
  ['fc00::', 7],
];

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}

const neverIpv4 = listOf('ipv4', NEVER_IPV4);
const internalIpv4 = listOf('ipv4', INTERNAL_IPV4);
const globalIpv6 = listOf('ipv6', [GLOBAL_IPV6]);
const neverIpv6 = listOf('ipv6', NEVER_IPV6);
const internalIpv6 = listOf('ipv6', INTERNAL_IPV6);
const MAPPED_IPV6 = listOf('ipv6', [['::ffff:0:0', 96]]);

/**
 * True when a notice may be sent to an address.
 * Shape: an IPv4 or IPv6 address as text, after the name was resolved; any other text is refused.
 * `allowsInternal`: loopback and private networks are allowed too, which the sandbox needs. Link-local addresses stay refused.
 * An IPv4 address inside an IPv6 address is always refused: no server of the Internet has such an address.
 */
export function isAllowedAddress(address: string, allowsInternal: boolean): boolean {
  switch (isIP(address)) {
    case 4:
      return !neverIpv4.check(address, 'ipv4') && (allowsInternal || !internalIpv4.check(address, 'ipv4'));
    case 6:
      if (MAPPED_IPV6.check(address, 'ipv6')) return false;
      if (internalIpv6.check(address, 'ipv6')) return allowsInternal;
      return globalIpv6.check(address, 'ipv6') && !neverIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
