import type { z } from 'zod';
import type {
  AttemptOutput,
  DeliveryFailure,
  DeliveryOutput,
  DeliveryStatus,
  DeliverySummary,
} from './schemas.ts';

/** A time as the driver gives it. */
type Instant = Date | string;

/** A delivery, its place in the queue and its last attempt. */
export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event_type: string;
  is_refire: boolean;
  redelivery_of: string | null;
  attempts_max: number;
  created_at: Instant;
  ended_as: 'failure' | 'cancelled' | null;
  /** Null when it does not wait, as is the next. */
  due_at: Instant | null;
  /** Whether a worker holds it at this moment. */
  is_leased: boolean | null;
  attempts: number;
  /** Null before the first attempt, as are the next three. */
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
}

export function deliveryToSummary(row: DeliveryRow): DeliverySummary {
  const status = statusOf(row);
  return {
    id: row.id,
    status,
    attempts: row.attempts,
    attemptsMax: row.attempts_max,
    responseCode: row.response_code,
    failure: row.failure,
    deliveredAt: status === 'success' ? toIso(row.answered_at!) : null,
    nextAttemptAt: row.due_at === null || row.is_leased ? null : toIso(row.due_at),
  };
}

// Success is what the last attempt says, never what is left over: a delivery that vanished from the queue without having
// been sent would show as failed.
function statusOf(row: DeliveryRow): DeliveryStatus {
  if (row.due_at === null)
    return row.ended_as ?? (row.attempts > 0 && row.failure === null ? 'success' : 'failure');
  if (row.is_leased) return 'delivering';
  return row.attempts === 0 ? 'queued' : 'retrying';
}

export const deliveryToOutput = (row: DeliveryRow): DeliveryOutput => ({
  ...deliveryToSummary(row),
  eventType: row.event_type,
  responseSnippet: row.response_snippet,
  isRefire: row.is_refire,
  redeliveryOf: row.redelivery_of,
  createdAt: toIso(row.created_at),
});

export const attemptToOutput = (row: AttemptRow): z.infer<typeof AttemptOutput> => ({
  number: row.number,
  url: row.url,
  startedAt: toIso(row.started_at),
  durationMs: row.duration_ms,
  responseCode: row.response_code,
  responseSnippet: row.response_snippet,
  failure: row.failure,
  failureMessage: row.failure_message,
});

const toIso = (instant: Instant): string => new Date(instant).toISOString();
