import { expect, test } from 'vitest';
import { isAllowedAddress } from './allowed-address.ts';

const INTERNAL = [
  '127.0.0.1',
  '127.255.0.9',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fc00::1',
  'fdff::1',
];
const NEVER = [
  '0.0.0.0',
  '169.254.169.254',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.19.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  'localhost',
  '',
  '1.2.3',
  '127.1',
  '2130706433',
  '0x7f000001',
  '127.0.0.1 ',
];
const PUBLIC = [
  '8.8.8.8',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '2001:4860::8888',
];

test('production sends to the Internet only', () => {
  expect([...INTERNAL, ...NEVER].filter((address) => isAllowedAddress(address, false))).toEqual([]);
  expect(PUBLIC.filter((address) => !isAllowedAddress(address, false))).toEqual([]);
});

test('the sandbox also sends to this machine and to private networks, but never to link-local or multicast addresses', () => {
  expect(NEVER.filter((address) => isAllowedAddress(address, true))).toEqual([]);
  expect([...INTERNAL, ...PUBLIC].filter((address) => !isAllowedAddress(address, true))).toEqual([]);
});
