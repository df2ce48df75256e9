import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test('the addresses of an IPv6 network count as one, and both spellings of an IPv4 address count as one', () => {
  const network = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:0db8:0001:0002::'].map(addressKey);
  expect(new Set(network).size).toBe(1);
  expect(addressKey('2001:db8:1:3::1')).not.toBe(network[0]);
  expect(addressKey('::ffff:203.0.113.7')).toBe(addressKey('203.0.113.7'));
  expect(addressKey('')).toBe('');
});
