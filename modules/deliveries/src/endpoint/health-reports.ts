import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { DeliveryFailure } from '../schemas.ts';
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
 * nothing. A 429 says nothing about health; a 410 says that the receiver is gone.
 */
export function createHealthReports({ database, log, onRecorded }: HealthReportsOptions): HealthReports {
  let reports = new Map<string, Report>();
  let timer: NodeJS.Timeout | undefined;
  let recording = Promise.resolve();

  const record = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...reports.values()];
    reports = new Map();
    if (batch.length === 0) return;
    recording = recording
      .then(() => recordAttempts(database, batch))
      .then(() => onRecorded(batch))
      .catch((error: unknown) => log.error({ err: error }, 'The health of endpoints could not be recorded'));
  };

  return {
    add(attempt) {
      const key = endpointKey(attempt);
      const known = reports.get(key);
      const saysNothing = attempt.failure === null && attempt.health === undefined && known === undefined;
      if (saysNothing || attempt.responseCode === 429) return;
      reports.set(key, addToReport(known, attempt));
      timer ??= setTimeout(record, collectMs);
    },
    async drain() {
      record();
      await recording;
    },
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
