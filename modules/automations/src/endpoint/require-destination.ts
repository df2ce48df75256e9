import { commonErrors, type Issue } from '@service/errors';
import { urlText } from '@service/trpc';

/** The URL of an endpoint as callers write it. `requireDestination` checks where it leads. */
export const destinationUrl = urlText()
  .refine((text) => URL.canParse(text), 'This is not a valid URL.')
  .describe('The URL that receives the webhooks: https, with a host that the public Internet can reach.');

/** Destinations and tries of this installation. In production webhooks go to public https addresses only. */
export interface DestinationPolicy {
  allowHttp: boolean;
  /** CIDR ranges. */
  allowedCidrs: readonly string[];
  /** The wait before each try of a delivery. */
  retryScheduleSeconds: readonly number[];
}

/** Checks whether webhooks may be sent to a URL. Slow (DNS), so it runs before a transaction opens. */
export type CheckUrl = (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;

interface Destination {
  url: string;
  /** Of its field. */
  path: string;
}

/** Throws validation_failed if webhooks may not be sent to the URL, with the problems that `findOthers` finds. */
export async function requireDestination(
  checkUrl: CheckUrl,
  { url, path }: Destination,
  findOthers?: () => Promise<Issue[]>,
): Promise<void> {
  const checked = await checkUrl(url);
  if (checked.ok) return;
  const others = (await findOthers?.()) ?? [];
  throw commonErrors.validation_failed({ issues: [{ path, message: checked.message }, ...others] });
}
