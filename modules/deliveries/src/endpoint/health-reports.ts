import { createBatcher } from '@service/background';
import type { DeliveryFailure } from '@service/catalogue';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { endpointKey, type EndpointKey } from './endpoint.ts';
import type { AttemptReport, Health } from './health-machine.ts';
import { recordAttempts } from './record-health.ts';

/** One attempt, reduced to what it says about its endpoint. */
interface EndpointAttempt extends EndpointKey {
  /** Null for a success. */
  failure: DeliveryFailure | null;
  responseCode: number | null;
  /** The known health when the attempt began; undefined is healthy. */
  health: Health['state'] | undefined;
  /** False before the first success of the endpoint. */
  hasAnswered: boolean;
}

export interface HealthReports {
  add(attempt: EndpointAttempt): void;
  /** Records the attempts that are not recorded yet. Never rejects. */
  drain(): Promise<void>;
}

interface HealthReportsOptions {
  database: Pick<Database, 'transaction'>;
  log: Log;
  /** The health of these endpoints may have changed. */
  onRecorded: (endpoints: readonly EndpointKey[]) => void;
}

type Report = EndpointKey & AttemptReport;

const collectMs = 100;

/**
 * Records the health of endpoints: one transaction for all attempts within 100 ms. A success of a healthy endpoint costs
 * nothing but for its first one. A 429 says nothing about health; a 410 says that the receiver is gone.
 */
export function createHealthReports({ database, log, onRecorded }: HealthReportsOptions): HealthReports {
  /** Keys of endpoints with attempts in the next batch. */
  const waiting = new Set<string>();

  const batcher = createBatcher<EndpointAttempt>({
    async run(attempts) {
      waiting.clear();
      const reports = new Map<string, Report>();
      for (const attempt of attempts) {
        const key = endpointKey(attempt);
        reports.set(key, addToReport(reports.get(key), attempt));
      }
      try {
        await recordAttempts(database, [...reports.values()]);
        onRecorded([...reports.values()]);
      } catch (error) {
        log.error({ err: error }, 'The health of endpoints could not be recorded');
      }
    },
    batchMax: Number.POSITIVE_INFINITY,
    waitMs: collectMs,
  });

  return {
    add(attempt) {
      const key = endpointKey(attempt);
      const isHealthy = attempt.health === undefined && attempt.hasAnswered && !waiting.has(key);
      if ((attempt.failure === null && isHealthy) || attempt.responseCode === 429) return;
      waiting.add(key);
      batcher.add(attempt);
    },
    drain: batcher.drain,
  };
}

function addToReport(
  report: Report | undefined,
  { accountId, endpointId, failure, responseCode }: EndpointAttempt,
): Report {
  const last = { accountId, endpointId, lastFailure: failure, lastResponseCode: responseCode };
  if (failure === null) return { ...last, succeeded: true, failures: 0, isGone: false };
  const { succeeded = false, failures = 0, isGone = false } = report ?? {};
  return { ...last, succeeded, failures: failures + 1, isGone: isGone || responseCode === 410 };
}
