import { ensurePartitions } from '@service/database';
import { attendeesModule } from '@service/attendees';
import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';

test('timelines, responses and stats of a new webinar do not read earlier months', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  const yearAgo = new Date();
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1, yearAgo.getUTCMonth(), 1);
  await ensurePartitions(pool, attendeesModule.partitions, { now: yearAgo, daysAhead: 0, monthsAhead: 3 });
  const offer = await world.interaction({ type: 'offer', url: 'https://example.com/', buttonLabel: 'Buy' });
  const ada = await world.attend();
  const read = async (path: string) => await world.get(path);

  const locking = await pool.connect();
  try {
    const month = yearAgo.toISOString().slice(0, 7).replace('-', '');
    await locking.query(`begin; lock table attendees.attendee_event_${month} in access exclusive mode`);
    // A read of these months waits until its statement times out.
    expect(await read(`/registrations/${ada.registrationId}/events`)).toHaveLength(1);
    expect(await read(`/interactions/${offer}/responses`)).toEqual([]);
    expect(await read(`/interactions/${offer}/stats`)).toMatchObject({ clicks: 0 });
  } finally {
    // Ends its transaction too.
    locking.release(true);
  }
});
