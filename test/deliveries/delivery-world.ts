// One account on a new database, with the deliveries module of the API and of workers.
import { randomUUID } from 'node:crypto';
import type { AccountReader, AccountWriter, Database } from '@service/database';
import type { Deliveries, DeliveryWorker, DeliveryWorkerOptions, Quota } from '@service/deliveries';
import { createLog } from '@service/log';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { testDatabase } from '../support/database.ts';
import { createDeliveryService } from '../support/delivery-service.ts';
import { eventually } from '../support/eventually.ts';

export interface DeliveryWorld extends AsyncDisposable {
  database: Database;
  accountId: string;
  deliveries: Deliveries;
  reader(accountId?: string): AccountReader;
  write<Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  createEndpoint(url: string): Promise<{ endpointId: string; secret: string }>;
  /** Enqueues one delivery in a transaction of its own; returns its id. */
  enqueue(endpointId: string, body?: string): Promise<string>;
  /** Creates a delivery worker that is not started. It is stopped together with the world. */
  createWorker(options?: Partial<WorkerOptions>): DeliveryWorker;
  /** Waits until a delivery has this status; returns it with its attempts. */
  untilStatus(deliveryId: string, status: string): ReturnType<Deliveries['get']>;
}

interface WorkerOptions extends DeliveryWorkerOptions {
  allowedCidrs: string[];
}

export const silentLog = createLog('test', { level: 'silent' });

export async function createDeliveryWorld({
  retryScheduleSeconds = [0, 0.05, 0.05],
  quota,
}: { retryScheduleSeconds?: readonly number[]; quota?: Quota } = {}): Promise<DeliveryWorld> {
  const cleanup = new AsyncDisposableStack();
  const { database } = cleanup.use(await testDatabase());
  const accountId = randomUUID();
  const refire = (body: string): string => `${body} again`;
  const service = cleanup.use(
    createDeliveryService({ database, log: silentLog, retryScheduleSeconds, refire, quota }),
  );
  const { deliveries } = service;
  const reader = (id = accountId): AccountReader => service.reader(id);
  const write: DeliveryWorld['write'] = (work) => service.writeAs(accountId, work);

  return {
    database,
    accountId,
    deliveries,
    reader,
    write,
    createEndpoint: (url) => write((tx) => deliveries.createEndpoint(tx, { url, enabled: true })),
    enqueue: async (endpointId, body = '{}') => {
      const [id] = await write((tx) =>
        deliveries.enqueue(tx, [{ endpointId, eventType: 'registered', body }]),
      );
      return id!;
    },
    createWorker({ allowedCidrs = ['127.0.0.0/8'], ...options } = {}) {
      const policy = createOutboundPolicy({ allowedCidrs, allowHttp: true });
      const agent = createOutboundAgent({ policy, resolver: createResolver() });
      cleanup.defer(() => agent.destroy());
      const worker = service.createWorker({
        agent,
        timeoutMs: 2000,
        concurrency: 8,
        sweepEveryMs: 50,
        ...options,
      });
      cleanup.defer(() => worker.stop());
      return worker;
    },
    untilStatus: (deliveryId, status) =>
      eventually(`delivery ${deliveryId} to be ${status}`, async () => {
        const delivery = await deliveries.get(reader(), { deliveryId });
        return delivery.status === status && delivery;
      }),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}
