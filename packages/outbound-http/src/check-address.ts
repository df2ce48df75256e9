import ipaddr from 'ipaddr.js';
import type { Cidr, OutboundPolicy } from './policy.ts';

export type AddressVerdict = 'allowed' | 'blocked';

// IANA assigns global IPv6 unicast from 2000::/3 only (ipv6-address-space registry). ipaddr.js calls every unnamed block
// "unicast", such as ::/96 (`::7f00:1` is 127.0.0.1) and 100:0:0:1::/64 (RFC 9780).
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

// The virtual host address of Azure is a public number, but a metadata service on every Azure machine
// (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
const AZURE_HOST = ipaddr.IPv4.parseCIDR('168.63.129.16/32');

/**
 * Decides whether the service may connect to an IP address. Allowed are public unicast and the ranges of the policy. The special
 * blocks are those of the IANA special-purpose registries (RFC 6890), as ipaddr.js names them. A text that is no address is
 * blocked.
 */
export function checkAddress(ip: string, policy: OutboundPolicy): AddressVerdict {
  if (!ipaddr.isValid(ip)) return 'blocked';
  // `process` unwraps IPv4-mapped IPv6, since the kernel would connect to the IPv4 address.
  const address = ipaddr.process(ip);
  if (policy.allowedCidrs.some((cidr) => isInside(address, cidr))) return 'allowed';
  return isPublic(address) ? 'allowed' : 'blocked';
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !isInside(address, AZURE_HOST) : isInside(address, GLOBAL_IPV6);
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, cidr: Cidr): boolean {
  return address.kind() === cidr[0].kind() && address.match(cidr);
}
