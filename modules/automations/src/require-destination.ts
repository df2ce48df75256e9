import { commonErrors } from '@service/errors';

/** Where this installation sends beyond public https addresses. Both empty in production. */
export interface DestinationPolicy {
  allowHttp: boolean;
  /** CIDR ranges. */
  allowedCidrs: readonly string[];
}

/** Judges a URL somebody wants webhooks sent to. Slow (DNS), so it runs before a transaction opens. */
export type CheckUrl = (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;

/** Throws validation_failed when webhooks may not be sent there. */
export async function requireDestination(checkUrl: CheckUrl, url: string): Promise<void> {
  const judged = await checkUrl(url);
  if (!judged.ok)
    throw commonErrors.validation_failed({ issues: [{ path: 'url', message: judged.message }] });
}
