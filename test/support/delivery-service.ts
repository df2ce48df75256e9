// The deliveries module on a database, as the API and the workers have it. For tests and benches.
import { randomBytes } from 'node:crypto';
import type { AccountReader, AccountWriter, Database } from '@service/database';
import {
  createDeliveries,
  createDeliveryWorker,
  createWake,
  type Deliveries,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  type FindJoinUrls,
  type Quota,
} from '@service/deliveries';
import type { Log } from '@service/log';
import { createSecretBox } from '@service/secrets';
import { writeAs } from './factories.ts';

export interface DeliveryService extends AsyncDisposable {
  database: Database;
  deliveries: Deliveries;
  encryptionKey: string;
  reader(accountId: string): AccountReader;
  writeAs<Result>(accountId: string, work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  /** A worker in this process, not started. */
  createWorker(options: WorkerOptions): DeliveryWorker;
}

type WorkerOptions = Pick<DeliveryWorkerOptions, 'agent' | 'timeoutMs' | 'concurrency'> &
  Partial<DeliveryWorkerOptions>;

interface ServiceOptions {
  database: Database;
  log: Log;
  retryScheduleSeconds: readonly number[];
  encryptionKey?: string;
  /** The limits of an account. */
  quota?: Quota | undefined;
  /** Makes the body of a refire. */
  refire?: (body: string) => string;
  /** None by default. */
  findJoinUrls?: FindJoinUrls;
}

export function createDeliveryService({
  database,
  log,
  retryScheduleSeconds,
  encryptionKey = randomBytes(32).toString('base64'),
  refire = (body) => body,
  findJoinUrls = async () => new Map<string, string>(),
  quota,
}: ServiceOptions): DeliveryService {
  const secretBox = createSecretBox(encryptionKey);
  const wake = createWake(database.pool, log);
  const shared = { secretBox, refire, findJoinUrls, retryScheduleSeconds, quota };
  return {
    database,
    deliveries: createDeliveries({ ...shared, wake }),
    encryptionKey,
    reader: (accountId) => ({ em: database.fork(), query: database.query, accountId, now: new Date() }),
    writeAs: (accountId, work) => writeAs(database, accountId, work),
    createWorker: (options) => createDeliveryWorker({ ...shared, database, log, ...options }),
    [Symbol.asyncDispose]: () => wake.close(),
  };
}
