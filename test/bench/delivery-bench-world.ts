// The deliveries module as benches use it: any number of accounts, and workers as processes.
import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountReader, AccountWriter, Database } from '@service/database';
import {
  createDeliveries,
  createDeliveryWorker,
  createWake,
  type Deliveries,
  type DeliveryDraft,
  type DeliveryObserver,
  type DeliveryWorker,
} from '@service/deliveries';
import { createLog } from '@service/log';
import type { OutboundAgent } from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';
import { eventually } from '../support/eventually.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

/** An endpoint and whose it is. */
export interface BenchEndpoint {
  accountId: string;
  endpointId: string;
}

export interface DeliveryBenchWorld extends AsyncDisposable {
  database: Database;
  deliveries: Deliveries;
  encryptionKey: string;
  reader(accountId: string): AccountReader;
  write<Result>(accountId: string, work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  /** Endpoints of an account of their own, in the order of the URLs. */
  createAccount(urls: readonly string[]): Promise<BenchEndpoint[]>;
  /** One delivery to each, in one transaction; all must be of one account. Returns their ids once it is committed. */
  enqueue(endpoints: readonly BenchEndpoint[]): Promise<string[]>;
  /** A worker in this process, not started. */
  createWorker(options: WorkerOptions): DeliveryWorker;
  startWorker(concurrency: number): Promise<WorkerProcess>;
  /** Resolves when nothing is due or held any more; rejects after half a minute. */
  untilQueueIsEmpty(): Promise<void>;
  /** How many deliveries wait or are held, by endpoint; those that have none are left out. */
  countWaiting(): Promise<Map<string, number>>;
  /** Forgets what waits. No worker may be at work. */
  emptyQueue(): Promise<void>;
}

interface WorkerOptions {
  agent: OutboundAgent;
  concurrency: number;
  attempted: DeliveryObserver['attempted'];
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
  encryptionKey = randomBytes(32).toString('base64'),
  retryScheduleSeconds = [0, 5, 30],
}: WorldOptions): DeliveryBenchWorld {
  const secretBox = createSecretBox(encryptionKey);
  const log = createLog('bench', { level: 'warn' });
  const wake = createWake(database.pool, log);
  // Nothing is sent again here, so it does not matter what a redelivery's body would be.
  const refire = (body: string): string => body;
  const deliveries = createDeliveries({ secretBox, wake, refire, retryScheduleSeconds });
  const write: DeliveryBenchWorld['write'] = (accountId, work) =>
    database.transaction((tx) => work({ ...tx, em: tx.em, accountId, now: new Date() }));

  const countWaiting = async (): Promise<Map<string, number>> => {
    const { rows } = await database.pool.query<{ id: string; waiting: number }>(
      'select endpoint_id as id, count(*)::int as waiting from deliveries.due group by 1',
    );
    return new Map(rows.map(({ id, waiting }) => [id, waiting]));
  };

  return {
    database,
    deliveries,
    encryptionKey,
    reader: (accountId) => ({
      em: database.fork(),
      query: database.query,
      accountId,
      now: new Date(),
    }),
    write,
    createAccount(urls) {
      const accountId = randomUUID();
      return write(accountId, async (tx) => {
        const endpoints: BenchEndpoint[] = [];
        for (const url of urls) {
          const { endpointId } = await deliveries.createEndpoint(tx, { url, enabled: true });
          endpoints.push({ accountId, endpointId });
        }
        return endpoints;
      });
    },
    enqueue: (endpoints) =>
      write(endpoints[0]!.accountId, (tx) => deliveries.enqueue(tx, endpoints.map(draftTo))),
    createWorker: ({ agent, concurrency, attempted }) =>
      createDeliveryWorker({
        database,
        secretBox,
        agent,
        refire,
        retryScheduleSeconds,
        timeoutMs: 10_000,
        concurrency,
        log,
        observer: { attempted },
      }),
    startWorker: (concurrency) =>
      startWorkerProcess({ databaseUrl, encryptionKey, retryScheduleSeconds, concurrency }),
    async untilQueueIsEmpty() {
      await eventually('the queue to be empty', async () => (await countWaiting()).size === 0);
    },
    countWaiting,
    async emptyQueue() {
      await database.pool.query('truncate deliveries.due');
    },
    [Symbol.asyncDispose]: () => wake.close(),
  };
}
