import { isIP } from 'node:net';
import { judgeAddress } from './address.ts';
import { BlockedAddressError } from './blocked-address.ts';
import { isLocalhost } from './hosts-file.ts';
import type { OutboundPolicy } from './policy.ts';
import { ResolveError, type Resolver } from './resolver.ts';

/** Throws BlockedAddressError when the host is an IP literal that may not be dialled. A name passes. */
export function judgeLiteral(host: string, policy: OutboundPolicy): void {
  if (isIP(host) !== 0 && judgeAddress(host, policy) === 'blocked') throw new BlockedAddressError(host);
}

/**
 * Resolves a name to the addresses that may be dialled. One bad address refuses the whole name: a mixed answer is an
 * attack or a mistake, and never a reason to dial the rest. Throws BlockedAddressError or ResolveError.
 */
export async function resolveJudged(
  host: string,
  policy: OutboundPolicy,
  resolver: Resolver,
): Promise<string[]> {
  const addresses = await resolver.resolve(host).catch((cause: unknown) => {
    throw cause instanceof ResolveError ? cause : new ResolveError('dns_failed', host, { cause });
  });
  if (addresses.length === 0) throw new ResolveError('no_such_name', host);
  const allowed = addresses.filter((address) => judgeAddress(address, policy) === 'allowed');
  // localhost alone is two addresses, neither of them from DNS: an allow list with 127.0.0.0/8 is enough to use it.
  const refused = isLocalhost(host) ? allowed.length === 0 : allowed.length < addresses.length;
  if (refused) throw new BlockedAddressError(host);
  return allowed;
}
