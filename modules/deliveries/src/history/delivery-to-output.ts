import type { DeliveryFailure, FailureReason } from '@service/catalogue';
import { column, nullable, type RowWith } from '@service/database';
import type { z } from 'zod';
import { requestHeaders } from '../attempt/create-send.ts';
import type { AttemptOutput, DeliveryOutput, DeliveryStatus, DeliverySummary } from '../schemas.ts';

/** A delivery with its row of the queue and its last attempt. */
export const deliveryColumns = {
  id: column.id,
  endpoint_id: column.id,
  event_type: column.text,
  is_refire: column.boolean,
  is_test: column.boolean,
  redelivery_of: nullable(column.id),
  replaced_by: nullable(column.id),
  registration_id: nullable(column.id),
  attempts_max: column.integer,
  created_at: column.time,
  ended_as: nullable(column.textOf<'failure' | 'cancelled'>()),
  is_waiting: column.boolean,
  // The time of the next try. This and the next two are null when the delivery does not wait.
  due_at: nullable(column.time),
  // Tries spent so far.
  tries: nullable(column.integer),
  // True while a worker has leased it.
  is_leased: nullable(column.boolean),
  attempts: column.integer,
  // This and the next three are null before the first attempt.
  answered_at: nullable(column.time),
  duration_ms: nullable(column.integer),
  response_code: nullable(column.integer),
  response_snippet: nullable(column.text),
  // Of the last attempt, or the reason why there was none.
  failure: nullable(column.textOf<FailureReason>()),
};

export type DeliveryRow = RowWith<typeof deliveryColumns>;

export const attemptColumns = {
  number: column.integer,
  url: column.text,
  started_at: column.time,
  duration_ms: column.integer,
  response_code: nullable(column.integer),
  response_snippet: nullable(column.text),
  failure: nullable(column.textOf<DeliveryFailure>()),
  failure_message: nullable(column.text),
  dns_ms: nullable(column.integer),
  connect_ms: nullable(column.integer),
  tls_ms: nullable(column.integer),
  first_byte_ms: nullable(column.integer),
  redirects: nullable(column.texts),
  response_headers: nullable(column.text),
  // This and the next are null for attempts made before signatures were kept.
  signature: nullable(column.text),
  standard_signature: nullable(column.text),
};

export type AttemptRow = RowWith<typeof attemptColumns>;

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
    deliveredAt: status === 'success' ? row.answered_at!.toISOString() : null,
    nextAttemptAt: row.due_at === null || row.is_leased ? null : row.due_at.toISOString(),
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
  replacedBy: row.replaced_by,
  registrationId: row.registration_id,
  durationMs: row.duration_ms,
  createdAt: row.created_at.toISOString(),
});

export const attemptToOutput = (deliveryId: string, row: AttemptRow): z.infer<typeof AttemptOutput> => ({
  number: row.number,
  url: row.url,
  startedAt: row.started_at.toISOString(),
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
  responseHeaders: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
  redirects: row.redirects ?? [],
});

function headersOf(deliveryId: string, row: AttemptRow): Record<string, string> {
  const { signature, standard_signature: standardSignature } = row;
  if (signature === null || standardSignature === null) return {};
  const flat = requestHeaders({ deliveryId, sentAt: row.started_at, signature, standardSignature });
  const headers: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) headers[flat[index]!] = flat[index + 1]!;
  return headers;
}
