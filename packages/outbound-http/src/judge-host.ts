import { isIP } from 'node:net';
import { judgeAddress } from './address.ts';
import { BlockedAddressError } from './blocked-address.ts';
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
  if (addresses.some((address) => judgeAddress(address, policy) === 'blocked')) {
    throw new BlockedAddressError(host);
  }
  return addresses;
}
