import ipaddr from 'ipaddr.js';

/**
 * The addresses that count as one caller: an IPv6 caller usually has a whole /64 network, so its first 64 bits; an IPv4 address
 * that is written as IPv6 is the IPv4 address.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
