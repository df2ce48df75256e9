import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an IP address that belongs to this machine alone, IPv4 written as IPv6 included. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** True if only this machine reaches a server that listens on these. No host at all means all interfaces. */
export const areLoopbackHosts = (hosts: readonly string[]): boolean =>
  hosts.length > 0 && hosts.every((host) => host === 'localhost' || isLoopbackAddress(host));

/** A host under which this machine reaches a server that listens on these, as it is written in a URL. */
export function hostToCall([first]: readonly string[]): string {
  if (first === undefined || first === '0.0.0.0') return '127.0.0.1';
  if (first === '::') return '[::1]';
  if (first === 'localhost') return '127.0.0.1';
  return isIP(first) === 6 ? `[${first}]` : first;
}
