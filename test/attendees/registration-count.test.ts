import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { register, registerMany } from './registrations.ts';

const emailOf = (n: number): string => `person-${n}@example.com`;

test.each([null, 12])(
  'a session counts its registrations when bookings, batches and cancellations come at once (capacity %s)',
  async (capacityPerSession) => {
    await using service = await testApi();
    const world = await createTestWorld(service);
    const { key, webinar } = world;
    const form = { registrationForm: { capacityPerSession } };
    await callRest(service, `PATCH /webinars/${webinar.id}`, { key, body: form });
    const first = await Promise.all([0, 1, 2, 3].map((n) => register(service, world, { email: emailOf(n) })));
    const cancel = (answer: (typeof first)[number]) =>
      callRest(service, `POST /webinars/${webinar.id}/registrations/${answer.json.data.id}/cancel`, { key });
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({ email: emailOf(from + index) }));

    const answers = await Promise.all([
      ...first.flatMap((answer) => [cancel(answer), cancel(answer)]),
      registerMany(service, world, range(0, 8)),
      registerMany(service, world, range(4, 16).toReversed()),
      ...range(0, 12).map((person) => register(service, world, person)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);

    const { rows } = await service.db.database.pool.query(
      `select count(*)::int as live from attendees.registration where status <> 'cancelled'`,
    );
    const sessions = await callRest(service, `GET /webinars/${webinar.id}/sessions`, { key });
    expect(sessions.json.data[0]).toMatchObject({ registrationCount: rows[0].live });
    if (capacityPerSession !== null) expect(rows[0].live).toBeLessThanOrEqual(capacityPerSession);
  },
);
