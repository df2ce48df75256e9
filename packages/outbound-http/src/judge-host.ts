import { isIP } from 'node:net';
import { judgeAddress } from './address.ts';
import { BlockedAddressError } from './blocked-address.ts';
import { isLocalhost } from './hosts-file.ts';
import type { OutboundPolicy } from './policy.ts';
import { ResolveError, type Resolver } from './resolver.ts';

/** Throws BlockedAddressError for a blocked IP literal. Names are not checked. */
export function judgeLiteral(host: string, policy: OutboundPolicy): void {
  if (isIP(host) !== 0 && judgeAddress(host, policy) === 'blocked') throw new BlockedAddressError(host);
}

/**
 * Resolves a name to its addresses. One blocked address refuses the whole name, because a mixed answer is an attack or a mistake.
 * Throws BlockedAddressError or ResolveError.
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
  // Only localhost may have one blocked address: its two addresses do not come from DNS, and a policy may allow one of them.
  const refused = isLocalhost(host) ? allowed.length === 0 : allowed.length < addresses.length;
  if (refused) throw new BlockedAddressError(host);
  return allowed;
}
