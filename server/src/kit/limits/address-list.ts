import { BlockList, isIP } from 'node:net';

/** Addresses and networks, as written: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export type AddressList = readonly string[];

const FORM = /^([0-9a-fA-F.:]+)(?:\/([0-9]{1,3}))?$/;

/** Reads addresses and networks with commas between them; undefined where one of them is neither. */
export function parseAddressList(text: string): AddressList | undefined {
  const list = text.split(',').map((part) => part.trim());
  return list.every(isAddressOrNetwork) ? list : undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [, address = '', prefix = '0'] = FORM.exec(text) ?? [];
  return isIP(address) > 0 && Number(prefix) <= bitsOf(address);
}

const bitsOf = (address: string): number => (isIP(address) === 4 ? 32 : 128);
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/**
 * Makes a test for addresses.
 * Shape: a list that was read → true for an address in it. An IPv4 address counts in the form of IPv6, too.
 */
export function matchAddresses(list: AddressList): (address: string) => boolean {
  const matching = new BlockList();
  for (const text of list) {
    const [, address = '', prefix] = FORM.exec(text) ?? [];
    matching.addSubnet(address, prefix === undefined ? bitsOf(address) : Number(prefix), familyOf(address));
  }
  return (address) => {
    // A link-local address names its interface behind a percent sign.
    const [bare = ''] = address.split('%');
    return isIP(bare) > 0 && matching.check(bare, familyOf(bare));
  };
}

/** An address as proxies write it: with a port, in brackets, in quotes. */
const FORWARDED = /^"?(?:\[([0-9a-fA-F:.]+)\](?::[0-9]{1,5})?|([0-9.]+)(?::[0-9]{1,5})?|([0-9a-fA-F:.]+))"?$/;

/**
 * Reads `X-Forwarded-For`, whose entries some proxies write with a port, brackets or quotes (Azure's gateway, HAProxy, `Forwarded`).
 * Shape: → the bare addresses, without everything that stands before one that cannot be read: nobody knows who wrote it.
 * Undefined: none is left.
 */
export function readForwardedFor(header: string | readonly string[]): string | undefined {
  const addresses = String(header)
    .split(',')
    .map((part) => {
      const [, bracketed, four, six] = FORWARDED.exec(part.trim()) ?? [];
      const address = bracketed ?? four ?? six ?? '';
      return isIP(address) > 0 ? address : undefined;
    });
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ') || undefined;
}
