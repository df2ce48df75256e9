// The whole product on a clock that tests set: the API, the work of a worker, a receiver of webhooks, and webinars.
import { fireDueTimers, refireBody } from '@service/automations';
import { createDeliveryWorker } from '@service/deliveries';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { runSessionClock } from '@service/attendees';
import { test as base } from 'vitest';
import { createTestAccount, createTestKey, testServiceOptions, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver, type Received } from '../support/receiver.ts';
import { createWorld, type RoomClock } from '../support/world.ts';
import {
  createTestWebinar,
  type TestWebinar,
  type WebinarOptions,
  type WebinarContext,
} from './test-webinar.ts';

export interface TriggerWorld extends WebinarContext, AsyncDisposable {
  accountId: string;
  /** Creates a webinar with a session that starts in ten minutes. */
  createWebinar(options?: Partial<WebinarOptions>): Promise<TestWebinar>;
  /** Creates another workspace, with a key. */
  neighbour(): Promise<WebinarOptions['workspace']>;
  /** Runs the session clock and the timers once, at the time of the clock. */
  tick(): Promise<void>;
  /** Sets the clock to a second after a time, because timers fire a second late, and ticks. Returns its time. */
  comeTo(moment: Date): Promise<Date>;
  /** A second API process on the same database. */
  another(): Promise<TestApi>;
}

/** All tests of a file share a world, and each has a webinar of its own. */
export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('world', { scope: 'file' }, async ({}, { onCleanup }) => {
    const world = await createTriggerWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  })
  .extend('webinar', ({ world }) => world.createWebinar());

export async function createTriggerWorld(clock?: RoomClock): Promise<TriggerWorld> {
  await using cleanup = new AsyncDisposableStack();
  const room = cleanup.use(await createWorld({ publish: false, clock }));
  const { service, accountId } = room;
  const { database } = service.db;
  const { deliveries, subscriber } = service.api.service;
  const receiver = cleanup.use(await startReceiver());
  cleanup.use(startDelivering(service));
  let urls = 0;

  const world: TriggerWorld = {
    service,
    accountId,
    clock: room.clock,
    createWebinar: (options = {}) => createTestWebinar(world, { workspace: room, ...options }),
    async neighbour() {
      const account = await createTestAccount(service);
      return { ...account, key: (await createTestKey(service, account.accountId)).key };
    },
    async tick() {
      const now = room.clock.now();
      await runSessionClock(database, { now, subscriber });
      await fireDueTimers(database, { now, deliveries });
    },
    async comeTo(moment) {
      room.clock.setTo(new Date(moment.getTime() + 1000));
      await world.tick();
      return room.clock.now();
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

export const minutesAfter = (time: string, minutes: number): Date =>
  new Date(Date.parse(time) + minutes * 60_000);

/** The sender of a worker, without the worker's clocks, which use the real time. */
function startDelivering({ db, api }: TestApi): AsyncDisposable {
  const options = testServiceOptions(db.url);
  const policy = createOutboundPolicy({
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  const worker = createDeliveryWorker({
    database: db.database,
    secretBox: api.service.secretBox,
    agent,
    refire: refireBody,
    findJoinUrls: api.service.findJoinUrls,
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
