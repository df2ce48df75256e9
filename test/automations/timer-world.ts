// Rules with timers. The test passes the time in, and writes sessions and attendances into the database.
import { fireDueTimers } from '@service/automations';
import { createId } from '@service/database';
import type { AttendeeEventType } from '@service/attendees';
import { loadSessions, type SessionChange } from '@service/webinars';
import { test as base } from 'vitest';
import { createSubscriberWorld, type SubscriberWorld, type Registrant } from './subscriber-world.ts';

export const minuteMs = 60_000;

export const minutesAfter = (time: Date, minutes: number): Date =>
  new Date(time.getTime() + minutes * minuteMs);

export const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

export interface TimerRow {
  id: string;
  rule_id: string;
  session_id: string;
  registration_id: string | null;
  due_at: Date;
}

export interface TimerWorld extends SubscriberWorld {
  startsAt: Date;
  timers(): Promise<TimerRow[]>;
  /** Deletes the timers that rules have made. Events make new ones. */
  removeTimers(): Promise<void>;
  /** Fires the timers that are due at `at`, as a worker does a second later. */
  fire(at: Date): Promise<{ fired: number }>;
  /** The outcome of a rule for each attendee, by name: `ada matched`, `bob registered_too_late`. */
  outcomes(ruleId: string): Promise<string[]>;
  /** Changes a session and calls the subscriber. */
  change(
    change: SessionChange['change'],
    sessionId: string,
    columns: Partial<Record<string, unknown>>,
  ): Promise<void>;
  /** Writes an attendance. */
  attend(registrant: Registrant, columns: Record<string, unknown>): Promise<void>;
  /** Writes an event without publishing it. */
  note(registrant: Registrant, type: AttendeeEventType, occurredAt: Date): Promise<void>;
  set(table: string, id: string, columns: Partial<Record<string, unknown>>): Promise<void>;
}

async function createTimerWorld(): Promise<TimerWorld> {
  const world = await createSubscriberWorld();
  const { service, accountId, webinar, call } = world;
  const { database } = service.db;
  const { pool } = database;

  const set: TimerWorld['set'] = async (table, id, columns) => {
    const names = Object.keys(columns);
    const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
    await pool.query(`update ${table} set ${assignments} where id = $1`, [id, ...Object.values(columns)]);
  };
  const insert = async (table: string, columns: Record<string, unknown>) => {
    const names = Object.keys(columns);
    await pool.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(columns),
    );
  };
  const whereOf = ({ registration }: Registrant) => ({
    account_id: accountId,
    webinar_id: webinar.id,
    session_id: registration.sessionId,
    registration_id: registration.id,
  });

  return {
    ...world,
    startsAt: new Date(webinar.sessionTime),
    set,
    timers: async () => (await pool.query('select * from automations.timer order by due_at, rule_id')).rows,
    removeTimers: async () => void (await pool.query('delete from automations.timer')),
    fire: (at) =>
      fireDueTimers(database, { now: secondsAfter(at, 1), deliveries: service.api.service.deliveries }),
    async outcomes(ruleId) {
      const { json } = await call(`GET /automations/${ruleId}/executions?limit=100`);
      const { rows } = await pool.query('select id, email from attendees.registration');
      const names = new Map(rows.map(({ id, email }) => [id, email.split('@')[0]]));
      return json.data
        .map(
          ({ registrationId, outcome, skipReason }: Record<string, string>) =>
            `${names.get(registrationId!)} ${skipReason ?? outcome}`,
        )
        .toSorted();
    },
    async change(change, sessionId, columns) {
      await set('webinars.session', sessionId, columns);
      const sessions = await loadSessions(database.query, [{ accountId, id: sessionId }]);
      const session = sessions.get(sessionId)!;
      await world.transaction((tx) => world.subscriber.onSessions(tx, [{ change, session }]));
    },
    attend: (registrant, columns) =>
      insert('attendees.attendance', {
        ...whereOf(registrant),
        visits: '[]',
        first_visit_at: new Date(),
        ...columns,
      }),
    note: (registrant, type, occurredAt) =>
      insert('attendees.attendee_event', {
        ...whereOf(registrant),
        id: createId(),
        type,
        occurred_at: occurredAt,
        data: '{}',
      }),
  };
}

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('world', async ({}, { onCleanup }) => {
    const world = await createTimerWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  });
