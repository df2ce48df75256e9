import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Set by us on every request to better-auth, so that what a client writes there or in X-Forwarded-For counts nothing. */
export const clientAddressHeader = 'x-service-client-address';

/** Whom the sign-in limit counts: express's `req.ip` (which knows the trusted proxies), else the socket's peer. */
export const clientAddressOf = (req: IncomingMessage & { ip?: string }): string =>
  req.ip ?? req.socket.remoteAddress ?? '0.0.0.0';

/**
 * The addresses that count as one caller. An IPv6 caller usually has a whole /64 network, so only its first 64 bits
 * count; an IPv4 address written as IPv6 is the IPv4 address. `localhost` may be 127.0.0.1 or ::1 from call to call.
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
