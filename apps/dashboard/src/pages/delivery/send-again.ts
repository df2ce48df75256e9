import { offReasons, type SourceKind } from '../source/source.ts';
import type { DeliveryStatus } from './delivery-status.ts';

interface Sendable {
  status: DeliveryStatus;
  /** The delivery that was made when this one was sent again while it waited. */
  replacedBy: string | null;
  /** Null after its rule or subscription was deleted. */
  source: { kind: SourceKind; enabled: boolean } | null;
}

const statusReasons: Record<DeliveryStatus, string | undefined> = {
  failure: undefined,
  retrying: undefined,
  success: 'It was delivered, so it is not sent again.',
  delivering: 'A try is in flight. Wait for its result.',
  queued: 'It has not been tried yet. It is sent by itself.',
  cancelled: 'It was cancelled. Recover sends cancelled deliveries of a time range.',
};

/** The reason why a delivery cannot be sent again. Undefined when it can. */
export function sendAgainReason({ status, replacedBy, source }: Sendable): string | undefined {
  if (replacedBy !== null) return 'It was sent again already, as a newer delivery.';
  const reason = statusReasons[status];
  if (reason !== undefined) return reason;
  if (!source) return 'Its rule or subscription was deleted, so it cannot be sent again.';
  return source.enabled ? undefined : offReasons[source.kind];
}
