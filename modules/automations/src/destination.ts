import { commonErrors } from '@service/errors';
import { urlText } from '@service/trpc';

/** Where webhooks go, as callers write it. Judged by `requireDestination`, which says why it is refused. */
export const destinationUrl = urlText().describe(
  'Where to send: https, and a host that is reachable from the Internet.',
);

/** Where this installation sends beyond public https addresses. Both empty in production. */
export interface DestinationPolicy {
  allowHttp: boolean;
  /** CIDR ranges. */
  allowedCidrs: readonly string[];
}

/** Judges a URL somebody wants webhooks sent to. Slow (DNS), so it runs before a transaction opens. */
export type CheckUrl = (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;

/** Throws validation_failed, naming the field at `path`, when webhooks may not be sent there. */
export async function requireDestination(checkUrl: CheckUrl, url: string, path = 'url'): Promise<void> {
  const judged = await checkUrl(url);
  if (!judged.ok) throw commonErrors.validation_failed({ issues: [{ path, message: judged.message }] });
}
