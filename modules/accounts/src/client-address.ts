import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** This module sets the header on every request to better-auth, so the client's value and X-Forwarded-For have no effect. */
export const clientAddressHeader = 'x-service-client-address';

/** The address that the sign-in limits count: express's `req.ip`, which respects trusted proxies, else the peer of the socket. */
export const clientAddressOf = (req: IncomingMessage & { ip?: string }): string =>
  req.ip ?? req.socket.remoteAddress ?? '0.0.0.0';

/**
 * The group of addresses that count as one caller. An IPv6 caller usually has a /64 network, so only the first 64 bits count. An
 * IPv4 address in IPv6 form is the IPv4 address. Both loopback addresses are one group, since `localhost` can be either.
 */
export function groupAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return 'loopback';
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
