import { defineEntity, p } from '@mikro-orm/postgresql';
import { allDeliveryFailures, type DeliveryFailure } from '@service/catalogue';
import { startSpan } from '@service/log';
import { sendRequest, type OutboundAgent } from '@service/outbound-http';
import { signBody, signStandard, type SigningKeys } from '@service/signing';
import type { Destination } from '../endpoint/open-destinations.ts';
import type { HealthReports } from '../endpoint/record-health.ts';
import type { ClaimedDelivery } from '../queue/lease.ts';
import { hideJoinUrl } from './join-url.ts';
import type { AttemptEnd } from './lane.ts';
import { decideAfterProbe, decideNextTry } from './next-try.ts';
import type { WriteBack } from './write-back.ts';

/** One HTTP attempt, written once. Partitioned by its delivery's id, so that both are found, kept and dropped together. */
export const Attempt = defineEntity({
  name: 'Attempt',
  tableName: 'attempt',
  schema: 'deliveries',
  properties: {
    deliveryId: p.uuid().primary(),
    /** From 1. */
    number: p.smallint().primary(),
    accountId: p.uuid().primary(),
    /** The endpoint's URL at that moment. */
    url: p.text(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    responseCode: p.smallint().nullable(),
    responseSnippet: p.text().nullable(),
    /** A JSON object as text. Null without a response, and in rows that are older than this column. */
    responseHeaders: p.text().nullable(),
    /** Null when the delivery succeeded. */
    failure: p.enum([...allDeliveryFailures]).nullable(),
    failureMessage: p.text().nullable(),
    /** Null on a connection that was open already, as are the next two; `tlsMs` also without TLS. */
    dnsMs: p.integer().nullable(),
    connectMs: p.integer().nullable(),
    tlsMs: p.integer().nullable(),
    /** From the start to the headers of the answer; null when none came. */
    firstByteMs: p.integer().nullable(),
    /** The URLs that were followed, in order. */
    redirects: p.array().nullable(),
    /** The two signatures that were sent: our own as hex, the one of Standard Webhooks as base64. All other headers follow from the row. */
    signature: p.text().nullable(),
    standardSignature: p.text().nullable(),
  },
});

interface AttemptRunnerOptions {
  agent: OutboundAgent;
  timeoutMs: number;
  writeBack: WriteBack;
  healthReports: HealthReports;
  scheduleSeconds: readonly number[];
  now(): Date;
  onAttempted(attempt: { outcome: 'success' | DeliveryFailure; durationMs: number; queuedMs: number }): void;
}

/** Makes one attempt. Rejects when the fault is ours and nothing can be said about the delivery. */
export type AttemptRunner = (
  delivery: ClaimedDelivery,
  destination: Destination,
) => Promise<{
  end: AttemptEnd;
  /** The receiver wants no deliveries for this long. */
  restSeconds: number;
}>;

/** Bytes of an answer that are kept. */
const snippetBytes = 2048;

/**
 * One attempt: signs and sends the delivery under one deadline, decides about the next try, and hands over the result and the
 * endpoint's health. Every behaviour of the receiver is an outcome.
 */
export function createAttemptRunner(options: AttemptRunnerOptions): AttemptRunner {
  const { agent, timeoutMs, writeBack, healthReports, scheduleSeconds, now, onAttempted } = options;
  return async (delivery, { url, keys, health, hasAnswered }) => {
    const sentAt = now();
    const { deliveryId, accountId, endpointId, claim, joinUrl } = delivery;
    const body = delivery.body!;
    const number = delivery.attempts + 1;
    const signatures = sign({ deliveryId, body, sentAt }, keys!);
    const span = delivery.trace === null ? undefined : traceAttempt(delivery, delivery.trace);
    const outcome = await sendRequest({
      agent,
      url,
      method: 'POST',
      headers: requestHeaders({ deliveryId, sentAt, ...signatures }),
      body,
      deadlineMs: timeoutMs,
      maxResponseBytes: snippetBytes,
    });
    const isProbe = delivery.isProbe && !delivery.isTest;
    const decision = (isProbe ? decideAfterProbe : decideNextTry)(outcome, {
      attempt: number,
      tries: delivery.tries,
      // A test is for the person who waits for its result, so its first try is its last one.
      scheduleSeconds: delivery.isTest ? [] : scheduleSeconds,
      now: sentAt,
      random: Math.random(),
    });
    const { failure, responseCode } = decision;
    span?.end({
      attributes: responseCode === null ? {} : { 'http.response.status_code': responseCode },
      failed: failure !== null,
    });
    const { durationMs, timings } = outcome;
    // Each field by its name: copies of four objects would take twice as long as the rest of this function.
    writeBack.add({
      deliveryId,
      accountId,
      claim,
      number,
      url,
      startedAt: sentAt,
      durationMs,
      waitSeconds: decision.waitSeconds,
      tries: decision.tries,
      failure,
      failureMessage: decision.failureMessage,
      responseCode,
      responseSnippet: hideJoinUrl(decision.responseSnippet, joinUrl),
      responseHeaders: hideJoinUrl(decision.responseHeaders, joinUrl),
      redirects: outcome.redirects,
      dnsMs: timings.dnsMs,
      connectMs: timings.connectMs,
      tlsMs: timings.tlsMs,
      firstByteMs: timings.firstByteMs,
      signature: signatures.signature,
      standardSignature: signatures.standardSignature,
    });
    healthReports.add({ accountId, endpointId, failure, responseCode, health, hasAnswered });
    onAttempted({ outcome: failure ?? 'success', durationMs, queuedMs: delivery.queuedMs });
    return { end: { succeeded: failure === null, durationMs }, restSeconds: decision.restSeconds };
  };
}

const traceAttempt = ({ deliveryId, attempts }: ClaimedDelivery, parent: string) =>
  startSpan('attempt', {
    kind: 'client',
    parent,
    attributes: { 'delivery.id': deliveryId, 'attempt.number': attempts + 1 },
  });

/** The signatures of a request: our own as hex, the one of Standard Webhooks as base64. */
interface Signatures {
  signature: string;
  standardSignature: string;
}

const sign = (
  { deliveryId: id, body, sentAt }: { deliveryId: string; body: string; sentAt: Date },
  keys: SigningKeys,
): Signatures => ({
  signature: signBody(keys.body, body),
  standardSignature: signStandard(keys.standard, { id, timestampSeconds: toSeconds(sentAt), body }),
});

/**
 * The headers of an attempt, names and values in turn: our own, then those of Standard Webhooks (standardwebhooks.com, 1.0.0).
 * History keeps only the signatures; all other headers follow from the attempt's row.
 */
export const requestHeaders = ({
  deliveryId,
  sentAt,
  signature,
  standardSignature,
}: Signatures & { deliveryId: string; sentAt: Date }): string[] => [
  'Content-Type',
  'application/json',
  'User-Agent',
  'Service/1.0',
  'X-Service-Signature',
  signature,
  'webhook-id',
  deliveryId,
  'webhook-timestamp',
  String(toSeconds(sentAt)),
  'webhook-signature',
  standardSignature,
];

const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
