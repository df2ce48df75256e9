import { expect, test } from 'vitest';
import { areLoopbackHosts, hostToCall, isLoopbackAddress } from './loopback-hosts.ts';

test('the loopback addresses are 127.0.0.0/8 and ::1', () => {
  for (const address of ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])
    expect(isLoopbackAddress(address), address).toBe(true);
  for (const address of ['128.0.0.1', '0.0.0.0', '::', '::ffff:192.0.2.2', 'fe80::1', 'localhost', ''])
    expect(isLoopbackAddress(address), address).toBe(false);
});

test('a server is private only if all its hosts are loopback, and an empty list means all interfaces', () => {
  expect(areLoopbackHosts(['localhost'])).toBe(true);
  expect(areLoopbackHosts(['127.0.0.1', '::1'])).toBe(true);
  for (const hosts of [[], ['0.0.0.0'], ['::'], ['127.0.0.1', '192.0.2.2'], ['localhost.example.com']])
    expect(areLoopbackHosts(hosts), hosts.join()).toBe(false);
});

test('a server is called on an address that it listens on', () => {
  expect(hostToCall([])).toBe('127.0.0.1');
  expect(hostToCall(['0.0.0.0'])).toBe('127.0.0.1');
  expect(hostToCall(['::'])).toBe('[::1]');
  expect(hostToCall(['192.0.2.2', '127.0.0.1'])).toBe('192.0.2.2');
  expect(hostToCall(['fd00::2'])).toBe('[fd00::2]');
});
