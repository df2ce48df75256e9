import { expect } from 'vitest';
import { test } from '../support/service-test.ts';
import { register, registerMany } from './registrations.ts';

const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ email: `person-${from + index}@example.com` }));

test.for([null, 12])(
  'a session counts its registrations when bookings, batches and cancellations come at once (capacity %s)',
  async (capacityPerSession, { service, world }) => {
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
      `select count(*)::int as live from attendees.registration where status <> 'cancelled' and account_id = $1`,
      [world.accountId],
    );
    const [session] = (await world.call('GET /sessions')).json.data;
    expect(session).toMatchObject({ registrationCount: rows[0].live });
    if (capacityPerSession !== null) expect(rows[0].live).toBeLessThanOrEqual(capacityPerSession);
  },
);
