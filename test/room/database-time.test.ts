import { afterEach, expect, vi } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { inMinutes } from '../support/api.ts';
import { test } from '../support/service-test.ts';

afterEach(() => vi.useRealTimers());

const day = 24 * 60 * 60 * 1000;

test('a room uses the clock of the database, not that of its process', async ({ service, world }) => {
  // The session is tomorrow and lasts an hour.
  const { joinUrl } = (await register(world)).json.data;
  const url = service.baseUrl + new URL(joinUrl).pathname;
  const soon = inMinutes(5);
  await world.call('POST /sessions', { startsAt: soon, control: 'api' });
  const lobby = (await register(world, { sessionTime: soon })).json.data;
  const visit = async (link: string) =>
    (await (await fetch(`${link}/visits`, { method: 'POST' })).json()) as { code?: string; phase?: string };
  const readPage = async () => {
    const answer = await fetch(url, { headers: { Accept: 'application/json' } });
    return ((await answer.json()) as { data: { serverNow: string; phase: string } }).data;
  };
  const { pool } = service.db.database;
  for (const skewMs of [2 * day, -2 * day]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
    const { rows: before } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    const refused = await visit(url);
    const entered = await visit(service.baseUrl + new URL(lobby.joinUrl).pathname);
    const { serverNow, phase } = await readPage();
    const { rows: after } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    vi.useRealTimers();
    expect([refused.code, phase, entered.phase]).toEqual(['room_not_open', 'scheduled', 'lobby']);
    // A page estimates the time of the database from earlier answers.
    expect(Date.parse(serverNow)).toBeGreaterThan(before[0]!.now.getTime() - 1000);
    expect(Date.parse(serverNow)).toBeLessThan(after[0]!.now.getTime() + 1000);
    const { rows } = await pool.query(
      `select first_visit_at between now() - interval '1 minute' and now() as "isNow"
       from attendees.attendance where registration_id = $1`,
      [lobby.id],
    );
    expect(rows).toEqual([{ isNow: true }]);
  }
});
