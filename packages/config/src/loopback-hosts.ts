import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for a loopback address, also for an IPv4 one that is written as IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** True if only this machine reaches a server on these hosts. An empty list means all interfaces. */
export const areLoopbackHosts = (hosts: readonly string[]): boolean =>
  hosts.length > 0 && hosts.every((host) => host === 'localhost' || isLoopbackAddress(host));

/** A host for URLs on which this machine reaches a server on these hosts. */
export function hostToCall([first]: readonly string[]): string {
  if (first === undefined || first === '0.0.0.0') return '127.0.0.1';
  if (first === '::') return '[::1]';
  if (first === 'localhost') return '127.0.0.1';
  return isIP(first) === 6 ? `[${first}]` : first;
}
