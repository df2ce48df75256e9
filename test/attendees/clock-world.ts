// The product at times that a test chooses: its procedures, its room and one round of its clock.
import { randomUUID } from 'node:crypto';
import { createService, type ServiceRouter } from '@service/composition';
import { createId, type Database } from '@service/database';
import { createReply } from '@service/trpc';
import { runSessionClock, type ClockCounts, type ClockSubscriber } from '@service/attendees';
import { testServiceOptions } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { readToken } from '../support/join-token.ts';

type Procedures = ReturnType<ServiceRouter['createCaller']>;
type Webinar = Parameters<Procedures['webinars']['create']>[0];
export type Registration = Awaited<ReturnType<Procedures['registrations']['create']>>['data'];

export interface ClockWorld extends AsyncDisposable {
  database: Database;
  url: string;
  accountId: string;
  /** The procedures of a workspace's owner, at a time. */
  at(now: string, accountId?: string): Procedures;
  /** Makes a published webinar. Returns its id. */
  publish(now: string, input: Partial<Webinar>, accountId?: string): Promise<string>;
  register(
    now: string,
    where: { webinarId: string; sessionTime?: string; name?: string },
  ): Promise<Registration>;
  /** An attendee enters the room and sends one heartbeat. */
  enter(now: string, registration: Pick<Registration, 'joinUrl'>): Promise<void>;
  /** One round of the clock. The subscriber is that of the rules by default. */
  tick(now: string, options?: Partial<Parameters<typeof runSessionClock>[1]>): Promise<ClockCounts>;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows as they are
  query(sql: string, values?: unknown[]): Promise<any[]>;
  statusesOf(table: 'webinars.session' | 'attendees.registration'): Promise<string[]>;
  /** The events without `registered`, such as `ada left`, in the order of names. */
  events(): Promise<string[]>;
}

/** A subscriber that does nothing. */
export const silent: ClockSubscriber = {
  findInterest: async () => ({ minutes: [], percents: [], onEvents: async () => undefined }),
  onSessions: async () => undefined,
};

export const nothing: ClockCounts = { started: 0, ended: 0, left: 0, noShows: 0 };

export async function createClockWorld(): Promise<ClockWorld> {
  const db = await testDatabase();
  const { database } = db;
  const accountId = randomUUID();
  let roomTime = new Date();
  const options = testServiceOptions(db.url);
  const service = await createService({
    ...options,
    name: 'test',
    baseUrl: 'http://localhost',
    rateLimit: { requests: 1_000_000, windowSeconds: 60 },
    now: () => roomTime,
  });
  const { subscriber } = service;

  const at: ClockWorld['at'] = (now, ofAccount = accountId) =>
    service.router.createCaller({
      principal: { kind: 'member', accountId: ofAccount, userId: randomUUID(), name: 'Olga', role: 'owner' },
      database,
      now: new Date(now),
      log: options.log,
      requestId: createId(),
      reply: createReply(),
    });
  const query: ClockWorld['query'] = async (sql, values) => (await database.pool.query(sql, values)).rows;

  return {
    database,
    url: db.url,
    accountId,
    at,
    async publish(now, input, ofAccount) {
      const { webinars } = at(now, ofAccount);
      const { id } = (await webinars.create({ title: 'Launch', ...input })).data;
      await webinars.publish({ webinarId: id });
      return id;
    },
    async register(now, { name = 'ada', ...where }) {
      const person = { name, email: `${name}@example.com` };
      return (await at(now).registrations.create({ ...person, ...where })).data;
    },
    async enter(now, { joinUrl }) {
      roomTime = new Date(now);
      const token = readToken(service.room, joinUrl.split('/').at(-1)!);
      const { visitId } = await service.room.enter(token);
      const beat = { visitId, seq: 1, playheadSeconds: 0, intervals: [], visible: true };
      await service.room.heartbeat(token, { ...beat, state: 'playing' });
    },
    tick: (now, others) => runSessionClock(database, { now: new Date(now), subscriber, ...others }),
    query,
    async statusesOf(table) {
      const rows = await query(`select status from ${table} order by id`);
      return rows.map(({ status }) => status);
    },
    async events() {
      const rows = await query(
        `select r.name, e.type from attendees.attendee_event e
         join attendees.registration r on r.id = e.registration_id
         where e.type <> 'registered' order by r.name, e.id`,
      );
      return rows.map(({ name, type }) => `${name} ${type}`);
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await db[Symbol.asyncDispose]();
    },
  };
}

/** A schedule with one session, to the minute, for a webinar in UTC. */
export const once = (startsAt: string) => ({
  recurrences: [
    { frequency: 'once', startDate: startsAt.slice(0, 10), time: startsAt.slice(11, 16) } as const,
  ],
});

/** The time some seconds later, ISO 8601. */
export const plus = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();
