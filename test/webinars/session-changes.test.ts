// Calls that change a session notify the room after the commit and the subscriber in the transaction.
import { randomUUID } from 'node:crypto';
import { createId } from '@service/database';
import { createLog } from '@service/log';
import { createReply } from '@service/trpc';
import { createSessionsRouter, type SessionChange } from '@service/webinars';
import { expect, test } from 'vitest';
import { createClockWorld, once, plus, silent, type ClockWorld } from '../attendees/clock-world.ts';

const before = '2027-04-01T08:00:00Z';
const noon = '2027-04-01T12:00:00.000Z';

interface Observed {
  /** The session as the room finds it after a notification. */
  announced: string[];
  changes: string[];
}

/** The procedures of sessions, with recording observers instead of room and rules. */
function listenTo({ database, accountId, query }: ClockWorld) {
  const observed: Observed = { announced: [], changes: [] };
  const looking: Promise<void>[] = [];
  const announce = (_accountId: string, sessionId: string): void => {
    const look = async () => {
      const [session] = await query('select * from webinars.session where id = $1', [sessionId]);
      observed.announced.push(
        `${session.status} ${session.starts_at.toISOString()} ${session.position_seconds}`,
      );
    };
    looking.push(look());
  };
  const onSessions = async (_tx: unknown, changes: readonly SessionChange[]) =>
    void observed.changes.push(...changes.map(({ change, session }) => `${change} ${session.status}`));
  const router = createSessionsRouter({ subscriber: { ...silent, onSessions }, announce });
  return {
    at: (now: string) =>
      router.createCaller({
        principal: { kind: 'member', accountId, userId: randomUUID(), name: 'Olga', role: 'owner' },
        database,
        now: new Date(now),
        log: createLog('test', { level: 'silent' }),
        requestId: createId(),
        reply: createReply(),
      }),
    async observed(): Promise<Observed> {
      await Promise.all(looking);
      const taken = { announced: observed.announced.splice(0), changes: observed.changes.splice(0) };
      return taken;
    },
  };
}

test('the room is notified after every change, and the subscriber is called for the changes that rules need', async () => {
  await using world = await createClockWorld();
  const sessions = listenTo(world);
  const webinarId = await world.publish(before, { schedule: once(noon) });
  const { data } = await sessions.at(before).create({ webinarId, startsAt: plus(noon, 60), control: 'api' });
  const where = { webinarId, sessionId: data.id };
  const startsAt = plus(noon, 120);

  await sessions.at(before).update({ ...where, startsAt });
  expect(await sessions.observed()).toEqual({
    announced: [`scheduled ${startsAt} 0`],
    changes: ['moved scheduled'],
  });
  await sessions.at(before).update({ ...where, startsAt });
  expect(await sessions.observed()).toEqual({ announced: [], changes: [] });
  await sessions.at(noon).progress({ ...where, action: 'start' });
  expect(await sessions.observed()).toEqual({ announced: [`live ${startsAt} 0`], changes: [] });
  await sessions.at(noon).progress({ ...where, action: 'seek', positionSeconds: 30 });
  expect(await sessions.observed()).toEqual({ announced: [`live ${startsAt} 30`], changes: [] });
  await sessions.at(noon).progress({ ...where, action: 'end' });
  expect(await sessions.observed()).toEqual({
    announced: [`ended ${startsAt} 30`],
    changes: ['ended ended'],
  });
  await sessions.at(noon).reset(where);
  expect(await sessions.observed()).toEqual({
    announced: [`scheduled ${startsAt} 0`],
    changes: ['reset scheduled'],
  });
  await sessions.at(noon).cancel(where);
  expect(await sessions.observed()).toEqual({
    announced: [`cancelled ${startsAt} 0`],
    changes: ['cancelled cancelled'],
  });
  await sessions.at(noon).cancel(where);
  expect(await sessions.observed()).toEqual({ announced: [], changes: [] });
});

test('a session that a call ended gets the times for the clock’s work, and a reset removes them', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once('2027-05-01T00:00:00Z') });
  const { sessions } = world.at(noon);
  const made = await sessions.create({ webinarId, startsAt: plus(noon, 60), control: 'api' });
  const where = { webinarId, sessionId: made.data.id };
  const columns = async () =>
    (
      await world.query(
        'select actual_ended_at, closing_at, no_show_at, current_segment_id from webinars.session where id = $1',
        [where.sessionId],
      )
    )[0];
  await sessions.progress({ ...where, action: 'start' });
  await world.at(plus(noon, 600)).sessions.progress({ ...where, action: 'end' });
  expect(await columns()).toMatchObject({
    actual_ended_at: new Date(plus(noon, 600)),
    closing_at: new Date(plus(noon, 605)),
    no_show_at: new Date(plus(noon, 1200)),
  });
  await sessions.reset(where);
  expect(await columns()).toEqual({
    actual_ended_at: null,
    closing_at: null,
    no_show_at: null,
    current_segment_id: null,
  });
});

test('a live session of an adaptive webinar is advanced to a segment of that webinar', async () => {
  await using world = await createClockWorld();
  const { webinars, segments, sessions } = world.at(before);
  const adaptive = { title: 'Adaptive', kind: 'adaptive' as const };
  const make = async () => {
    const webinarId = (await webinars.create(adaptive)).data.id;
    const segment = await segments.create({ webinarId, title: 'Part', durationSeconds: 60, isEntry: true });
    return { webinarId, segmentId: segment.data.id };
  };
  const [{ webinarId, segmentId }, other] = [await make(), await make()];
  const made = await sessions.create({ webinarId, startsAt: noon, control: 'api' });
  const where = { webinarId, sessionId: made.data.id };
  const advance = (to: string) => sessions.progress({ ...where, action: 'advance', segmentId: to });
  await expect(advance(segmentId)).rejects.toMatchObject({ cause: { code: 'session_state_conflict' } });
  await sessions.progress({ ...where, action: 'start' });
  await expect(advance(other.segmentId)).rejects.toMatchObject({ cause: { code: 'segment_not_found' } });
  expect((await advance(segmentId)).data).toMatchObject({ status: 'live', currentSegmentId: segmentId });
  expect((await sessions.reset(where)).data.currentSegmentId).toBeNull();
});
