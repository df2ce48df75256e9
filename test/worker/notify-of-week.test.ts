import { createId } from '@service/database';
import { createLog } from '@service/log';
import { notifyOfWeek } from '@service/worker';
import { expect } from 'vitest';
import { callRest, createTestKey, createTestMember } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { createPublishedWebinar } from '../support/factories.ts';
import { createTeam, test, type OwnerWorld } from './owner-world.ts';

const log = createLog('test', { level: 'silent' });

/** 08:05 in UTC on the Monday after now. */
function nextMonday(): Date {
  const now = new Date();
  const days = 7 - ((now.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 8, 5));
}

async function notify({ service, jobs, dashboardUrl }: OwnerWorld, now: Date): Promise<void> {
  const task = notifyOfWeek({
    database: service.db.database,
    jobs,
    dashboardUrl,
    // With the jitter all retries of a delivery end within six days.
    retryScheduleSeconds: [0, 5 * 86_400],
  });
  await task.run(now, { log, signal: AbortSignal.timeout(60_000) });
}

test('members who want it get the numbers of their workspace once on Monday, as text and HTML, and none of a week in which nothing happened', async ({
  world,
}) => {
  const { service, inbox } = world;
  const [team, quiet] = [await createTeam(world), await createTeam(world)];
  const max = await createTestMember(service, team.accountId);
  await createTestMember(service, team.accountId, 'Bystander');
  const asMax = await openDashboard(service, max);
  await asMax.mutate('accounts.notifications.change', { kind: 'weekly', isOn: true });
  const ofQuiet = await createTestMember(service, quiet.accountId);
  await (
    await openDashboard(service, ofQuiet)
  ).mutate('accounts.notifications.change', { kind: 'weekly', isOn: true });

  const { key } = await createTestKey(service, team.accountId);
  const registrations = `/webinars/${team.webinarId}/registrations`;
  const { json } = await callRest(service, `GET /webinars/${team.webinarId}/sessions`, { key });
  const sessionTime = json.data[0].startsAt;
  for (const email of ['ada@example.com', 'grace@example.com']) {
    const body = { name: 'A', email, sessionTime, suppressConfirmation: true };
    await callRest(service, `POST ${registrations}`, { key, body });
  }
  await callRest(service, 'POST /revenue/events', {
    key,
    body: {
      event_id: 'order-1',
      email: 'ada@example.com',
      amount_minor: 4900,
      currency: 'EUR',
      type: 'purchase',
      timestamp: new Date().toISOString(),
    },
  });
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:9/');
  const monday = nextMonday();
  // Deliveries of the last six days of the week may fail later, so those of the seven days before are counted.
  const countedUntil = new Date(monday).setUTCHours(0, 0, 0, 0) - 6 * 86_400_000;
  for (const at of [countedUntil - 3_600_000, countedUntil + 3_600_000])
    await service.db.database.pool.query(
      `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, is_refire, attempts_max, created_at, ended_as)
       values ($1, $2, $3, 'registered', false, 11, now(), 'failure')`,
      [createId(new Date(at)), team.accountId, endpointId],
    );

  const later = new Date(monday.getTime() + 86_400_000).toISOString();
  await createPublishedWebinar(service.db.database, team.accountId, { sessionTime: later, title: 'Spring' });
  await notify(world, new Date(monday.getTime() - 3_600_000));
  expect(inbox.received).toEqual([]);
  // A job may run twice, also at the same time, and once more a quarter of an hour later.
  await Promise.all([notify(world, monday), notify(world, monday)]);
  await notify(world, new Date(monday.getTime() + 900_000));
  const received = await world.untilReceived(1);
  expect(received.map(({ to }) => to.join())).toEqual([max.email]);
  const [mail] = received;
  expect(mail!.headers).toMatch(/^Subject: .* last week in numbers$/m);
  expect(mail!.headers).toMatch(/multipart\/alternative/);
  expect(mail!.text).toContain('Registrations: 2 (the week before: 0)');
  expect(mail!.text).toMatch(/^Webhooks of .* that failed for good: 1 \(the week before: 0\)$/m);
  expect(mail!.text).toContain('Net revenue in EUR: €49.00 (the week before: €0.00)');
  expect(mail!.text).toMatch(/^Next sessions:\nSpring: .*, 0 registered$/m);
});
