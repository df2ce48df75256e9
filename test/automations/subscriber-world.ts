// Rules made over REST, and events that are published to a subscriber in a transaction, as the room does it.
import { createEventSubscriber } from '@service/automations';
import { accountWriter, createId, type AccountWriter } from '@service/database';
import { createLog } from '@service/log';
import { findAttendees, type AttendeeEvent, type AttendeeEventType } from '@service/attendees';
import { test as base } from 'vitest';
import { createAutomationWorld, ruleTo, type AutomationWorld } from './automation-world.ts';

export type Subscriber = ReturnType<typeof createEventSubscriber>;

/** A registration as events contain it. */
export type Registrant = Pick<AttendeeEvent, 'registration' | 'session' | 'webinar'>;

export interface SubscriberWorld extends Omit<AutomationWorld, 'attend' | 'publish' | 'rule'> {
  subscriber: Subscriber;
  /** The subscriber of another process. The world closes it. */
  anotherSubscriber(database?: Parameters<typeof createEventSubscriber>[0]['database']): Subscriber;
  registrant(email: string, rest?: Record<string, unknown>): Promise<Registrant>;
  /** Runs work in a transaction of the account. */
  transaction<Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  publish(events: readonly AttendeeEvent[], options?: PublishOptions): Promise<void>;
  /** Creates an enabled rule. Returns its id. */
  rule(trigger: object, rest?: Record<string, unknown>): Promise<string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- any answer
  executions(filters?: string): Promise<any[]>;
  /** The bodies of the queued deliveries of a rule or a subscription, oldest first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  bodies(endpointOf: { ruleId?: string; subscriptionId?: string }): Promise<any[]>;
}

interface PublishOptions {
  subscriber?: Subscriber;
  expected?: AttendeeEventType;
}

export async function createSubscriberWorld(): Promise<SubscriberWorld> {
  const world = await createAutomationWorld();
  const { service, accountId, webinar, call } = world;
  const { database } = service.db;
  const subscribers: Subscriber[] = [];
  const anotherSubscriber: SubscriberWorld['anotherSubscriber'] = (its = database) => {
    const { deliveries } = service.api.service;
    const log = createLog('test', { level: 'silent' });
    const made = createEventSubscriber({ deliveries, database: its, log });
    subscribers.push(made);
    return made;
  };
  const subscriber = anotherSubscriber();
  const transaction: SubscriberWorld['transaction'] = (work) =>
    database.transaction((tx) => work(accountWriter(tx, { accountId, now: new Date() })));

  return {
    ...world,
    subscriber,
    anotherSubscriber,
    transaction,
    async registrant(email, rest) {
      const id = await world.register(email, rest);
      const [attendee] = await findAttendees({ query: database.query, accountId }, [id]);
      const { registration, session } = attendee!;
      return { registration, session, webinar: { id: webinar.id, title: 'Launch' } };
    },
    publish: (events, { subscriber: used = subscriber, expected } = {}) =>
      transaction(async (tx) => {
        const interest = await used.findInterest(tx, webinar.id, expected);
        await interest.onEvents(tx, events);
      }),
    async rule(trigger, rest = {}) {
      const body = { ...ruleTo('http://127.0.0.1:9/'), trigger, ...rest };
      const { status, text, json } = await call('POST /automations', body);
      if (status !== 201) throw new Error(`The rule was answered ${status}: ${text}`);
      return json.data.id;
    },
    executions: async (filters = 'limit=100') => (await call(`GET /executions?${filters}`)).json.data,
    async bodies({ ruleId, subscriptionId }) {
      const { rows } = await database.pool.query<{ body: string }>(
        `select distinct d.id, b.body from deliveries.delivery d
         join deliveries.body b on b.id = coalesce(d.body_id, d.id)
         join automations.rule r on r.endpoint_id = d.endpoint_id
         where r.id = $1 or r.subscription_id = $2 order by d.id`,
        [ruleId, subscriptionId],
      );
      return rows.map(({ body }) => JSON.parse(body));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(subscribers.map((one) => one.close()));
      await world[Symbol.asyncDispose]();
    },
  };
}

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('world', async ({}, { onCleanup }) => {
    const world = await createSubscriberWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  });

const nothingDone: AttendeeEvent['facts'] = {
  joined: false,
  watchedSeconds: 0,
  watchedPercent: 0,
  completed: false,
  clicks: {},
  answers: {},
};

interface Happening extends Partial<Pick<AttendeeEvent, 'id' | 'data' | 'mark'>> {
  facts?: Partial<AttendeeEvent['facts']>;
}

/** An event of an attendee, now. */
export const happened = (
  registrant: Registrant,
  type: AttendeeEventType,
  { facts, ...rest }: Happening = {},
): AttendeeEvent => ({
  id: createId(),
  type,
  occurredAt: new Date(),
  data: {},
  ...registrant,
  ...rest,
  facts: { ...nothingDone, ...facts },
});

/** A chat message as the room publishes it. */
export const said = (registrant: Registrant, message: string): AttendeeEvent => {
  const id = createId();
  return happened(registrant, 'chat_response', {
    id,
    data: { message, sent_at: new Date().toISOString(), message_event_id: id },
  });
};
