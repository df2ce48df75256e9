import { afterEach, expect, vi } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { test } from '../support/service-test.ts';

afterEach(() => vi.useRealTimers());

const day = 24 * 60 * 60 * 1000;

test('a room uses the clock of the database, not that of its process', async ({ service, world }) => {
  // The session is tomorrow and lasts an hour.
  const { joinUrl, id } = (await register(world)).json.data;
  const visit = async () => {
    const url = service.baseUrl + new URL(joinUrl).pathname;
    const answer = await fetch(`${url}/visits`, { method: 'POST' });
    return (await answer.json()) as { serverNow: string; session: { status: string } };
  };
  const { pool } = service.db.database;
  for (const skewMs of [2 * day, -2 * day]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
    const { rows: before } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    const { serverNow, session } = await visit();
    const { rows: after } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    vi.useRealTimers();
    expect(session.status).toBe('scheduled');
    expect(Date.parse(serverNow)).toBeGreaterThanOrEqual(before[0]!.now.getTime());
    expect(Date.parse(serverNow)).toBeLessThanOrEqual(after[0]!.now.getTime());
    const { rows } = await pool.query(
      `select first_visit_at between now() - interval '1 minute' and now() as "isNow"
       from attendees.attendance where registration_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ isNow: true }]);
  }
});
