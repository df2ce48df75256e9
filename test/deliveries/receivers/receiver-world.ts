// One worker with the options and the deadline of production, and one delivery to each receiver of a table.
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { eventually } from '../../support/eventually.ts';
import type { Receiver } from '../../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../delivery-world.ts';
import { authority } from './certificates.ts';
import { deadlineMs } from './deadline-rows.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { allowed, zone } from './name-rows.ts';
import { retryScheduleSeconds, type Delivery, type Row } from './row.ts';

export interface ReceiverWorld extends AsyncDisposable {
  world: DeliveryWorld;
  /** Starts the receivers of these rows and enqueues a delivery to each. */
  begin(rows: readonly Row[]): Promise<void>;
  receiverOf(row: Row): Receiver;
  /** The delivery of a row, after the expected number of attempts. */
  outcomeOf(row: Row): Promise<Outcome>;
}

interface Outcome {
  delivery: Delivery;
  receiver: Receiver;
  endpointId: string;
  /** Milliseconds since 1970, before its last attempt had ended. */
  lastSeenAt: number;
}

interface Begun {
  receiver: Receiver;
  endpointId: string;
  deliveryId: string;
  enqueuedAt: number;
}

export async function startReceiverWorld({ allowHttp = true } = {}): Promise<ReceiverWorld> {
  await using opening = new AsyncDisposableStack();
  const dns = opening.use(await startDnsServer(zone));
  const policy = createOutboundPolicy({ allowedCidrs: [`${allowed}/32`], allowHttp });
  const resolver = createResolver({ servers: [dns.address], cacheSeconds: 0 });
  const agent = createOutboundAgent({ policy, resolver, ca: authority });
  opening.defer(() => agent.destroy());
  const world = opening.use(await createDeliveryWorld({ retryScheduleSeconds }));
  world.createWorker({ agent, timeoutMs: deadlineMs, concurrency: 64 }).start();
  const begun = new Map<Row, Begun>();
  const opened = opening.move();

  const beginOne = async (row: Row): Promise<void> => {
    const receiver = opened.use(await row.start(opened));
    const { endpointId } = await world.createEndpoint(receiver.url);
    const enqueuedAt = Date.now();
    const deliveryId = await world.enqueue(endpointId, JSON.stringify({ to: row.name }));
    begun.set(row, { receiver, endpointId, deliveryId, enqueuedAt });
  };

  const find = (row: Row): Begun => {
    const found = begun.get(row);
    if (!found) throw new Error(`Nothing was begun for a receiver that ${row.name}`);
    return found;
  };

  return {
    world,
    async begin(rows) {
      for (const row of rows) await beginOne(row);
    },
    receiverOf: (row) => find(row).receiver,
    async outcomeOf(row) {
      const { receiver, endpointId, deliveryId, enqueuedAt } = find(row);
      const { attempts } = row.expected;
      const delivery = await eventually(`attempt ${attempts}, of a receiver that ${row.name}`, async () => {
        const current = await world.deliveries.get(world.reader(), { deliveryId });
        return current.attempts >= attempts && current.status !== 'delivering' && current;
      });
      const lastSeenAt = receiver.received.at(-1)?.at ?? enqueuedAt;
      return { delivery, receiver, endpointId, lastSeenAt };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
