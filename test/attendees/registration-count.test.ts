import { serviceMigrations } from '@service/composition';
import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';
import { countRows, register, registerMany } from './registrations.ts';

const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ email: `person-${from + index}@example.com` }));

test.for([null, 12])(
  'a session counts its registrations when bookings, batches and cancellations come at once (capacity %s)',
  async (capacityPerSession, { service, account, world }) => {
    await world.call('PATCH ', { registrationForm: { capacityPerSession } });
    const first = await Promise.all(people(0, 4).map((person) => register(world, person)));
    const cancel = ({ json }: (typeof first)[number]) =>
      world.call(`POST /registrations/${json.data.id}/cancel`);
    const answers = await Promise.all([
      ...first.flatMap((answer) => [cancel(answer), cancel(answer)]),
      registerMany(world, people(0, 8)),
      registerMany(world, people(4, 16).toReversed()),
      ...people(0, 12).map((person) => register(world, person)),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { rows } = await service.db.database.pool.query(
      `select count(*) filter (where status <> 'cancelled')::int as live,
         count(*) filter (where status = 'cancelled')::int as cancelled
       from attendees.registration where account_id = $1`,
      [world.accountId],
    );
    const [session] = (await world.call('GET /sessions')).json.data;
    expect(session).toMatchObject({ registrationCount: rows[0].live });
    const dashboard = await openDashboard(service, account);
    const place = { webinarId: world.webinar.id, sessionIds: [session.id] };
    expect(await dashboard.query('registrations.sessionCounts', place)).toMatchObject([
      { registered: rows[0].live, attending: 0, attended: 0, noShow: 0, cancelled: rows[0].cancelled },
    ]);
    if (capacityPerSession !== null) expect(rows[0].live).toBeLessThanOrEqual(capacityPerSession);
  },
);

test('the counts by status are those of the rows when statements change the same registrations at once', async ({
  service,
  world,
}) => {
  const { pool } = service.db.database;
  await registerMany(world, people(0, 60));
  const { rows: registrations } = await pool.query<{ id: string; session_id: string }>(
    'select id, session_id from attendees.registration where account_id = $1 order by id',
    [world.accountId],
  );
  const other = (await register(await createTestWorld(service), {})).json.data;
  const sessions = [registrations[0]!.session_id, other.sessionId];
  const statuses = ['registered', 'attending', 'attended', 'no_show', 'cancelled', 'test'];
  const change = (turn: number) =>
    pool.query(
      `with own as (
         select id from attendees.registration where account_id = $1 and id = any($2::uuid[]) order by id for update
       )
       update attendees.registration r set status = $3, session_id = $4 from own where r.account_id = $1 and r.id = own.id`,
      [
        world.accountId,
        registrations.filter((_row, index) => (index * 7 + turn * 5) % 11 < 4).map(({ id }) => id),
        statuses[(turn * 5 + (turn >> 3)) % statuses.length],
        sessions[turn % 2],
      ],
    );
  await Promise.all(Array.from({ length: 60 }, (_, turn) => change(turn)));
  const deleted = registrations.slice(0, 20).map(({ id }) => id);
  await pool.query('delete from attendees.registration where id = any($1::uuid[])', [deleted]);
  const read = async (columns: string, table: string) => {
    const { rows } = await pool.query(
      `select session_id, ${columns} from attendees.${table} where account_id = $1 group by 1 order by 1`,
      [world.accountId],
    );
    return rows.filter((row) => Object.values(row).some((count) => typeof count === 'number' && count !== 0));
  };
  const counted = statuses.slice(1, 5);
  const readCounts = () =>
    read(counted.map((status) => `sum(${status})::int as ${status}`).join(', '), 'status_count');
  const counts = await read(
    counted.map((status) => `count(*) filter (where status = '${status}')::int as ${status}`).join(', '),
    'registration',
  );
  expect(await readCounts()).toEqual(counts);

  // The migration counts the registrations that existed before its trigger. It runs again if it was interrupted.
  const { steps } = serviceMigrations.find(({ name }) => name === '202611271001-count-statuses-of-sessions')!;
  const backfill = steps!.flatMap((step) => ('backfill' in step ? [step.backfill.change] : []))[0];
  const run = () =>
    pool.query(
      `with batch as (select account_id, session_id as id from attendees.status_count where account_id = $1 group by 1, 2),
       changed as (${backfill}) select`,
      [world.accountId],
    );
  await pool.query(
    'update attendees.status_count set attended = attended - 3, cancelled = 0 where account_id = $1',
    [world.accountId],
  );
  await run();
  expect(await readCounts()).toEqual(counts);
  const countOfRows = () => countRows(service, world, 'attendees.status_count');
  const before = await countOfRows();
  await run();
  expect(await countOfRows()).toBe(before);
});
