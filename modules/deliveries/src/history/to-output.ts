import type { z } from 'zod';
import { requestHeaders } from '../attempt/send.ts';
import type {
  AttemptOutput,
  DeliveryFailure,
  DeliveryOutput,
  DeliveryStatus,
  DeliverySummary,
} from '../schemas.ts';

/** A time as the driver returns it. */
type Instant = Date | string;

/** A delivery with its row of the queue and its last attempt. */
export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event_type: string;
  is_refire: boolean;
  is_test: boolean;
  redelivery_of: string | null;
  attempts_max: number;
  created_at: Instant;
  ended_as: 'failure' | 'cancelled' | null;
  is_waiting: boolean;
  /** The time of the next try. This and the next two are null when the delivery does not wait. */
  due_at: Instant | null;
  /** Tries spent so far. */
  tries: number | null;
  /** True while a worker has leased it. */
  is_leased: boolean | null;
  attempts: number;
  /** This and the next three are null before the first attempt. */
  answered_at: Instant | null;
  response_code: number | null;
  response_snippet: string | null;
  failure: DeliveryFailure | null;
}

export interface AttemptRow {
  number: number;
  url: string;
  started_at: Instant;
  duration_ms: number;
  response_code: number | null;
  response_snippet: string | null;
  failure: DeliveryFailure | null;
  failure_message: string | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  redirects: string[] | null;
  /** This and the next are null for attempts made before signatures were kept. */
  signature: string | null;
  standard_signature: string | null;
}

export function deliveryToSummary(row: DeliveryRow): DeliverySummary {
  const status = statusOf(row);
  return {
    id: row.id,
    status,
    attempts: row.attempts,
    attemptsMax: row.attempts_max,
    triesLeft: row.is_waiting ? Math.max(0, row.attempts_max - row.tries!) : 0,
    responseCode: row.response_code,
    failure: row.failure,
    deliveredAt: status === 'success' ? toIso(row.answered_at!) : null,
    nextAttemptAt: row.due_at === null || row.is_leased ? null : toIso(row.due_at),
  };
}

// Success needs a successful last attempt. A delivery that was lost from the queue without an attempt is shown as failed.
function statusOf(row: DeliveryRow): DeliveryStatus {
  if (!row.is_waiting)
    return row.ended_as ?? (row.attempts > 0 && row.failure === null ? 'success' : 'failure');
  if (row.is_leased) return 'delivering';
  return row.attempts === 0 ? 'queued' : 'retrying';
}

export const deliveryToOutput = (row: DeliveryRow): DeliveryOutput => ({
  ...deliveryToSummary(row),
  eventType: row.event_type,
  responseSnippet: row.response_snippet,
  isRefire: row.is_refire,
  isTest: row.is_test,
  redeliveryOf: row.redelivery_of,
  createdAt: toIso(row.created_at),
});

export const attemptToOutput = (deliveryId: string, row: AttemptRow): z.infer<typeof AttemptOutput> => ({
  number: row.number,
  url: row.url,
  startedAt: toIso(row.started_at),
  durationMs: row.duration_ms,
  responseCode: row.response_code,
  responseSnippet: row.response_snippet,
  failure: row.failure,
  failureMessage: row.failure_message,
  timings: {
    dnsMs: row.dns_ms,
    connectMs: row.connect_ms,
    tlsMs: row.tls_ms,
    firstByteMs: row.first_byte_ms,
  },
  requestHeaders: headersOf(deliveryId, row),
  redirects: row.redirects ?? [],
});

const toIso = (instant: Instant): string => new Date(instant).toISOString();

function headersOf(deliveryId: string, row: AttemptRow): Record<string, string> {
  const { signature, standard_signature: standardSignature } = row;
  if (signature === null || standardSignature === null) return {};
  const sentAt = new Date(row.started_at);
  const flat = requestHeaders({ deliveryId, sentAt, signature, standardSignature });
  const headers: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) headers[flat[index]!] = flat[index + 1]!;
  return headers;
}
