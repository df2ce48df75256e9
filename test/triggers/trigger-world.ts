// The whole product at a time that stories say: the API, what a worker does, a receiver, and shows that people come to.
import { createEventSubscriber, fireDueTimers, refireBody } from '@service/automations';
import { createDeliveryWorker } from '@service/deliveries';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';
import { runSessionClock } from '@service/attendees';
import { createTestAccount, createTestKey, testServiceOptions, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver, type Received } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';
import { createShow, type Show, type ShowOptions, type Stage } from './show.ts';

export interface TriggerWorld extends Stage, AsyncDisposable {
  /** A webinar whose session starts ten minutes after what the clock says now. */
  show(options?: Partial<ShowOptions>): Promise<Show>;
  /** The key of another workspace. */
  neighbour(): Promise<string>;
  /** One round of what a worker's clocks do, at what the clock says. */
  tick(): Promise<void>;
  /** The same when the clock has come to a moment; a second later, since timers do not fire before that. */
  comeTo(moment: Date): Promise<void>;
  /** Another API process's worth of service on the same database. */
  another(): Promise<TestApi>;
}

export async function createTriggerWorld(): Promise<TriggerWorld> {
  await using cleanup = new AsyncDisposableStack();
  const room = cleanup.use(await createWorld({ publish: false }));
  const { service, clock, key } = room;
  const { database } = service.db;
  const { deliveries } = service.api.service;
  const options = testServiceOptions(service.db.url);
  const subscriber = createEventSubscriber({ deliveries, database, log: options.log });
  cleanup.defer(() => subscriber.close());
  const receiver = cleanup.use(await startReceiver());
  cleanup.use(startDelivering(service));
  let urls = 0;

  const world: TriggerWorld = {
    service,
    clock,
    show: (show = {}) => createShow(world, { key, ...show }),
    async neighbour() {
      const { accountId } = await createTestAccount(service);
      return (await createTestKey(service, accountId)).key;
    },
    async tick() {
      const now = clock.now();
      await runSessionClock(database, { now, subscriber });
      await fireDueTimers(database, { now, deliveries });
    },
    async comeTo(moment) {
      clock.setTo(new Date(moment.getTime() + 1000));
      await world.tick();
    },
    another: () => room.another(),
    async received(url) {
      await eventually('everything to be delivered', async () => {
        const { rowCount } = await database.pool.query('select from deliveries.due limit 1');
        return rowCount === 0;
      });
      const idOf = ({ headers }: Received): string => headers['webhook-id'] as string;
      return receiver.received
        .filter(({ path }) => path === new URL(url).pathname)
        .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
    },
    newUrl: () => `${receiver.url}/${(urls += 1)}`,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
  const moved = cleanup.move();
  return world;
}

/** The moment so many minutes after a time. */
export const minutesAfter = (time: string, minutes: number): Date =>
  new Date(Date.parse(time) + minutes * 60_000);

/** What a worker sends with. Its clocks are left out: they would tell the real time. */
function startDelivering({ db }: TestApi): AsyncDisposable {
  const options = testServiceOptions(db.url);
  const policy = createOutboundPolicy({
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  const worker = createDeliveryWorker({
    database: db.database,
    secretBox: createSecretBox(options.encryptionKey, options.encryptionKeysOld),
    agent,
    refire: refireBody,
    retryScheduleSeconds: options.retryScheduleSeconds,
    timeoutMs: 10_000,
    concurrency: 16,
    log: options.log,
  });
  worker.start();
  return {
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await agent.destroy();
    },
  };
}
