import ipaddr from 'ipaddr.js';

/**
 * Maps all addresses of one caller to one key. An IPv6 caller usually has a /64 network, so its first 64 bits count. An IPv4
 * address that is written as IPv6 counts as the IPv4 address.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
