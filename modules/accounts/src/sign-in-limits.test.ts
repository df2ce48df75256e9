import { expect, test } from 'vitest';
import { groupAddress, mailboxOf } from './sign-in-limits.ts';

test('an IPv4 address is one group, also in IPv6 form', () => {
  expect(groupAddress('203.0.113.9')).toBe('203.0.113.9');
  expect(groupAddress('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(groupAddress('203.0.113.10')).not.toBe(groupAddress('203.0.113.9'));
});

test('both loopback addresses are one group', () => {
  expect(groupAddress('::1')).toBe(groupAddress('127.0.0.1'));
  expect(groupAddress('::1')).not.toBe(groupAddress('203.0.113.9'));
});

test('the addresses of an IPv6 /64 network are one group, and those of another network are not', () => {
  const first = groupAddress('2001:db8:1:2::1');
  expect(groupAddress('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(first);
  expect(groupAddress('2001:db8:1:3::1')).not.toBe(first);
});

test('the addresses that lead to one mailbox are one', () => {
  expect(mailboxOf('Ada+Work+2@Example.com')).toBe('ada@example.com');
  expect(mailboxOf('a.d.a+1@googlemail.com')).toBe(mailboxOf('ada@gmail.com'));
  expect(mailboxOf('a.da@example.com')).not.toBe(mailboxOf('ada@example.com'));
  expect(mailboxOf('+1@example.com')).not.toBe(mailboxOf('+2@example.com'));
});
