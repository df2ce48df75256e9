import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { checkAddress } from './check-address.ts';
import { isLocalhost } from './hosts-file.ts';
import type { OutboundPolicy } from './policy.ts';
import { ResolveError, type Resolver } from './resolver.ts';

/** The host is or resolves to a blocked address. The message contains the host, but not the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'blocked_address';

  constructor(host: string) {
    super(`${host} points to a private or reserved address.`);
  }
}

/** Throws BlockedAddressError for a blocked IP literal. Names are not checked. */
export function refuseBlockedLiteral(host: string, policy: OutboundPolicy): void {
  if (isIP(host) !== 0 && checkAddress(host, policy) === 'blocked') throw new BlockedAddressError(host);
}

/**
 * Resolves a name to its addresses. One blocked address refuses the whole name, because a mixed answer is an attack or a mistake.
 * Throws BlockedAddressError or ResolveError.
 */
export async function resolveAllowed(
  host: string,
  policy: OutboundPolicy,
  resolver: Resolver,
): Promise<string[]> {
  const addresses = await resolver.resolve(host).catch((cause: unknown) => {
    throw cause instanceof ResolveError ? cause : new ResolveError('dns_failed', host, { cause });
  });
  if (addresses.length === 0) throw new ResolveError('no_such_name', host);
  const allowed = addresses.filter((address) => checkAddress(address, policy) === 'allowed');
  // Only localhost may have one blocked address: its two addresses do not come from DNS, and a policy may allow one of them.
  const refused = isLocalhost(host) ? allowed.length === 0 : allowed.length < addresses.length;
  if (refused) throw new BlockedAddressError(host);
  return allowed;
}

/** After this time Node tries the next address of a name. Its default of 250 ms is too short for receivers on another continent. */
export const NEXT_ADDRESS_AFTER_MS = 1000;

/**
 * Creates the lookup of a new connection, which may only connect to allowed addresses. With autoSelectFamily, and neither a family
 * nor a local address given, node:net always asks for all addresses.
 */
export function createJudgedLookup(policy: OutboundPolicy, resolver: Resolver): LookupFunction {
  return callbackify(async (hostname: string, _options: unknown) => {
    const addresses = await resolveAllowed(hostname, policy, resolver);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
}
