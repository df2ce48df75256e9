import { defineJob } from '@service/jobs';
import { expect } from 'vitest';
import { z } from 'zod';
import { insertConnection } from '../connections/connection-rows.ts';
import { createTestMember } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { createTeam, test, type OwnerWorld } from './owner-world.ts';

const job = defineJob({ name: 'worker.notify_of_connections', payload: z.object({}) });

/** Sets columns of a connection, and has the worker send what is due. */
async function notify(
  { service, jobs }: OwnerWorld,
  id: string,
  set: string,
  values: unknown[] = [],
): Promise<void> {
  await service.db.database.pool.query(`update connections.connection set ${set} where id = $1`, [
    id,
    ...values,
  ]);
  await jobs.enqueueNow(job, {});
}

const noticeOf = async ({ service }: OwnerWorld, id: string) => {
  const { rows } = await service.db.database.pool.query(
    `select notifications, notified_state as "notifiedState", extract(epoch from notify_at - since)::float as "againAfter" from connections.connection where id = $1`,
    [id],
  );
  return rows[0];
};

test('owners and the member who connected it are notified that a provider refuses the key, and again after a day', async ({
  world,
}) => {
  const team = await createTeam(world);
  const max = await createTestMember(world.service, team.accountId);
  await createTestMember(world.service, team.accountId, 'Bystander');
  const id = await insertConnection(world.service, team.accountId);
  await notify(
    world,
    id,
    `state = 'disconnected', since = now(), notify_at = now(), reason = E'API key is invalid\\r\\nBcc: x', name = E'Ours\\nTo: y',
     created_by_kind = 'member', created_by_id = $2`,
    [max.userId],
  );
  const received = await world.untilReceived(2);
  expect(received.map(({ to }) => to.join()).toSorted()).toEqual([team.ownerEmail, max.email].toSorted());
  const { headers, text } = received[0]!;
  expect(headers).not.toMatch(/^(Bcc|To): [xy]$/m);
  expect(text).toContain('The connection "Ours To: y" refuses the stored key');
  expect(text).toContain('The provider says:\nAPI key is invalid Bcc: x\n');
  expect(text).toContain(`${world.dashboardUrl}/w/${team.accountId}/settings/email`);
  expect(await noticeOf(world, id)).toEqual({
    notifications: 1,
    notifiedState: 'disconnected',
    againAfter: 86_400,
  });
});

test('a member who switched the mail off gets none about the connection that they made', async ({
  world,
}) => {
  const team = await createTeam(world);
  const max = await createTestMember(world.service, team.accountId);
  const asMax = await openDashboard(world.service, max);
  await asMax.mutate('accounts.notifications.change', { kind: 'stopped', isOn: false });
  const id = await insertConnection(world.service, team.accountId);
  await notify(
    world,
    id,
    `state = 'disconnected', since = now(), notify_at = now(), reason = 'Revoked', created_by_kind = 'member', created_by_id = $2`,
    [max.userId],
  );
  const received = await world.untilReceived(1);
  expect(received.map(({ to }) => to.join())).toEqual([team.ownerEmail]);
});

test('only owners are notified of a connection that fails, and no mail is about one that is paused', async ({
  world,
}) => {
  const team = await createTeam(world);
  const max = await createTestMember(world.service, team.accountId);
  const paused = await insertConnection(world.service, team.accountId);
  await notify(
    world,
    paused,
    `state = 'failing', reason = '421', notify_at = now() - interval '1 hour', paused_at = now()`,
  );
  const failing = await insertConnection(world.service, team.accountId);
  await notify(
    world,
    failing,
    `state = 'failing', reason = '421 Try later', notify_at = now(), created_by_kind = 'member', created_by_id = $2`,
    [max.userId],
  );
  const received = await world.untilReceived(1);
  expect(received.map(({ to }) => to.join())).toEqual([team.ownerEmail]);
  expect(received[0]!.text).toContain('421 Try later');
  expect(await noticeOf(world, failing)).toMatchObject({ notifications: 1, againAfter: null });
  expect(await noticeOf(world, paused)).toMatchObject({ notifications: 0 });
});

test('the mail about a marketing tool says how many people wait, and leads to its page', async ({
  world,
}) => {
  const team = await createTeam(world);
  const id = await insertConnection(world.service, team.accountId);
  await world.service.db.database.pool.query(
    `insert into contacts.change (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes, is_backfill,
       attempts, first_at, last_at, due_at)
     select $1, $2, name || '@example.com', taken, true, '{}', '{}', '{}', '[]', '[]', false, 0, now(), now(), now() + interval '1 day'
     from (values ('ada', false), ('ada', true), ('bob', false)) as change (name, taken)`,
    [team.accountId, id],
  );
  await notify(
    world,
    id,
    `kind = 'marketing', is_default = false, name = 'Klaviyo', state = 'disconnected', since = now(), notify_at = now(), reason = 'Revoked'`,
  );
  const [received] = await world.untilReceived(1);
  expect(received!.text).toContain(
    'The connection "Klaviyo" refuses the stored key. Changes of contacts wait for 30 days and are sent after you have reconnected it. ' +
      '2 people wait now.',
  );
  expect(received!.text).toContain(`${world.dashboardUrl}/w/${team.accountId}/settings/marketing-tools`);
});
