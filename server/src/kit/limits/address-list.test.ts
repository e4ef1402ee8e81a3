import { expect, test } from 'vitest';
import { matchAddresses, parseAddressList } from './address-list.ts';

const isListed = matchAddresses(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']);

test.each(['192.0.2.7', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '2001:DB8:1::%eth0'])('%s is in the list', (address) =>
  expect(isListed(address)).toBe(true),
);

test.each(['192.0.2.8', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::1', '', 'localhost'])('%j is not in the list', (address) =>
  expect(isListed(address)).toBe(false),
);

test.each(['', '10.0.0.0/33', '2001:db8::/129', '10.0.0', 'example.com', '10.0.0.1,'])('%j is no list', (text) =>
  expect(parseAddressList(text)).toBeUndefined(),
);
