// A workspace whose purchases are recorded as the intake records them, with the work of a worker on call.
import { randomUUID } from 'node:crypto';
import { createAttribution, recordFacts, revenueModule, type RevenueFact } from '@service/revenue';
import { createWorld, type World } from '../support/world.ts';
import type { Attendee } from '../support/attendee.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { writeAs } from '../support/factories.ts';

type FactFields = Partial<RevenueFact> & { after?: string };

export interface AttributionWorld extends World {
  owner: DashboardClient;
  offer: string;
  /** Records one fact; the id of its revenue event. */
  record(type: RevenueFact['type'], fields?: FactFields): Promise<string>;
  recordAll(facts: readonly RevenueFact[]): Promise<string[]>;
  /** A revenue event over REST. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads other fields of it
  event(id: string): Promise<any>;
  /** Registers a person who then clicks the offer; their click id. */
  click(email: string): Promise<{ attendee: Attendee; clickId: string; at: Date }>;
  /** Moves the time of a registration, a join and its clicks, as if the session had been earlier. */
  age(registrationId: string, days: number): Promise<void>;
  /** Runs the repeated work of the module once, at a time. */
  work(now?: Date): Promise<void>;
  /** Works until no run is left. */
  finishRuns(): Promise<void>;
}

export const offerFields = {
  type: 'offer',
  internalName: 'course-offer',
  url: 'https://shop.example/',
  buttonLabel: 'Buy',
};

export const factOf = (type: RevenueFact['type'], fields: Partial<RevenueFact> = {}): RevenueFact => {
  const eventId = randomUUID();
  return {
    provider: 'generic',
    eventId,
    objectId: eventId,
    type,
    email: 'ada@example.com',
    amountMinor: type === 'purchase' ? 1000 : -1000,
    currency: 'EUR',
    occurredAt: new Date(),
    paymentKeys: type === 'purchase' ? [eventId] : [],
    clickId: null,
    registrationId: null,
    ...fields,
  };
};

export async function createAttributionWorld(options: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(options);
  return describe(world, await openDashboard(world.service, world), await world.interaction(offerFields));
}

export async function neighbourOf(world: AttributionWorld): Promise<AttributionWorld> {
  const other = await world.neighbour();
  return describe(other, await openDashboard(other.service, other), await other.interaction(offerFields));
}

function describe(world: World, owner: DashboardClient, offer: string): AttributionWorld {
  const { service, accountId, clock } = world;
  const { database } = service.db;
  const { subscriber } = service.api.service;
  const credits = revenueModule
    .repeats({ database, subscriber, changes: { announce: () => undefined } })
    .find(({ name }) => name === 'revenue_credits')!;
  const failures: unknown[] = [];
  const made: AttributionWorld = {
    ...world,
    owner,
    offer,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    record: async (type, fields) => (await made.recordAll([factOf(type, fields)]))[0]!,
    async recordAll(facts) {
      const attribution = createAttribution({ subscriber });
      const recorded = await writeAs(database, accountId, (tx) => recordFacts(tx, facts, attribution));
      return recorded.map(({ id }) => id);
    },
    async event(id) {
      const { status, json, text } = await world.rest(`GET /revenue/events/${id}`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return json.data;
    },
    async click(email) {
      const attendee = await world.attend(email);
      world.startSession();
      await attendee.beat();
      const { json } = await attendee.click(offer);
      const clickId = new URL(json.redirectUrl).searchParams.get('svc_click')!;
      return { attendee, clickId, at: clock.now() };
    },
    async age(registrationId, days) {
      const values = [accountId, registrationId, days];
      const { pool } = database;
      await pool.query(
        `update attendees.registration set registered_at = registered_at - make_interval(days => $3)
         where account_id = $1 and id = $2`,
        values,
      );
      await pool.query(
        `update attendees.attendance set first_joined_at = first_joined_at - make_interval(days => $3)
         where account_id = $1 and registration_id = $2`,
        values,
      );
      await pool.query(
        `update attendees.attendee_event set occurred_at = occurred_at - make_interval(days => $3)
         where account_id = $1 and registration_id = $2`,
        values,
      );
    },
    async work(now = new Date()) {
      const { signal } = new AbortController();
      const onFailure = (error: unknown): void => void failures.push(error);
      await credits.run(now, { log: service.api.service.log, signal, onFailure });
      if (failures.length > 0) throw new AggregateError(failures.splice(0));
    },
    async finishRuns() {
      const running = () =>
        database.pool.query(`select from revenue.credit_run where state = 'running' and account_id = $1`, [
          accountId,
        ]);
      while ((await running()).rowCount !== 0) await made.work();
    },
  };
  return made;
}

export const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);
