import type { DeliveryFailure } from '@service/catalogue';
import { decideAfterProbe, decideNextTry } from '../attempt/next-try.ts';
import type { Send } from '../attempt/create-send.ts';
import type { HealthReports } from '../endpoint/health-reports.ts';
import type { Destination } from '../endpoint/destinations.ts';
import type { ClaimedDelivery } from '../queue/claim.ts';
import type { WriteBack } from '../queue/write-back.ts';
import type { AttemptEnd } from './lane.ts';

interface AttemptRunnerOptions {
  send: Send;
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

/** One attempt: sends the delivery, decides about the next try, and hands over the result and the endpoint's health. */
export function createAttemptRunner(options: AttemptRunnerOptions): AttemptRunner {
  const { send, writeBack, healthReports, scheduleSeconds, now, onAttempted } = options;
  return async (delivery, { url, keys, health, hasAnswered }) => {
    const sentAt = now();
    const { deliveryId, accountId, endpointId, claim } = delivery;
    const number = delivery.attempts + 1;
    const { outcome, signatures } = await send({
      deliveryId,
      body: delivery.body!,
      url,
      keys: keys!,
      sentAt,
    });
    const isProbe = delivery.isProbe && !delivery.isTest;
    const { restSeconds, ...decision } = (isProbe ? decideAfterProbe : decideNextTry)(outcome, {
      attempt: number,
      tries: delivery.tries,
      // A test is for the person who waits for its result, so its first try is its last one.
      scheduleSeconds: delivery.isTest ? [] : scheduleSeconds,
      now: sentAt,
      random: Math.random(),
    });
    const { failure, responseCode } = decision;
    const { durationMs, timings, redirects } = outcome;
    writeBack.add({
      ...decision,
      ...signatures,
      deliveryId,
      accountId,
      claim,
      number,
      url,
      startedAt: sentAt.toISOString(),
      durationMs,
      timings,
      redirects,
    });
    healthReports.add({ accountId, endpointId, failure, responseCode, health, hasAnswered });
    onAttempted({ outcome: failure ?? 'success', durationMs, queuedMs: delivery.queuedMs });
    return { end: { succeeded: failure === null, durationMs }, restSeconds };
  };
}
