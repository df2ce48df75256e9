import { isIP } from 'node:net';
import { BlockedAddressError, refuseBlockedLiteral, resolveAllowed } from './check-host.ts';
import type { OutboundPolicy } from './policy.ts';
import { ResolveError, type Resolver } from './resolver.ts';
import { bareHost, parseTargetUrl, type UrlFault } from './target-url.ts';

export type DestinationFault = UrlFault | 'unresolvable' | 'blocked_address';

export type DestinationVerdict =
  | { ok: true; url: URL }
  | { ok: false; reason: DestinationFault; message: string };

/**
 * Checks a URL before it is saved: its form, its host and every address that DNS returns for it. Messages are for people and do
 * not contain addresses. DNS answers must not be stored: the agent checks them again for each connection. Rejects only with the
 * signal's reason.
 */
export async function checkDestination(
  input: string,
  context: { policy: OutboundPolicy; resolver: Resolver; signal?: AbortSignal },
): Promise<DestinationVerdict> {
  const { policy, resolver, signal } = context;
  signal?.throwIfAborted();
  const target = parseTargetUrl(input, policy);
  if (!target.ok) return target;
  const host = bareHost(target.url.hostname);
  try {
    refuseBlockedLiteral(host, policy);
    if (isIP(host) === 0) await unlessAborted(resolveAllowed(host, policy, resolver), signal);
    return { ok: true, url: target.url };
  } catch (error) {
    if (error instanceof BlockedAddressError) {
      return {
        ok: false,
        reason: 'blocked_address',
        message: 'The URL points to a private or reserved address.',
      };
    }
    if (error instanceof ResolveError) return { ok: false, reason: 'unresolvable', message: error.message };
    throw error;
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
