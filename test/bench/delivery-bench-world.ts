// The deliveries module as benches use it: any number of accounts, and workers as processes.
import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import type { DeliveryDraft } from '@service/deliveries';
import { createLog } from '@service/log';
import { createDeliveryService, type DeliveryService } from '../support/delivery-service.ts';
import { eventually } from '../support/eventually.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

/** An endpoint and its account. */
export interface BenchEndpoint {
  accountId: string;
  endpointId: string;
}

export interface DeliveryBenchWorld extends Omit<DeliveryService, 'createWorker'> {
  /** Endpoints of an account of their own, in the order of the URLs. */
  createAccount(urls: readonly string[]): Promise<BenchEndpoint[]>;
  /** One delivery to each, in one transaction; all must be of one account. Returns their ids once it is committed. */
  enqueue(endpoints: readonly BenchEndpoint[]): Promise<string[]>;
  startWorker(concurrency: number): Promise<WorkerProcess>;
  /** Resolves when no delivery is due or claimed any more; rejects after half a minute. */
  untilQueueIsEmpty(): Promise<void>;
  /** The number of due and claimed deliveries of each endpoint; endpoints without any are left out. */
  countWaiting(): Promise<Map<string, number>>;
  /** Deletes the queue. No worker may be running. */
  emptyQueue(): Promise<void>;
}

interface WorldOptions {
  database: Database;
  url: string;
  encryptionKey?: string;
  retryScheduleSeconds?: readonly number[];
}

/** About the size of a registration's envelope with some custom fields. */
const body = JSON.stringify({ event: 'registered', padding: 'x'.repeat(980) });

export const draftTo = ({ endpointId }: BenchEndpoint): DeliveryDraft => ({
  endpointId,
  eventType: 'registered',
  body,
});

export function createDeliveryBenchWorld({
  database,
  url: databaseUrl,
  encryptionKey,
  retryScheduleSeconds = [0, 5, 30],
}: WorldOptions): DeliveryBenchWorld {
  const log = createLog('bench', { level: 'warn' });
  const service = createDeliveryService({ database, log, retryScheduleSeconds, encryptionKey });
  const { deliveries, writeAs } = service;

  const countWaiting = async (): Promise<Map<string, number>> => {
    const { rows } = await database.pool.query<{ id: string; waiting: number }>(
      'select endpoint_id as id, count(*)::int as waiting from deliveries.due group by 1',
    );
    return new Map(rows.map(({ id, waiting }) => [id, waiting]));
  };

  return {
    ...service,
    createAccount(urls) {
      const accountId = randomUUID();
      return writeAs(accountId, async (tx) => {
        const endpoints: BenchEndpoint[] = [];
        for (const url of urls) {
          const { endpointId } = await deliveries.createEndpoint(tx, { url, enabled: true });
          endpoints.push({ accountId, endpointId });
        }
        return endpoints;
      });
    },
    enqueue: (endpoints) =>
      writeAs(endpoints[0]!.accountId, (tx) => deliveries.enqueue(tx, endpoints.map(draftTo))),
    startWorker: (concurrency) =>
      startWorkerProcess({
        databaseUrl,
        encryptionKey: service.encryptionKey,
        retryScheduleSeconds,
        concurrency,
      }),
    async untilQueueIsEmpty() {
      await eventually('the queue to be empty', async () => (await countWaiting()).size === 0);
    },
    countWaiting,
    async emptyQueue() {
      await database.pool.query('truncate deliveries.due');
    },
  };
}
